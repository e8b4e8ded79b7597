//! run: parse --format json
//! json: /schema == "modeshift.parse/1"
//! json: /files len 1
//! json: /files/0/file == "Outline.mo"
//! json: /files/0/within == "Tests.Parsing"
//! json: /files/0/classes/0/name == "Outline"
//! json: /files/0/classes/0/kind == "model"
//! json: /files/0/classes/0/line == 18
//! json: /files/0/classes/0/end_line == 28
//! json: /files/0/classes/0/components == ["x", "y", "p"]
//! json: /files/0/classes/0/equations == 3
//! json: /files/0/classes/0/classes/0/kind == "connector"
//! json: /files/0/classes/0/classes/0/components contains "i"
//! json: /files/0/diagnostics len 0
//! run: parse
//! stdout: 1 file, 28 lines, 2 classes: no errors
within Tests.Parsing;
model Outline "What `parse` tells about a file"
  connector Pin
    Real v;
    flow Real i;
  end Pin;
  Real x(start = 1), y;
  Pin p;
equation
  der(x) = -y;
  y = 2*x; p.i = 0;
end Outline;
