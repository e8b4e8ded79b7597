//! The interface of the tables: objects that constructors make, and functions that read them.

use super::curve::{Extrapolation, Smoothness};
use super::tables::{Table1, Table2, TimeEvents, TimeTable};
use super::{Args, External, Object, files, matrix};
use crate::array::Array;
use crate::context::Context;
use crate::error::Trouble;
use crate::num::Num;

fn wrong(message: impl Into<String>) -> Trouble {
    Trouble::External(message.into())
}

fn is_blank(name: &str) -> bool {
    name.trim().is_empty() || name == "NoName"
}

/// The matrix of a file, or the one that is given.
fn data<R: Num>(
    args: &Args<'_, R>,
    context: &mut Context,
    (delimiter, header): (usize, usize),
) -> Result<Array<f64>, Trouble> {
    let (file, name) = (args.text(0)?, args.text(1)?);
    if is_blank(&file) {
        if !is_blank(&name) {
            return Err(wrong(format!("the table `{name}` is in no file")));
        }
        return args.numbers(2);
    }
    let (delimiter, header) = (args.text(delimiter)?, args.int(header)?);
    read(context, &file, &name, &delimiter, header).map_err(wrong)
}

/// A matrix of a file.
pub fn read(
    context: &mut Context,
    file: &str,
    name: &str,
    delimiter: &str,
    header: i64,
) -> Result<Array<f64>, String> {
    let ending = file.rsplit('.').next().unwrap_or_default().to_lowercase();
    let found = match &*ending {
        "mat" => matrix::from_mat(&files::bytes(context, file)?, name),
        "csv" => matrix::from_csv(&files::text(context, file)?, delimiter, header),
        _ => matrix::from_text(&files::text(context, file)?, name),
    };
    found.map_err(|why| format!("`{file}`: {why}"))
}

fn smoothness(number: i64) -> Result<Smoothness, Trouble> {
    Smoothness::new(number).ok_or_else(|| wrong(format!("there is no smoothness {number}")))
}

fn extrapolation(number: i64) -> Result<Extrapolation, Trouble> {
    Extrapolation::new(number).ok_or_else(|| wrong(format!("there is no extrapolation {number}")))
}

fn make<R: Num>(
    function: External,
    args: &Args<'_, R>,
    context: &mut Context,
) -> Result<Object, Trouble> {
    Ok(match function {
        External::TimeTableInit => {
            let data = data(args, context, (13, 14))?;
            let (start, shift) = (args.real(5)?.value(), args.real(10)?.value());
            let (kind, beyond) = (smoothness(args.int(8)?)?, extrapolation(args.int(9)?)?);
            let events = match args.int(11)? {
                1 => TimeEvents::Always,
                2 => TimeEvents::AtDiscontinuities,
                _ => TimeEvents::Never,
            };
            let columns = &args.ints(6)?.data;
            let table = Table1::new(&data, columns, kind, beyond, false).map_err(wrong)?;
            Object::Time(TimeTable::new(table, start, shift, events))
        }
        External::Table1Init => {
            let data = data(args, context, (10, 11))?;
            let (kind, beyond) = (smoothness(args.int(7)?)?, extrapolation(args.int(8)?)?);
            let columns = &args.ints(5)?.data;
            Object::One(Table1::new(&data, columns, kind, beyond, true).map_err(wrong)?)
        }
        _ => {
            let data = data(args, context, (8, 9))?;
            let (kind, beyond) = (smoothness(args.int(5)?)?, extrapolation(args.int(6)?)?);
            Object::Two(Table2::new(&data, kind, beyond).map_err(wrong)?)
        }
    })
}

pub fn call<R: Num>(
    function: External,
    args: &mut Args<'_, R>,
    context: &mut Context,
) -> Result<(), Trouble> {
    use External as E;
    if let E::TimeTableInit | E::Table1Init | E::Table2Init = function {
        // Equal arguments make the same object.
        let key = args.key(function);
        let handle = match context.made.get(&key) {
            Some(&handle) => handle,
            None => {
                let object = make(function, args, context)?;
                context.objects.push(object);
                let handle = context.objects.len() as i64;
                context.made.insert(key, handle);
                handle
            }
        };
        return args.give_int(handle);
    }
    if let E::TimeTableClose | E::Table1Close | E::Table2Close = function {
        return Ok(());
    }
    let handle = usize::try_from(args.int(0)? - 1).ok();
    let object = handle.and_then(|handle| context.objects.get(handle));
    let object = object.ok_or_else(|| wrong("a table is read before it is made"))?;
    match (function, object) {
        (E::TimeTableValue | E::TimeTableDer | E::TimeTableDer2, Object::Time(table)) => {
            let (column, time) = (
                table.table.column(args.int(1)?).map_err(wrong)?,
                args.real(2)?,
            );
            if time.value() >= table.start {
                table
                    .table
                    .check(time.value() - table.shift)
                    .map_err(wrong)?;
            }
            let next = args.real(3)?.value();
            let f = |t: f64, order: u32| table.value(column, t, order, next);
            let value = match function {
                E::TimeTableValue => R::lift1(time, &f, 0),
                E::TimeTableDer => R::lift1(time, &f, 1).mul(args.real(5)?),
                _ => {
                    let (speed, acceleration) = (args.real(5)?, args.real(6)?);
                    let bend = R::lift1(time, &f, 2).mul(speed).mul(speed);
                    bend.add(R::lift1(time, &f, 1).mul(acceleration))
                }
            };
            args.give_real(value)
        }
        (E::TimeTableNextEvent, Object::Time(table)) => {
            let next = table.next_event(args.real(1)?.value());
            args.give_real(R::of(next))
        }
        (E::TimeTableMin, Object::Time(table)) => {
            let value = table.table.minimum();
            args.give_real(R::of(value))
        }
        (E::TimeTableMax, Object::Time(table)) => {
            let value = table.table.maximum();
            args.give_real(R::of(value))
        }
        (E::Table1Value | E::Table1Der | E::Table1Der2, Object::One(table)) => {
            let (column, u) = (table.column(args.int(1)?).map_err(wrong)?, args.real(2)?);
            table.check(u.value()).map_err(wrong)?;
            let f = |u: f64, order: u32| table.value(column, u, order, false);
            let value = match function {
                E::Table1Value => R::lift1(u, &f, 0),
                E::Table1Der => R::lift1(u, &f, 1).mul(args.real(3)?),
                _ => {
                    let (speed, acceleration) = (args.real(3)?, args.real(4)?);
                    let bend = R::lift1(u, &f, 2).mul(speed).mul(speed);
                    bend.add(R::lift1(u, &f, 1).mul(acceleration))
                }
            };
            args.give_real(value)
        }
        (E::Table1Min, Object::One(table)) => {
            let value = table.minimum();
            args.give_real(R::of(value))
        }
        (E::Table1Max, Object::One(table)) => {
            let value = table.maximum();
            args.give_real(R::of(value))
        }
        (E::Table2Value | E::Table2Der | E::Table2Der2, Object::Two(table)) => {
            let (u, v) = (args.real(1)?, args.real(2)?);
            table.check(u.value(), v.value()).map_err(wrong)?;
            let f = |u: f64, v: f64, i: u32, j: u32| table.value(u, v, (i, j));
            let at = |i: u32, j: u32| R::lift2(u, v, &f, (i, j));
            let value = match function {
                E::Table2Value => at(0, 0),
                E::Table2Der => at(1, 0).mul(args.real(3)?).add(at(0, 1).mul(args.real(4)?)),
                _ => {
                    let (du, dv) = (args.real(3)?, args.real(4)?);
                    let (ddu, ddv) = (args.real(5)?, args.real(6)?);
                    let squares = at(2, 0).mul(du).mul(du).add(at(0, 2).mul(dv).mul(dv));
                    let mixed = R::of(2.0).mul(at(1, 1)).mul(du).mul(dv);
                    let first = at(1, 0).mul(ddu).add(at(0, 1).mul(ddv));
                    squares.add(mixed).add(first)
                }
            };
            args.give_real(value)
        }
        (E::Table2Min | E::Table2Max, Object::Two(table)) => {
            let ends = |values: &[f64]| match function {
                E::Table2Min => values[0],
                _ => values[values.len() - 1],
            };
            let values = vec![R::of(ends(&table.x)), R::of(ends(&table.y))];
            args.put_reals(1, Array::vector(values))
        }
        // The data was read by the constructor.
        (E::TimeTableRead | E::Table1Read | E::Table2Read, _) => args.give_real(R::of(1.0)),
        _ => Err(wrong("a table is of another kind")),
    }
}
