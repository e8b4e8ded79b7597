//! The language server as editors have it: as a process, driven by Neovim, killed, and fed with nonsense.

use modeshift_testkit::client::Client;
use serde_json::{Value, json};
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

const BINARY: &str = env!("CARGO_BIN_EXE_modeshift");
const URI: &str = "untitled:M";

fn server() -> Command {
    let mut command = Command::new(BINARY);
    command.arg("lsp").env_remove("MODELICAPATH");
    command
}

/// Opens a text in a new process and gives what it says.
fn said(text: &str) -> Vec<Value> {
    let (mut client, mut child) = Client::spawn(&mut server()).expect("it starts");
    client.initialize(json!({}), &[], json!({}));
    client.open(URI, 1, text);
    client.quiet(URI, 1);
    let found = client.diagnostics.get(URI).cloned().unwrap_or_default();
    client.shut_down();
    assert!(child.wait().expect("it ends").success());
    found
}

#[test]
fn a_server_that_was_killed_comes_back_with_the_same_answers() {
    let texts = [
        "model M Real x; Real x; end M;",
        "model M Real x = y; end M;",
        "model M Real x; equation x = ; end M;",
        "model M Real x = 1; end M;",
    ];
    let (mut client, mut child) = Client::spawn(&mut server()).expect("it starts");
    client.initialize(json!({}), &[], json!({}));
    client.open(URI, 1, "model M end M;");
    let mut answers = Vec::new();
    for (version, text) in (2..).zip(texts) {
        client.change(URI, version, Value::Null, text);
        client.quiet(URI, version);
        answers.push(client.diagnostics.get(URI).cloned().unwrap_or_default());
    }
    // In the middle of a check.
    client.change(URI, 99, Value::Null, texts[0]);
    child.kill().expect("it can be killed");
    child.wait().expect("it ends");
    for (text, answer) in texts.into_iter().zip(answers) {
        assert_eq!(said(text), answer, "{text}");
    }
}

/// Writes bytes to a server, closes the stream, and gives how it ended and what it complained about.
fn fed(bytes: &[u8]) -> (Option<i32>, String) {
    let mut child = server()
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    let mut input = child.stdin.take().expect("its input");
    // It may have ended before it has read all.
    let _ = input.write_all(bytes);
    drop(input);
    let deadline = Instant::now() + Duration::from_secs(60);
    while child.try_wait().expect("it can be waited for").is_none() {
        if Instant::now() > deadline {
            child.kill().expect("it can be killed");
            panic!("it hangs on {:?}", String::from_utf8_lossy(bytes));
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    let status = child.wait().expect("it has ended");
    let mut complaints = String::new();
    let mut errors = child.stderr.take().expect("its errors");
    errors.read_to_string(&mut complaints).expect("text");
    (status.code(), complaints)
}

#[test]
fn malformed_messages_end_the_server_without_a_panic() {
    let framed = |text: &str| format!("Content-Length: {}\r\n\r\n{text}", text.len()).into_bytes();
    let initialize =
        r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}"#;
    let initialized = r#"{"jsonrpc":"2.0","method":"initialized","params":{}}"#;
    let begun = [framed(initialize), framed(initialized)].concat();
    let cases: Vec<Vec<u8>> = vec![
        Vec::new(),
        b"hello".to_vec(),
        b"Content-Length: many\r\n\r\n{}".to_vec(),
        b"Content-Length: 10\r\n\r\n{}".to_vec(),
        b"Content-Length: 99999999999999999999\r\n\r\n{}".to_vec(),
        framed("hello"),
        framed("{}"),
        framed("[1, 2"),
        framed(r#"{"jsonrpc":"2.0","method":"exit"}"#),
        [begun.clone(), framed("{")].concat(),
        [
            begun.clone(),
            b"Content-Length: 3\r\n\r\n\xff\xfe\xfd".to_vec(),
        ]
        .concat(),
        [
            begun.clone(),
            framed(r#"{"jsonrpc":"2.0","id":2,"method":"textDocument/hover"}"#),
        ]
        .concat(),
        [
            begun,
            framed(r#"{"jsonrpc":"2.0","id":{"a":1},"method":"shutdown"}"#),
        ]
        .concat(),
    ];
    for bytes in cases {
        let (code, complaints) = fed(&bytes);
        let text = String::from_utf8_lossy(&bytes).into_owned();
        assert!(code.is_some(), "a signal ended it on {text:?}");
        assert!(!complaints.contains("panicked"), "{text:?}: {complaints}");
    }
}

/// The first block of that language in a page.
fn block(page: &str, language: &str) -> String {
    let path = modeshift_testkit::root().join("docs/editors").join(page);
    let text = std::fs::read_to_string(&path).expect("the page is there");
    let start = format!("```{language}\n");
    let from = text.find(&start).expect("it has such a block") + start.len();
    let length = text[from..].find("```").expect("the block ends");
    text[from..from + length].to_owned()
}

/// What Neovim's own client made of the conversation in `neovim/drive.lua`.
const NEOVIM: &str = "filetype: modelica
opened: 6:7 `b` is not declared
a letter that is none: told
hover: ```modelica
Lib lib
```

`Lib`

declared in `Clutch`
definition: Lib.mo
renamed:   Real a = lib.height;
in the other file:   Real height = 1;
formatted:   Boolean on = a > 2;
";

#[test]
fn neovim_edits_with_the_lines_of_its_page() {
    let version = Command::new("nvim").arg("--version").output();
    let Ok(version) = version else {
        eprintln!("skipped: there is no `nvim`; `apt-get install neovim` to run this test");
        return;
    };
    let version = String::from_utf8_lossy(&version.stdout).into_owned();
    let dir = tempfile::tempdir().expect("a directory");
    let place = |name: &str| dir.path().join(name);
    let drive = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/neovim/drive.lua");
    std::fs::write(place("init.lua"), block("neovim.md", "lua")).expect("it can be written");
    std::fs::write(place("Lib.mo"), "model Lib\n  Real level = 1;\nend Lib;\n")
        .expect("it can be written");
    let clutch = "model Clutch\n  Lib lib;\n  Real a = lib.level;\n  Boolean on = a > 2;\nequation\n  a = b;\nend Clutch;\n";
    std::fs::write(place("Clutch.mo"), clutch).expect("it can be written");
    let binaries = Path::new(BINARY).parent().expect("it is in a directory");
    let path = std::env::var_os("PATH").unwrap_or_default();
    let paths = std::iter::once(binaries.to_owned()).chain(std::env::split_paths(&path));
    let output = Command::new("nvim")
        .args(["--headless", "--clean", "-u", "init.lua", "Clutch.mo", "-c"])
        .arg(format!("luafile {}", drive.display()))
        .current_dir(dir.path())
        .env(
            "PATH",
            std::env::join_paths(paths).expect("paths can be joined"),
        )
        .env("HOME", dir.path())
        .env("XDG_STATE_HOME", dir.path())
        .env_remove("MODELICAPATH")
        .output()
        .expect("Neovim runs");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let told = std::fs::read_to_string(place("answers")).unwrap_or_default();
    assert_eq!(told, NEOVIM, "{version}{said}");
}

/// A program on a terminal of its own, which `script` makes.
struct Terminal {
    child: Child,
    keys: ChildStdin,
    shown: Arc<Mutex<Vec<u8>>>,
}

impl Terminal {
    fn run(command: &mut Command) -> Self {
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("`script` starts");
        let keys = child.stdin.take().expect("its input");
        let mut output = child.stdout.take().expect("its output");
        let shown = Arc::new(Mutex::new(Vec::new()));
        let sink = shown.clone();
        std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(count) = output.read(&mut bytes)
                && count > 0
            {
                sink.lock().expect("no panic").extend(&bytes[..count]);
            }
        });
        Self { child, keys, shown }
    }

    /// Presses keys. An escape and the key after it must not be taken for one, so there is a pause.
    fn press(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).expect("it reads keys");
        self.keys.flush().expect("it reads keys");
        std::thread::sleep(Duration::from_millis(300));
    }

    /// Waits until a word has been shown.
    fn wait_for(&mut self, word: &str) {
        let shown = self.shown.clone();
        let shown = || String::from_utf8_lossy(&shown.lock().expect("no panic")).into_owned();
        until(word, || shown().contains(word));
    }

    /// Presses keys until a file has the text.
    fn press_until(&mut self, keys: &str, file: &Path, text: &str) {
        let has = || std::fs::read_to_string(file).is_ok_and(|it| it.contains(text));
        until(text, || {
            self.press(keys);
            has()
        });
    }
}

fn until(what: &str, mut holds: impl FnMut() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(60);
    while !holds() {
        assert!(Instant::now() < deadline, "never `{what}`");
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// Helix goes to a diagnostic, edits there, renames and formats.
#[test]
fn helix_edits_with_the_lines_of_its_page() {
    let runs = |program: &str| Command::new(program).arg("--version").output().is_ok();
    if !runs("hx") || !runs("script") {
        eprintln!("skipped: there is no `hx`; install Helix to run this test");
        return;
    }
    let dir = tempfile::tempdir().expect("a directory");
    let place = |name: &str| dir.path().join(name);
    std::fs::create_dir(place("helix")).expect("it can be made");
    std::fs::write(place("helix/languages.toml"), block("helix.md", "toml")).expect("written");
    let text = "model M\n  Real speed;\n  Real other;\nequation\n  other=speed;\n  der(speed) = 1 + unknown;\nend M;\n";
    std::fs::write(place("M.mo"), text).expect("it can be written");
    let binaries = Path::new(BINARY).parent().expect("it is in a directory");
    let path = std::env::var_os("PATH").unwrap_or_default();
    let paths = std::iter::once(binaries.to_owned()).chain(std::env::split_paths(&path));
    let mut command = Command::new("script");
    command
        .args(["-qec", "stty rows 40 cols 120; exec hx M.mo", "/dev/null"])
        .current_dir(dir.path())
        .env("PATH", std::env::join_paths(paths).expect("joined"))
        .env("XDG_CONFIG_HOME", dir.path())
        .env("XDG_CACHE_HOME", dir.path())
        .env("TERM", "xterm-256color")
        .env_remove("MODELICAPATH");
    let mut terminal = Terminal::run(&mut command);
    // The mark of a line with an error.
    terminal.wait_for("●");
    for keys in ["]d", "i0*", "\u{1b}", "gg", "/speed\r", " r"] {
        terminal.press(keys);
    }
    terminal.wait_for("rename");
    terminal.press("\u{15}velocity\r");
    terminal.press_until(":w\r", &place("M.mo"), "der(velocity)");
    terminal.press_until(":format\r:w\r", &place("M.mo"), "other = velocity");
    terminal.child.kill().expect("it can be killed");
    terminal.child.wait().expect("it ends");
    let text = std::fs::read_to_string(place("M.mo")).expect("it is there");
    let expected = "model M\n  Real velocity;\n  Real other;\nequation\n  other = velocity;\n  der(velocity) = 1 + 0*unknown;\nend M;\n";
    assert_eq!(text, expected);
}

#[test]
fn the_page_on_helix_names_what_there_is() {
    let lines = block("helix.md", "toml");
    assert!(lines.contains("command = \"modeshift\"\nargs = [\"lsp\"]"));
    // What Helix sends: UTF-8 first, and no workspace folders but a root.
    let capabilities = json!({
        "general": {"positionEncodings": ["utf-8", "utf-32", "utf-16"]},
        "textDocument": {"publishDiagnostics": {"versionSupport": true}, "rename": {"prepareSupport": true}},
        "window": {"workDoneProgress": true},
        "workspace": {"didChangeConfiguration": {"dynamicRegistration": false}, "inlayHint": {"refreshSupport": false}},
    });
    let (mut client, mut child) = Client::spawn(&mut server()).expect("it starts");
    let offered = client.initialize(capabilities, &[], json!({"libraries": []}));
    assert_eq!(offered["positionEncoding"], "utf-8");
    client.open(URI, 1, "model M \"é\" Real x = y; end M;");
    client.quiet(URI, 1);
    let range = &client.diagnostics[URI][0]["range"];
    assert_eq!(range["start"]["character"], 22);
    client.shut_down();
    assert!(child.wait().expect("it ends").success());
}
