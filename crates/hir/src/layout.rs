//! The own text of a class: its text in the file with nested classes, annotations, comments and blanks cut out.
//!
//! Spans in [`crate::ClassData`] count bytes in the own text, from the start of the class. They are
//! therefore independent of everything before and after the class, of what is written in its nested
//! classes, of graphics, and of how lines are broken, indented and commented: of a stretch of blanks and comments one
//! byte is left. A [`Layout`] converts between the own text and the file.
//!
//! Each element, section, equation and statement begins at a multiple of [`STEP`]. What follows one that grows by some bytes
//! therefore mostly stays where it is, and all that is known about it stays equal.

use modeshift_base::Span;

/// The own text is laid out in steps of so many bytes.
const STEP: u32 = 64;

/// A stretch of the file that is not part of the own text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Cut {
    span: Span,
    /// Where it would be in the own text.
    own: u32,
    /// Where the own text goes on behind it.
    next: u32,
}

/// Where the own text of a class is in its file.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Layout {
    class: Span,
    /// Sorted by start, disjoint.
    cuts: Vec<Cut>,
}

impl Layout {
    /// A class at `class` without the texts at `cuts`. Cuts inside other cuts are of no effect.
    pub(crate) fn new(class: Span, cuts: Vec<Span>) -> Self {
        let cuts = cuts.into_iter().map(|span| (span, false));
        Self::in_steps(class, cuts.collect())
    }

    /// The same; behind cuts that are marked the own text goes on at a step.
    fn in_steps(class: Span, mut cuts: Vec<(Span, bool)>) -> Self {
        cuts.sort_unstable();
        let mut layout = Self {
            class,
            cuts: Vec::with_capacity(cuts.len()),
        };
        let (mut next, mut end) = (0, class.start);
        for (span, step) in cuts {
            if span.end > class.end || span.start < end || span.is_empty() {
                continue;
            }
            let own = next + (span.start - end);
            next = match step {
                true => (own / STEP + 1).saturating_mul(STEP),
                false => own,
            };
            end = span.end;
            layout.cuts.push(Cut { span, own, next });
        }
        layout
    }

    /// The same without comments and blanks in what is left of the text, with a step at each place in `items`. Linear in
    /// the text.
    pub(crate) fn without_blanks(self, text: &str, items: &[u32]) -> Self {
        let mut cuts: Vec<Span> = self.cuts.iter().map(|cut| cut.span).collect();
        let mut from = self.class.start;
        for known in 0..=self.cuts.len() {
            let cut = self.cuts.get(known).map(|cut| cut.span);
            let to = cut.map_or(self.class.end, |cut| cut.start);
            if let Some(piece) = text.get(Span::new(from, to).range()) {
                blanks(piece.as_bytes(), from, &mut cuts);
            }
            from = cut.map_or(to, |cut| cut.end);
        }
        // The byte in front of an item, which keeps it apart from what comes before.
        let inside = items.iter().filter(|&&at| at > self.class.start);
        let steps = inside.map(|&at| (Span::new(at - 1, at), true));
        let cuts = cuts.into_iter().map(|span| (span, false));
        Self::in_steps(self.class, cuts.chain(steps).collect())
    }

    /// A layout that leaves every span as it is.
    pub(crate) fn identity() -> Self {
        Self {
            class: Span::new(0, u32::MAX),
            cuts: Vec::new(),
        }
    }

    /// The whole class in the file, nested classes and annotations included.
    pub const fn file_span(&self) -> Span {
        self.class
    }

    /// From the file to the own text; what is inside a cut collapses to its place. O(log cuts).
    pub fn to_own(&self, span: Span) -> Span {
        Span::new(self.own_position(span.start), self.own_position(span.end))
    }

    /// From the own text to the file. O(log cuts).
    pub fn to_file(&self, span: Span) -> Span {
        Span::new(self.file_position(span.start), self.file_position(span.end))
    }

    fn own_position(&self, position: u32) -> u32 {
        let before = self.cuts.partition_point(|cut| cut.span.start < position);
        let start = position.saturating_sub(self.class.start);
        match before.checked_sub(1).map(|last| self.cuts[last]) {
            None => start,
            Some(cut) if position < cut.span.end => cut.own,
            Some(cut) => cut.next + (position - cut.span.end),
        }
    }

    /// A cut is always followed by punctuation of its element or by a blank, so no token of the own text starts
    /// exactly where a cut was; that is why the comparison is strict.
    fn file_position(&self, own: u32) -> u32 {
        let before = self.cuts.partition_point(|cut| cut.own < own);
        let (end, next) = before.checked_sub(1).map_or((self.class.start, 0), |last| {
            (self.cuts[last].span.end, self.cuts[last].next)
        });
        // Between the end of an item and the step of the next there is nothing.
        let position = end.saturating_add(own.saturating_sub(next));
        position.min(self.class.end.max(self.class.start))
    }
}

/// Stretches of blanks and comments, each without its last byte, which keeps the words around it apart.
fn blanks(text: &[u8], origin: u32, cuts: &mut Vec<Span>) {
    let skip = |from: usize, end: &dyn Fn(&[u8]) -> bool, length: usize| {
        let found = (from..text.len()).find(|&at| end(&text[at..]));
        found.map_or(text.len(), |at| at + length)
    };
    let mut at = 0;
    while at < text.len() {
        let start = at;
        loop {
            at = match &text[at..] {
                [b' ' | b'\t' | b'\r' | b'\n', ..] => at + 1,
                [b'/', b'/', ..] => skip(at, &|rest| rest[0] == b'\n', 0),
                [b'/', b'*', ..] => skip(at + 2, &|rest| rest.starts_with(b"*/"), 2),
                _ => break,
            };
        }
        if at > start + 1 {
            cuts.push(Span::new(start as u32, at as u32 - 1).shifted_by(origin));
        }
        at = match text.get(at) {
            Some(&quote @ (b'"' | b'\'')) => quoted_end(text, at + 1, quote),
            _ => at + 1,
        };
    }
}

/// Behind the end of a string or of a quoted name.
fn quoted_end(text: &[u8], mut at: usize, quote: u8) -> usize {
    while let Some(&byte) = text.get(at) {
        match byte {
            b'\\' => at += 2,
            _ if byte == quote => return at + 1,
            _ => at += 1,
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::Layout;
    use modeshift_base::Span;
    use proptest::prelude::*;

    proptest! {
        /// Every token of the own text comes back to where it stood.
        #[test]
        fn own_text_and_file_are_inverse(
            start in 0u32..50,
            pieces in proptest::collection::vec((2u32..9, 0u32..9), 0..12),
        ) {
            let mut at = start;
            let (mut own, mut cuts) = (Vec::new(), Vec::new());
            for (text, cut) in pieces {
                // The first byte after a cut is the punctuation behind it.
                own.push(Span::new(at + 1, at + text));
                at += text;
                cuts.push(Span::new(at, at + cut));
                at += cut;
            }
            let layout = Layout::new(Span::new(start, at + 1), cuts);
            let mut length = 0;
            for span in own {
                let relative = layout.to_own(span);
                prop_assert_eq!(relative.start, length + 1);
                length += span.len() + 1;
                prop_assert_eq!(layout.to_file(relative), span);
            }
        }
    }

    #[test]
    fn words_come_back_whatever_stands_between_them() {
        let words = [
            "model",
            "M",
            "Real",
            "x",
            ";",
            "equation",
            "\"a  // b\"",
            "'q /* '",
            "=",
            "end",
        ];
        let mut own = Vec::new();
        for between in [" ", "\n   ", " // remark\n", "/* a */", " /* a\n * b */  "] {
            let (mut text, mut places) = (String::from("  "), Vec::new());
            for word in words {
                let start = text.len() as u32;
                text.push_str(word);
                places.push(Span::new(start, text.len() as u32));
                text.push_str(between);
            }
            let class = Span::new(2, text.len() as u32);
            let items: Vec<u32> = places[2..].iter().step_by(3).map(|it| it.start).collect();
            let layout = Layout::new(class, Vec::new()).without_blanks(&text, &items);
            let inside: Vec<Span> = places.iter().map(|&place| layout.to_own(place)).collect();
            let back: Vec<Span> = inside.iter().map(|&place| layout.to_file(place)).collect();
            assert_eq!(back, places, "{between:?}");
            own.push(inside);
        }
        assert!(own.windows(2).all(|pair| pair[0] == pair[1]), "{own:?}");
    }

    #[test]
    fn what_grows_leaves_what_follows_where_it_is() {
        let place = |first: &str| {
            let text = format!("model M Real x = {first}; Real y; end M;");
            let items = ["Real x", "Real y"].map(|it| text.find(it).unwrap() as u32);
            let class = Span::new(0, text.len() as u32);
            let layout = Layout::new(class, Vec::new()).without_blanks(&text, &items);
            let y = Span::new(items[1], items[1] + 6);
            let own = layout.to_own(y);
            assert_eq!(layout.to_file(own), y);
            own
        };
        assert_eq!(place("1"), place("123456 +  7"));
        assert_eq!(place("1").len(), 6);
    }

    #[test]
    fn what_is_inside_a_cut_collapses_to_its_place() {
        let layout = Layout::new(Span::new(10, 50), vec![Span::new(20, 30)]);
        assert_eq!(layout.to_own(Span::new(22, 25)), Span::new(10, 10));
        assert_eq!(layout.to_file(Span::new(10, 10)), Span::new(20, 20));
        assert_eq!(layout.to_own(Span::new(15, 30)), Span::new(5, 10));
    }
}
