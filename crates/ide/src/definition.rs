//! Where things are declared.

use crate::cursor::Cursor;
use modeshift_base::{FileSpan, Span};
use modeshift_db::{Db, SourceFile};
use modeshift_hir::statics::{Symbol, class_of};
use modeshift_hir::{ClassSpan, ClassSpec, Element, class, class_layout, resolve};

/// A declaration.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Target {
    /// The name that was asked about, in the file that was asked about.
    pub origin: Span,
    /// The declared name.
    pub name: FileSpan,
    /// The whole declaration.
    pub declaration: FileSpan,
}

/// Where the name at `offset` is declared. O(length of the file).
pub fn definition(db: &dyn Db, file: SourceFile, offset: u32) -> Option<Target> {
    let cursor = Cursor::new(db, file);
    let index = cursor.identifier_at(offset)?;
    target(db, cursor.span(index), cursor.symbol(index)?)
}

/// Where the class of the component at `offset` is declared.
pub fn type_definition(db: &dyn Db, file: SourceFile, offset: u32) -> Option<Target> {
    let cursor = Cursor::new(db, file);
    let index = cursor.identifier_at(offset)?;
    let class = class_of(db, cursor.symbol(index)?)?;
    target(db, cursor.span(index), Symbol::Class(class))
}

/// What can take the place of the class or element at `offset`: classes that extend it, redeclarations.
pub fn implementations(
    db: &dyn Db,
    file: SourceFile,
    offset: u32,
    files: &[SourceFile],
) -> Option<Vec<Target>> {
    let (origin, found) = crate::references::implementations(db, file, offset, files)?;
    let targets = found.into_iter().filter_map(|it| target(db, origin, it));
    Some(targets.collect())
}

fn target(db: &dyn Db, origin: Span, symbol: Symbol) -> Option<Target> {
    let at = |class, span| resolve(db, ClassSpan::new(class, span));
    Some(match symbol {
        Symbol::Class(id) => Target {
            origin,
            name: at(id, class(db, id).name.span),
            declaration: FileSpan {
                file: id.file(db).id(db),
                span: class_layout(db, id).file_span(),
            },
        },
        Symbol::Component { class: id, element } => {
            let Element::Component(component) = class(db, id).elements().get(element)? else {
                return None;
            };
            Target {
                origin,
                name: at(id, component.name.span),
                declaration: at(id, component.span),
            }
        }
        Symbol::Literal { class: id, index } => {
            let ClassSpec::Enumeration {
                literals: Some(literals),
            } = &class(db, id).spec
            else {
                return None;
            };
            let name = at(id, literals.get(index)?.name.span);
            Target {
                origin,
                name,
                declaration: name,
            }
        }
    })
}
