//! One type of function that fits all, by the calling convention of the machine.

use std::ffi::c_void;

/// What is passed.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Word {
    Int(u64),
    Float(f64),
}

#[cfg(all(unix, target_arch = "x86_64"))]
const INTS: usize = 6;
#[cfg(not(all(unix, target_arch = "x86_64")))]
const INTS: usize = 8;
const FLOATS: usize = 8;
/// Words on the stack.
const STACK: usize = 16;

/// Whether the convention is known here, and whether words on the stack have eight bytes each.
const KNOWN: bool = cfg!(all(
    unix,
    any(target_arch = "x86_64", target_arch = "aarch64")
));
const WIDE_STACK: bool = !cfg!(target_vendor = "apple");

/// Calls a function that takes these words and gives an integer, or a floating-point number.
///
/// # Safety
/// The function must be one that takes such arguments.
pub(crate) unsafe fn call(
    function: *const c_void,
    words: &[Word],
    gives_float: bool,
) -> Result<Word, String> {
    let mut i = [0_u64; INTS];
    let mut f = [0.0_f64; FLOATS];
    let mut s = [0_u64; STACK];
    let (mut ints, mut floats, mut stack) = (0, 0, 0);
    for word in words {
        match word {
            Word::Int(value) if ints < INTS => {
                i[ints] = *value;
                ints += 1;
            }
            Word::Float(value) if floats < FLOATS => {
                f[floats] = *value;
                floats += 1;
            }
            _ if stack < STACK && WIDE_STACK => {
                s[stack] = match word {
                    Word::Int(value) => *value,
                    Word::Float(value) => value.to_bits(),
                };
                stack += 1;
            }
            _ => return Err("it has too many arguments".into()),
        }
    }
    if !KNOWN {
        return Err("functions in C cannot be called on this system".into());
    }
    macro_rules! invoke {
        ($($int:literal)*; $result:ty) => {{
            type All = unsafe extern "C" fn(
                $(invoke!(@ $int u64),)*
                f64, f64, f64, f64, f64, f64, f64, f64,
                u64, u64, u64, u64, u64, u64, u64, u64,
                u64, u64, u64, u64, u64, u64, u64, u64,
            ) -> $result;
            let all = unsafe { std::mem::transmute::<*const c_void, All>(function) };
            unsafe {
                all(
                    $(i[$int],)*
                    f[0], f[1], f[2], f[3], f[4], f[5], f[6], f[7],
                    s[0], s[1], s[2], s[3], s[4], s[5], s[6], s[7],
                    s[8], s[9], s[10], s[11], s[12], s[13], s[14], s[15],
                )
            }
        }};
        (@ $int:literal $ty:ty) => { $ty };
    }
    #[cfg(all(unix, target_arch = "x86_64"))]
    let result = match gives_float {
        true => Word::Float(invoke!(0 1 2 3 4 5; f64)),
        false => Word::Int(invoke!(0 1 2 3 4 5; u64)),
    };
    #[cfg(not(all(unix, target_arch = "x86_64")))]
    let result = match gives_float {
        true => Word::Float(invoke!(0 1 2 3 4 5 6 7; f64)),
        false => Word::Int(invoke!(0 1 2 3 4 5 6 7; u64)),
    };
    Ok(result)
}
