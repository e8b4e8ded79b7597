//! Conversations with the server over a connection in memory.

use lsp_server::{Connection, Message, Notification, Request, RequestId};
use modeshift_lsp::{Environment, serve};
use serde_json::{Value, json};
use std::thread::JoinHandle;
use std::time::Duration;

const URI: &str = "file:///somewhere/M.mo";
const TEXT: &str = "model M \"é\"\n  Real x = 1;\n  Real x = 2;\nend M;\n";

struct Client {
    connection: Connection,
    server: JoinHandle<()>,
    next: i32,
    /// Notifications that came while waiting for a response.
    notifications: Vec<Notification>,
}

impl Client {
    fn start() -> Self {
        let (server, connection) = Connection::memory();
        let environment = Environment {
            current_dir: "/somewhere".into(),
            modelica_path: None,
        };
        let server = std::thread::spawn(move || serve(server, environment).expect("it serves"));
        let mut client = Self {
            connection,
            server,
            next: 0,
            notifications: Vec::new(),
        };
        let answer = client.ask("initialize", json!({ "capabilities": {} }));
        assert_eq!(answer["capabilities"]["positionEncoding"], "utf-16");
        client.tell("initialized", json!({}));
        client
    }

    fn tell(&self, method: &str, params: Value) {
        let notification = Notification::new(method.to_owned(), params);
        self.connection
            .sender
            .send(Message::Notification(notification))
            .expect("it listens");
    }

    fn receive(&self) -> Message {
        let patience = Duration::from_secs(60);
        self.connection
            .receiver
            .recv_timeout(patience)
            .expect("the server answers in time")
    }

    /// The result, or the error.
    fn ask(&mut self, method: &str, params: Value) -> Value {
        self.next += 1;
        let id = RequestId::from(self.next);
        let request = Request::new(id.clone(), method.to_owned(), params);
        self.connection
            .sender
            .send(Message::Request(request))
            .expect("it listens");
        loop {
            match self.receive() {
                Message::Response(response) if response.id == id => {
                    let value = serde_json::to_value(&response).expect("it is JSON");
                    let result = value.get("result").or(value.get("error"));
                    return result.cloned().unwrap_or_default();
                }
                Message::Notification(notification) => self.notifications.push(notification),
                _ => {}
            }
        }
    }

    fn open(&self, text: &str) {
        let document = json!({"uri": URI, "languageId": "modelica", "version": 1, "text": text});
        self.tell("textDocument/didOpen", json!({ "textDocument": document }));
    }

    fn change(&self, version: i32, range: Value, text: &str) {
        let change = match range {
            Value::Null => json!({ "text": text }),
            range => json!({ "range": range, "text": text }),
        };
        self.tell(
            "textDocument/didChange",
            json!({"textDocument": {"uri": URI, "version": version}, "contentChanges": [change]}),
        );
    }

    /// The diagnostics published for that version of the document: codes and lines.
    fn diagnostics(&mut self, version: i32) -> Vec<(String, u64)> {
        loop {
            let notification = match self.notifications.pop() {
                Some(notification) => notification,
                None => match self.receive() {
                    Message::Notification(notification) => notification,
                    _ => continue,
                },
            };
            let params = notification.params;
            if notification.method == "textDocument/publishDiagnostics"
                && params["uri"] == URI
                && params["version"] == version
            {
                let list = params["diagnostics"]
                    .as_array()
                    .cloned()
                    .unwrap_or_default();
                let brief = |it: &Value| {
                    let line = it["range"]["start"]["line"].as_u64().unwrap_or(u64::MAX);
                    (it["code"].as_str().unwrap_or_default().to_owned(), line)
                };
                return list.iter().map(brief).collect();
            }
        }
    }

    fn stop(mut self) {
        assert_eq!(self.ask("shutdown", Value::Null), Value::Null);
        self.tell("exit", Value::Null);
        self.server.join().expect("the server ends");
    }
}

fn at(line: u32, character: u32) -> Value {
    json!({"textDocument": {"uri": URI}, "position": {"line": line, "character": character}})
}

fn range(line: u32, start: u32, end: u32) -> Value {
    json!({"start": {"line": line, "character": start}, "end": {"line": line, "character": end}})
}

#[test]
fn diagnostics_follow_every_edit() {
    let mut client = Client::start();
    client.open(TEXT);
    assert_eq!(client.diagnostics(1), [("MS1002".to_owned(), 2)]);
    client.change(2, range(2, 7, 8), "y");
    assert!(client.diagnostics(2).is_empty());
    // A burst of edits is checked at its end.
    for version in 3..40 {
        client.change(
            version,
            range(2, 7, 8),
            if version % 2 == 0 { "y" } else { "x" },
        );
    }
    assert_eq!(client.diagnostics(39), [("MS1002".to_owned(), 2)]);
    client.change(40, Value::Null, "model M end M;");
    assert!(client.diagnostics(40).is_empty());
    client.stop();
}

#[test]
fn questions_are_answered() {
    let mut client = Client::start();
    client.open("package P\n  model A \"Anna\" Real x; end A;\n  model B\n    A a;\n  equation\n    a.x = 1;\n  end B;\nend P;\n");
    let hover = client.ask("textDocument/hover", at(3, 4));
    assert!(
        hover["contents"]["value"]
            .as_str()
            .unwrap()
            .contains("Anna")
    );
    let definition = client.ask("textDocument/definition", at(5, 6));
    assert_eq!(definition[0]["targetSelectionRange"], range(1, 22, 23));
    let type_definition = client.ask("textDocument/typeDefinition", at(5, 4));
    assert_eq!(type_definition[0]["targetSelectionRange"], range(1, 8, 9));
    let symbols = client.ask(
        "textDocument/documentSymbol",
        json!({"textDocument": {"uri": URI}}),
    );
    assert_eq!(symbols[0]["children"][1]["children"][0]["name"], "a");
    let found = client.ask("workspace/symbol", json!({"query": "b"}));
    assert_eq!(found[0]["name"], "P.B");
    let items = client.ask("textDocument/completion", at(5, 6));
    assert_eq!(items[0]["label"], "x");
    let folds = client.ask(
        "textDocument/foldingRange",
        json!({"textDocument": {"uri": URI}}),
    );
    assert_eq!(folds.as_array().unwrap().len(), 2);
    client.stop();
}

#[test]
fn nonsense_is_answered_and_survived() {
    let mut client = Client::start();
    let unknown = client.ask("textDocument/magic", json!({}));
    assert_eq!(unknown["code"], -32601);
    let malformed = client.ask("textDocument/hover", json!({"textDocument": 7}));
    assert_eq!(malformed["code"], -32602);
    client.tell("textDocument/didChange", json!({"contentChanges": "no"}));
    client.change(7, range(900, 3, 1), "model Z end Z;");
    assert_eq!(client.ask("textDocument/hover", at(99, 99)), Value::Null);
    client.open(TEXT);
    assert_eq!(client.diagnostics(1).len(), 1);
    client.stop();
}

#[test]
fn a_fix_becomes_a_code_action() {
    let mut client = Client::start();
    client.open("model M\n  Real x\nequation\n  x = 1;\nend M;\n");
    assert!(!client.diagnostics(1).is_empty());
    let actions = client.ask(
        "textDocument/codeAction",
        json!({"textDocument": {"uri": URI}, "range": range(1, 0, 8), "context": {"diagnostics": []}}),
    );
    assert_eq!(actions[0]["kind"], "quickfix");
    assert!(actions[0]["edit"]["changes"][URI].is_array(), "{actions}");
    client.stop();
}

#[test]
fn a_client_that_goes_away_ends_the_server() {
    let client = Client::start();
    client.open(TEXT);
    let Client {
        connection, server, ..
    } = client;
    drop(connection);
    server.join().expect("the server ends");
}
