//! `Modelica.Math.Random`: the generators xorshift64*, xorshift128+ and xorshift1024* of S. Vigna, with states of
//! 32-bit Integers, the lower half of each 64-bit word first.

use super::{Args, External};
use crate::array::Array;
use crate::context::Context;
use crate::error::Trouble;
use crate::num::Num;

/// The hidden generator of `impureRandom`.
#[derive(Debug, Default)]
pub struct Random {
    words: [u64; 16],
    place: u64,
    id: Option<i64>,
}

/// A word as a number of the interval (0, 1].
fn unit(word: u64) -> f64 {
    (word as i64) as f64 * 2f64.powi(-64) + 0.5
}

fn words(state: &[i64]) -> Vec<u64> {
    let halves = state.chunks_exact(2);
    halves
        .map(|pair| u64::from(pair[0] as u32) | u64::from(pair[1] as u32) << 32)
        .collect()
}

fn halves(words: &[u64]) -> Vec<i64> {
    let halves = words
        .iter()
        .flat_map(|&word| [word as u32, (word >> 32) as u32]);
    halves.map(|half| i64::from(half as i32)).collect()
}

/// The constant that scrambles the output is multiplied into the state, too.
pub fn xorshift64star(mut x: u64) -> u64 {
    x ^= x >> 12;
    x ^= x << 25;
    x ^= x >> 27;
    x.wrapping_mul(2_685_821_657_736_338_717)
}

pub fn xorshift128plus([a, b]: [u64; 2]) -> [u64; 2] {
    let x = a ^ a << 23;
    [b, (x ^ b ^ (x >> 17) ^ (b >> 26)).wrapping_add(b)]
}

pub fn xorshift1024star(words: &mut [u64], place: &mut u64) -> u64 {
    let before = words[(*place & 15) as usize];
    *place = (*place + 1) & 15;
    let now = &mut words[*place as usize];
    let mut x = *now;
    x ^= x << 31;
    x ^= x >> 11;
    *now = x ^ before ^ (before >> 30);
    now.wrapping_mul(1_181_783_497_276_652_981)
}

pub fn call<R: Num>(
    function: External,
    args: &mut Args<'_, R>,
    context: &mut Context,
) -> Result<(), Trouble> {
    let short = || Trouble::External("the state of a random generator is too short".into());
    match function {
        External::XorShift64Star | External::XorShift128Plus | External::XorShift1024Star => {
            let state = args.ints(0)?.data.clone();
            let mut own = words(&state);
            let (after, number) = match function {
                External::XorShift64Star => {
                    let word = xorshift64star(*own.first().ok_or_else(short)?);
                    (halves(&[word]), unit(word))
                }
                External::XorShift128Plus => {
                    let [a, b] = own[..] else { return Err(short()) };
                    let after = xorshift128plus([a, b]);
                    (halves(&after), unit(after[1]))
                }
                _ => {
                    if state.len() < 33 {
                        return Err(short());
                    }
                    let mut place = state[32] as u64;
                    let word = xorshift1024star(&mut own, &mut place);
                    let mut after = halves(&own);
                    after.push(place as i64);
                    (after, unit(word))
                }
            };
            args.put_ints(1, Array::vector(after))?;
            args.put_real(2, R::of(number))
        }
        External::SetInternalState => {
            let state = &args.ints(0)?.data;
            if state.len() < 33 {
                return Err(short());
            }
            let own = words(state);
            context.random.words.copy_from_slice(&own[..16]);
            context.random.place = state[32] as u64;
            context.random.id = Some(args.int(2)?);
            Ok(())
        }
        External::ImpureRandom => {
            let id = args.int(0)?;
            let random = &mut context.random;
            if random.id != Some(id) {
                return Err(Trouble::External(
                    "`impureRandom` comes before `initializeImpureRandom`".into(),
                ));
            }
            let word = xorshift1024star(&mut random.words, &mut random.place);
            args.give_real(R::of(unit(word)))
        }
        _ => {
            let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
            let millis = now.map_or(1, |now| now.as_millis() % 2_000_000_000);
            args.give_int(millis as i64 + 1)
        }
    }
}
