//! Messages in the file of the one who caused them: what a model does with a library is shown at the model's component,
//! and the place in the library beside it.

use crate::Session;
use modeshift_base::Name;
use modeshift_db::{Db as _, SourceFile};
use modeshift_diag::{Diagnostic, Label};
use modeshift_hir::statics::{Symbol, member};
use modeshift_hir::{ClassId, ClassSpan, Element, class};

impl Session {
    /// The message about a model, with a place in the user's own text first. It stays as it is if that is so already.
    pub(crate) fn at_home(&self, model: ClassId, mut diagnostic: Diagnostic) -> Diagnostic {
        let Some(primary) = diagnostic.labels.first() else {
            return diagnostic;
        };
        let file = self.db().files().by_id(self.resolve(primary.at).file);
        if file.is_none_or(|file| self.is_users(file)) || !self.is_users(model.file(self.db())) {
            return diagnostic;
        }
        let component = named(&diagnostic).find_map(|name| self.component(model, name));
        let label = component.unwrap_or_else(|| Label {
            at: ClassSpan::of_name(model).to_place(),
            message: "in this model".to_owned(),
        });
        diagnostic.labels.insert(0, label);
        diagnostic
    }

    /// Whether the user works on a file, rather than only using it.
    fn is_users(&self, file: SourceFile) -> bool {
        let path = file.path(self.db());
        let mut folders = self.settings().folders.iter();
        self.open_files().contains(&file) || folders.any(|folder| path.starts_with(folder))
    }

    /// The component of a model that a variable's name begins with, if it is declared in the user's text.
    fn component(&self, model: ClassId, variable: &str) -> Option<Label> {
        let first = variable.split(['.', '[']).next()?;
        let Symbol::Component {
            class: owner,
            element,
        } = member(self.db(), model, Name::new(first))?
        else {
            return None;
        };
        let Element::Component(component) = class(self.db(), owner).elements().get(element)? else {
            return None;
        };
        self.is_users(owner.file(self.db())).then(|| Label {
            at: ClassSpan::new(owner, component.name.span).to_place(),
            message: format!("in `{first}`"),
        })
    }
}

/// What a message quotes, its own words before those of its labels.
fn named(diagnostic: &Diagnostic) -> impl Iterator<Item = &str> {
    let labels = diagnostic.labels.iter().map(|label| label.message.as_str());
    let texts = std::iter::once(diagnostic.message.as_str()).chain(labels);
    texts.flat_map(|text| text.split('`').skip(1).step_by(2))
}
