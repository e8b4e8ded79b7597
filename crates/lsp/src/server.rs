//! The loop: messages in, edits applied, answers and diagnostics out.

use crate::convert::{Converter, path_of, uri_of};
use crate::document::{Encoding, apply};
use crate::handlers::{Handlers, capabilities};
use crate::worker::{self, Checked};
use crossbeam_channel::{Receiver, Sender, select, unbounded};
use lsp_server::{Connection, ErrorCode, Message, Notification, Request, Response};
use lsp_types::notification::{
    DidChangeConfiguration, DidChangeTextDocument, DidChangeWatchedFiles, DidCloseTextDocument,
    DidOpenTextDocument, DidSaveTextDocument, Exit, Notification as NotificationKind,
    PublishDiagnostics,
};
use lsp_types::request::{Request as RequestKind, Shutdown};
use lsp_types::{
    DidChangeConfigurationParams, DidChangeTextDocumentParams, DidChangeWatchedFilesParams,
    DidCloseTextDocumentParams, DidOpenTextDocumentParams, InitializeParams, InitializeResult,
    PositionEncodingKind, PublishDiagnosticsParams, ServerInfo, Uri,
};
use modeshift_db::Db;
use modeshift_diag::Diagnostic;
use modeshift_driver::{OsSystem, Session, Settings, System};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::panic::AssertUnwindSafe;
use std::path::PathBuf;
use std::sync::Arc;

/// What the server knows of the process it runs in.
#[derive(Clone, Debug, Default)]
pub struct Environment {
    pub current_dir: PathBuf,
    /// The value of `MODELICAPATH`.
    pub modelica_path: Option<OsString>,
}

/// The conversation broke down.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Error(pub String);

impl std::fmt::Display for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Error {}

/// A diagnostic that the client shows.
pub(crate) struct Published {
    pub uri: Uri,
    pub shown: lsp_types::Diagnostic,
    pub diagnostic: Diagnostic,
}

struct Server {
    sender: Sender<Message>,
    session: Session,
    environment: Environment,
    encoding: Encoding,
    /// The versions of open documents, as the client counts them.
    versions: BTreeMap<Uri, i32>,
    published: Vec<Published>,
    /// Counts states of the texts: an answer of a worker counts only for the latest.
    generation: u64,
    /// Something changed since the last check was started.
    stale: bool,
    results: Sender<Checked>,
    shut_down: bool,
}

/// Serves one client until it says `exit` or goes away.
pub fn serve(connection: Connection, environment: Environment) -> Result<(), Error> {
    let broken = |error: &dyn std::fmt::Display| Error(error.to_string());
    let (id, params) = connection
        .initialize_start()
        .map_err(|error| broken(&error))?;
    let params: InitializeParams = serde_json::from_value(params).unwrap_or_default();
    let encoding = negotiate(&params);
    let result = InitializeResult {
        capabilities: capabilities(encoding),
        server_info: Some(ServerInfo {
            name: "modeshift".to_owned(),
            version: Some(env!("CARGO_PKG_VERSION").to_owned()),
        }),
    };
    let result = serde_json::to_value(result).map_err(|error| broken(&error))?;
    connection
        .initialize_finish(id, result)
        .map_err(|error| broken(&error))?;

    let (results, checked) = unbounded();
    let settings = settings(&environment, params.initialization_options.as_ref());
    let mut server = Server {
        sender: connection.sender.clone(),
        session: Session::new(Arc::new(OsSystem), settings),
        environment,
        encoding,
        versions: BTreeMap::new(),
        published: Vec::new(),
        generation: 0,
        stale: false,
        results,
        shut_down: false,
    };
    server.run(&connection.receiver, &checked);
    Ok(())
}

/// UTF-8 costs nothing to count, so it is taken when the client knows it.
fn negotiate(params: &InitializeParams) -> Encoding {
    let offered = params.capabilities.general.as_ref();
    let offered = offered.and_then(|general| general.position_encodings.as_deref());
    match offered
        .unwrap_or_default()
        .contains(&PositionEncodingKind::UTF8)
    {
        true => Encoding::Utf8,
        false => Encoding::Utf16,
    }
}

/// The settings a client sends, `{"libraries": [...]}`, be it bare or under `modeshift`.
fn settings(environment: &Environment, sent: Option<&serde_json::Value>) -> Settings {
    let sent = sent.map(|sent| sent.get("modeshift").unwrap_or(sent));
    let libraries = sent
        .and_then(|sent| sent.get("libraries"))
        .and_then(|it| it.as_array());
    let libraries = libraries
        .into_iter()
        .flatten()
        .filter_map(|dir| dir.as_str());
    let settings = libraries.fold(
        Settings::in_dir(&environment.current_dir),
        Settings::library,
    );
    match &environment.modelica_path {
        Some(path) => settings.modelica_path(path, |dir| OsSystem.list(dir).is_some()),
        None => settings,
    }
}

impl Server {
    fn run(&mut self, messages: &Receiver<Message>, checked: &Receiver<Checked>) {
        loop {
            select! {
                recv(messages) -> message => match message {
                    Ok(message) => if self.handle(message) { return },
                    // The client is gone.
                    Err(_) => return,
                },
                recv(checked) -> checked => if let Ok(checked) = checked {
                    self.publish(checked);
                },
            }
            // Messages that wait may be further edits: check once, after the last of them.
            if self.stale && messages.is_empty() {
                self.stale = false;
                worker::spawn(self.session.clone(), self.generation, self.results.clone());
            }
        }
    }

    /// Whether the conversation is over.
    fn handle(&mut self, message: Message) -> bool {
        match message {
            Message::Request(request) => self.request(request),
            Message::Notification(notification) if notification.method == Exit::METHOD => {
                return true;
            }
            Message::Notification(notification) => self.notification(notification),
            // We ask the client nothing.
            Message::Response(_) => {}
        }
        false
    }

    fn request(&mut self, request: Request) {
        let id = request.id.clone();
        let response = if request.method == Shutdown::METHOD {
            self.shut_down = true;
            Response::new_ok(id, ())
        } else if self.shut_down {
            Response::new_err(
                id,
                ErrorCode::InvalidRequest as i32,
                "shutting down".to_owned(),
            )
        } else {
            let converter = Converter {
                session: &self.session,
                encoding: self.encoding,
            };
            let handlers = Handlers {
                converter,
                published: &self.published,
            };
            let answer = AssertUnwindSafe(|| handlers.answer(request));
            std::panic::catch_unwind(answer).unwrap_or_else(|_| {
                let message = "modeshift failed to answer; this is a bug in it".to_owned();
                Response::new_err(id, ErrorCode::InternalError as i32, message)
            })
        };
        self.send(Message::Response(response));
    }

    /// Malformed notifications are passed over: the protocol has no way to answer them.
    fn notification(&mut self, notification: Notification) {
        let Notification { method, params } = notification;
        match method.as_str() {
            DidOpenTextDocument::METHOD => {
                if let Ok(params) = serde_json::from_value::<DidOpenTextDocumentParams>(params) {
                    let document = params.text_document;
                    self.edit(document.uri, document.version, &document.text);
                }
            }
            DidChangeTextDocument::METHOD => {
                if let Ok(params) = serde_json::from_value(params) {
                    self.changed(params);
                }
            }
            DidCloseTextDocument::METHOD => {
                if let Ok(params) = serde_json::from_value::<DidCloseTextDocumentParams>(params) {
                    let uri = params.text_document.uri;
                    self.session.close(path_of(&uri));
                    self.versions.remove(&uri);
                    self.touched();
                }
            }
            DidChangeWatchedFiles::METHOD => {
                if let Ok(params) = serde_json::from_value::<DidChangeWatchedFilesParams>(params) {
                    for change in params.changes {
                        self.session.refresh(path_of(&change.uri));
                    }
                    self.touched();
                }
            }
            DidChangeConfiguration::METHOD => {
                if let Ok(params) = serde_json::from_value::<DidChangeConfigurationParams>(params) {
                    let settings = settings(&self.environment, Some(&params.settings));
                    self.session.set_settings(settings);
                    self.touched();
                }
            }
            // The text is known already.
            DidSaveTextDocument::METHOD => {}
            _ => {}
        }
    }

    fn changed(&mut self, params: DidChangeTextDocumentParams) {
        let document = params.text_document;
        let path = path_of(&document.uri);
        let db = self.session.db();
        let text = db.files().source(db, &path).text(db).to_owned();
        let text = apply(text, &params.content_changes, self.encoding);
        self.edit(document.uri, document.version, &text);
    }

    fn edit(&mut self, uri: Uri, version: i32, text: &str) {
        self.session.open_text(path_of(&uri), text);
        self.versions.insert(uri, version);
        self.touched();
    }

    fn touched(&mut self) {
        self.generation += 1;
        self.stale = true;
    }

    /// Shows what a worker found, if the texts are still those it looked at. Documents that had
    /// diagnostics before and have none now are told so.
    fn publish(&mut self, checked: Checked) {
        if checked.generation != self.generation {
            return;
        }
        let converter = Converter {
            session: &self.session,
            encoding: self.encoding,
        };
        let db = self.session.db();
        let last = self.session.open_files().last();
        let fallback = last.and_then(|file| uri_of(file.path(db)));
        let mut by_uri: BTreeMap<Uri, Vec<lsp_types::Diagnostic>> = BTreeMap::new();
        for known in self
            .versions
            .keys()
            .chain(self.published.iter().map(|it| &it.uri))
        {
            by_uri.entry(known.clone()).or_default();
        }
        let mut published = Vec::new();
        for diagnostic in checked.report.diagnostics {
            if let Some((uri, shown)) = converter.diagnostic(&diagnostic, fallback.as_ref()) {
                by_uri.entry(uri.clone()).or_default().push(shown.clone());
                published.push(Published {
                    uri,
                    shown,
                    diagnostic,
                });
            }
        }
        self.published = published;
        for (uri, diagnostics) in by_uri {
            let version = self.versions.get(&uri).copied();
            let params = PublishDiagnosticsParams {
                uri,
                diagnostics,
                version,
            };
            let method = PublishDiagnostics::METHOD.to_owned();
            self.send(Message::Notification(Notification::new(method, params)));
        }
    }

    fn send(&self, message: Message) {
        // When the client is gone the loop ends by itself.
        let _ = self.sender.send(message);
    }
}
