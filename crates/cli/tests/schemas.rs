//! The JSON that modeshift prints is as the schemas in `docs/schemas` say.

use modeshift_testkit::fixture::Fixture;
use modeshift_testkit::{directives, root, schema};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::process::Command;

/// A schema, and a command whose output (the whole, or each line) must be as it says. The commands run
/// where [`MODELS`] are.
const DOCUMENTS: &[(&str, &str)] = &[
    ("parse.schema.json", "parse --format json ."),
    ("diagnostic.schema.json", "parse --message-format json ."),
    ("flat.schema.json", "flatten --format json Flat.mo"),
    (
        "compare.schema.json",
        "compare --format json --recorded . Clutch.mo",
    ),
    ("modes.schema.json", "modes --format json Clutch.mo"),
    ("modes.schema.json", "modes --format json Diode.mo"),
    ("modes.schema.json", "modes --format json Singular.mo"),
    ("modes.schema.json", "modes --format json Bad.mo"),
    ("mdae.schema.json", "mdae --format json Clutch.mo"),
    ("mdae.schema.json", "mdae --format json Bad.mo"),
    (
        "transitions.schema.json",
        "transitions --format json Clutch.mo",
    ),
    (
        "transitions.schema.json",
        "transitions --format json Diode.mo",
    ),
    (
        "restart.schema.json",
        "restart --format json Clutch.mo --from g=false --to g=true --at w1=1,w2=2",
    ),
    ("simulation.schema.json", "simulate --format json Clutch.mo"),
    ("simulation.schema.json", "simulate --format json Bad.mo"),
];

const MODELS: &str = "\
//- /Good.mo
within A.B;
model Good
  connector C Real v; flow Real i; end C;
  Real x;
equation
  x = 1;
end Good;
//- /Flat.mo
model Flat
  connector C Real v; flow Real i; end C;
  C a, b;
  parameter Real p(min = 0) = 2;
  Real x[2](each start = p);
equation
  connect(a, b);
  if time > 1 then
    a.v = 1;
  else
    a.v = x[1];
  end if;
algorithm
  x[1] := 1;
end Flat;
//- /Clutch.mo
model Clutch
  Real w1(start = 1), w2(start = 2), t;
  input Boolean g;
equation
  der(w1) = t;
  der(w2) = -t;
  if g then
    w1 = w2;
  else
    t = 0;
  end if;
end Clutch;
//- /Diode.mo
model Diode
  Real s, i, v;
equation
  v = if s >= 0 then 0 else s;
  i = if s >= 0 then s else 0;
  v + i = sin(time);
end Diode;
//- /Singular.mo
model Singular
  Real x;
  input Boolean g;
equation
  if g then
    x = 1;
  else
    0 = 1;
  end if;
end Singular;
//- /Bad.mo
model Bad
  Real x
  Real y;
end Worse;
";

fn print(command: &str) -> String {
    let dir = Fixture::parse(MODELS)
        .write()
        .expect("models can be written");
    let output = Command::new(env!("CARGO_BIN_EXE_modeshift"))
        .args(directives::split(command).expect("a command can be split"))
        .current_dir(dir.path())
        .env_remove("MODELICAPATH")
        .output()
        .expect("modeshift can be run");
    String::from_utf8(output.stdout).expect("JSON is UTF-8")
}

#[test]
fn documents_are_as_their_schemas_say() {
    let dir = root().join("docs/schemas");
    for (name, command) in DOCUMENTS {
        let text = print(command);
        let documents: Vec<Value> = match serde_json::from_str(&text) {
            Ok(document) => vec![document],
            Err(_) => text
                .lines()
                .map(|line| serde_json::from_str(line).expect("each line is JSON"))
                .collect(),
        };
        assert!(!documents.is_empty(), "`{command}` printed nothing");
        for document in documents {
            let complaints = schema::complaints(&dir, name, &document);
            assert!(complaints.is_empty(), "`{command}`: {complaints:#?}");
        }
    }
}

#[test]
fn every_schema_is_tested() {
    let tested: BTreeSet<String> = DOCUMENTS
        .iter()
        .map(|(name, _)| (*name).to_owned())
        .collect();
    let entries = fs::read_dir(root().join("docs/schemas")).expect("schemas can be read");
    let there: BTreeSet<String> = entries
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .filter(|name| name.ends_with(".schema.json"))
        .collect();
    assert_eq!(tested, there);
}
