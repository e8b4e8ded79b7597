//! Machine code computes what the instructions say, and ends where they have no end.

use modeshift_jit::{Callee, End, Function, Op, Rel, Source};

extern "C" fn half(x: f64) -> f64 {
    x / 2.0
}

fn compiled(ops: &[Op], n_reals: usize, n_ints: usize) -> Option<Function> {
    Function::compile(Source {
        ops,
        callees: &[Callee::One(half)],
        n_reals,
        n_ints,
    })
}

/// x := x + h*(−x)/2, n times: registers x, h, t; i, n.
const LOOP: &[Op] = &[
    Op::LitI(0, 1),
    Op::NegR(2, 0),
    Op::MulR(2, 2, 1),
    Op::Call1(2, 0, 2),
    Op::AddR(0, 0, 2),
    Op::Loop(0, 1, 1),
    Op::Return,
];

#[test]
fn a_loop_gives_the_same_bits_as_the_processor_would() {
    let function = compiled(LOOP, 3, 2).expect("it can be compiled");
    let (mut reals, mut ints, mut steps) = ([1.0, 0.01, 0.0], [0, 1000], 10_000);
    let end = function.run(&mut reals, &mut ints, &mut steps);
    assert_eq!(end, Some(End::Returned));
    let mut x = 1.0_f64;
    for _ in 0..1000 {
        x += -x * 0.01 / 2.0;
    }
    assert_eq!(reals[0].to_bits(), x.to_bits());
    assert_eq!((ints, steps), ([1000, 1000], 10_000 - 999));
}

#[test]
fn steps_are_counted_and_integers_checked() {
    let function = compiled(LOOP, 3, 2).expect("it can be compiled");
    let (mut reals, mut ints, mut steps) = ([1.0, 0.01, 0.0], [0, i64::MAX], 500);
    let end = function.run(&mut reals, &mut ints, &mut steps);
    assert_eq!((end, steps), (Some(End::Steps(5)), 0));
    let forever = compiled(&[Op::Back(0), Op::Return], 0, 0).expect("it can be compiled");
    assert_eq!(
        forever.run(&mut [], &mut [], &mut 1_000),
        Some(End::Steps(0))
    );
    let double = compiled(&[Op::AddI(0, 0, 0), Op::Back(0), Op::Return], 0, 1);
    let end = double.and_then(|it| it.run(&mut [], &mut [3], &mut 1_000));
    assert_eq!(end, Some(End::Overflow(0)));
}

#[test]
fn what_is_no_number_is_in_no_relation() {
    for (rel, holds) in [(Rel::Less, 0), (Rel::Equal, 0), (Rel::NotEqual, 1)] {
        let code = [Op::CmpR(rel, 0, 0, 1), Op::Return];
        let function = compiled(&code, 2, 1).expect("it can be compiled");
        let mut ints = [7];
        function.run(&mut [f64::NAN, 1.0], &mut ints, &mut 0);
        assert_eq!(ints, [holds]);
    }
}

#[test]
fn code_that_makes_no_sense_is_not_compiled() {
    assert!(compiled(&[Op::MovR(0, 5), Op::Return], 1, 0).is_none());
    assert!(compiled(&[Op::Jmp(9), Op::Return], 1, 0).is_none());
    assert!(compiled(&[Op::MovR(0, 0)], 1, 0).is_none());
    let function = compiled(&[Op::Return], 1, 0).expect("it can be compiled");
    assert_eq!(function.run(&mut [], &mut [], &mut 0), None);
}
