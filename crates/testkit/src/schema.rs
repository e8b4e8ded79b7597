//! Holds JSON documents against the schemas in `docs/schemas`.
//!
//! This knows the part of JSON Schema that our schemas use, and refuses a schema with any other
//! keyword, so that nothing is silently left unchecked. A complete validator would bring more
//! packages than the rest of modeshift together.

use serde_json::{Map, Value};
use std::path::Path;

/// Keywords that check nothing.
const REMARKS: &[&str] = &[
    "$schema",
    "$id",
    "$defs",
    "title",
    "description",
    "examples",
];

/// Reads the schema `name` in `dir` and gives everything in `document` that is not as it says.
///
/// # Panics
/// When a schema cannot be read or uses a keyword that is not known here.
pub fn complaints(dir: &Path, name: &str, document: &Value) -> Vec<String> {
    let root = read(dir, name);
    let mut validator = Validator {
        dir,
        complaints: Vec::new(),
    };
    validator.check(&root, &root, document, "");
    validator.complaints
}

fn read(dir: &Path, name: &str) -> Value {
    let path = dir.join(name);
    let text = std::fs::read_to_string(&path)
        .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

struct Validator<'a> {
    dir: &'a Path,
    complaints: Vec<String>,
}

impl Validator<'_> {
    /// Checks `value`, which is at the JSON pointer `at`, against `schema`, a part of `root`.
    fn check(&mut self, root: &Value, schema: &Value, value: &Value, at: &str) {
        let Some(schema) = schema.as_object() else {
            assert_eq!(
                schema,
                &Value::Bool(true),
                "a schema is an object or `true`"
            );
            return;
        };
        for (keyword, expected) in schema {
            let holds = match keyword.as_str() {
                "$ref" => {
                    self.follow(root, expected, value, at);
                    true
                }
                "type" => has_type(value, expected),
                "const" => value == expected,
                "enum" => array(expected).contains(value),
                "minimum" => value
                    .as_f64()
                    .is_none_or(|n| n >= expected.as_f64().unwrap_or(n)),
                "pattern" => value.as_str().is_none_or(|text| matches(text, expected)),
                "minItems" => {
                    let least = expected.as_u64().unwrap_or(0) as usize;
                    value.as_array().is_none_or(|items| items.len() >= least)
                }
                "required" => {
                    self.required(expected, value, at);
                    true
                }
                "properties" | "additionalProperties" => true,
                "items" => {
                    for (i, item) in value.as_array().into_iter().flatten().enumerate() {
                        self.check(root, expected, item, &format!("{at}/{i}"));
                    }
                    true
                }
                "anyOf" => array(expected).iter().any(|option| {
                    let mut inner = Validator {
                        dir: self.dir,
                        complaints: Vec::new(),
                    };
                    inner.check(root, option, value, at);
                    inner.complaints.is_empty()
                }),
                remark if REMARKS.contains(&remark) => true,
                other => panic!("the schema uses `{other}`, which is not known here"),
            };
            if !holds {
                self.complaints
                    .push(format!("{at}: {value} does not fit {keyword} {expected}"));
            }
        }
        if let Some(fields) = value.as_object() {
            self.fields(root, schema, fields, at);
        }
    }

    fn follow(&mut self, root: &Value, reference: &Value, value: &Value, at: &str) {
        let reference = reference.as_str().expect("a reference is text");
        let (file, pointer) = reference.split_once('#').unwrap_or((reference, ""));
        let other;
        let root = if file.is_empty() {
            root
        } else {
            other = read(self.dir, file);
            &other
        };
        let target = root
            .pointer(pointer)
            .unwrap_or_else(|| panic!("{reference} leads nowhere"));
        self.check(root, target, value, at);
    }

    fn required(&mut self, names: &Value, value: &Value, at: &str) {
        let Some(fields) = value.as_object() else {
            return;
        };
        let missing = array(names).iter().filter_map(Value::as_str);
        for name in missing.filter(|name| !fields.contains_key(*name)) {
            self.complaints.push(format!("{at}: `{name}` is missing"));
        }
    }

    fn fields(
        &mut self,
        root: &Value,
        schema: &Map<String, Value>,
        fields: &Map<String, Value>,
        at: &str,
    ) {
        let known = schema.get("properties").and_then(Value::as_object);
        for (name, field) in fields {
            let at = format!("{at}/{name}");
            match (
                known.and_then(|known| known.get(name)),
                schema.get("additionalProperties"),
            ) {
                (Some(schema), _) => self.check(root, schema, field, &at),
                (None, Some(Value::Bool(false))) => {
                    self.complaints.push(format!("{at} is not in the schema"));
                }
                (None, Some(schema)) => self.check(root, schema, field, &at),
                (None, None) => {}
            }
        }
    }
}

fn array(value: &Value) -> &[Value] {
    value.as_array().expect("a list is expected in a schema")
}

fn has_type(value: &Value, expected: &Value) -> bool {
    let is = |name: &Value| match name.as_str().expect("a type is text") {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "string" => value.is_string(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        other => panic!("there is no type `{other}`"),
    };
    match expected {
        Value::Array(options) => options.iter().any(is),
        one => is(one),
    }
}

/// The one pattern that our schemas use: a prefix of letters and four digits.
fn matches(text: &str, pattern: &Value) -> bool {
    match pattern.as_str() {
        Some("^MS[0-9]{4}$") => {
            text.len() == 6
                && text.starts_with("MS")
                && text[2..].bytes().all(|b| b.is_ascii_digit())
        }
        Some("^[0-9]+$") => !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit()),
        other => panic!("the pattern {other:?} is not known here"),
    }
}

#[cfg(test)]
mod tests {
    use super::complaints;
    use serde_json::json;

    #[test]
    fn what_does_not_fit_is_found() {
        let dir = tempfile::tempdir().unwrap();
        let schema = r##"{"type": "object", "required": ["a"], "additionalProperties": false,
            "properties": {"a": {"type": ["integer", "null"], "minimum": 1},
                           "b": {"type": "array", "items": {"$ref": "#/$defs/word"}},
                           "c": {"anyOf": [{"const": 1}, {"type": "string"}]}},
            "$defs": {"word": {"enum": ["x", "y"]}}}"##;
        std::fs::write(dir.path().join("s.json"), schema).unwrap();
        let count = |document| complaints(dir.path(), "s.json", &document).len();
        assert_eq!(count(json!({"a": 1, "b": ["x", "y"], "c": "z"})), 0);
        assert_eq!(count(json!({"a": null, "c": 1})), 0);
        assert_eq!(count(json!({})), 1, "a is missing");
        assert_eq!(count(json!([])), 1, "no object");
        assert_eq!(count(json!({"a": 0})), 1, "too small");
        assert_eq!(count(json!({"a": "1"})), 1, "no number");
        assert_eq!(
            count(json!({"a": 1, "b": ["x", "z"]})),
            1,
            "not in the list"
        );
        assert_eq!(count(json!({"a": 1, "c": 2})), 1, "neither");
        assert_eq!(count(json!({"a": 1, "d": 2})), 1, "unknown");
    }
}
