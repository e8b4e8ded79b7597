//! `each` where it says nothing, and values of arrays that lack it (Modelica 3.6 §7.2.5).
//!
//! Other tools differ in what they refuse. The meaning is clear in both cases, so both are warnings that can be mended.

use crate::cx::{ALIAS, Cx};
use crate::modifier::{Mod, ModValue};
use crate::tree::{ComponentId, Place};
use modeshift_base::{FileSpan, Name, Span};
use modeshift_diag::{Code, Diagnostic, Edit, Severity};

/// The length of the word.
const EACH: u32 = 4;

impl<'a> Cx<'_, 'a> {
    /// `a(each x = 1)` with an `a` that is no array, nor in one.
    pub(crate) fn check_each(
        &mut self,
        id: ComponentId,
        attribute: bool,
        modifier: &Mod<'a>,
        value: &ModValue<'a>,
    ) {
        if value.each != Some(0) || !modifier.each || value.at == ALIAS {
            return;
        }
        let everywhere = ModValue {
            each: None,
            ..*value
        };
        if !self.index_chain(id, attribute, &everywhere).is_empty() || self.is_in_split(id) {
            return;
        }
        let name = self.out.components[id].name;
        let of = match attribute {
            true => format!("`{name}` is not an array"),
            false => format!("`{name}` is not in an array"),
        };
        let Place { file, span } = modifier.place;
        let word = FileSpan {
            file,
            span: Span::new(span.start, span.start + EACH),
        };
        let diagnostic = Diagnostic::new(Code::MS2030, format!("`each` says nothing here: {of}"))
            .with_severity(Severity::Warning)
            .label(modifier.place, "given with `each`")
            .label(self.out.components[id].place, "declared here")
            .fix(
                "leave `each` out",
                vec![Edit {
                    at: word,
                    text: String::new(),
                }],
            );
        self.report(diagnostic);
    }

    /// Whether a component is an element, or part of one, of an array whose elements are looked at one by one.
    fn is_in_split(&self, id: ComponentId) -> bool {
        let mut around = std::iter::successors(Some(id), |&at| self.out.components[at].parent);
        around.any(|at| self.info(at).element.is_some())
    }

    /// `Real x[3](start = 0)`: one value for all elements.
    pub(crate) fn one_for_all(
        &mut self,
        array: Option<ComponentId>,
        modifier: &Mod<'a>,
        attribute: Name,
    ) {
        let Some(array) = array else { return };
        let component = &self.out.components[array];
        let message = format!(
            "the array `{}` is given one `{attribute}` without `each`",
            component.name
        );
        let mut diagnostic = Diagnostic::new(Code::MS2030, message)
            .with_severity(Severity::Warning)
            .label(modifier.place, "taken for all elements")
            .label(component.place, "an array")
            .note("Other tools insist on `each`, or on a value for each element.");
        if modifier.begins_with_name() {
            diagnostic = diagnostic.fix(
                "write `each`",
                vec![Edit {
                    at: modifier.place.start(),
                    text: "each ".into(),
                }],
            );
        }
        self.report(diagnostic);
    }
}
