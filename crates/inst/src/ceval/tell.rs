//! Messages about values that cannot be found.

use super::{Fail, TOO_LONG};
use crate::cx::Cx;
use crate::tree::{ComponentId, Place};
use modeshift_diag::{Code, Diagnostic};

/// How reasons end that are about values which differ between the elements of an array of components.
const RAGGED: &str = "differ";

impl Cx<'_, '_> {
    /// Tells of a value that is asked for while it is being found: by what, and on which way.
    pub(super) fn cyclic_value(&mut self, id: ComponentId) {
        let start = self.on_the_way.iter().position(|&it| it == id);
        let mut circle = self.on_the_way[start.unwrap_or(self.on_the_way.len())..].to_vec();
        circle.dedup();
        if circle.len() > 1 && circle.last() == Some(&id) {
            circle.pop();
        }
        let name = |it: ComponentId| self.out.components[it].name;
        let message = format!("the value of `{}` depends on itself", name(id));
        let mut diagnostic = Diagnostic::new(Code::MS2028, message);
        let (&last, others) = match circle.split_last() {
            Some((last, others)) if !others.is_empty() => (last, others),
            _ => (&id, &[][..]),
        };
        let place = self.out.components[last].place;
        if others.is_empty() {
            diagnostic = diagnostic
                .label(place, "circular definition")
                .note("Follow the values of the constants and parameters in its binding: one of them needs this one.");
        } else {
            diagnostic = diagnostic.label(place, format!("needs `{}`", name(id)));
            for pair in circle.windows(2).take(6) {
                let text = format!("needs `{}`", name(pair[1]));
                diagnostic = diagnostic.label(self.out.components[pair[0]].place, text);
            }
        }
        self.report(diagnostic);
    }

    /// Tells once that a value cannot be computed, however many read it. When the steps are used up, everything that is
    /// evaluated afterwards fails: that is one mistake, too.
    pub(crate) fn wrong_value(&mut self, id: ComponentId, fail: &Fail) {
        let is_long = fail.reason == TOO_LONG;
        if self.quiet == 0 {
            let is_news = self.told_wrong.insert(id);
            if !is_news || is_long && std::mem::replace(&mut self.told_long, true) {
                return;
            }
        }
        let value = self.info(id).mods.as_ref().and_then(|mods| mods.value);
        let component = &self.out.components[id];
        let place = value.map_or(component.place, |value| value.place);
        let message = format!(
            "the value of `{}` cannot be computed: {}",
            component.name, fail.reason
        );
        let mut diagnostic = Diagnostic::new(Code::MS2029, message);
        if let Some(statement) = fail.place {
            diagnostic = diagnostic.label(statement, "this statement fails");
        }
        self.report(diagnostic.label(place, "evaluated here"));
    }

    pub(super) fn cannot_evaluate(&mut self, fail: &Fail, place: Place) {
        let reason = &fail.reason;
        if reason.is_empty() {
            return;
        }
        if let Some(culprit) = fail.of.filter(|_| fail.wrong) {
            self.wrong_value(culprit, fail);
            return;
        }
        if reason.ends_with(RAGGED) {
            if let Some(array) = self.differing {
                self.needs_split(array);
            }
            let diagnostic = Diagnostic::new(
                Code::MS2037,
                "components of an array with different structure are not supported yet",
            )
            .label(place, format!("this decides the structure, but {reason}"))
            .note("Declare the components one by one, or give them the same sizes and conditions.");
            self.report(diagnostic);
            return;
        }
        let message = format!("this must be known before the simulation, but {reason}");
        let mut diagnostic = Diagnostic::new(Code::MS2029, message);
        if let Some(at) = fail.place {
            let text = match fail.wrong {
                true => "this statement fails",
                false => "declared without a value",
            };
            diagnostic = diagnostic.label(at, text);
        }
        let diagnostic = diagnostic.label(place, "cannot be evaluated");
        match fail.lacks && self.quiet == 0 {
            true => self.lacking.push(diagnostic),
            false => self.report(diagnostic),
        }
    }
}
