//! What stands at a position, told from the words around it and not from the tree: that works in text
//! which does not parse yet.

use crate::builtins::builtin;
use crate::locals::{Local, locals};
use modeshift_base::{FxHashMap, Name, Span};
use modeshift_db::{Db, SourceFile, parse, words};
use modeshift_hir::statics::{Symbol, class_of, lookup_path, member};
use modeshift_hir::{ClassId, class_layout, root_class};
use modeshift_syntax::ast::{ClassDef, ClassSpec, ElementKind};
use modeshift_syntax::{Token, TokenKind};
use std::cell::RefCell;
use std::rc::Rc;

/// The words of a file, and where its classes are.
pub(crate) struct Cursor<'db> {
    db: &'db dyn Db,
    file: SourceFile,
    text: &'db str,
    tokens: &'db [Token],
    comments: &'db [Token],
    /// The classes inside those that were asked about, by where they begin; `None` for those of the file.
    inside: RefCell<FxHashMap<Option<ClassId>, Inside<'db>>>,
    /// The iterators of those top-level classes that were asked about.
    locals: RefCell<FxHashMap<ClassId, Rc<[Local]>>>,
}

/// Classes with their definitions, by where they begin.
type Inside<'db> = Rc<[(ClassId, &'db ClassDef)]>;

/// What a word stands for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Meaning {
    Symbol(Symbol),
    /// An iterator, by where it is declared in the file.
    Local(Span),
}

impl Meaning {
    pub fn symbol(self) -> Option<Symbol> {
        match self {
            Self::Symbol(symbol) => Some(symbol),
            Self::Local(_) => None,
        }
    }
}

/// A dotted name that ends at some word.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Dotted {
    pub names: Vec<Name>,
    /// Written with a leading dot.
    pub global: bool,
    /// The index of its first word.
    pub first: usize,
}

impl<'db> Cursor<'db> {
    /// O(1) once the words of the file are known.
    pub fn new(db: &'db dyn Db, file: SourceFile) -> Self {
        let lexed = words(db, file);
        Self {
            db,
            file,
            text: file.text(db),
            tokens: &lexed.tokens,
            comments: &lexed.comments,
            inside: RefCell::default(),
            locals: RefCell::default(),
        }
    }

    pub fn db(&self) -> &'db dyn Db {
        self.db
    }

    pub fn file(&self) -> SourceFile {
        self.file
    }

    pub fn len(&self) -> usize {
        self.tokens.len()
    }

    /// The innermost class around a position; `None` between top-level classes. At the very end of a class
    /// it is still that class. O(depth · log classes), after the classes of the file have been named once.
    pub fn scope_at(&self, offset: u32) -> Option<ClassId> {
        self.classes_around(offset).last().map(|&(id, _)| id)
    }

    /// The classes around a position, outermost first.
    pub fn classes_around(&self, offset: u32) -> Vec<(ClassId, &'db ClassDef)> {
        let mut around: Vec<(ClassId, &'db ClassDef)> = Vec::new();
        loop {
            let inside = self.classes_inside(around.last().copied());
            let before = inside.partition_point(|(_, def)| def.span.start <= offset);
            match inside[..before].last() {
                Some(&(id, def)) if offset <= def.span.end => around.push((id, def)),
                _ => return around,
            }
        }
    }

    /// The classes right inside a class, or those of the file.
    fn classes_inside(&self, outer: Option<(ClassId, &'db ClassDef)>) -> Inside<'db> {
        let parent = outer.map(|(id, _)| id);
        if let Some(known) = self.inside.borrow().get(&parent) {
            return known.clone();
        }
        let mut seen: FxHashMap<Name, u32> = FxHashMap::default();
        let mut numbered = |def: &'db ClassDef| {
            let nth = seen.entry(def.name.name).or_insert(0);
            let id = ClassId::new(self.db, self.file, parent, def.name.name, *nth);
            *nth += 1;
            (id, def)
        };
        let inside: Inside<'db> = match outer.map(|(_, def)| &def.spec) {
            None => {
                let classes = parse(self.db, self.file).file.classes.iter();
                classes.map(numbered).collect()
            }
            Some(ClassSpec::Long(body) | ClassSpec::Extends { body, .. }) => {
                let classes = body.elements.iter().filter_map(|it| match &it.kind {
                    ElementKind::Class(class) => Some(&**class),
                    _ => None,
                });
                classes.map(&mut numbered).collect()
            }
            Some(_) => Rc::default(),
        };
        self.inside.borrow_mut().insert(parent, inside.clone());
        inside
    }

    pub fn scope(&self, index: usize) -> Option<ClassId> {
        let offset = match self.tokens.get(index) {
            Some(token) => token.span.start,
            None => self.text.len() as u32,
        };
        self.scope_at(offset)
    }

    /// Whether the position is inside a comment or a string: there are no names there.
    pub fn in_text(&self, offset: u32) -> bool {
        let at = |tokens: &[Token]| {
            let before = tokens.partition_point(|token| token.span.start < offset);
            before.checked_sub(1).map(|at| tokens[at])
        };
        let inside = |token: Token| match token.kind {
            // What is behind it on the line belongs to it.
            TokenKind::LineComment => offset <= token.span.end,
            _ => offset < token.span.end,
        };
        at(self.comments).is_some_and(inside)
            || at(self.tokens).is_some_and(|it| it.kind == TokenKind::String && inside(it))
    }

    /// Whether a number ends at the position: what follows it is no name.
    pub fn is_number_before(&self, offset: u32) -> bool {
        let before = self.tokens.partition_point(|it| it.span.start < offset);
        before.checked_sub(1).is_some_and(|at| {
            let token = self.tokens[at];
            matches!(token.kind, TokenKind::Integer | TokenKind::Real) && offset <= token.span.end
        })
    }

    /// The keyword that the position is at the end of: what is typed may become a name that begins like it.
    pub fn keyword_before(&self, offset: u32) -> Option<usize> {
        let before = self.tokens.partition_point(|it| it.span.start < offset);
        let at = before.checked_sub(1)?;
        let text = self.text.get(self.tokens[at].span.range())?;
        let word = text.starts_with(|c: char| c.is_ascii_alphabetic());
        (word && self.tokens[at].span.end == offset).then_some(at)
    }

    /// Whether the word stands behind an `=` or `:=` of the same equation, statement or declaration.
    pub fn in_expression(&self, index: usize) -> bool {
        let mut depth = 0_usize;
        for at in (0..index.min(self.tokens.len())).rev() {
            match self.tokens[at].kind {
                TokenKind::RParen | TokenKind::RBrace | TokenKind::RBracket => depth += 1,
                TokenKind::LParen | TokenKind::LBrace | TokenKind::LBracket => {
                    depth = depth.saturating_sub(1);
                }
                TokenKind::Equals | TokenKind::Assign if depth == 0 => return true,
                TokenKind::Semicolon | TokenKind::Equation | TokenKind::Algorithm => return false,
                _ => {}
            }
        }
        false
    }

    /// The constructs that are open before a word of a section, innermost first: `if`, `for`, `when`, `while`.
    pub fn open_constructs(&self, index: usize) -> Vec<&'static str> {
        let mut open = Vec::new();
        let mut closed = 0_usize;
        for at in (0..index.saturating_sub(1).min(self.tokens.len())).rev() {
            let word = match self.tokens[at].kind {
                TokenKind::Equation | TokenKind::Algorithm => break,
                TokenKind::If => "if",
                TokenKind::For => "for",
                TokenKind::When => "when",
                TokenKind::While => "while",
                _ => continue,
            };
            let begins = matches!(
                self.kind_before(at),
                Some(
                    TokenKind::Semicolon
                        | TokenKind::Then
                        | TokenKind::Else
                        | TokenKind::Loop
                        | TokenKind::Equation
                        | TokenKind::Algorithm
                )
            );
            match self.kind_before(at) {
                Some(TokenKind::End) => closed += 1,
                _ if begins && closed > 0 => closed -= 1,
                _ if begins => open.push(word),
                _ => {}
            }
        }
        open
    }

    /// The identifiers called `name`, in order.
    pub fn named<'a>(&'a self, name: &'a str) -> impl Iterator<Item = usize> + 'a {
        let tokens = self.tokens.iter().enumerate();
        tokens
            .filter(move |(_, token)| {
                token.kind == TokenKind::Ident && &self.text[token.span.range()] == name
            })
            .map(|(index, _)| index)
    }

    /// The identifier that the position is in or at the end of.
    pub fn identifier_at(&self, offset: u32) -> Option<usize> {
        self.touching(offset, |kind| kind == TokenKind::Ident)
    }

    /// The same, or an operator that is written like a function.
    pub fn word_at(&self, offset: u32) -> Option<usize> {
        let called = |kind| matches!(kind, TokenKind::Der | TokenKind::Initial);
        let found = self.identifier_at(offset);
        found.or_else(|| self.touching(offset, called))
    }

    /// The wanted word that the position is in or at the end of; where two meet, the one behind it.
    fn touching(&self, offset: u32, wanted: impl Fn(TokenKind) -> bool) -> Option<usize> {
        let after = self.tokens.partition_point(|it| it.span.start <= offset);
        let near = (after.saturating_sub(2)..after).rev();
        let mut near = near.filter(|&at| offset <= self.tokens[at].span.end);
        near.find(|&at| wanted(self.tokens[at].kind))
    }

    /// The first word that ends at or after the position: what is being typed stands before it.
    pub fn index_after(&self, offset: u32) -> usize {
        self.tokens
            .partition_point(|token| token.span.end < offset || token.span.start < offset)
    }

    pub fn span(&self, index: usize) -> Span {
        self.tokens[index].span
    }

    pub fn kind(&self, index: usize) -> Option<TokenKind> {
        self.tokens.get(index).map(|token| token.kind)
    }

    pub fn kind_before(&self, index: usize) -> Option<TokenKind> {
        index.checked_sub(1).and_then(|before| self.kind(before))
    }

    pub fn name(&self, index: usize) -> Name {
        Name::new(&self.text[self.span(index).range()])
    }

    /// The dotted name that ends with the identifier at `last`: `a.b[i].c` up to there.
    pub fn dotted(&self, last: usize) -> Dotted {
        let mut names = vec![self.name(last)];
        let mut first = last;
        let mut global = false;
        while self.kind_before(first) == Some(TokenKind::Dot) {
            let dot = first - 1;
            match self.before_subscripts(dot) {
                Some(before) if self.kind(before) == Some(TokenKind::Ident) => {
                    names.push(self.name(before));
                    first = before;
                }
                _ => {
                    (first, global) = (dot, true);
                    break;
                }
            }
        }
        names.reverse();
        Dotted {
            names,
            global,
            first,
        }
    }

    /// The word before `index`, subscripts skipped.
    pub fn before_subscripts(&self, index: usize) -> Option<usize> {
        let before = index.checked_sub(1)?;
        if self.kind(before) != Some(TokenKind::RBracket) {
            return Some(before);
        }
        let mut depth = 0usize;
        for at in (0..=before).rev() {
            match self.kind(at)? {
                TokenKind::RBracket => depth += 1,
                TokenKind::LBracket if depth == 1 => return at.checked_sub(1),
                TokenKind::LBracket => depth = depth.saturating_sub(1),
                TokenKind::Semicolon => return None,
                _ => {}
            }
        }
        None
    }

    /// What the identifier at `index` means, iterators aside.
    pub fn symbol(&self, index: usize) -> Option<Symbol> {
        self.meaning(index)?.symbol()
    }

    /// What the identifier at `index` means. O(classes + iterators of the file) beside the lookup.
    pub fn meaning(&self, index: usize) -> Option<Meaning> {
        let dotted = self.dotted(index);
        if let [name] = dotted.names.as_slice()
            && !dotted.global
        {
            if let Some(found) = self.named_in_brackets(index, *name) {
                return found.map(Meaning::Symbol);
            }
            if let Some(local) = self.local(index, *name) {
                return Some(Meaning::Local(local));
            }
        } else if self.local(dotted.first, dotted.names[0]).is_some() {
            return None;
        }
        let found = self.resolve(&dotted)?;
        // A variable cannot be called: `sum(x)` is the function even where a variable has its name.
        let called = self.kind(index + 1) == Some(TokenKind::LParen);
        let variable = matches!(found, Symbol::Component { .. });
        let shadowed = called
            && variable
            && builtin(self.name(index).as_str()).is_some()
            && !self.declares(index);
        (!shadowed).then_some(Meaning::Symbol(found))
    }

    /// Whether a component or an iterator is declared there.
    pub fn declares(&self, index: usize) -> bool {
        let Some(scope) = self.scope(index) else {
            return false;
        };
        let at = class_layout(self.db, scope).to_own(self.span(index));
        let data = modeshift_hir::class(self.db, scope);
        let mut components = data.components();
        components.any(|component| component.name.span == at)
            || self
                .locals_around(index)
                .iter()
                .any(|it| it.declared == self.span(index))
    }

    /// Whether an iterator of that name is around a word.
    pub fn has_local(&self, index: usize, name: Name) -> bool {
        self.local(index, name).is_some()
    }

    /// The innermost iterator of that name around a word.
    fn local(&self, index: usize, name: Name) -> Option<Span> {
        let at = self.span(index);
        let locals = self.locals_around(index);
        let around = locals.iter().filter(|local| {
            local.name == name && local.scope.start <= at.start && at.end <= local.scope.end
        });
        around
            .min_by_key(|local| local.scope.len())
            .map(|local| local.declared)
    }

    /// The iterators of the top-level class around a word.
    fn locals_around(&self, index: usize) -> Rc<[Local]> {
        let around = self.classes_around(self.span(index).start);
        let Some(&(id, def)) = around.first() else {
            return Rc::default();
        };
        let mut known = self.locals.borrow_mut();
        known
            .entry(id)
            .or_insert_with(|| locals(def).into())
            .clone()
    }

    /// `x` of `f(x = 1)` or `component(x = 1)` or `component(x(start = 1))` or `component(redeclare T x)`: what
    /// it names, which may be nothing known. `None` when the word is no such name.
    fn named_in_brackets(&self, index: usize, name: Name) -> Option<Option<Symbol>> {
        let follows = self.kind(index + 1);
        let redeclared = matches!(
            self.kind_before(index),
            Some(TokenKind::Ident | TokenKind::RBracket)
        );
        let named = matches!(follows, Some(TokenKind::Equals | TokenKind::LParen));
        if !named && !redeclared {
            return None;
        }
        let open = self.open_bracket(index)?;
        if self.in_annotation(open) {
            return Some(None);
        }
        // `f(g(x))` calls `g`: only what begins an argument is named, and a call there modifies or calls.
        let class = self.bracket_class(index)?;
        let found = member(self.db, class, name);
        match follows {
            Some(TokenKind::LParen) if !redeclared => found.map(Some),
            _ => Some(found),
        }
    }

    /// Whether the word names an element of what is modified or called: `x` of `f(x = 1)`.
    pub fn is_named_argument(&self, index: usize) -> bool {
        self.named_in_brackets(index, self.name(index)).is_some()
    }

    /// Whether the bracket that opens at `open` is that of an annotation, or in one.
    pub fn in_annotation(&self, open: usize) -> bool {
        self.annotation_path(open + 1).is_some()
    }

    /// The names inside `annotation(…)` that lead to `index`, outermost first: `Icon`, `graphics`, `Line` at `color` of
    /// `annotation(Icon(graphics = {Line(color = …)}))`. `None` outside annotations. O(length of the annotation before it).
    pub fn annotation_path(&self, index: usize) -> Option<Vec<Name>> {
        let mut path = Vec::new();
        let mut depth = 0usize;
        for at in (0..index.min(self.tokens.len())).rev() {
            match self.tokens[at].kind {
                TokenKind::RParen | TokenKind::RBrace | TokenKind::RBracket => depth += 1,
                TokenKind::LParen | TokenKind::LBrace | TokenKind::LBracket if depth > 0 => {
                    depth -= 1;
                }
                TokenKind::LParen => match self.kind_before(at)? {
                    TokenKind::Annotation => {
                        path.reverse();
                        return Some(path);
                    }
                    TokenKind::Ident => path.push(self.name(at - 1)),
                    _ => return None,
                },
                // `graphics = {`: what the array is the value of. Arrays in arrays have no name.
                TokenKind::LBrace => {
                    let named = at.checked_sub(2).filter(|&before| {
                        self.kind_before(at) == Some(TokenKind::Equals)
                            && self.kind(before) == Some(TokenKind::Ident)
                    });
                    path.extend(named.map(|before| self.name(before)));
                }
                TokenKind::Semicolon | TokenKind::Equation | TokenKind::Algorithm => return None,
                _ => {}
            }
        }
        None
    }

    /// The meaning of a dotted name in the scope of the cursor.
    pub fn resolve(&self, dotted: &Dotted) -> Option<Symbol> {
        let from_root = || {
            let (&first, rest) = dotted.names.split_first()?;
            let root = Symbol::Class(root_class(self.db, first)?);
            rest.iter().try_fold(root, |at, &name| {
                member(self.db, class_of(self.db, at)?, name)
            })
        };
        match self.scope(dotted.first) {
            Some(scope) if !self.in_import(dotted.first) => {
                let own = dotted.names.as_slice() == [scope.name(self.db)];
                if own && self.names_class(dotted.first) {
                    return Some(Symbol::Class(scope));
                }
                lookup_path(self.db, scope, dotted.global, &dotted.names)
            }
            _ => from_root(),
        }
    }

    /// Whether the name of a class stands there, in its header or behind its `end`.
    pub fn names_class(&self, index: usize) -> bool {
        match self.kind_before(index) {
            Some(TokenKind::Extends) => {
                let before = index.checked_sub(1).and_then(|it| self.kind_before(it));
                matches!(before, Some(kind) if kind != TokenKind::End && names_class(kind))
            }
            Some(kind) => names_class(kind),
            None => false,
        }
    }

    /// Names behind `import` and `within` are full names.
    pub fn in_import(&self, index: usize) -> bool {
        for at in (0..index).rev() {
            match self.tokens[at].kind {
                TokenKind::Import | TokenKind::Within => return true,
                TokenKind::Ident
                | TokenKind::Dot
                | TokenKind::Equals
                | TokenKind::Comma
                | TokenKind::LBrace => {}
                _ => return false,
            }
        }
        false
    }

    /// The class whose elements can be named in the brackets around `index`: that of the component or
    /// class that is modified, or the function that is called.
    pub fn bracket_class(&self, index: usize) -> Option<ClassId> {
        self.bracket_class_within(index, 16)
    }

    fn bracket_class_within(&self, index: usize, depth: u32) -> Option<ClassId> {
        let open = self.open_bracket(index)?;
        let last = self.before_subscripts(open)?;
        if self.kind(last) != Some(TokenKind::Ident) {
            return None;
        }
        let head = self.dotted(last);
        let before = self.kind_before(head.first);
        if matches!(
            before,
            Some(TokenKind::LParen | TokenKind::Comma | TokenKind::Each | TokenKind::Final)
        ) && depth > 0
            && let Some(outer) = self.bracket_class_within(head.first, depth - 1)
            && let [name] = head.names.as_slice()
            && let Some(inner) = member(self.db, outer, *name)
        {
            return class_of(self.db, inner);
        }
        // A declaration that does not parse yet is not known, but its type stands before it.
        let declared = || {
            let type_name = head
                .first
                .checked_sub(1)
                .filter(|&it| self.kind(it) == Some(TokenKind::Ident))?;
            self.resolve(&self.dotted(type_name))
        };
        class_of(self.db, self.resolve(&head).or_else(declared)?)
    }

    /// The `(` that is open at `index`.
    pub fn open_bracket(&self, index: usize) -> Option<usize> {
        let mut depth = 0usize;
        for at in (0..index.min(self.tokens.len())).rev() {
            match self.tokens[at].kind {
                TokenKind::RParen | TokenKind::RBrace | TokenKind::RBracket => depth += 1,
                TokenKind::LParen if depth == 0 => return Some(at),
                TokenKind::LParen | TokenKind::LBrace | TokenKind::LBracket => {
                    depth = depth.checked_sub(1)?;
                }
                TokenKind::Semicolon | TokenKind::Equation | TokenKind::Algorithm => return None,
                _ => {}
            }
        }
        None
    }

    /// The dotted name before the dot that ends right before `index`, for `a.b.|`.
    pub fn before_dot(&self, index: usize) -> Option<Dotted> {
        if self.kind_before(index) != Some(TokenKind::Dot) {
            return None;
        }
        let last = self.before_subscripts(index - 1)?;
        (self.kind(last) == Some(TokenKind::Ident)).then(|| self.dotted(last))
    }

    /// Whether an argument or modifier can begin at `index`: right behind `(` or `,`.
    pub fn begins_argument(&self, index: usize) -> bool {
        matches!(
            self.kind_before(index),
            Some(TokenKind::LParen | TokenKind::Comma | TokenKind::Each | TokenKind::Final)
        )
    }
}

/// Words that the name of a class being declared stands behind.
pub(crate) fn names_class(kind: TokenKind) -> bool {
    matches!(
        kind,
        TokenKind::Block
            | TokenKind::Class
            | TokenKind::Connector
            | TokenKind::End
            | TokenKind::Function
            | TokenKind::Model
            | TokenKind::Operator
            | TokenKind::Package
            | TokenKind::Record
            | TokenKind::Type
    )
}
