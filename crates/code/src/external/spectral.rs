//! The functions of LAPACK about eigenvalues. They take values alone: nobody differentiates them.

use super::External;
use super::args::Args;
use super::lapack::{lift, sizes};
use super::pencil::pencil;
use super::schur::{self, Square};
use crate::array::{Array, Dims};
use crate::error::Trouble;
use crate::num::Num;

type Done = Result<(), Trouble>;

/// What to add to the place of the first result, for functions with the same results in the same order.
struct Places {
    real: usize,
    left: usize,
    right: usize,
    info: usize,
}

pub fn call<R: Num>(function: External, args: &mut Args<'_, R>) -> Done {
    match function {
        External::Dgeev => {
            let vectors = args.text(1)?.starts_with('V');
            let Some((t, z)) = schur::schur(&square(args, 3)?) else {
                return args.put_int(13, 1);
            };
            put_values(args, 5, &schur::values(&t))?;
            if vectors {
                let x = eigenvectors(&t, &z, false);
                put(args, 9, x)?;
            }
            args.put_int(13, 0)
        }
        External::Dgeevx => {
            let Some((t, z)) = schur::schur(&square(args, 5)?) else {
                return args.put_int(22, 1);
            };
            put_values(args, 7, &schur::values(&t))?;
            put(args, 9, eigenvectors(&t, &z, true))?;
            put(args, 11, eigenvectors(&t, &z, false))?;
            put(args, 5, t)?;
            args.put_int(22, 0)
        }
        External::Dgees => {
            let Some((t, z)) = schur::schur(&square(args, 4)?) else {
                return args.put_int(14, 1);
            };
            put_values(args, 7, &schur::values(&t))?;
            put(args, 4, t)?;
            put(args, 9, z)?;
            args.put_int(14, 0)
        }
        External::Dgehrd => {
            let mut a = square(args, 3)?;
            let index = |k: i64| k.clamp(1, a.n.max(1) as i64) as usize - 1;
            let (low, high) = (index(args.int(1)?), index(args.int(2)?));
            let taus = schur::hessenberg(&mut a, low, high);
            put(args, 3, a)?;
            put_vector(args, 5, taus)?;
            args.put_int(8, 0)
        }
        External::Dorghr => {
            let taus = args.numbers(5)?.data;
            let q = schur::product(&square(args, 3)?, &taus);
            put(args, 3, q)?;
            args.put_int(8, 0)
        }
        External::Dhseqr => {
            let mut t = square(args, 5)?;
            schur::clear(&mut t);
            let form = args.text(0)?.starts_with(['S', 's']);
            let wanted = args.text(1)?;
            let given = wanted.starts_with(['V', 'v']);
            let mut z = match given {
                true => square(args, 9)?,
                false => Square::identity(t.n),
            };
            if z.n != t.n {
                return Err(sizes());
            }
            if !schur::triangular(&mut t, &mut z) {
                return args.put_int(13, 1);
            }
            put_values(args, 7, &schur::values(&t))?;
            if form {
                put(args, 5, t)?;
            }
            if given || wanted.starts_with(['I', 'i']) {
                put(args, 9, z)?;
            }
            args.put_int(13, 0)
        }
        External::Dtrevc => {
            let (side, kind) = (args.text(0)?, args.text(1)?);
            if kind.starts_with(['S', 's']) {
                return Err(Trouble::External("only all eigenvectors are found".into()));
            }
            let t = square(args, 4)?;
            let values = schur::values(&t);
            for (index, left) in [(6, true), (8, false)] {
                if side.starts_with(if left { ['R', 'r'] } else { ['L', 'l'] }) {
                    continue;
                }
                let mut x = schur::vectors(&t, left);
                if kind.starts_with(['B', 'b']) {
                    let q = square(args, index)?;
                    if q.n != t.n {
                        return Err(sizes());
                    }
                    x = schur::times(&q, &x);
                }
                schur::normalise(&mut x, &values, schur::by_largest);
                put(args, index, x)?;
            }
            args.put_int(13, 0)
        }
        External::Dtrsen => {
            let job = args.text(0)?;
            if job.starts_with(['V', 'v', 'B', 'b']) {
                return Err(Trouble::External(
                    "how far groups of eigenvalues are apart is not computed".into(),
                ));
            }
            let chosen: Vec<bool> = args.ints(2)?.data.iter().map(|&k| k != 0).collect();
            let mut t = square(args, 4)?;
            let turns = args.text(1)?.starts_with(['V', 'v']);
            let mut q = match turns {
                true => square(args, 6)?,
                false => Square::identity(t.n),
            };
            if chosen.len() != t.n || q.n != t.n {
                return Err(sizes());
            }
            let m = schur::reorder(&mut t, &mut q, &chosen);
            if job.starts_with(['E', 'e']) {
                args.put_real(11, R::of(schur::condition(&t, m)))?;
            }
            put_values(args, 8, &schur::values(&t))?;
            put(args, 4, t)?;
            if turns {
                put(args, 6, q)?;
            }
            args.put_int(10, m as i64)?;
            args.put_int(17, 0)
        }
        External::Dtrsyl => {
            let transposed = |k| -> Result<bool, Trouble> {
                Ok(args.text(k)?.starts_with(['T', 't', 'C', 'c']))
            };
            let sides = (transposed(0)?, transposed(1)?);
            let sign = args.int(2)? as f64;
            let (a, b) = (square(args, 5)?, square(args, 7)?);
            let c = args.numbers(9)?;
            if c.dims[..] != [a.n, b.n] {
                return Err(sizes());
            }
            let (x, regular) = schur::sylvester((&a, sides.0), (&b, sides.1), sign, &c.data);
            let x = Array {
                dims: c.dims,
                data: x,
            };
            args.put_reals(9, lift(x))?;
            args.put_real(11, R::of(1.0))?;
            args.put_int(12, i64::from(!regular))
        }
        External::Dggev => {
            let n = args.int(2)?.max(0) as usize;
            let matrices = [corner(&square(args, 3)?, n), corner(&square(args, 5)?, n)];
            let places = Places {
                real: 7,
                left: 10,
                right: 12,
                info: 16,
            };
            pencil_of(args, matrices, places, true)
        }
        External::Dggevx => {
            let matrices = [square(args, 5)?, square(args, 7)?];
            let places = Places {
                real: 9,
                left: 12,
                right: 14,
                info: 28,
            };
            pencil_of(args, matrices, places, true)
        }
        External::Dhgeqz => {
            let matrices = [square(args, 6)?, square(args, 8)?];
            let places = Places {
                real: 10,
                left: 0,
                right: 0,
                info: 19,
            };
            pencil_of(args, matrices, places, false)
        }
        _ => Err(Trouble::External("no function of eigenvalues".into())),
    }
}

/// Unit eigenvectors of Z T Zᵀ.
fn eigenvectors(t: &Square, z: &Square, left: bool) -> Square {
    let mut x = schur::times(z, &schur::vectors(t, left));
    schur::normalise(&mut x, &schur::values(t), schur::by_length);
    x
}

fn pencil_of<R: Num>(
    args: &mut Args<'_, R>,
    [a, b]: [Square; 2],
    places: Places,
    vectors: bool,
) -> Done {
    let size = args.reals(places.real)?.data.len();
    if a.n != b.n || a.n > size {
        return Err(sizes());
    }
    let Some(mut found) = pencil(&a, &b) else {
        return args.put_int(places.info, 1);
    };
    let parts = [
        found.values.iter().map(|v| v.0).collect::<Vec<f64>>(),
        found.values.iter().map(|v| v.1).collect(),
        found.values.iter().map(|v| v.2).collect(),
    ];
    for (k, mut part) in parts.into_iter().enumerate() {
        part.resize(size, 0.0);
        put_vector(args, places.real + k, part)?;
    }
    if vectors {
        let values: Vec<(f64, f64)> = found.values.iter().map(|v| (v.0, v.1)).collect();
        schur::normalise(&mut found.left, &values, schur::by_largest);
        schur::normalise(&mut found.right, &values, schur::by_largest);
        put(args, places.left, corner(&found.left, size))?;
        put(args, places.right, corner(&found.right, size))?;
    }
    args.put_int(places.info, 0)
}

/// The upper left corner, or what has the matrix there and zeros around it.
fn corner(a: &Square, n: usize) -> Square {
    let mut out = Square::zero(n);
    for i in 0..n.min(a.n) {
        (0..n.min(a.n)).for_each(|j| out.set(i, j, a.get(i, j)));
    }
    out
}

fn square<R: Num>(args: &Args<'_, R>, index: usize) -> Result<Square, Trouble> {
    let a = args.numbers(index)?;
    match a.dims[..] {
        [m, n] if m == n => Ok(Square { n, data: a.data }),
        _ => Err(Trouble::External("a matrix is not square".into())),
    }
}

fn put<R: Num>(args: &mut Args<'_, R>, index: usize, a: Square) -> Done {
    let dims = Dims::from_slice(&[a.n, a.n]);
    args.put_reals(index, lift(Array { dims, data: a.data }))
}

fn put_vector<R: Num>(args: &mut Args<'_, R>, index: usize, values: Vec<f64>) -> Done {
    args.put_reals(index, lift(Array::vector(values)))
}

/// Real and imaginary parts, into two arguments.
fn put_values<R: Num>(args: &mut Args<'_, R>, index: usize, values: &[(f64, f64)]) -> Done {
    put_vector(args, index, values.iter().map(|v| v.0).collect())?;
    put_vector(args, index + 1, values.iter().map(|v| v.1).collect())
}
