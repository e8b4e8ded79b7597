//! `Modelica.Utilities`: files and streams, the clock. Files are written below the output directory only; what else
//! would change the world outside is refused.

#![allow(
    clippy::disallowed_methods,
    reason = "a running model asks about files here, and nowhere else"
)]

use super::{Args, External, combi, files, mat_write};
use crate::array::Array;
use crate::context::Context;
use crate::error::Trouble;
use crate::num::Num;
use std::sync::Arc;

fn wrong(message: impl Into<String>) -> Trouble {
    Trouble::External(message.into())
}

fn lines(context: &mut Context, file: &str) -> Result<Vec<Arc<str>>, Trouble> {
    let text = files::text(context, file).map_err(wrong)?;
    Ok(text.lines().map(Arc::from).collect())
}

pub fn call<R: Num>(
    function: External,
    args: &mut Args<'_, R>,
    context: &mut Context,
) -> Result<(), Trouble> {
    use External as E;
    match function {
        E::CountLines => {
            let count = lines(context, &args.text(0)?)?.len();
            args.give_int(count as i64)
        }
        E::ReadFile => {
            let all = lines(context, &args.text(0)?)?;
            args.put_texts(1, Array::vector(all))
        }
        E::ReadLine => {
            let all = lines(context, &args.text(0)?)?;
            let index = usize::try_from(args.int(1)? - 1).ok();
            let line = index.and_then(|index| all.get(index));
            args.put_int(2, i64::from(line.is_none()))?;
            args.give_text(line.cloned().unwrap_or_else(|| Arc::from("")))
        }
        E::Print => {
            let (text, file) = (args.text(0)?, args.text(1)?);
            if file.trim().is_empty() {
                if context.printed.len() < 1_000_000 {
                    context.printed.push_str(&text);
                    context.printed.push('\n');
                }
                return Ok(());
            }
            let path = files::writable(context, &file).map_err(wrong)?;
            use std::io::Write;
            let written = std::fs::OpenOptions::new()
                .create(true)
                .append(true)
                .open(path);
            let written = written.and_then(|mut file| writeln!(file, "{text}"));
            written.map_err(|error| wrong(format!("`{file}`: {error}")))
        }
        E::WriteRealMatrix => {
            let (file, name, format) = (args.text(0)?, args.text(1)?, args.text(6)?);
            let (matrix, append) = (args.numbers(2)?, args.int(5)? != 0);
            let path = files::writable(context, &file).map_err(wrong)?;
            let before = match append && path.is_file() {
                true => files::bytes(context, &path.display().to_string()).map_err(wrong)?,
                false => Vec::new(),
            };
            let whole = mat_write::with_matrix(before, &name, &matrix, &format).map_err(wrong)?;
            std::fs::write(&path, whole).map_err(|error| wrong(format!("`{file}`: {error}")))?;
            args.give_int(1)
        }
        E::CloseFile => Ok(()),
        E::FullPathName => {
            let name = args.text(0)?;
            let path = files::readable(context, &name).map(|path| path.display().to_string());
            args.give_text(path.map_or(name, Arc::from))
        }
        E::Stat => {
            let name = args.text(0)?;
            let path = files::readable(context, &name).ok();
            // FileType: NoFile, RegularFile, Directory, SpecialFile.
            let kind = path.map_or(1, |path| match path {
                path if path.is_file() => 2,
                path if path.is_dir() => 3,
                _ => 4,
            });
            args.give_int(kind)
        }
        E::ReadMatrixSizes => {
            let (file, name) = (args.text(0)?, args.text(1)?);
            let found = combi::read(context, &file, &name, ",", 0).map_err(wrong)?;
            let dims = found.dims.iter().map(|&size| size as i64).collect();
            args.put_ints(2, Array::vector(dims))
        }
        E::ReadRealMatrix => {
            let (file, name) = (args.text(0)?, args.text(1)?);
            let found = combi::read(context, &file, &name, ",", 0).map_err(wrong)?;
            let lifted = Array {
                dims: found.dims,
                data: found.data.into_iter().map(R::of).collect(),
            };
            args.put_reals(2, lifted)
        }
        E::GetTime => {
            let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
            let now = now.unwrap_or_default();
            let seconds = now.as_secs() as i64;
            let (year, month, day) = date(seconds.div_euclid(86_400));
            let rest = seconds.rem_euclid(86_400);
            let parts = [
                i64::from(now.subsec_millis()),
                rest % 60,
                rest / 60 % 60,
                rest / 3600,
                day,
                month,
                year,
            ];
            for (index, part) in parts.into_iter().enumerate() {
                args.put_int(index, part)?;
            }
            Ok(())
        }
        E::GetPid => args.give_int(1),
        E::GetEnv => {
            args.put_text(2, Arc::from(""))?;
            args.put_int(3, 0)
        }
        E::Fft => {
            let u = args.reals(0)?.data.clone();
            let n = u.len();
            if n == 0 || n % 2 != 0 {
                return args.give_int(1);
            }
            let half = n / 2 + 1;
            let spectrum = transform(&u);
            let size = R::of(half as f64);
            let square = |(re, im): &(R, R)| re.mul(*re).add(im.mul(*im));
            let root = |x: R| {
                if x.value() > 0.0 {
                    R::unary(modeshift_inst::builtin::Unary::Sqrt, x)
                } else {
                    R::of(0.0)
                }
            };
            let amplitudes = spectrum
                .iter()
                .take(half)
                .map(|c| root(square(c)).div(size))
                .collect();
            let angle = |(re, im): &(R, R)| match square(&(*re, *im)).value() > 0.0 {
                true => R::binary(modeshift_inst::builtin::Binary::Atan2, *im, *re),
                false => R::of(0.0),
            };
            let phases = spectrum.iter().take(half).map(angle).collect();
            args.put_reals(4, Array::vector(amplitudes))?;
            args.put_reals(5, Array::vector(phases))?;
            args.give_int(0)
        }
        _ => Err(wrong("a function of the system that is not executed")),
    }
}

/// Year, month and day from days since 1970.
fn date(days: i64) -> (i64, i64, i64) {
    let shifted = days + 719_468;
    let era = shifted.div_euclid(146_097);
    let of_era = shifted.rem_euclid(146_097);
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    (year + era * 400 + i64::from(month <= 2), month, day)
}

/// The discrete Fourier transform, factor by factor.
fn transform<R: Num>(u: &[R]) -> Vec<(R, R)> {
    let n = u.len();
    let turns: Vec<(f64, f64)> = (0..n)
        .map(|k| {
            let angle = -2.0 * std::f64::consts::PI * k as f64 / n as f64;
            (libm::cos(angle), libm::sin(angle))
        })
        .collect();
    let input: Vec<(R, R)> = u.iter().map(|&x| (x, R::of(0.0))).collect();
    step(&input, 1, 0, n, &turns)
}

/// The transform of every `stride`-th number from `first` on, `n` of them.
fn step<R: Num>(
    input: &[(R, R)],
    stride: usize,
    first: usize,
    n: usize,
    turns: &[(f64, f64)],
) -> Vec<(R, R)> {
    if n == 1 {
        return vec![input[first]];
    }
    let factor = (2..=n).find(|p| n.is_multiple_of(*p)).unwrap_or(n);
    let inner = n / factor;
    let parts: Vec<Vec<(R, R)>> = (0..factor)
        .map(|k| step(input, stride * factor, first + k * stride, inner, turns))
        .collect();
    let zero = (R::of(0.0), R::of(0.0));
    (0..n)
        .map(|k| {
            parts.iter().enumerate().fold(zero, |(re, im), (q, part)| {
                let (c, s) = turns[q * k % n * (turns.len() / n)];
                let (x, y) = part[k % inner];
                let (c, s) = (R::of(c), R::of(s));
                (
                    re.add(x.mul(c).sub(y.mul(s))),
                    im.add(x.mul(s).add(y.mul(c))),
                )
            })
        })
        .collect()
}
