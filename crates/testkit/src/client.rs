//! A client of language servers: conversations in memory or with a process.

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, unbounded};
use lsp_server::{Connection, Message, Notification, Request, RequestId, Response};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::BufReader;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// How long an answer may take before a test fails.
const PATIENCE: Duration = Duration::from_secs(120);

/// One end of a conversation, and what has been heard so far.
pub struct Client {
    sender: Sender<Message>,
    receiver: Receiver<Message>,
    next: i32,
    /// Notifications that nobody has asked for yet, in order, diagnostics and status excepted.
    pub notifications: Vec<Notification>,
    /// What the server asked of us; every request was answered with `null`.
    pub requests: Vec<Request>,
    /// The diagnostics published last, by document; documents with none are left out.
    pub diagnostics: BTreeMap<String, Vec<Value>>,
    /// How many notifications with diagnostics came.
    pub published: usize,
    /// The status that came last, with the versions it is about.
    status: Option<Value>,
}

impl Client {
    /// A client on a connection whose other end a server has.
    pub fn new(connection: Connection) -> Self {
        Self::on(connection.sender, connection.receiver)
    }

    fn on(sender: Sender<Message>, receiver: Receiver<Message>) -> Self {
        Self {
            sender,
            receiver,
            next: 0,
            notifications: Vec::new(),
            requests: Vec::new(),
            diagnostics: BTreeMap::new(),
            published: 0,
            status: None,
        }
    }

    /// Starts a process and talks to its standard streams.
    pub fn spawn(command: &mut Command) -> std::io::Result<(Self, Child)> {
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let (Some(mut input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(std::io::Error::other("the streams of the process"));
        };
        let (sender, to_write) = unbounded::<Message>();
        let (read, receiver) = unbounded();
        std::thread::spawn(move || {
            for message in to_write {
                if message.write(&mut input).is_err() {
                    return;
                }
            }
        });
        std::thread::spawn(move || {
            let mut output = BufReader::new(output);
            while let Ok(Some(message)) = Message::read(&mut output) {
                if read.send(message).is_err() {
                    return;
                }
            }
        });
        Ok((Self::on(sender, receiver), child))
    }

    /// What the server said last that it is looking at.
    pub fn running(&self) -> Option<&str> {
        self.status.as_ref()?["running"].as_str()
    }

    /// The handshake. Asks for the status that [`Client::quiet`] waits for, beside the given options and
    /// capabilities; gives what the server can do.
    pub fn initialize(&mut self, capabilities: Value, folders: &[&str], options: Value) -> Value {
        let mut options = options;
        options["status"] = Value::Bool(true);
        let folders: Vec<Value> = folders
            .iter()
            .map(|uri| json!({"uri": uri, "name": uri}))
            .collect();
        let params = json!({
            "capabilities": capabilities,
            "workspaceFolders": folders,
            "initializationOptions": options,
        });
        let answer = self.ask("initialize", params).expect("it initializes");
        self.tell("initialized", json!({}));
        answer["capabilities"].clone()
    }

    pub fn tell(&self, method: &str, params: Value) {
        let notification = Notification::new(method.to_owned(), params);
        // A server that is gone is noticed by whoever waits for it.
        let _ = self.sender.send(Message::Notification(notification));
    }

    /// The result, or the error.
    ///
    /// # Panics
    /// When no answer comes.
    pub fn ask(&mut self, method: &str, params: Value) -> Result<Value, Value> {
        let id = self.send(method, params);
        loop {
            if let Some(response) = self.receive(PATIENCE).expect("the server answers in time")
                && response.id == id
            {
                return response
                    .response_result
                    .map_err(|error| serde_json::to_value(error).expect("an error is JSON"));
            }
        }
    }

    /// Sends a request without waiting for its answer.
    pub fn send(&mut self, method: &str, params: Value) -> RequestId {
        self.next += 1;
        let id = RequestId::from(self.next);
        let request = Request::new(id.clone(), method.to_owned(), params);
        let _ = self.sender.send(Message::Request(request));
        id
    }

    /// Takes one message; gives it if it is a response.
    pub fn receive(&mut self, patience: Duration) -> Result<Option<Response>, RecvTimeoutError> {
        match self.receiver.recv_timeout(patience)? {
            Message::Response(response) => return Ok(Some(response)),
            Message::Request(request) => {
                let response = Response::new_ok(request.id.clone(), Value::Null);
                let _ = self.sender.send(Message::Response(response));
                self.requests.push(request);
            }
            Message::Notification(notification) => self.heard(notification),
        }
        Ok(None)
    }

    fn heard(&mut self, notification: Notification) {
        match notification.method.as_str() {
            "textDocument/publishDiagnostics" => {
                let uri = notification.params["uri"].as_str().unwrap_or_default();
                let list = notification.params["diagnostics"].as_array();
                let list = list.cloned().unwrap_or_default();
                self.published += 1;
                match list.is_empty() {
                    true => drop(self.diagnostics.remove(uri)),
                    false => drop(self.diagnostics.insert(uri.to_owned(), list)),
                }
            }
            "modeshift/status" => self.status = Some(notification.params),
            _ => self.notifications.push(notification),
        }
    }

    pub fn open(&self, uri: &str, version: i32, text: &str) {
        let document =
            json!({"uri": uri, "languageId": "modelica", "version": version, "text": text});
        self.tell("textDocument/didOpen", json!({ "textDocument": document }));
    }

    /// Replaces a range, or with `null` the whole text.
    pub fn change(&self, uri: &str, version: i32, range: Value, text: &str) {
        let change = match range {
            Value::Null => json!({ "text": text }),
            range => json!({ "range": range, "text": text }),
        };
        let document = json!({"uri": uri, "version": version});
        self.tell(
            "textDocument/didChange",
            json!({"textDocument": document, "contentChanges": [change]}),
        );
    }

    /// Waits until the server has said all there is to say about that version of a document.
    ///
    /// # Panics
    /// When that takes too long.
    pub fn quiet(&mut self, uri: &str, version: i32) {
        let deadline = Instant::now() + PATIENCE;
        loop {
            if let Some(status) = &self.status
                && status["quiescent"] == true
                && status["versions"][uri] == version
            {
                return;
            }
            let left = deadline.saturating_duration_since(Instant::now());
            self.receive(left).expect("the server comes to rest");
        }
    }

    /// Ends the conversation properly.
    ///
    /// # Panics
    /// When the server does not take part in it.
    pub fn shut_down(mut self) {
        assert_eq!(self.ask("shutdown", Value::Null), Ok(Value::Null));
        self.tell("exit", Value::Null);
    }
}
