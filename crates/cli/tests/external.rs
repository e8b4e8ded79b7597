//! A user's own functions in a shared library: run only with `--allow-external`, with arguments as chapter 12.9 of the
//! specification says. The library is built here, from Rust.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Functions with the interface of C.
const LIBRARY: &str = r#"
use std::ffi::{CStr, CString, c_char};
use std::sync::atomic::{AtomicI32, Ordering};

#[unsafe(no_mangle)]
pub extern "C" fn own_scale(x: f64, n: i32, twice: i32) -> f64 {
    x * f64::from(n) * if twice != 0 { 2.0 } else { 1.0 }
}

/// Rows times columns, with sizes behind the matrix; several outputs.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn own_sums(
    a: *const f64, rows: usize, columns: usize, sums: *mut f64, total: *mut f64, count: *mut i32,
) {
    unsafe {
        *total = 0.0;
        for i in 0..rows {
            *sums.add(i) = 0.0;
            for j in 0..columns {
                *sums.add(i) += *a.add(i * columns + j);
            }
            *total += *sums.add(i);
        }
        *count = (rows * columns) as i32;
    }
}

/// Everything by address, columns first: element (1, 2) of a matrix with two rows.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pick_(a: *const f64, n: *const i32, x: *mut f64) {
    unsafe { *x = *a.add(*n as usize) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn own_length(text: *const c_char, out: *mut *const c_char) -> i32 {
    let text = unsafe { CStr::from_ptr(text) };
    let shout = CString::new(text.to_str().unwrap().to_uppercase()).unwrap();
    unsafe { *out = shout.into_raw() };
    text.to_bytes().len() as i32
}

#[repr(C)]
pub struct Point { x: f64, n: i32, flag: i32, y: f64 }

#[unsafe(no_mangle)]
pub unsafe extern "C" fn own_point(p: *const Point) -> f64 {
    let p = unsafe { &*p };
    p.x + f64::from(p.n) * 10.0 + f64::from(p.flag) * 100.0 + p.y * 1000.0
}

/// Enough arguments that some are on the stack.
#[unsafe(no_mangle)]
pub extern "C" fn own_many(
    a: i32, b: f64, c: i32, d: f64, e: i32, f: f64, g: i32, h: f64, i: i32, j: f64, k: i32, l: f64,
    m: i32, n: f64, o: i32, p: f64, q: i32, r: f64, s: i32, t: f64,
) -> f64 {
    let ints = [a, c, e, g, i, k, m, o, q, s];
    let reals = [b, d, f, h, j, l, n, p, r, t];
    (ints.iter().zip(1..).map(|(x, w)| x * w).sum::<i32>() as f64)
        + reals.iter().zip(1..).map(|(x, w)| x * f64::from(w)).sum::<f64>() / 1000.0
}

static ALIVE: AtomicI32 = AtomicI32::new(0);

pub struct Counter { step: f64, calls: i32, file: String }

#[unsafe(no_mangle)]
pub unsafe extern "C" fn own_open(step: f64, file: *const c_char) -> *mut Counter {
    ALIVE.fetch_add(1, Ordering::SeqCst);
    let file = unsafe { CStr::from_ptr(file) }.to_str().unwrap().to_owned();
    Box::into_raw(Box::new(Counter { step, calls: 0, file }))
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn own_read(counter: *mut Counter, x: f64) -> f64 {
    let counter = unsafe { &mut *counter };
    counter.calls += 1;
    counter.step * x
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn own_close(counter: *mut Counter) {
    let counter = unsafe { Box::from_raw(counter) };
    let alive = ALIVE.fetch_sub(1, Ordering::SeqCst) - 1;
    std::fs::write(&counter.file, format!("closed {alive}")).unwrap();
}

#[unsafe(no_mangle)]
pub extern "C" fn own_cube(x: f64) -> f64 { x * x * x }

#[unsafe(no_mangle)]
pub extern "C" fn own_cube_der(x: f64, v: f64) -> f64 { 3.0 * x * x * v }
"#;

const MODEL: &str = r#"
package Own
  function scale
    input Real x;
    input Integer n;
    input Boolean twice;
    output Real y;
    external "C" y = own_scale(x, n, twice) annotation(Library = "own", LibraryDirectory = "DIR");
  end scale;

  function sums
    input Real a[:, :];
    output Real s[size(a, 1)];
    output Real total;
    output Integer count;
    external "C" own_sums(a, size(a, 1), size(a, 2), s, total, count)
      annotation(Library = {"own"}, LibraryDirectory = "DIR");
  end sums;

  function pick
    input Real a[:, :];
    input Integer n;
    output Real x;
    external "FORTRAN 77" pick(a, n, x) annotation(Library = "own", LibraryDirectory = "DIR");
  end pick;

  function length
    input String text;
    output Integer n;
    output String shouted;
    external "C" n = own_length(text, shouted) annotation(Library = "own", LibraryDirectory = "DIR");
  end length;

  function check "Strings come back"
    input Real x;
    output Real n;
  protected
    Integer k;
    String shouted;
  algorithm
    (k, shouted) := length("seven c");
    n := if shouted == "SEVEN C" then k*x else -1;
  end check;

  record Point
    Real x;
    Integer n;
    Boolean flag;
    Real y;
  end Point;

  function point
    input Point p;
    output Real y;
    external "C" y = own_point(p) annotation(Library = "own", LibraryDirectory = "DIR");
  end point;

  function many
    input Integer i;
    input Real x;
    output Real y;
    external "C" y = own_many(i, x, i, x, i, x, i, x, i, x, i, x, i, x, i, x, i, x, i, x)
      annotation(Library = "own", LibraryDirectory = "DIR");
  end many;

  function cube
    input Real x;
    output Real y;
    external "C" y = own_cube(x)
      annotation(Library = "own", LibraryDirectory = "DIR");
    annotation(derivative = cube_der);
  end cube;

  function cube_der
    input Real x;
    input Real v;
    output Real y;
    external "C" y = own_cube_der(x, v) annotation(Library = "own", LibraryDirectory = "DIR");
  end cube_der;

  class Counter
    extends ExternalObject;
    function constructor
      input Real step;
      input String file;
      output Counter counter;
      external "C" counter = own_open(step, file) annotation(Library = "own", LibraryDirectory = "DIR");
    end constructor;
    function destructor
      input Counter counter;
      external "C" own_close(counter) annotation(Library = "own", LibraryDirectory = "DIR");
    end destructor;
  end Counter;

  function read
    input Counter counter;
    input Real x;
    output Real y;
    external "C" y = own_read(counter, x) annotation(Library = "own", LibraryDirectory = "DIR");
  end read;

  model Test
    Real y = scale(time, 3, true);
    Real s[2];
    Real total;
    Integer count;
    Real picked = pick({{1, 2, 3}, {4, 5, 6}}, 2);
    Real seven = check(time);
    Real pointed = point(Point(1, 2, true, time));
    Real several = many(2, 1.5);
    Real cubed = cube(time);
    Real slope = der(cubed);
    Real rate = der(y);
    Real z(start = 1);
    Counter counter = Counter(2.5, "DIR/closed1");
    Counter other = Counter(2.5, "DIR/closed1");
    Real r = read(counter, time) + read(other, time);
  equation
    (s, total, count) = sums({{1, 2, 3}, {4, 5, 6*time}});
    scale(z, 2, false) + z^3 = 3;
  end Test;

  function missing
    input Real x;
    output Real y;
    external "C" y = own_missing(x) annotation(Include = "double own_missing(double x);");
  end missing;

  model Missing
    Real y = missing(time);
  end Missing;
end Own;
"#;

fn library(dir: &Path) {
    let source = dir.join("own.rs");
    std::fs::write(&source, LIBRARY).expect("can be written");
    let name = format!(
        "{}own{}",
        std::env::consts::DLL_PREFIX,
        std::env::consts::DLL_SUFFIX
    );
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(rustc)
        .args([
            "--edition",
            "2024",
            "--crate-type",
            "cdylib",
            "-C",
            "debuginfo=0",
            "-o",
        ])
        .arg(dir.join(name))
        .arg(&source)
        .output()
        .expect("rustc can be run");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
}

fn model(dir: &Path) -> PathBuf {
    let path = dir.join("Own.mo");
    let text = MODEL.replace("DIR", &dir.display().to_string());
    std::fs::write(&path, text).expect("can be written");
    path
}

fn simulate(path: &Path, class: &str, options: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_modeshift"))
        .args(["simulate", "--class", class, "--format", "json"])
        .args(options)
        .arg(path)
        .output()
        .expect("modeshift can be run")
}

#[test]
fn native_code_needs_permission() {
    let dir = tempfile::tempdir().expect("a directory");
    let path = model(dir.path());
    let output = simulate(&path, "Own.Test", &[]);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(text.contains("MS6001"), "{text}");
    assert!(text.contains("runs only with `--allow-external`"), "{text}");
    assert!(text.contains("`own_"), "{text}");
}

#[test]
#[cfg(unix)]
fn arguments_are_passed_as_the_specification_says() {
    let dir = tempfile::tempdir().expect("a directory");
    library(dir.path());
    let path = model(dir.path());
    let output = simulate(&path, "Own.Test", &["--allow-external"]);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{text}\n{errors}");
    let document: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let last = |name: &str| document["final"][name].as_f64();
    let expect = |name: &str, value: f64| {
        let found = last(name).unwrap_or(f64::NAN);
        assert!(
            (found - value).abs() < 1e-8,
            "{name} is {found}, not {value}"
        );
    };
    expect("y", 6.0);
    expect("s[1]", 6.0);
    expect("s[2]", 15.0);
    expect("total", 21.0);
    expect("count", 6.0);
    // Columns first: 1, 4, 2.
    expect("picked", 2.0);
    expect("seven", 7.0);
    expect("pointed", 1121.0);
    expect("several", 110.0 + 0.0825);
    expect("cubed", 1.0);
    expect("slope", 3.0);
    expect("rate", 6.0);
    expect("z", 1.0);
    expect("r", 5.0);
    // Two objects were made, and both were closed.
    let closed = std::fs::read_to_string(dir.path().join("closed1"));
    assert_eq!(closed.ok().as_deref(), Some("closed 0"));
}

#[test]
fn what_no_library_has_is_named() {
    let dir = tempfile::tempdir().expect("a directory");
    let path = model(dir.path());
    let output = simulate(&path, "Own.Missing", &["--allow-external"]);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(text.contains("no library has `own_missing`"), "{text}");
    assert!(
        text.contains("`Include` annotation is not compiled"),
        "{text}"
    );
}
