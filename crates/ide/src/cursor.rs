//! What stands at a position, told from the words around it and not from the tree: that works in text
//! which does not parse yet.

use crate::symbols::class_at;
use modeshift_base::{Name, Span};
use modeshift_db::{Db, SourceFile};
use modeshift_hir::statics::{Symbol, class_of, lookup_path, member};
use modeshift_hir::{ClassId, root_class};
use modeshift_syntax::{Token, TokenKind, lex};

/// The words of a file, and the class in which a position is.
pub(crate) struct Cursor<'db> {
    db: &'db dyn Db,
    text: &'db str,
    tokens: Vec<Token>,
    /// The innermost class around the position; `None` between top-level classes.
    pub scope: Option<ClassId>,
}

/// A dotted name that ends at some word.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Dotted {
    pub names: Vec<Name>,
    /// Written with a leading dot.
    pub global: bool,
    /// The index of its first word.
    first: usize,
}

impl<'db> Cursor<'db> {
    /// O(length of the file).
    pub fn new(db: &'db dyn Db, file: SourceFile, offset: u32) -> Self {
        let text = file.text(db);
        let mut tokens = lex(text).tokens;
        tokens.retain(|token| !token.kind.is_comment());
        Self {
            db,
            text,
            tokens,
            scope: class_at(db, file, offset),
        }
    }

    /// The identifier that the position is in or at the end of.
    pub fn identifier_at(&self, offset: u32) -> Option<usize> {
        let after = self
            .tokens
            .partition_point(|token| token.span.start <= offset);
        let index = after.checked_sub(1)?;
        let token = self.tokens[index];
        (token.kind == TokenKind::Ident && offset <= token.span.end).then_some(index)
    }

    /// The first word that ends at or after the position: what is being typed stands before it.
    pub fn index_after(&self, offset: u32) -> usize {
        self.tokens
            .partition_point(|token| token.span.end < offset || token.span.start < offset)
    }

    pub fn span(&self, index: usize) -> Span {
        self.tokens[index].span
    }

    fn kind(&self, index: usize) -> Option<TokenKind> {
        self.tokens.get(index).map(|token| token.kind)
    }

    fn kind_before(&self, index: usize) -> Option<TokenKind> {
        index.checked_sub(1).and_then(|before| self.kind(before))
    }

    fn name(&self, index: usize) -> Name {
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
    fn before_subscripts(&self, index: usize) -> Option<usize> {
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

    /// What the identifier at `index` means.
    pub fn symbol(&self, index: usize) -> Option<Symbol> {
        let dotted = self.dotted(index);
        if let [name] = dotted.names.as_slice()
            && !dotted.global
            && let Some(found) = self.named_in_brackets(index, *name)
        {
            return Some(found);
        }
        self.resolve(&dotted)
    }

    /// `x` of `f(x = 1)` or `component(x = 1)` or `component(x(start = 1))`.
    fn named_in_brackets(&self, index: usize, name: Name) -> Option<Symbol> {
        let follows = self.kind(index + 1);
        if !matches!(follows, Some(TokenKind::Equals | TokenKind::LParen)) {
            return None;
        }
        member(self.db, self.bracket_class(index)?, name)
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
        match self.scope {
            Some(scope) if !self.in_import(dotted.first) => {
                // The name of a class in its own header, or behind its `end`.
                let own = dotted.names.as_slice() == [scope.name(self.db)]
                    && matches!(self.kind_before(dotted.first), Some(kind) if names_class(kind));
                if own {
                    return Some(Symbol::Class(scope));
                }
                lookup_path(self.db, scope, dotted.global, &dotted.names)
            }
            _ => from_root(),
        }
    }

    /// Names behind `import` and `within` are full names.
    fn in_import(&self, index: usize) -> bool {
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
    fn open_bracket(&self, index: usize) -> Option<usize> {
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
fn names_class(kind: TokenKind) -> bool {
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
