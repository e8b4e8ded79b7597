//! Messages about names that are not found: what was probably meant, and silence where another message is the cause.

use crate::cx::{Cx, ROOT};
use crate::node::{Def, ElemId, NodeId};
use crate::tree::{ComponentId, Place, place_of};
use crate::ty::Type;
use crate::typing::Env;
use modeshift_base::{Name, Span};
use modeshift_diag::{Code, Diagnostic};
use modeshift_hir::{ClassId, named_imports, nearest_names, one_of};
use modeshift_syntax::ast::{
    ClassKind, Equation, EquationKind, Ident, Iterator, RefPart, SectionKind, Statement,
    StatementKind, VariabilityPrefix,
};

/// The types that everybody knows.
const TYPES: &[&str] = &["Real", "Integer", "Boolean", "String"];

/// What other languages and other cases call them.
const FOREIGN_TYPES: [(&str, &str); 13] = [
    ("real", "Real"),
    ("double", "Real"),
    ("float", "Real"),
    ("float64", "Real"),
    ("number", "Real"),
    ("int", "Integer"),
    ("integer", "Integer"),
    ("long", "Integer"),
    ("bool", "Boolean"),
    ("boolean", "Boolean"),
    ("logical", "Boolean"),
    ("string", "String"),
    ("str", "String"),
];

/// The message about an `outer` component without an `inner`.
pub(crate) fn no_inner(name: Name) -> String {
    format!("`outer {name}` has no `inner {name}` around it")
}

/// Elements of a class that a message lists when none is close to the name.
const LISTED: usize = 8;

impl<'a> Cx<'_, 'a> {
    /// A name in an expression that is not declared.
    pub(crate) fn unknown_name(&mut self, part: &RefPart, env: &Env) {
        if self.import_failed(env.scope, part.name) || self.base_failed(env.scope) {
            return;
        }
        let place = env.place(part.span);
        let scope = self.scope_name(env.scope);
        let mut diagnostic =
            Diagnostic::new(Code::MS2001, format!("`{}` is not declared", part.name))
                .label(place, format!("not found in `{scope}` or around it"));
        let word = part.name.as_str();
        if let Some(type_name) = self.missing_inner(part.name) {
            diagnostic = diagnostic
                .label(type_name.1, format!("declared `outer {word}` in there"))
                .note(format!(
                    "components of the model expect it around them: declare `inner {} {word};` in the model",
                    type_name.0
                ));
        } else if let Some((ty, text)) = self.unqualified_literal(part.name, env) {
            diagnostic = diagnostic.note(format!(
                "`{}` is a literal of the enumeration `{ty}`: write the name of the type before it",
                part.name
            ));
            diagnostic = replace(diagnostic, place, text);
        } else if word == "t" || word.eq_ignore_ascii_case("time") {
            diagnostic = diagnostic.note("the time is called `time`");
            diagnostic = replace(diagnostic, place, "time".into());
        } else if let Some(right) = ["true", "false"]
            .into_iter()
            .find(|it| it.eq_ignore_ascii_case(word))
        {
            diagnostic = diagnostic.note(format!("the Boolean value is written `{right}`"));
            diagnostic = replace(diagnostic, place, right.into());
        } else if let Some(text) = word.strip_prefix('\'').and_then(|it| it.strip_suffix('\'')) {
            diagnostic =
                diagnostic.note("single quotes enclose a name; a text is written in double quotes");
            diagnostic = replace(diagnostic, place, format!("\"{text}\""));
        } else if env.wanted == Some(Type::String) {
            diagnostic = diagnostic.note("a text is written in double quotes");
            diagnostic = replace(diagnostic, place, format!("\"{word}\""));
        } else if let Some(state) = self.derivative_of(part.name, env) {
            diagnostic = diagnostic.note(format!(
                "the derivative of `{state}` is written `der({state})`"
            ));
        } else if let similar = self.similar_name(env.scope, part.name, &[], Wanted::Component)
            && !similar.is_empty()
        {
            diagnostic = suggest(diagnostic, place, &similar);
        } else if let Some(head) = self.loop_over(part.name, env.scope) {
            diagnostic = diagnostic
                .label(head, format!("`{word}` belongs to this loop"))
                .note("the variable of a loop is known between `loop` and `end for` only");
        } else if let Some(constant) = modeshift_hir::constant_named(self.db, part.name) {
            diagnostic = diagnostic.note(format!("there is a constant `{constant}`"));
            diagnostic = replace(diagnostic, place, constant);
        } else if let Some(around) = env.iterators.last() {
            diagnostic = diagnostic.note(format!(
                "the variable of the loop around it is `{}`",
                around.name
            ));
        }
        self.report_once(diagnostic);
    }

    /// Reports a name that is not found; where that has been said of the same name in the same scope, one more place.
    pub(crate) fn report_once(&mut self, diagnostic: Diagnostic<Place>) {
        let first = diagnostic.labels.first();
        let alike = |known: &&mut Diagnostic<Place>| {
            let same_scope =
                known.labels.first().map(|it| &it.message) == first.map(|it| &it.message);
            // The text of a class is read once for each of its instances.
            let same_place = first.is_some_and(|it| known.labels.iter().any(|k| k.at == it.at));
            known.code == diagnostic.code
                && known.message == diagnostic.message
                && (same_scope || same_place)
        };
        let known = match self.quiet {
            0 => self.out.diagnostics.iter_mut().find(alike),
            _ => None,
        };
        let (Some(known), Some(label)) = (known, diagnostic.labels.first()) else {
            return self.report(diagnostic);
        };
        if known.labels.iter().any(|it| it.at == label.at) {
            return;
        }
        const MAX_LABELS: usize = 4;
        if known.labels.len() < MAX_LABELS {
            known.labels.push(modeshift_diag::Label {
                at: label.at,
                message: "used here".into(),
            });
        }
        for (fix, more) in known.fixes.iter_mut().zip(&diagnostic.fixes) {
            fix.edits.extend(more.edits.iter().cloned());
        }
    }

    /// The class of an `outer` component of this name that no `inner` was found for, and where the model has what
    /// contains it. The message about it is taken back, because the caller's says more.
    fn missing_inner(&mut self, name: Name) -> Option<(String, Place)> {
        let made = *self.generated.get(&name)?;
        let id = self.component(made)?;
        let class = self.info(id).node?;
        let message = no_inner(name);
        let index = (self.out.diagnostics.iter()).position(|known| known.message == message)?;
        let known = self.out.diagnostics.remove(index);
        let place = known.labels.first()?.at;
        Some((self.def_name(self.node(class).def), place))
    }

    /// The variable of which a name is the derivative in other notations: `dx`, `xdot`, `x_dot`.
    fn derivative_of(&mut self, name: Name, env: &Env) -> Option<Name> {
        let word = name.as_str();
        let state = (word.strip_prefix('d'))
            .or_else(|| word.strip_suffix("_dot"))
            .or_else(|| word.strip_suffix("dot"))
            .filter(|rest| !rest.is_empty())?;
        let state = Name::new(state);
        let elem = self.lookup_name(env.scope, state)?;
        self.elem(elem).component().map(|_| state)
    }

    /// `Tank.level` where a component `tank` was meant: a variable is reached through a component, not through its class.
    /// Gives whether that was reported.
    pub(crate) fn class_for_component(
        &mut self,
        part: &RefPart,
        class: NodeId,
        member: ElemId,
        env: &Env,
    ) -> bool {
        let kind = self.node(class).def.kind();
        let variable = self
            .elem(member)
            .component()
            .is_some_and(|it| it.decl.type_prefix.variability != Some(VariabilityPrefix::Constant));
        if !variable || !matches!(kind, ClassKind::Model | ClassKind::Block) {
            return false;
        }
        let similar = self.similar_name(env.scope, part.name, &[], Wanted::Component);
        if similar.is_empty() {
            return false;
        }
        let place = env.place(part.span);
        let diagnostic = Diagnostic::new(
            Code::MS2050,
            format!("`{}` is a class, not a component", part.name),
        )
        .label(place, "the name of a class");
        self.report(suggest(diagnostic, place, &similar));
        true
    }

    /// The enumeration that has a literal of this name and is expected here, or declared around: its name, and how
    /// the literal is written.
    fn unqualified_literal(&mut self, name: Name, env: &Env) -> Option<(Box<str>, String)> {
        if let Some(Type::Enumeration(ty)) = &env.wanted
            && ty.literals.contains(&name)
        {
            return Some((ty.path.clone(), format!("{}.{name}", ty.path)));
        }
        let mut at = env.scope;
        while at != ROOT {
            let classes: Vec<Name> = match self.node(at).def {
                Def::Class(_, data) => {
                    let classes = data.elements().iter().filter(|it| Wanted::Class.fits(it));
                    classes.filter_map(modeshift_hir::Element::name).collect()
                }
                _ => Vec::new(),
            };
            for class in classes {
                if let Some(elem) = self.lookup_member(at, class)
                    && let Some(alias) = self.alias(elem)
                    && let Type::Enumeration(ty) = &alias.ty
                    && ty.literals.contains(&name)
                {
                    return Some((class.as_str().into(), format!("{class}.{name}")));
                }
            }
            at = self.node(at).parent;
        }
        None
    }

    /// Whether a class, or one that it extends, extends something that was not found.
    fn lacks_base(&self, node: NodeId, depth: u32) -> bool {
        let bases = &self.node(node).bases;
        self.broken_bases.contains(&node)
            || depth < 8 && bases.iter().any(|base| self.lacks_base(*base, depth + 1))
    }

    /// Whether a base class of the scope was not found: what it would have declared is not known.
    pub(crate) fn base_failed(&self, scope: NodeId) -> bool {
        let mut at = scope;
        loop {
            if self.lacks_base(at, 0) {
                return true;
            }
            if at == ROOT || self.node(at).def.encapsulated() {
                return false;
            }
            at = self.node(at).parent;
        }
    }

    /// Whether a name is not found because the import that should bring it was reported.
    pub(crate) fn import_failed(&self, scope: NodeId, name: Name) -> bool {
        let mut at = scope;
        loop {
            if self.imports.get(&(at, name)).is_some_and(Option::is_none)
                && let Def::Class(_, data) = self.node(at).def
                && named_imports(data, name).next().is_some()
            {
                return true;
            }
            if at == ROOT || self.node(at).def.encapsulated() {
                return false;
            }
            at = self.node(at).parent;
        }
    }

    /// Tells where classes of this name are.
    pub(crate) fn note_elsewhere(
        &self,
        diagnostic: Diagnostic<Place>,
        name: Name,
        place: Place,
    ) -> Diagnostic<Place> {
        let elsewhere = modeshift_hir::classes_named(self.db, name);
        if let [only] = &elsewhere[..] {
            return diagnostic.note(format!("there is a class `{only}`")).fix(
                format!("write `{only}`"),
                vec![modeshift_diag::Edit {
                    at: place,
                    text: only.clone(),
                }],
            );
        }
        if elsewhere.is_empty() {
            return diagnostic;
        }
        let paths: Vec<String> = elsewhere.iter().map(|path| format!("`{path}`")).collect();
        diagnostic.note(format!(
            "classes of this name elsewhere: {}; write the full name or an `import`",
            paths.join(", ")
        ))
    }

    pub(crate) fn unknown_class(&mut self, scope: NodeId, name: &Ident, text: ClassId) {
        if self.import_failed(scope, name.name) {
            return;
        }
        let place = place_of(text, name.span);
        let mut diagnostic = Diagnostic::new(
            Code::MS2002,
            format!("the class `{}` is not found", name.name),
        )
        .label(
            place,
            format!("not found in `{}` or around it", self.scope_name(scope)),
        );
        let word = name.name.as_str().to_ascii_lowercase();
        if let Some((_, right)) = FOREIGN_TYPES.iter().find(|(foreign, _)| *foreign == word) {
            diagnostic = diagnostic.note(format!("the type is called `{right}`"));
            return self.report_once(replace(diagnostic, place, (*right).to_owned()));
        }
        diagnostic = self.note_elsewhere(diagnostic, name.name, place);
        let mut similar = self.similar_name(scope, name.name, TYPES, Wanted::Class);
        if similar.is_empty() {
            similar = nearest_names(name.name.as_str(), modeshift_hir::root_names(self.db));
        }
        if !similar.is_empty() {
            diagnostic = suggest(diagnostic, place, &similar);
        }
        self.report_once(diagnostic);
    }

    /// An element that a class does not have.
    pub(crate) fn unknown_in(&mut self, node: NodeId, name: &Ident, text: ClassId) {
        self.unknown_on_path(node, std::slice::from_ref(name), text);
    }

    /// The same where a connection names a connector of a component.
    pub(crate) fn unknown_connector(&mut self, id: ComponentId, name: &Ident, text: ClassId) {
        let Some(node) = self.info(id).node else {
            return;
        };
        let connectors = self.connectors_of(id);
        self.unknown_among(node, std::slice::from_ref(name), text, &connectors);
    }

    /// The same where more names follow: the first of `path` is not found in the class. Where the library has renamed
    /// it, or has a class of the last name elsewhere, that is what is meant.
    pub(crate) fn unknown_on_path(&mut self, node: NodeId, path: &[Ident], text: ClassId) {
        self.unknown_among(node, path, text, &[]);
    }

    fn unknown_among(&mut self, node: NodeId, path: &[Ident], text: ClassId, connectors: &[Name]) {
        let Some(name) = path.first() else {
            return;
        };
        let place = place_of(text, name.span);
        if self.node(node).def.is_error() || self.lacks_base(node, 0) {
            return;
        }
        let class = self.scope_name(node);
        let mut diagnostic = Diagnostic::new(
            Code::MS2004,
            format!("`{class}` has no element called `{}`", name.name),
        )
        .label(place, "not found");
        if let Some((count, new)) = self.renamed(node, path) {
            let old: Vec<&str> = path[..count].iter().map(|it| it.name.as_str()).collect();
            diagnostic = diagnostic.note(format!(
                "`{class}.{}` of an older version of the library is now `{new}`",
                old.join(".")
            ));
            let at = through(place, &path[..count]);
            return self.report_once(match new.strip_prefix(&format!("{class}.")) {
                Some(rest) => replace(diagnostic, at, rest.to_owned()),
                // The names before this one would have to be replaced, too.
                None => diagnostic,
            });
        }
        let similar = self.similar_member(node, name.name, Wanted::Any);
        if !similar.is_empty() {
            return self.report(suggest(diagnostic, place, &similar));
        }
        let mut names = Vec::new();
        self.collect_names(node, Wanted::Component, &mut names, 0);
        if (1..=LISTED).contains(&names.len()) {
            diagnostic = diagnostic.note(format!("it has {}", listed(&names)));
        } else if !connectors.is_empty() {
            diagnostic = diagnostic.note(match connectors {
                [only] => format!("its only connector is `{only}`"),
                _ => format!("its connectors are {}", listed(connectors)),
            });
        }
        let elsewhere = match self.classes_inside(node, path) {
            inside if inside.is_empty() => self.classes_beside(node, path),
            inside => inside,
        };
        if !elsewhere.is_empty() {
            diagnostic = diagnostic.note(match &elsewhere[..] {
                [only] => format!("there is a class `{only}`"),
                several => format!(
                    "there are classes {}",
                    several
                        .iter()
                        .map(|it| format!("`{it}`"))
                        .collect::<Vec<_>>()
                        .join(", ")
                ),
            });
            let at = through(place, path);
            for found in &elsewhere {
                if let Some(rest) = found.strip_prefix(&format!("{class}.")) {
                    diagnostic = replace(diagnostic, at, rest.to_owned());
                }
            }
        } else if let alike = self.beginning_alike(node, name.name)
            && !alike.is_empty()
            && connectors.is_empty()
        {
            diagnostic = diagnostic.note(format!("it has {}", listed(&alike)));
        } else if self.is_bundled(node) {
            diagnostic = diagnostic.note(
                "the library that comes with modeshift has only a part of the Modelica Standard Library: give the path \
                 of the whole one with `--library`",
            );
        } else if let Some(declared) = self.node(node).def.name_place() {
            diagnostic = diagnostic.label(declared, "its class");
        }
        self.report(diagnostic);
    }

    /// Classes of a package whose names begin like one that is not found, at most five.
    fn beginning_alike(&mut self, node: NodeId, name: Name) -> Vec<Name> {
        const LETTERS: usize = 3;
        const MAX: usize = 5;
        let Some(beginning) = name.as_str().get(..LETTERS) else {
            return Vec::new();
        };
        if self.node(node).def.kind() != ClassKind::Package {
            return Vec::new();
        }
        let mut names = Vec::new();
        self.collect_names(node, Wanted::Class, &mut names, 0);
        // The whole word, or else its first letters.
        let begins = |it: &Name, with: &str| {
            let text = it.as_str().get(..with.len());
            text.is_some_and(|text| text.eq_ignore_ascii_case(with))
        };
        for with in [name.as_str(), beginning] {
            let found: Vec<Name> = names
                .iter()
                .copied()
                .filter(|it| begins(it, with))
                .collect();
            if (1..=MAX).contains(&found.len()) {
                return found;
            }
        }
        Vec::new()
    }

    /// The head of a loop in the class around that has a variable of this name.
    fn loop_over(&self, name: Name, scope: NodeId) -> Option<Place> {
        let def = self.node(scope).def;
        let (body, text) = (def.body()?, def.text()?);
        let found = body
            .sections
            .iter()
            .find_map(|section| match &section.kind {
                SectionKind::Equations(equations) => loop_in_equations(equations, name),
                SectionKind::Algorithm(statements) => loop_in_statements(statements, name),
            });
        Some(place_of(text, found?))
    }

    /// What the library of a class says it calls a path from there now: how many names are replaced, and by what.
    fn renamed(&self, node: NodeId, path: &[Ident]) -> Option<(usize, String)> {
        let Def::Class(id, _) = self.node(node).def else {
            return None;
        };
        let mut full = modeshift_hir::full_name(self.db, id);
        let before = full.len();
        full.extend(path.iter().map(|part| part.name));
        let (count, new) = modeshift_hir::converted_class(self.db, &full)?;
        let count = count.checked_sub(before).filter(|count| *count > 0)?;
        let exists = |text: &str| {
            let names: Vec<Name> = text.split('.').map(Name::new).collect();
            modeshift_hir::class_by_path(self.db, &names).is_some()
        };
        exists(&new).then_some((count, new))
    }

    /// The same in the packages around it, the nearest that has one.
    fn classes_beside(&self, node: NodeId, path: &[Ident]) -> Vec<String> {
        let mut at = self.node(node).parent;
        while at != ROOT {
            let found = self.classes_inside(at, path);
            if !found.is_empty() {
                return found;
            }
            at = self.node(at).parent;
        }
        Vec::new()
    }

    /// Classes of the last name of a path further inside a package.
    fn classes_inside(&self, node: NodeId, path: &[Ident]) -> Vec<String> {
        match (self.node(node).def, path) {
            (Def::Class(id, data), [.., last]) if data.kind == ClassKind::Package => {
                modeshift_hir::classes_named_in(self.db, id, last.name)
            }
            _ => Vec::new(),
        }
    }

    /// What an element of this name, which the class had in an older version of its library, is called now.
    pub(crate) fn renamed_element(&mut self, node: NodeId, name: Name) -> Option<Name> {
        let mut at = vec![node];
        for depth in 0..8 {
            let classes: Vec<String> = at
                .iter()
                .map(|node| self.def_name(self.node(*node).def))
                .collect();
            let new = classes
                .iter()
                .find_map(|class| modeshift_hir::converted_element(self.db, class, name.as_str()));
            if let Some(new) = new {
                let new = Name::new(&new);
                return self.lookup_member(node, new).map(|_| new);
            }
            at = at
                .iter()
                .flat_map(|node| self.node(*node).bases.clone())
                .collect();
            if at.is_empty() || depth == 7 {
                break;
            }
        }
        None
    }

    /// Whether a class is a package of the library that is compiled in.
    fn is_bundled(&self, node: NodeId) -> bool {
        let Def::Class(id, data) = self.node(node).def else {
            return false;
        };
        data.kind == ClassKind::Package
            && (id.file(self.db).path(self.db)).starts_with(modeshift_db::BUILTIN_ROOT)
    }

    /// The parameters and other components that a modifier can name, where no name is close to the one written.
    pub(crate) fn note_elements(
        &mut self,
        diagnostic: Diagnostic<Place>,
        node: NodeId,
    ) -> Diagnostic<Place> {
        const MANY: usize = 12;
        let mut names = Vec::new();
        self.collect_parameters(node, &mut names, 0);
        match names.len() {
            0 => diagnostic,
            1 => diagnostic.note(format!("its only parameter is `{}`", names[0])),
            2..=MANY => diagnostic.note(format!("its parameters are {}", listed(&names))),
            many => diagnostic.note(format!(
                "its parameters are {} and {} more",
                listed(&names[..MANY]).replacen(" and ", ", ", 1),
                many - MANY
            )),
        }
    }

    fn collect_parameters(&mut self, node: NodeId, names: &mut Vec<Name>, depth: u32) {
        self.expand(node);
        if let Def::Class(_, data) = self.node(node).def {
            let parameters = data.elements().iter().filter(|element| match element {
                modeshift_hir::Element::Component(it) => {
                    it.clause.type_prefix.variability == Some(VariabilityPrefix::Parameter)
                        && !it.clause.prefixes.final_
                        && !it.protected
                }
                _ => false,
            });
            names.extend(parameters.filter_map(modeshift_hir::Element::name));
        }
        if depth < 8 {
            for base in self.node(node).bases.clone() {
                self.collect_parameters(base, names, depth + 1);
            }
        }
    }

    /// The declared names that differ least from `name`, seen from `scope`, if any is close.
    pub(crate) fn similar_name(
        &mut self,
        scope: NodeId,
        name: Name,
        predefined: &[&'static str],
        wanted: Wanted,
    ) -> Vec<Name> {
        let mut at = scope;
        while at != ROOT {
            let found = self.similar_member(at, name, wanted);
            if !found.is_empty() {
                return found;
            }
            at = self.node(at).parent;
        }
        nearest_names(name.as_str(), predefined.iter().map(|name| Name::new(name)))
    }

    pub(crate) fn similar_member(&mut self, node: NodeId, name: Name, wanted: Wanted) -> Vec<Name> {
        let mut names: Vec<Name> = Vec::new();
        self.collect_names(node, wanted, &mut names, 0);
        nearest_names(name.as_str(), names)
    }

    fn collect_names(&mut self, node: NodeId, wanted: Wanted, names: &mut Vec<Name>, depth: u32) {
        self.expand(node);
        if let Def::Class(id, data) = self.node(node).def {
            names.extend(
                data.elements()
                    .iter()
                    .filter(|element| wanted.fits(element))
                    .filter_map(modeshift_hir::Element::name),
            );
            // Members of a package may be in files of their own.
            if wanted != Wanted::Component {
                names.extend(
                    modeshift_hir::member_names(self.db, id)
                        .into_iter()
                        .filter(|name| data.element(*name).is_none()),
                );
            }
        }
        if depth < 8 {
            for base in self.node(node).bases.clone() {
                self.collect_names(base, wanted, names, depth + 1);
            }
        }
    }
}

/// What a name that is not found stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Wanted {
    Component,
    Class,
    Any,
}

impl Wanted {
    fn fits(self, element: &modeshift_hir::Element) -> bool {
        let is_component = matches!(element, modeshift_hir::Element::Component(_));
        match self {
            Self::Component => is_component,
            Self::Class => !is_component,
            Self::Any => true,
        }
    }
}

/// Proposes other names for the one at `place`.
pub(crate) fn suggest(
    diagnostic: Diagnostic<Place>,
    place: Place,
    similar: &[Name],
) -> Diagnostic<Place> {
    let diagnostic = diagnostic.note(format!("did you mean {}?", one_of(similar)));
    let names = similar.iter();
    names.fold(diagnostic, |diagnostic, name| {
        replace(diagnostic, place, name.to_string())
    })
}

fn named(iterators: &[Iterator], name: Name) -> Option<Span> {
    let mut iterators = iterators.iter();
    Some(iterators.find(|it| it.name.name == name)?.name.span)
}

fn loop_in_equations(equations: &[Equation], name: Name) -> Option<Span> {
    equations.iter().find_map(|it| match &it.kind {
        EquationKind::For { iterators, body } => {
            named(iterators, name).or_else(|| loop_in_equations(body, name))
        }
        EquationKind::If { branches, else_ } => {
            let mut branches = branches.iter();
            let found = branches.find_map(|it| loop_in_equations(&it.body, name));
            found.or_else(|| loop_in_equations(else_.as_deref()?, name))
        }
        _ => None,
    })
}

fn loop_in_statements(statements: &[Statement], name: Name) -> Option<Span> {
    statements.iter().find_map(|it| match &it.kind {
        StatementKind::For { iterators, body } => {
            named(iterators, name).or_else(|| loop_in_statements(body, name))
        }
        StatementKind::If { branches, else_ } => {
            let mut branches = branches.iter();
            let found = branches.find_map(|it| loop_in_statements(&it.body, name));
            found.or_else(|| loop_in_statements(else_.as_deref()?, name))
        }
        _ => None,
    })
}

/// A part of a reference as a plain name.
pub(crate) fn ident_of(part: &RefPart) -> Ident {
    Ident {
        name: part.name,
        span: part.span,
    }
}

/// The place of all names of a path whose first is at `place`.
fn through(mut place: Place, path: &[Ident]) -> Place {
    if let Some(last) = path.last() {
        place.span.end = place.span.start + (last.span.end - path[0].span.start);
    }
    place
}

pub(crate) fn replace(
    diagnostic: Diagnostic<Place>,
    place: Place,
    text: String,
) -> Diagnostic<Place> {
    diagnostic.fix(
        format!("replace it with `{text}`"),
        vec![modeshift_diag::Edit { at: place, text }],
    )
}

/// "`a`, `b` and `c`".
fn listed(names: &[Name]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    match quoted.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        _ => quoted.join(""),
    }
}
