//! The conversations in `tests/conversations`, see [`modeshift_testkit::conversation`]. A new test is a new file;
//! its answers are a snapshot.

#![expect(clippy::disallowed_methods, reason = "tests read their files")]

use lsp_server::Connection;
use modeshift_lsp::{Environment, serve};
use modeshift_testkit::client::Client;
use modeshift_testkit::conversation::converse;
use std::path::Path;

#[test]
fn conversations_go_as_recorded() {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/conversations");
    let entries = std::fs::read_dir(&dir).expect("there are conversations");
    let mut files: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|it| it == "mo"));
    files.sort();
    assert!(!files.is_empty());
    let mut settings = insta::Settings::clone_current();
    settings.set_prepend_module_to_snapshot(false);
    settings.set_snapshot_path(&dir);
    settings.set_omit_expression(true);
    for file in files {
        let name = file.file_stem().unwrap().to_str().unwrap();
        let answers = hold(&std::fs::read_to_string(&file).expect("it can be read"));
        settings.bind(|| insta::assert_snapshot!(name, answers));
    }
}

fn hold(fixture: &str) -> String {
    let place = tempfile::tempdir().expect("a directory for the sources");
    let (server, client) = Connection::memory();
    let environment = Environment {
        current_dir: place.path().to_owned(),
        modelica_path: None,
        memory_limit: None,
        explain: None,
    };
    let server = std::thread::spawn(move || serve(server, environment).expect("it serves"));
    let mut client = Client::new(client);
    let answers = converse(&mut client, place.path(), fixture);
    client.shut_down();
    server.join().expect("the server ends");
    answers
}
