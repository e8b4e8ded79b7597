//! The loop: messages in, edits applied, answers and diagnostics out.

use crate::capabilities::{ClientCapabilities, capabilities, negotiate};
use crate::convert::{BUILTIN_SCHEME, Converter, path_of, uri_of};
use crate::document::{Encoding, apply};
use crate::handlers::{Handlers, KnownTokens};
use crate::pool::Pool;
use crate::progress::Progress;
use crate::settings::{Configuration, Environment};
use crate::worker::{self, Checked, News};
use crossbeam_channel::{Receiver, Sender, never, select, tick, unbounded};
use lsp_server::{Connection, ErrorCode, Message, Notification, Request, RequestId, Response};
use lsp_types::notification::{
    Cancel, DidChangeConfiguration, DidChangeTextDocument, DidChangeWatchedFiles,
    DidChangeWorkspaceFolders, DidCloseTextDocument, DidOpenTextDocument, Exit,
    Notification as NotificationKind, PublishDiagnostics, ShowMessage,
};
use lsp_types::request::{
    CodeLensRefresh, InlayHintRefreshRequest, RegisterCapability, Request as RequestKind,
    SemanticTokensRefresh, Shutdown, WorkspaceDiagnosticRefresh,
};
use lsp_types::{
    CancelParams, DidChangeConfigurationParams, DidChangeTextDocumentParams,
    DidChangeWatchedFilesParams, DidChangeWatchedFilesRegistrationOptions,
    DidChangeWorkspaceFoldersParams, DidCloseTextDocumentParams, DidOpenTextDocumentParams,
    FileSystemWatcher, GlobPattern, InitializeParams, MessageType, NumberOrString, OneOf,
    PublishDiagnosticsParams, Registration, RegistrationParams, RelativePattern, ShowMessageParams,
    Uri,
};
use modeshift_db::Db;
use modeshift_diag::Diagnostic;
use modeshift_driver::{OsSystem, Phase, Report, Session};
use modeshift_ide::ClassIndex;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

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
#[derive(Clone)]
pub(crate) struct Published {
    pub uri: Uri,
    pub shown: lsp_types::Diagnostic,
    pub diagnostic: Diagnostic,
    phase: Phase,
}

struct Server {
    sender: Sender<Message>,
    session: Session,
    configuration: Configuration,
    client: ClientCapabilities,
    encoding: Encoding,
    /// The versions of open documents, as the client counts them.
    versions: BTreeMap<Uri, i32>,
    published: Arc<Vec<Published>>,
    /// Documents that the client has been told something about.
    told: BTreeSet<Uri>,
    /// Counts states of the texts: an answer of a worker counts only for the latest.
    generation: u64,
    /// Something changed since the last check was started.
    stale: bool,
    /// A check is under way.
    checking: bool,
    results: Sender<Checked>,
    pool: Pool,
    /// Requests that have not been answered.
    pending: HashSet<RequestId>,
    /// Classes that a mistake of ours kept from being checked, as far as the user has been told.
    failed: BTreeSet<String>,
    progress: Progress,
    /// Of how many classes everything is kept.
    kept: usize,
    /// Numbers our own requests.
    asked: i32,
    shut_down: bool,
    /// The classes of the libraries by name, once they have been looked through.
    index: Arc<OnceLock<ClassIndex>>,
    /// What the client was told last about the words of each document.
    tokens: Arc<Mutex<KnownTokens>>,
}

/// What [`STATUS`] tells, see there.
#[derive(serde::Serialize)]
struct Status {
    /// Nothing more is to be said until something changes.
    quiescent: bool,
    /// What is being looked at: `types`, `modes` or `changes`.
    #[serde(skip_serializing_if = "Option::is_none")]
    running: Option<&'static str>,
    versions: BTreeMap<String, i32>,
}

/// Tells clients that ask for it (`{"status": true}` among the initialization options) when a check has ended: for
/// tests, benchmarks and status bars.
const STATUS: &str = "modeshift/status";

/// Serves one client until it says `exit` or goes away.
pub fn serve(connection: Connection, environment: Environment) -> Result<(), Error> {
    let broken = |error: &dyn std::fmt::Display| Error(error.to_string());
    let (id, params) = connection
        .initialize_start()
        .map_err(|error| broken(&error))?;
    let params: InitializeParams = serde_json::from_value(params).unwrap_or_default();
    let encoding = negotiate(&params);
    let client = ClientCapabilities::of(&params);
    let result = serde_json::json!({
        "capabilities": capabilities(encoding, client),
        "serverInfo": {"name": "modeshift", "version": env!("CARGO_PKG_VERSION")},
    });
    connection
        .initialize_finish(id, result)
        .map_err(|error| broken(&error))?;

    let (results, checked) = unbounded();
    let (responses, answered) = unbounded();
    let configuration = Configuration::new(environment, &params);
    let mut server = Server {
        sender: connection.sender.clone(),
        session: Session::new(Arc::new(OsSystem), configuration.settings()),
        configuration,
        client,
        encoding,
        versions: BTreeMap::new(),
        published: Arc::default(),
        told: BTreeSet::new(),
        generation: 0,
        stale: false,
        checking: false,
        results,
        pool: Pool::new(&responses),
        pending: HashSet::new(),
        failed: BTreeSet::new(),
        progress: Progress::new(client.progress),
        kept: KEPT,
        asked: 0,
        shut_down: false,
        index: Arc::default(),
        tokens: Arc::default(),
    };
    server.index_classes();
    server.watch_files();
    server.run(&connection.receiver, &checked, &answered);
    Ok(())
}

/// Classes of which everything is kept while memory is not short.
const KEPT: usize = 64;

/// How much memory this process has, where the system tells.
#[expect(
    clippy::disallowed_methods,
    reason = "it tells about this process, not about what the user works on"
)]
fn resident() -> Option<u64> {
    let statm = std::fs::read_to_string("/proc/self/statm").ok()?;
    let pages: u64 = statm.split_whitespace().nth(1)?.parse().ok()?;
    const PAGE: u64 = 4096;
    Some(pages * PAGE)
}

/// How often the progress of a check is looked at.
const TICK: Duration = Duration::from_millis(200);

impl Server {
    fn run(
        &mut self,
        messages: &Receiver<Message>,
        checked: &Receiver<Checked>,
        answered: &Receiver<Response>,
    ) {
        let ticks = tick(TICK);
        let never = never();
        loop {
            let ticks = match self.checking && self.client.progress {
                true => &ticks,
                false => &never,
            };
            select! {
                recv(messages) -> message => match message {
                    Ok(message) => if self.handle(message) { return },
                    // The client is gone.
                    Err(_) => return,
                },
                recv(checked) -> checked => if let Ok(checked) = checked {
                    self.checked(checked);
                },
                recv(answered) -> response => if let Ok(response) = response {
                    self.respond(response);
                },
                recv(ticks) -> _ => {
                    let files = self.session.db().files().len();
                    let messages = self.progress.tick(files);
                    messages.into_iter().for_each(|message| self.send(message));
                },
            }
            // Messages that wait may be further edits: check once, after the last of them.
            if self.stale && messages.is_empty() {
                self.stale = false;
                self.checking = true;
                self.progress.start(self.session.db().files().len());
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
            // What we ask the client for, it may refuse: there is nothing to be done about it.
            Message::Response(_) => {}
        }
        false
    }

    fn request(&mut self, request: Request) {
        let id = request.id.clone();
        if request.method == Shutdown::METHOD {
            self.shut_down = true;
            return self.send(Message::Response(Response::new_ok(id, ())));
        }
        if self.shut_down {
            let message = "shutting down".to_owned();
            let refused = Response::new_err(id, ErrorCode::InvalidRequest as i32, message);
            return self.send(Message::Response(refused));
        }
        self.pending.insert(id.clone());
        let (session, encoding) = (self.session.clone(), self.encoding);
        let published = self.published.clone();
        let settled = !self.stale && !self.checking;
        let (client, generation) = (self.client, self.generation);
        let (index, tokens) = (self.index.clone(), self.tokens.clone());
        let explain = self.configuration.explain();
        self.pool.answer(id, move || {
            let handlers = Handlers {
                converter: Converter::new(&session, encoding),
                published: &published,
                settled,
                generation,
                client,
                index: &index,
                tokens: &tokens,
                explain,
            };
            handlers.answer(request)
        });
    }

    /// Sends a response, unless its request has been cancelled and answered so.
    fn respond(&mut self, response: Response) {
        if self.pending.remove(&response.id) {
            self.send(Message::Response(response));
        }
    }

    /// Malformed notifications are passed over: the protocol has no way to answer them.
    fn notification(&mut self, notification: Notification) {
        let Notification { method, params } = notification;
        match method.as_str() {
            DidOpenTextDocument::METHOD => read(params, |it| self.opened(it)),
            DidChangeTextDocument::METHOD => read(params, |it| self.changed(it)),
            DidCloseTextDocument::METHOD => read(params, |it| self.closed(it)),
            DidChangeWatchedFiles::METHOD => read(params, |it| self.files_changed(&it)),
            DidChangeConfiguration::METHOD => read(params, |it| self.configured(&it)),
            DidChangeWorkspaceFolders::METHOD => read(params, |it| self.folders_changed(&it)),
            Cancel::METHOD => read(params, |it| self.cancel(it)),
            // Others tell what is known already, as `didSave` does.
            _ => {}
        }
    }

    fn opened(&mut self, params: DidOpenTextDocumentParams) {
        let document = params.text_document;
        self.edit(document.uri, document.version, &document.text);
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
        // The built-in library can be looked at only.
        if uri.as_str().starts_with(BUILTIN_SCHEME) {
            return;
        }
        self.session.open_text(path_of(&uri), text);
        self.versions.insert(uri, version);
        self.touched();
    }

    fn closed(&mut self, params: DidCloseTextDocumentParams) {
        let uri = params.text_document.uri;
        self.tokens().remove(&uri);
        if self.versions.remove(&uri).is_some() {
            self.session.close(path_of(&uri));
            self.touched();
        }
    }

    fn files_changed(&mut self, params: &DidChangeWatchedFilesParams) {
        for change in &params.changes {
            self.session.refresh(path_of(&change.uri));
        }
        self.touched();
    }

    fn configured(&mut self, params: &DidChangeConfigurationParams) {
        if self.configuration.update(&params.settings) {
            self.reconfigured();
        }
    }

    fn folders_changed(&mut self, params: &DidChangeWorkspaceFoldersParams) {
        self.configuration.change_folders(&params.event);
        self.reconfigured();
    }

    fn reconfigured(&mut self) {
        self.session.set_settings(self.configuration.settings());
        self.index_classes();
        self.watch_files();
        self.touched();
    }

    /// Looks through the libraries while the user looks at the first file. Edits do not wait for it and do not stop it:
    /// it works on what is stored, outside of all queries.
    fn index_classes(&mut self) {
        self.index = Arc::default();
        let (index, files) = (self.index.clone(), self.session.db().files().clone());
        let dirs = ClassIndex::directories(self.session.settings());
        let build = move || {
            index.get_or_init(|| ClassIndex::build(&files, dirs));
        };
        let builder = std::thread::Builder::new().name("index".to_owned());
        // Without a thread it is made when somebody searches.
        drop(builder.spawn(build));
    }

    /// The client need not wait for an answer any more.
    fn cancel(&mut self, params: CancelParams) {
        let id = match params.id {
            NumberOrString::Number(number) => RequestId::from(number),
            NumberOrString::String(text) => RequestId::from(text),
        };
        if self.pending.remove(&id) {
            let message = "cancelled".to_owned();
            let code = ErrorCode::RequestCanceled as i32;
            self.send(Message::Response(Response::new_err(id, code, message)));
        }
    }

    fn tokens(&self) -> MutexGuard<'_, KnownTokens> {
        self.tokens.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn touched(&mut self) {
        self.generation += 1;
        self.stale = true;
    }

    /// Asks the client to tell what happens to Modelica files, in its folders and in our libraries.
    fn watch_files(&mut self) {
        if !self.client.watches_files {
            return;
        }
        let mut watchers = vec![watcher(GlobPattern::String(FILES.to_owned()))];
        if self.client.watches_anywhere {
            let outside = self.configuration.outside();
            let bases = outside.iter().filter_map(|dir| uri_of(dir));
            watchers.extend(bases.map(|uri| {
                watcher(GlobPattern::Relative(RelativePattern {
                    base_uri: OneOf::Right(uri),
                    pattern: FILES.to_owned(),
                }))
            }));
        }
        let options = DidChangeWatchedFilesRegistrationOptions { watchers };
        let registration = Registration {
            id: WATCH.to_owned(),
            method: DidChangeWatchedFiles::METHOD.to_owned(),
            register_options: serde_json::to_value(options).ok(),
        };
        let registrations = vec![registration];
        self.ask::<RegisterCapability>(RegistrationParams { registrations });
    }

    /// What a worker tells, if the texts are still those it looked at.
    fn checked(&mut self, checked: Checked) {
        if checked.generation != self.generation {
            return;
        }
        match checked.news {
            News::Found(phase, report) => self.publish(phase, report),
            News::Ended(lost) => {
                self.admit(lost);
                self.finished();
            }
        }
    }

    /// Says what could not be checked: silence would mean that nothing is wrong there.
    fn admit(&mut self, lost: Option<Vec<String>>) {
        let names = lost.unwrap_or_else(|| vec!["everything".to_owned()]);
        for name in names {
            if self.failed.insert(name.clone()) {
                let message = format!("modeshift failed to check {name}; this is a bug in it");
                let typ = MessageType::ERROR;
                self.notify(ShowMessage::METHOD, ShowMessageParams { typ, message });
            }
        }
    }

    /// Shows what was found in one phase. What later phases said before stays until they have spoken again: it would only
    /// flicker. Documents that had diagnostics before and have none now are told so.
    fn publish(&mut self, phase: Phase, report: Report) {
        let last = phase == Phase::Changes;
        let published = self.merged(phase, report);
        let mut by_uri: BTreeMap<&Uri, Vec<&lsp_types::Diagnostic>> = BTreeMap::new();
        for known in &self.told {
            by_uri.entry(known).or_default();
        }
        for known in self.versions.keys().filter(|_| last) {
            by_uri.entry(known).or_default();
        }
        for it in &published {
            by_uri.entry(&it.uri).or_default().push(&it.shown);
        }
        let mut messages = Vec::new();
        let mut told = BTreeSet::new();
        for (uri, diagnostics) in by_uri {
            let version = self.versions.get(uri).copied();
            let before = self.published.iter().filter(|it| it.uri == *uri);
            let same = before.map(|it| &it.shown).eq(diagnostics.iter().copied());
            // The last word on an open document is said in any case, for the sake of its version.
            if !same || (last && version.is_some()) {
                let diagnostics: Vec<_> = diagnostics.iter().copied().cloned().collect();
                messages.push(PublishDiagnosticsParams {
                    uri: uri.clone(),
                    diagnostics,
                    version,
                });
            }
            told.insert(uri.clone());
        }
        told.retain(|uri| published.iter().any(|it| it.uri == *uri));
        (self.told, self.published) = (told, Arc::new(published));
        match self.client.pulls {
            true if !messages.is_empty() => self.ask::<WorkspaceDiagnosticRefresh>(()),
            true => {}
            false => {
                for params in messages {
                    self.notify(PublishDiagnostics::METHOD, params);
                }
            }
        }
        match phase {
            Phase::Files => self.tell_status(Some("types")),
            Phase::Types => self.tell_status(Some("modes")),
            Phase::Modes => self.tell_status(Some("changes")),
            Phase::Changes => {}
        }
    }

    /// What is shown once a phase has spoken: what it and those before it said now, and those behind it before.
    fn merged(&self, phase: Phase, report: Report) -> Vec<Published> {
        let converter = Converter::new(&self.session, self.encoding);
        let db = self.session.db();
        let last = self.session.open_files().last();
        let fallback = last.and_then(|file| uri_of(file.path(db)));
        let new = report.diagnostics.into_iter().filter_map(|diagnostic| {
            let page = self.configuration.page(diagnostic.code);
            let (uri, shown) =
                converter.diagnostic(&diagnostic, fallback.as_ref(), page.as_deref())?;
            Some(Published {
                uri,
                shown,
                diagnostic,
                phase,
            })
        });
        let new: Vec<Published> = new.collect();
        let kept = |keep: fn(&Phase, &Phase) -> bool| {
            let old = self.published.iter();
            old.filter(move |it| keep(&it.phase, &phase)).cloned()
        };
        kept(Phase::lt).chain(new).chain(kept(Phase::gt)).collect()
    }

    /// All has been said about this state of the texts.
    fn finished(&mut self) {
        self.checking = false;
        let messages = self.progress.end();
        messages.into_iter().for_each(|message| self.send(message));
        // Hints tell about modes, which were not known before.
        if self.client.refreshes_hints {
            self.ask::<InlayHintRefreshRequest>(());
        }
        if self.client.refreshes_lenses {
            self.ask::<CodeLensRefresh>(());
        }
        if self.client.refreshes_tokens {
            self.ask::<SemanticTokensRefresh>(());
        }
        self.forget();
        self.tell_status(None);
    }

    /// Keeps within the limit of memory, if there is one: what was found stays, what it was found from goes.
    fn forget(&mut self) {
        let Some(limit) = self.configuration.memory_limit() else {
            return;
        };
        if self.kept > 1 && resident().is_some_and(|bytes| bytes > limit) {
            self.kept /= 2;
            self.session.keep(self.kept);
        }
    }

    /// Tells what still runs to clients that want to know.
    fn tell_status(&self, running: Option<&'static str>) {
        if self.client.status {
            let versions = self.versions.iter();
            let versions = versions.map(|(uri, version)| (uri.as_str().to_owned(), *version));
            let status = Status {
                quiescent: !self.stale && running.is_none(),
                running,
                versions: versions.collect(),
            };
            self.notify(STATUS, status);
        }
    }

    fn ask<R: RequestKind>(&mut self, params: R::Params) {
        self.asked += 1;
        let id = RequestId::from(format!("modeshift/{}", self.asked));
        let request = Request::new(id, R::METHOD.to_owned(), params);
        self.send(Message::Request(request));
    }

    fn notify(&self, method: &str, params: impl serde::Serialize) {
        let notification = Notification::new(method.to_owned(), params);
        self.send(Message::Notification(notification));
    }

    fn send(&self, message: Message) {
        // When the client is gone the loop ends by itself.
        let _ = self.sender.send(message);
    }
}

/// The files that we read.
const FILES: &str = "**/{*.mo,package.order}";
const WATCH: &str = "modeshift-files";

const fn watcher(glob_pattern: GlobPattern) -> FileSystemWatcher {
    FileSystemWatcher {
        glob_pattern,
        kind: None,
    }
}

fn read<P: serde::de::DeserializeOwned>(params: serde_json::Value, handle: impl FnOnce(P)) {
    if let Ok(params) = serde_json::from_value(params) {
        handle(params);
    }
}
