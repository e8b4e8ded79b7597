//! How deep the tree of the expression being read can become.
//!
//! Later phases walk the tree by recursion, so its depth is bounded here, before it is built. A chain of
//! operators is as deep as it is long (`a + b + c` is `(a + b) + c`), a bracket adds the depth of
//! what is in it. The bound is exact enough: never too small, too large by at most the number of
//! operators that bind more loosely than the one counted.

/// Brackets open at the same time.
pub const MAX_BRACKETS: usize = 256;
/// Blocks open at the same time.
pub const MAX_BLOCKS: usize = 100;
/// Operators and brackets above each other in one expression.
const MAX_DEPTH: u32 = 4096;

/// The limits, for messages.
pub const LIMITS: &str = "The limits are 256 open brackets, 100 nested classes and blocks, and 4096 operators \
     in one chain; split the text into smaller pieces.";

/// One level of brackets.
#[derive(Clone, Copy, Default)]
struct Level {
    operators: u32,
    /// The deepest bracket closed on this level.
    deepest: u32,
    /// The depth at which this level hangs.
    base: u32,
}

impl Level {
    const fn depth(self) -> u32 {
        self.operators + self.deepest
    }
}

#[derive(Default)]
pub struct Depth {
    outer: Vec<Level>,
    level: Level,
}

impl Depth {
    pub fn operator(&mut self) {
        self.level.operators += 1;
    }

    pub fn open(&mut self) {
        // A subscript or a field behind a call nests like an operator.
        self.level.operators += 1;
        let base = self.level.base + self.level.operators;
        self.outer.push(std::mem::replace(
            &mut self.level,
            Level {
                base,
                ..Level::default()
            },
        ));
    }

    pub fn close(&mut self) {
        let inner = self.level.depth() + 1;
        self.level = self.outer.pop().unwrap_or_default();
        self.level.deepest = self.level.deepest.max(inner);
    }

    /// A comma: the next item of a list begins.
    pub fn restart(&mut self) {
        self.level.operators = 0;
    }

    /// The statement is over.
    pub fn clear(&mut self) {
        self.outer.clear();
        self.level = Level::default();
    }

    /// Whether another bracket is far from every limit.
    pub fn has_room(&self, brackets: usize) -> bool {
        brackets < MAX_BRACKETS && self.level.base + self.level.depth() + 1 < MAX_DEPTH
    }

    pub fn exceeded(&self) -> bool {
        self.level.base + self.level.depth() > MAX_DEPTH
    }
}
