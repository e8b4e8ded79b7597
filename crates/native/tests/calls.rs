//! Calls of functions of the C library, which every process has, and of functions of this test.

use modeshift_native::{Argument, Data, Libraries, Returns, call};

fn value(data: Data) -> Argument {
    Argument {
        data,
        by_reference: false,
    }
}

fn process() -> Libraries {
    let mut libraries = Libraries::default();
    libraries.open_process();
    libraries
}

#[test]
#[cfg(unix)]
fn strings_go_in_and_integers_come_out() {
    let libraries = process();
    let strlen = libraries.find("strlen").expect("every process has it");
    let mut args = [value(Data::Text("seven c".into()))];
    let result = call(strlen, &mut args, Returns::Int);
    assert_eq!(result, Ok(Some(Data::Int(7))));
    assert!(libraries.find("no_such_function_anywhere").is_none());
}

#[test]
#[cfg(unix)]
fn what_is_passed_by_reference_is_written() {
    let libraries = process();
    let Some(frexp) = libraries.find("frexp") else {
        return;
    };
    let mut args = [
        value(Data::Real(48.0)),
        Argument {
            data: Data::Int(0),
            by_reference: true,
        },
    ];
    let result = call(frexp, &mut args, Returns::Real);
    assert_eq!(result, Ok(Some(Data::Real(0.75))));
    assert_eq!(args[1].data, Data::Int(6));
}
