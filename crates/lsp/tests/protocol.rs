//! Conversations about the protocol itself: versions, encodings, nonsense, cancellation, folders, progress.

#![expect(
    clippy::disallowed_methods,
    reason = "tests write the files that the server reads"
)]

use lsp_server::Connection;
use modeshift_lsp::{Environment, serve};
use modeshift_testkit::client::Client;
use serde_json::{Value, json};
use std::thread::JoinHandle;
use std::time::Duration;

const URI: &str = "file:///somewhere/M.mo";
const TEXT: &str = "model M \"é\"\n  Real x = 1;\n  Real x = 2;\nend M;\n";

fn start_with(capabilities: Value, folders: &[&str], options: Value) -> (Client, JoinHandle<()>) {
    let (server, client) = Connection::memory();
    let environment = Environment {
        current_dir: "/somewhere".into(),
        modelica_path: None,
        memory_limit: None,
        explain: None,
    };
    let server = std::thread::spawn(move || serve(server, environment).expect("it serves"));
    let mut client = Client::new(client);
    client.initialize(capabilities, folders, options);
    (client, server)
}

fn start() -> (Client, JoinHandle<()>) {
    start_with(json!({}), &[], json!({}))
}

fn stop(client: Client, server: JoinHandle<()>) {
    client.shut_down();
    server.join().expect("the server ends");
}

fn at(line: u32, character: u32) -> Value {
    json!({"textDocument": {"uri": URI}, "position": {"line": line, "character": character}})
}

fn range(line: u32, start: u32, end: u32) -> Value {
    json!({"start": {"line": line, "character": start}, "end": {"line": line, "character": end}})
}

/// Codes and lines of what is published for the document, once the server has seen that version.
fn diagnostics(client: &mut Client, version: i32) -> Vec<(String, u64)> {
    client.quiet(URI, version);
    let list = client.diagnostics.get(URI).cloned().unwrap_or_default();
    let brief = |it: &Value| {
        let line = it["range"]["start"]["line"].as_u64().unwrap_or(u64::MAX);
        (it["code"].as_str().unwrap_or_default().to_owned(), line)
    };
    list.iter().map(brief).collect()
}

#[test]
fn diagnostics_follow_every_edit() {
    let (mut client, server) = start();
    client.open(URI, 1, TEXT);
    assert_eq!(diagnostics(&mut client, 1), [("MS1002".to_owned(), 2)]);
    client.change(URI, 2, range(2, 7, 8), "y");
    assert!(diagnostics(&mut client, 2).is_empty());
    // A burst of edits is checked at its end.
    for version in 3..40 {
        let name = if version % 2 == 0 { "y" } else { "x" };
        client.change(URI, version, range(2, 7, 8), name);
    }
    assert_eq!(diagnostics(&mut client, 39), [("MS1002".to_owned(), 2)]);
    client.change(URI, 40, Value::Null, "model M end M;");
    assert!(diagnostics(&mut client, 40).is_empty());
    stop(client, server);
}

#[test]
fn mistakes_of_every_phase_are_shown() {
    let (mut client, server) = start();
    let body = |text: &str| format!("model M\n  Real x;\n  Real y;\nequation\n{text}\nend M;\n");
    let mut version = 0;
    let mut codes = |text: &str| {
        version += 1;
        match version {
            1 => client.open(URI, version, &body(text)),
            _ => client.change(URI, version, Value::Null, &body(text)),
        }
        let found = diagnostics(&mut client, version);
        found.into_iter().map(|(code, _)| code).collect::<Vec<_>>()
    };
    let class = |codes: &[String]| codes.first().map(|code| code[..3].to_owned());
    assert_eq!(class(&codes("  x = ; y = 1;")), Some("MS0".to_owned()));
    assert_eq!(class(&codes("  x = z; y = 1;")), Some("MS2".to_owned()));
    let singular = codes("  x = 1; if time > 1 then x = y; else x = 2; end if;");
    assert_eq!(class(&singular), Some("MS4".to_owned()), "{singular:?}");
    assert_eq!(codes("  x = 1; y = 1;"), [""; 0]);
    stop(client, server);
}

/// What is wrong with syntax and names is told before the modes are looked at, and what the modes said before stays until they
/// are known again.
#[test]
fn syntax_and_names_are_told_first() {
    let (mut client, server) = start();
    let body = |wrong: &str, number: u32| {
        format!(
            "model M\n  Real x;\n  Real y;\nequation\n  x = {number};\n  if time > 1 then x = y; else x = 2; end if;\nend M;\n{wrong}"
        )
    };
    client.open(URI, 1, &body("", 1));
    let modes = diagnostics(&mut client, 1);
    assert!(!modes.is_empty() && modes.iter().all(|(code, _)| code.starts_with("MS4")));
    client.change(URI, 2, Value::Null, &body("model N Nowhere z; end N;", 1));
    // Until the status says that modes are looked at, the name was told.
    while client.running() != Some("modes") {
        let heard = client.receive(Duration::from_secs(60));
        heard.expect("it goes on");
    }
    let list = client.diagnostics.get(URI).cloned().unwrap_or_default();
    let codes = list.iter().filter_map(|it| it["code"].as_str());
    let told: Vec<&str> = codes.collect();
    assert!(told.iter().any(|it| it.starts_with("MS2")), "{told:?}");
    assert!(
        told.iter().any(|it| it.starts_with("MS4")),
        "stays: {told:?}"
    );
    client.quiet(URI, 2);
    stop(client, server);
}

#[test]
fn columns_are_counted_as_agreed() {
    let offer = json!({"general": {"positionEncodings": ["utf-8", "utf-16"]}});
    for (capabilities, column) in [(json!({}), 17), (offer, 18)] {
        let (mut client, server) = start_with(capabilities, &[], json!({}));
        client.open(URI, 1, "model M \"é\" Real x = y; end M;\n");
        client.quiet(URI, 1);
        let hover = client.ask("textDocument/hover", at(0, column)).unwrap();
        assert_eq!(hover["range"], range(0, column, column + 1));
        stop(client, server);
    }
}

#[test]
fn nonsense_is_answered_and_survived() {
    let (mut client, server) = start();
    let unknown = client.ask("textDocument/magic", json!({})).unwrap_err();
    assert_eq!(unknown["code"], -32601);
    for params in [
        json!({"textDocument": 7}),
        json!([]),
        Value::Null,
        json!("x"),
    ] {
        let malformed = client.ask("textDocument/hover", params).unwrap_err();
        assert_eq!(malformed["code"], -32602);
    }
    client.tell("textDocument/didChange", json!({"contentChanges": "no"}));
    client.tell("textDocument/didOpen", json!({}));
    client.tell(
        "textDocument/didClose",
        json!({"textDocument": {"uri": "file:///never"}}),
    );
    client.tell("$/whatever", json!({"x": 1}));
    client.tell(
        "workspace/didChangeConfiguration",
        json!({"settings": null}),
    );
    client.tell(
        "workspace/didChangeWatchedFiles",
        json!({"changes": [{"uri": "file:///gone.mo", "type": 9}]}),
    );
    client.change(URI, 7, range(900, 3, 1), "model Z end Z;");
    assert_eq!(
        client.ask("textDocument/hover", at(99, 99)),
        Ok(Value::Null)
    );
    for uri in [
        "untitled:Untitled-1",
        "x",
        "file:///a%ZZ",
        "modeshift-stdlib:/../../etc/passwd",
    ] {
        let params = json!({"textDocument": {"uri": uri}, "position": {"line": 0, "character": 0}});
        // Some are refused as no URI at all; none ends the server.
        let _ = client.ask("textDocument/hover", params.clone());
        let _ = client.ask("textDocument/completion", params);
        let _ = client.ask("workspace/textDocumentContent", json!({ "uri": uri }));
    }
    client.open(URI, 8, TEXT);
    assert_eq!(diagnostics(&mut client, 8).len(), 1);
    stop(client, server);
}

#[test]
fn a_panic_is_one_lost_answer() {
    let (server, client) = Connection::memory();
    let environment = Environment {
        current_dir: "/somewhere".into(),
        explain: Some(|_| panic!("as the test wants it")),
        ..Environment::default()
    };
    let server = std::thread::spawn(move || serve(server, environment).expect("it serves"));
    let mut client = Client::new(client);
    client.initialize(json!({}), &[], json!({}));
    client.open(URI, 1, "model M Real x = time; end M;\n");
    let page = json!({"uri": "modeshift-docs:/MS0001.md"});
    // More often than there are threads that answer.
    for _ in 0..8 {
        let lost = client.ask("workspace/textDocumentContent", page.clone());
        assert_eq!(lost.unwrap_err()["code"], -32603);
    }
    let hover = client.ask("textDocument/hover", at(0, 13)).unwrap();
    assert_eq!(hover["range"], range(0, 13, 14));
    assert!(diagnostics(&mut client, 1).is_empty());
    stop(client, server);
}

#[test]
fn an_untitled_document_is_checked_like_a_file() {
    let (mut client, server) = start();
    let uri = "untitled:Untitled-1";
    client.open(uri, 1, TEXT);
    client.quiet(uri, 1);
    assert_eq!(client.diagnostics[uri].len(), 1);
    client.tell(
        "textDocument/didClose",
        json!({"textDocument": {"uri": uri}}),
    );
    client.open(URI, 1, "model A end A;");
    client.quiet(URI, 1);
    assert!(client.diagnostics.is_empty(), "{:?}", client.diagnostics);
    stop(client, server);
}

#[test]
fn a_cancelled_request_is_answered_at_once_and_only_once() {
    let (mut client, server) = start();
    client.open(URI, 1, TEXT);
    let id = client.send("textDocument/completion", at(1, 2));
    client.tell("$/cancelRequest", json!({"id": 1000}));
    client.tell("$/cancelRequest", json!({"id": 2}));
    client.quiet(URI, 1);
    let _ = client.ask("textDocument/hover", at(1, 7));
    // Whether it was answered or cancelled depends on who was faster; nothing comes twice.
    drop(id);
    while client.receive(Duration::from_millis(50)).is_ok() {}
    stop(client, server);
}

#[test]
fn edits_while_questions_are_open_cancel_them_and_lose_nothing() {
    let (mut client, server) = start();
    client.open(URI, 1, TEXT);
    let mut ids = Vec::new();
    for version in 2..40 {
        for method in ["hover", "completion", "definition", "documentHighlight"] {
            ids.push(client.send(&format!("textDocument/{method}"), at(2, 7)));
        }
        let name = if version % 2 == 0 { "y" } else { "x" };
        client.change(URI, version, range(2, 7, 8), name);
    }
    let mut answers = 0;
    while answers < ids.len() {
        let answer = client
            .receive(Duration::from_secs(60))
            .expect("all are answered");
        if let Some(response) = answer {
            answers += 1;
            let code = response.response_result.err().map(|error| error.code);
            assert!(code.is_none_or(|code| code == -32801), "{code:?}");
        }
    }
    assert_eq!(diagnostics(&mut client, 39), [("MS1002".to_owned(), 2)]);
    stop(client, server);
}

#[test]
fn folders_come_and_go() {
    let dir = tempfile::tempdir().unwrap();
    for (folder, name) in [("one", "A"), ("two", "B")] {
        std::fs::create_dir(dir.path().join(folder)).unwrap();
        let text = format!("model {name} Real x = 1; end {name};");
        std::fs::write(dir.path().join(folder).join(format!("{name}.mo")), text).unwrap();
    }
    let uri = |name: &str| format!("file://{}/{name}", dir.path().display());
    let (mut client, server) = start_with(json!({}), &[&uri("one")], json!({}));
    client.open(URI, 1, "model M A a; B b; end M;");
    assert_eq!(diagnostics(&mut client, 1).len(), 1, "B is not known");
    let change = json!({"event": {"added": [{"uri": uri("two"), "name": "two"}], "removed": []}});
    client.tell("workspace/didChangeWorkspaceFolders", change);
    client.change(URI, 2, Value::Null, "model M A a;  B b; end M;");
    assert_eq!(diagnostics(&mut client, 2).len(), 0);
    let change = json!({"event": {"removed": [{"uri": uri("one"), "name": "one"}], "added": []}});
    client.tell("workspace/didChangeWorkspaceFolders", change);
    client.change(URI, 3, Value::Null, "model M A a; B b; end M;");
    assert_eq!(
        diagnostics(&mut client, 3).len(),
        1,
        "A is not known any more"
    );
    stop(client, server);
}

#[test]
fn libraries_come_from_settings_and_files_are_watched() {
    let dir = tempfile::tempdir().unwrap();
    let lib = dir.path().join("L.mo");
    std::fs::write(&lib, "package L constant Real c = 1; end L;").unwrap();
    let watch = json!({"workspace": {"didChangeWatchedFiles": {"dynamicRegistration": true, "relativePatternSupport": true}}});
    let (mut client, server) = start_with(watch, &[], json!({}));
    client.open(URI, 1, "model M Real x = L.c; end M;");
    assert_eq!(diagnostics(&mut client, 1).len(), 1);
    let settings = json!({"modeshift": {"libraries": [dir.path()]}});
    client.tell(
        "workspace/didChangeConfiguration",
        json!({ "settings": settings }),
    );
    client.change(URI, 2, Value::Null, "model M Real y = L.c; end M;");
    assert_eq!(diagnostics(&mut client, 2).len(), 0);
    let mut watched = client
        .requests
        .iter()
        .filter(|it| it.method == "client/registerCapability");
    let last = watched
        .next_back()
        .expect("files are watched")
        .params
        .to_string();
    assert!(last.contains(&dir.path().display().to_string()), "{last}");
    // The file changes on disk: nothing happens until we are told.
    std::fs::write(&lib, "package L constant Real d = 1; end L;").unwrap();
    let changes = json!([{"uri": format!("file://{}", lib.display()), "type": 2}]);
    client.tell(
        "workspace/didChangeWatchedFiles",
        json!({ "changes": changes }),
    );
    client.change(URI, 3, Value::Null, "model M Real z = L.c; end M;");
    assert_eq!(diagnostics(&mut client, 3).len(), 1);
    stop(client, server);
}

#[test]
fn a_fix_becomes_a_code_action() {
    let (mut client, server) = start();
    client.open(URI, 1, "model M\n  Real x\nequation\n  x = 1;\nend M;\n");
    assert!(!diagnostics(&mut client, 1).is_empty());
    let params = json!({"textDocument": {"uri": URI}, "range": range(1, 0, 8), "context": {"diagnostics": []}});
    let actions = client.ask("textDocument/codeAction", params).unwrap();
    assert_eq!(actions[0]["kind"], "quickfix");
    assert!(actions[0]["edit"]["changes"][URI].is_array(), "{actions}");
    stop(client, server);
}

#[test]
fn the_built_in_library_can_be_read_but_not_changed() {
    let (mut client, server) = start();
    let text = "model M\n  Modelica.Electrical.Analog.Basic.Ground g;\nend M;\n";
    client.open(URI, 1, text);
    client.quiet(URI, 1);
    let found = client.ask("textDocument/definition", at(1, 36)).unwrap();
    let uri = found[0]["targetUri"].as_str().unwrap().to_owned();
    assert_eq!(uri, "modeshift-stdlib:/Modelica/Electrical/Analog/Basic.mo");
    let content = client
        .ask("workspace/textDocumentContent", json!({ "uri": uri }))
        .unwrap();
    let library = content["text"].as_str().unwrap();
    assert!(library.contains("model Ground"));
    client.open(&uri, 1, "nonsense");
    client.change(URI, 2, Value::Null, &format!("{text} "));
    assert_eq!(diagnostics(&mut client, 2).len(), 0);
    let other = json!({"uri": "file:///etc/hostname"});
    assert_eq!(
        client.ask("workspace/textDocumentContent", other),
        Ok(Value::Null)
    );
    stop(client, server);
}

#[test]
fn after_shutdown_nothing_is_answered_but_the_server_ends() {
    let (mut client, server) = start();
    assert_eq!(client.ask("shutdown", Value::Null), Ok(Value::Null));
    let refused = client.ask("textDocument/hover", at(0, 0)).unwrap_err();
    assert_eq!(refused["code"], -32600);
    client.tell("exit", Value::Null);
    server.join().expect("the server ends");
}

#[test]
fn a_client_that_goes_away_ends_the_server() {
    let (client, server) = start();
    client.open(URI, 1, TEXT);
    drop(client);
    server.join().expect("the server ends");
}
