//! Random edits: after each, what an incremental session says must be what a fresh one says.
//!
//! An edit is what users do to texts and files: type and delete characters, swap words, move, double and drop
//! lines, paste constructs, undo, open and close documents, and change files behind the editor's back. Both
//! sessions are asked for all diagnostics, for symbols, for the flat models, and at a random place for what
//! hovering and searching tell.

use modeshift_db::{Db, SourceFile};
use modeshift_driver::{MemorySystem, Report, Session, Settings};
use std::collections::{BTreeMap, VecDeque};
use std::fmt::Write as _;
use std::sync::Arc;

/// A sequence of numbers that a script determines, two bytes each, and then a seed (SplitMix64).
pub struct Random {
    script: VecDeque<u8>,
    seed: u64,
}

impl Random {
    pub fn new(seed: u64) -> Self {
        Self {
            script: VecDeque::new(),
            seed,
        }
    }

    fn next(&mut self) -> u64 {
        if let Some(byte) = self.script.pop_front() {
            let high = self.script.pop_front().unwrap_or_default();
            return u64::from(u16::from_le_bytes([byte, high]));
        }
        self.seed = self.seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.seed;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound.max(1) as u64) as usize
    }

    fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }
}

/// The documents at the start.
const FILES: &[(&str, &str)] = &[
    (
        "/lib/Parts/package.mo",
        "within;\npackage Parts \"Parts\"\n  constant Real g = 9.81;\n  type Kind = enumeration(soft, hard);\nend Parts;\n",
    ),
    ("/lib/Parts/package.order", "Pin\nTwoPin\nResistor\nDiode\n"),
    (
        "/lib/Parts/Pin.mo",
        "within Parts;\nconnector Pin \"A pin\"\n  Real v;\n  flow Real i;\nend Pin;\n",
    ),
    (
        "/lib/Parts/TwoPin.mo",
        "within Parts;\npartial model TwoPin\n  Pin p;\n  Pin n;\n  Real u = p.v - n.v;\nequation\n  p.i + n.i = 0;\nend TwoPin;\n",
    ),
    (
        "/lib/Parts/Resistor.mo",
        "within Parts;\nmodel Resistor \"Ohm\"\n  extends TwoPin;\n  parameter Real R(min = 0) = 1;\nequation\n  u = R * p.i;\n  annotation(Icon(graphics = {Line(points = {{0, 0}})}));\nend Resistor;\n",
    ),
    (
        "/lib/Parts/Diode.mo",
        "within Parts;\nmodel Diode\n  extends TwoPin;\n  Real s;\n  Boolean off = pre(s) < 0;\nequation\n  if off then\n    p.i = 0;\n    u = s;\n  else\n    u = 0;\n    p.i = s;\n  end if;\nend Diode;\n",
    ),
    (
        "/project/User.mo",
        "package User\n  model Source\n    Parts.Pin p;\n    replaceable function f = Square;\n  equation\n    p.v = f(time);\n  end Source;\n  function Square\n    input Real x;\n    output Real y;\n  algorithm\n    y := x * x;\n  end Square;\n  model Ground\n    Parts.Pin p;\n  equation\n    p.v = 0;\n  end Ground;\n  model Circuit\n    import P = Parts.Resistor;\n    P r(R = 2);\n    Parts.Diode d;\n    Source s;\n    Ground g;\n    parameter Integer n = 3;\n    Real x[n];\n  equation\n    connect(s.p, r.p);\n    connect(r.n, d.p);\n    connect(d.n, g.p);\n    for i in 1:n loop\n      x[i] = i * r.u;\n    end for;\n  end Circuit;\nend User;\n",
    ),
    (
        "/project/Clutch.mo",
        "model Clutch\n  Real w1(start = 1), w2, t1, t2;\n  Boolean engaged = time > 1;\nequation\n  der(w1) = t1;\n  der(w2) = t2;\n  if engaged then\n    w1 = w2;\n    t1 + t2 = 0;\n  else\n    t1 = 0;\n    t2 = 0;\n  end if;\nend Clutch;\nmodel Twice\n  Clutch a, b;\n  User.Circuit c(r(R = 3));\nend Twice;\n",
    ),
    (
        "/project/Ladder.mo",
        "model Ladder \"Sections in a row\"\n  User.Source s;\n  User.Ground g;\n  Parts.Resistor r1(R = 2), r2(R = 3), r3(R = 4);\n  Parts.Diode d1, d2;\n  Clutch clutch;\n  Real seen;\n  Real level(start = 1);\nequation\n  connect(s.p, r1.p);\n  connect(r1.n, d1.p); // first\n  connect(d1.n, r2.p);\n  connect(r2.n, d2.p);\n  connect(d2.n, r3.p);\n  connect(r3.n, g.p);\n  /* what\n     is read */\n  seen = 3 * r2.u + (if clutch.engaged then 2 else 5) * clutch.w1;\n  der(level) = if level > 4 then -1 else 2 * seen;\nend Ladder;\n",
    ),
    (
        "/project/Loops.mo",
        "model Loops \"Conditions that depend on what they decide\"\n  parameter Real R = 0.5;\n  parameter Real gain = 2;\n  Real u = 3 * time;\n  Real s, x, y, s1, s2, z1, z2, w1, w2, p, q, told;\n  Real a(start = 1);\n  Boolean on;\nequation\n  on = s > 0;\n  (if on then 1 else R) * s = u;\n  x = u - gain * y;\n  y = if x > 1 then 1 else if x < -1 then -1 else x;\n  z1 = if s1 > 0 then s1 else 0;\n  w1 = if s1 > 0 then 0 else -s1;\n  z2 = if s2 > 0 then s2 else 0;\n  w2 = if s2 > 0 then 0 else -s2;\n  w1 = 2 * z1 + 1 * z2 + a;\n  w2 = 1 * z1 + 2 * z2 + u;\n  der(a) = 4 * y - a;\n  p + 2 * q = u;\n  1 * p + 7 * q = a;\n  told = 5 * a + s;\nend Loops;\n",
    ),
    (
        "/project/Sections.mo",
        "model Sections \"Sections in a row, and equations beside them\"\n  User.Source s;\n  User.Ground g;\n  Section a(r(R = 2)), b(r(R = 3)), c(r(R = 4));\n  Parts.Resistor load(R = 7);\n  Real v[2], w(unit = \"V\"), power, energy(start = 0);\n  Real doubled = 2 * power;\n  Integer count;\n  parameter Real gain = 3;\nequation\n  connect(s.p, a.p);\n  connect(a.n, b.p);\n  connect(b.n, c.p);\n  connect(c.n, load.p);\n  connect(load.n, g.p);\n  power = 2 * a.r.u * a.r.p.i;\n  w = gain * b.r.u + 4;\n  der(energy) = 3 * power - 5;\n  v = {2, 3} * w;\n  count = 4;\n  annotation(experiment(StopTime = 2));\nend Sections;\nmodel Section\n  Parts.Pin p, n;\n  Parts.Resistor r(R = 1), leak(R = 100);\n  User.Ground g;\n  Real lost;\nequation\n  connect(p, r.p);\n  connect(r.n, n);\n  connect(r.n, leak.p);\n  connect(leak.n, g.p);\n  lost = 2 * leak.u + 3;\nend Section;\n",
    ),
];

/// What is pasted.
const SNIPPETS: &[&str] = &[
    "  Real y = 1;\n",
    "  parameter Real R = 5;\n",
    "equation\n",
    "  x = 1;\n",
    "  connect(r.p, r.n);\n",
    "end Circuit;\n",
    "model New Real z = Parts.g; end New;\n",
    "  extends Parts.TwoPin;\n",
    "  if time > 1 then p.v = 1; else p.i = 2; end if;\n",
    "  when time > 2 then reinit(w1, 3); end when;\n",
    "/*",
    "*/",
    "\"",
    "within Parts;\n",
    "within ;\n",
    "  redeclare function f = Square;\n",
    "  Parts.Kind kind = Parts.Kind.hard;\n",
    "  annotation(Evaluate = true);\n",
    "// a remark\n",
    "é",
    "[1]",
    "(",
    ")",
    ";",
    " = ",
    "not ",
    "pre(s)",
    "  import Parts.*;\n",
    "  connect(a.n, c.p);\n",
    "  Section more(r(R = 5)); \n",
    "  power = 7 * b.r.u;\n",
    "  lost = sin(2 * leak.u);\n",
    "  inner Real world = 1;\n",
    "  outer Real world;\n",
];

/// Both sessions, and the world they live in.
pub struct World {
    random: Random,
    system: Arc<MemorySystem>,
    session: Session,
    /// What is on disk.
    disk: BTreeMap<String, String>,
    /// What is open in the editor, in the order of opening.
    open: Vec<(String, String)>,
    /// Texts from before, to go back to.
    past: Vec<(String, String)>,
}

fn settings() -> Settings {
    Settings::in_dir("/project")
        .folder("/project")
        .library("/lib")
}

impl World {
    pub fn new(seed: u64) -> Self {
        let system = Arc::new(MemorySystem::new());
        for (path, text) in FILES {
            system.write(*path, *text);
        }
        let disk = FILES
            .iter()
            .map(|(path, text)| ((*path).to_owned(), (*text).to_owned()));
        let mut world = Self {
            random: Random::new(seed),
            session: Session::new(system.clone(), settings().live()),
            system,
            disk: disk.collect(),
            open: Vec::new(),
            past: Vec::new(),
        };
        for path in [
            "/project/User.mo",
            "/project/Clutch.mo",
            "/project/Ladder.mo",
            "/project/Loops.mo",
            "/project/Sections.mo",
        ] {
            world.open(path);
        }
        world
    }

    fn open(&mut self, path: &str) {
        let text = self.disk.get(path).cloned().unwrap_or_default();
        self.session.open_text(path, &text);
        self.open.push((path.to_owned(), text));
    }

    /// Does something and says what.
    pub fn edit(&mut self) -> String {
        match self.random.below(100) {
            0..=2 => self.open_or_close(),
            3..=5 => self.change_disk(),
            6 => {
                let classes = 1 + self.random.below(4);
                self.session.keep(classes);
                format!("keep {classes} classes")
            }
            _ if self.open.is_empty() => self.open_or_close(),
            _ => {
                let at = self.random.below(self.open.len());
                let (path, text) = self.open[at].clone();
                self.past.push((path.clone(), text.clone()));
                let (what, text) = self.change(&path, text);
                self.session.open_text(&path, &text);
                self.open[at].1 = text;
                format!("{path}: {what}")
            }
        }
    }

    fn open_or_close(&mut self) -> String {
        let paths: Vec<String> = self
            .disk
            .keys()
            .filter(|it| it.ends_with(".mo"))
            .cloned()
            .collect();
        let path = self.random.pick(&paths).clone();
        match self.open.iter().position(|(open, _)| *open == path) {
            Some(at) => {
                let (_, text) = self.open.remove(at);
                // Half of the time it was saved.
                if self.random.below(2) == 0 {
                    self.system.write(&path, text.clone());
                    self.disk.insert(path.clone(), text);
                }
                self.session.close(&path);
                format!("close {path}")
            }
            None => {
                self.open(&path);
                format!("open {path}")
            }
        }
    }

    /// Another program writes, creates or removes a file, and the editor hears of it.
    fn change_disk(&mut self) -> String {
        let paths: Vec<String> = self.disk.keys().cloned().collect();
        let path = self.random.pick(&paths).clone();
        let what = match self.random.below(5) {
            4 => {
                let new = format!("/lib/Parts/Moved{}.mo", self.random.below(2));
                let text = self.disk.remove(&path).unwrap_or_default();
                self.system.remove(&path);
                self.write(&new, text);
                self.session.refresh(&new);
                format!("move {path} to {new}")
            }
            0 => {
                let original = FILES
                    .iter()
                    .find(|(it, _)| *it == path)
                    .map_or("", |it| it.1);
                self.write(&path, original.to_owned());
                format!("restore {path}")
            }
            1 if paths.len() > 4 => {
                self.system.remove(&path);
                self.disk.remove(&path);
                format!("remove {path}")
            }
            2 => {
                let new = format!("/lib/Parts/New{}.mo", self.random.below(3));
                let name = new
                    .trim_start_matches("/lib/Parts/")
                    .trim_end_matches(".mo");
                self.write(
                    &new,
                    format!("within Parts;\nmodel {name} Real x = g; end {name};\n"),
                );
                self.session.refresh(&new);
                return format!("create {new}");
            }
            _ => {
                let text = self.disk[&path].clone();
                let (what, text) = self.change(&path, text);
                self.write(&path, text);
                format!("on disk, {path}: {what}")
            }
        };
        self.session.refresh(&path);
        what
    }

    fn write(&mut self, path: &str, text: String) {
        self.system.write(path, text.clone());
        self.disk.insert(path.to_owned(), text);
    }

    /// Another text, and how it came about.
    fn change(&mut self, path: &str, text: String) -> (String, String) {
        // Texts that are all nonsense find nothing: go back to something sensible now and then.
        if text.len() > 6000 || self.random.below(12) == 0 {
            let original = FILES.iter().find(|(it, _)| *it == path);
            if let Some((_, original)) = original {
                return ("back to the start".to_owned(), (*original).to_owned());
            }
        }
        match self.random.below(5) {
            0 => return self.change_number(&text),
            1 => {
                let remark = *self
                    .random
                    .pick(&[" // why\n", "\n\n", "  ", "/* so */", "\t"]);
                let ends: Vec<usize> = text.match_indices('\n').map(|(at, _)| at).collect();
                if let Some(&at) = ends.get(self.random.below(ends.len())) {
                    return (
                        format!("write {remark:?} at {at}"),
                        insert(&text, at, remark),
                    );
                }
            }
            _ => {}
        }
        let mut lines: Vec<&str> = text.split_inclusive('\n').collect();
        let line = self.random.below(lines.len());
        match self.random.below(12) {
            0..=2 => {
                let at = self.boundary(&text);
                let typed = ["x", " ", ";", "1", ".", "=", "\n", "r", "(", "e"];
                let typed = *self.random.pick(&typed);
                (format!("type {typed:?} at {at}"), insert(&text, at, typed))
            }
            3 | 4 => {
                let at = self.boundary(&text);
                let length = text[at..].chars().next().map_or(0, char::len_utf8);
                let mut shorter = text.clone();
                shorter.replace_range(at..at + length, "");
                (format!("delete at {at}"), shorter)
            }
            5 if !lines.is_empty() => {
                lines.remove(line);
                (format!("drop line {line}"), lines.concat())
            }
            6 if !lines.is_empty() => {
                lines.insert(self.random.below(lines.len()), lines[line]);
                (format!("copy line {line}"), lines.concat())
            }
            7 | 8 => {
                let snippet = *self.random.pick(SNIPPETS);
                lines.insert(line, snippet);
                (format!("paste {snippet:?} at line {line}"), lines.concat())
            }
            9 => {
                let back = self
                    .past
                    .iter()
                    .rev()
                    .filter(|(it, _)| it == path)
                    .nth(self.random.below(5));
                let text = back.map_or(text, |(_, text)| text.clone());
                ("undo".to_owned(), text)
            }
            _ => self.swap_word(&text),
        }
    }

    fn boundary(&mut self, text: &str) -> usize {
        let at = self.random.below(text.len() + 1);
        text.floor_char_boundary(at)
    }

    /// Puts another word of the texts in place of one.
    fn swap_word(&mut self, text: &str) -> (String, String) {
        let words = |text: &str| -> Vec<(usize, String)> {
            let is_word = |c: char| c.is_alphanumeric() || c == '_';
            let mut found = Vec::new();
            let mut start = None;
            for (at, c) in text.char_indices().chain([(text.len(), ' ')]) {
                match (is_word(c), start) {
                    (true, None) => start = Some(at),
                    (false, Some(from)) => {
                        found.push((from, text[from..at].to_owned()));
                        start = None;
                    }
                    _ => {}
                }
            }
            found
        };
        let own = words(text);
        let (_, other) = self.random.pick(FILES);
        let others = words(other);
        if own.is_empty() || others.is_empty() {
            return ("nothing".to_owned(), text.to_owned());
        }
        let (at, old) = self.random.pick(&own).clone();
        let (_, new) = self.random.pick(&others);
        let mut swapped = text.to_owned();
        swapped.replace_range(at..at + old.len(), new);
        (format!("{old} at {at} becomes {new}"), swapped)
    }

    /// Another number in the place of one.
    fn change_number(&mut self, text: &str) -> (String, String) {
        let digits: Vec<usize> = text
            .bytes()
            .enumerate()
            .filter(|(_, byte)| byte.is_ascii_digit())
            .map(|(at, _)| at)
            .collect();
        let Some(&at) = digits.get(self.random.below(digits.len())) else {
            return ("nothing".to_owned(), text.to_owned());
        };
        let number = *self.random.pick(&["0", "1", "2", "7", "12", "0.5", "1e3"]);
        let changed = format!("{}{number}{}", &text[..at], &text[at + 1..]);
        (format!("{number} at {at}"), changed)
    }

    /// A session that has seen nothing but the present.
    fn fresh(&self) -> Session {
        let mut session = Session::new(self.system.clone(), settings());
        for (path, text) in &self.open {
            session.open_text(path, text);
        }
        session
    }

    /// The difference between what both sessions say, if there is one.
    pub fn compare(&mut self) -> Option<String> {
        let fresh = self.fresh();
        let places: Vec<usize> = self.open.iter().map(|(_, text)| text.len()).collect();
        let place = match places.is_empty() {
            true => None,
            false => {
                let document = self.random.below(places.len());
                Some((document, self.random.below(places[document] + 1) as u32))
            }
        };
        let told = tell(&self.session, &self.open, place);
        let expected = tell(&fresh, &self.open, place);
        (told != expected).then(|| {
            let only = |a: &str, b: &str| {
                let lines = a.lines().filter(|line| !b.lines().any(|it| it == *line));
                lines.collect::<Vec<_>>().join("\n")
            };
            let (incremental, new) = (only(&told, &expected), only(&expected, &told));
            format!("only incremental:\n{incremental}\nonly fresh:\n{new}")
        })
    }

    pub fn documents(&self) -> String {
        let mut all = String::new();
        for (path, text) in &self.open {
            let _ = writeln!(all, "//- {path}\n{text}");
        }
        all
    }
}

fn insert(text: &str, at: usize, typed: &str) -> String {
    format!("{}{typed}{}", &text[..at], &text[at..])
}

/// Everything that is compared, as text.
fn tell(session: &Session, open: &[(String, String)], place: Option<(usize, u32)>) -> String {
    let mut told = String::new();
    tell_report(&session.report(session.check_all()), &mut told);
    let db = session.db();
    for (path, _) in open {
        let file = db.files().source(db, path.as_ref());
        let symbols = modeshift_ide::document_symbols(db, file);
        let _ = writeln!(told, "{path} {symbols:?}");
        for class in session.models_of(file) {
            let model = modeshift_ide::flat_model(session, class);
            let _ = writeln!(told, "{model:?}");
        }
        let _ = writeln!(told, "{:?}", modeshift_ide::lenses(session, file));
    }
    if let Some((document, offset)) = place {
        let file = db.files().source(db, open[document].0.as_ref());
        tell_place(session, file, offset, &mut told);
    }
    told
}

fn tell_report(report: &Report, told: &mut String) {
    for it in &report.diagnostics {
        let _ = write!(told, "{} {:?} {}", it.code, it.severity, it.message);
        let place = |at: modeshift_base::FileSpan| {
            let name = report
                .files
                .place(at)
                .map(|(file, _)| file.name().to_owned());
            format!(" {}:{:?}", name.unwrap_or_default(), at.span)
        };
        for label in &it.labels {
            let _ = write!(told, "{} {}", place(label.at), label.message);
        }
        let _ = write!(told, " {:?}", it.notes);
        for fix in &it.fixes {
            let _ = write!(told, " {}", fix.title);
            for edit in &fix.edits {
                let _ = write!(told, "{} {:?}", place(edit.at), edit.text);
            }
        }
        told.push('\n');
    }
}

fn tell_place(session: &Session, file: SourceFile, offset: u32, told: &mut String) {
    let db = session.db();
    let hover = modeshift_ide::hover(session, file, offset);
    let _ = writeln!(told, "{offset} {hover:?}");
    let files = session.workspace_files();
    let names = |id| {
        let file: Option<SourceFile> = db.files().by_id(id);
        file.map(|file| file.path(db).to_owned())
    };
    let found = modeshift_ide::references(db, file, offset, &files);
    for it in found.into_iter().flatten() {
        let _ = writeln!(
            told,
            "{:?} {:?} {:?}",
            names(it.at.file),
            it.at.span,
            it.usage
        );
    }
    let found = modeshift_ide::completions(db, file, offset, None);
    let labels: Vec<&str> = found.items.iter().map(|it| it.name.as_str()).collect();
    let _ = writeln!(told, "{labels:?}");
}

/// Makes so many edits; what was different is told with how to get there again.
pub fn run(seed: u64, edits: usize, each: impl FnMut(usize)) -> Result<(), String> {
    let mut world = World::new(seed);
    make(&mut world, edits, each).map_err(|difference| format!("seed {seed}, {difference}"))
}

/// The same with edits that the bytes choose.
#[allow(dead_code, reason = "not all that share this file fuzz")]
pub fn follow(script: &[u8]) {
    let mut world = World::new(0);
    world.random.script = script.iter().copied().collect();
    // An edit takes two numbers at least.
    if let Err(difference) = make(&mut world, script.len() / 4, |_| {}) {
        panic!("{difference}");
    }
}

fn make(world: &mut World, edits: usize, mut each: impl FnMut(usize)) -> Result<(), String> {
    let mut last: Vec<String> = Vec::new();
    for step in 0..edits {
        let before = world.documents();
        last.push(world.edit());
        if let Some(difference) = world.compare() {
            let recent = &last[last.len().saturating_sub(8)..];
            return Err(format!(
                "edit {step}: {recent:#?}\n{difference}\nbefore:\n{before}\nafter:\n{}",
                world.documents()
            ));
        }
        each(step);
    }
    Ok(())
}
