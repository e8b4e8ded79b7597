//! Every code modeshift can print, by phase. A retired code keeps its line as a comment.
//!
//! Adding a diagnostic: one line here and one page `docs/diagnostics/MSnnnn.md`.

use crate::diagnostic::Severity;
#[allow(
    unused_imports,
    reason = "which severities occur depends on the table below"
)]
use Severity::{Error, Note, Warning};

/// The stage of the pipeline a code belongs to: the thousands digit of its number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum Phase {
    /// MS0: lexing, parsing, files.
    Syntax,
    /// MS1: libraries, lookup, classes.
    Lookup,
    /// MS2: modifiers, types, instantiation.
    Instantiation,
    /// MS3: connections and flattening.
    Flattening,
    /// MS4: the mDAE, modes and their structure.
    Modes,
    /// MS5: mode changes and restarts.
    Restart,
    /// MS6: simulation.
    Simulation,
}

macro_rules! registry {
    ($($code:ident $severity:ident $slug:literal $title:literal)*) => {
        /// A diagnostic code, e.g. `MS0001`.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
        pub enum Code { $(#[doc = $title] $code,)* }

        impl Code {
            /// All codes in order.
            pub const ALL: &'static [Code] = &[$(Code::$code,)*];

            pub const fn as_str(self) -> &'static str {
                match self { $(Code::$code => stringify!($code),)* }
            }

            /// A stable, readable name: `missing-semicolon`.
            pub const fn slug(self) -> &'static str {
                match self { $(Code::$code => $slug,)* }
            }

            /// What the code is about, as a headline.
            pub const fn title(self) -> &'static str {
                match self { $(Code::$code => $title,)* }
            }

            /// Severity unless the settings or the diagnostic itself say otherwise.
            pub const fn severity(self) -> Severity {
                match self { $(Code::$code => $severity,)* }
            }
        }
    };
}

registry! {
    MS0001 Error "syntax-error" "This is not valid Modelica syntax"
    MS0002 Error "missing-semicolon" "A `;` is missing"
    MS0003 Error "wrong-end-name" "`end` names a different class from the one it closes"
    MS0004 Error "missing-end" "A class or a block is not closed"
    MS0005 Error "unclosed-bracket" "A bracket is not closed"
    MS0006 Error "unclosed-string" "A string, comment or quoted identifier is not closed"
    MS0007 Error "stray-token" "Something unexpected appears here"
    MS0008 Error "wrong-assignment-operator" "`=` and `:=` are mixed up"
    MS0009 Error "invalid-character" "A character is not valid in Modelica"
    MS0010 Error "nesting-limit" "The code is nested too deeply"
    MS0011 Error "unreadable-file" "A file cannot be read as Modelica text"
    MS0012 Error "bad-prefix-order" "Prefixes are repeated or contradict each other"
    MS0013 Error "number-out-of-range" "A number does not fit its type"
    MS0014 Error "unknown-escape" "A string contains an unknown escape sequence"
    MS0015 Error "reserved-word" "A keyword is used as a name"
    MS0016 Error "missing-comma" "A `,` is missing"
    MS0017 Error "wrong-section" "An equation appears among declarations, or a declaration among equations"
    MS0018 Warning "old-syntax" "Outdated syntax is accepted"
    MS0019 Error "within-without-class" "A file says `within` but has no class"
    MS0020 Error "unsafe-format" "Formatting would change more than the layout"
    MS0021 Error "missing-then" "`then` or `loop` is missing"
    MS0022 Error "misspelt-keyword" "A keyword is misspelt"

    // MS1: libraries, lookup, classes.
    MS1001 Error "unknown-class" "There is no class of this name"
    MS1002 Error "declared-twice" "A name is declared twice in the same class"
    MS1003 Error "wrong-within" "`within` does not name the package that the file belongs to"
    MS1004 Warning "package-order-entry" "`package.order` lists a class that does not exist"
    MS1005 Warning "package-order-incomplete" "A class is missing from `package.order`"
    MS1006 Error "unreadable-library" "A library directory cannot be read"
    MS1007 Error "stored-twice" "A class is stored twice in a library"
    MS1008 Warning "library-not-found" "A library that is used cannot be found"
    MS1009 Warning "library-version" "A library is used in a different version from the one requested"
    MS1010 Error "wrong-class-in-file" "A file of a package does not hold the class it is named after"
    MS1011 Error "no-class" "There is no class to work on"

    // MS2: modifiers, types, instantiation.
    MS2001 Error "unknown-name" "A name is not declared"
    MS2002 Error "class-not-found" "A class is not found"
    MS2003 Error "class-or-component" "A class where a component is needed, or the other way round"
    MS2004 Error "unknown-member" "A class or record has no such element"
    MS2005 Error "duplicate-element" "An element is declared twice"
    MS2006 Error "unknown-modifier" "A modifier names an element that does not exist"
    MS2007 Error "duplicate-modifier" "An element is modified twice"
    MS2008 Error "final-modified" "Something final is modified"
    MS2009 Error "protected-access" "Something protected is used or modified from outside"
    MS2010 Error "not-replaceable" "Something that is not replaceable is redeclared"
    MS2011 Error "redeclared-as-other" "A redeclaration does not fit what it replaces"
    MS2012 Error "cyclic-extends" "A class extends itself"
    MS2013 Error "recursive-class" "A class contains itself"
    MS2014 Error "partial-instance" "A partial class is instantiated or called"
    MS2015 Error "wrong-class-kind" "A class of this kind is not allowed here"
    MS2016 Warning "missing-inner" "An outer component has no inner"
    MS2017 Error "condition-not-known" "The condition of a component is not known before the simulation"
    MS2018 Error "absent-component" "A component that does not exist is used"
    MS2020 Error "type-mismatch" "A value has the wrong type"
    MS2021 Error "operator-types" "An operator does not fit its operands"
    MS2022 Error "wrong-arguments" "A call has the wrong arguments"
    MS2023 Error "argument-type" "An argument has the wrong type"
    MS2024 Error "dimension-mismatch" "Arrays have the wrong sizes"
    MS2025 Error "variability" "A value varies where it must not"
    MS2026 Error "bad-subscript" "A subscript is wrong or out of bounds"
    MS2027 Error "too-many-subscripts" "There are more subscripts than dimensions"
    MS2028 Error "cyclic-value" "A value depends on itself"
    MS2029 Error "not-evaluable" "A value is needed before the simulation"
    MS2030 Error "missing-each" "An array of components needs `each` or a value for each"
    MS2031 Error "function-restriction" "Something cannot be used in a function, or only there"
    MS2032 Error "misplaced-when" "A `when` or `reinit` is not allowed here"
    MS2033 Error "condition-not-boolean" "A condition is not Boolean"
    MS2034 Error "operator-argument" "An operator such as `der` or `pre` is applied to the wrong thing"
    MS2035 Error "bad-assignment" "A value that cannot change is assigned"
    MS2037 Error "unsupported" "A part of Modelica that is not supported yet"
    MS2038 Error "instance-nesting" "The model is nested too deeply"
    MS2039 Error "unknown-import" "An import names something that does not exist"
    MS2040 Error "unknown-size" "The size of an array is not known or makes no sense"
    MS2041 Warning "real-equality" "Reals that change are compared for equality"
    MS2042 Error "unknown-function" "A function is not found, or something else is called"
    MS2043 Error "misplaced-connect" "A `connect` is not allowed here"
    MS2044 Error "not-a-connector" "Something other than a connector is connected"
    MS2045 Error "prefix-conflict" "A prefix is given by a declaration and by its type"
    MS2046 Warning "parameter-without-value" "A parameter has no value"
    MS2047 Warning "unassigned-output" "A function never assigns one of its outputs"
    MS2048 Error "impure-call" "An impure function is called outside `when`"
    MS2049 Warning "annotated-function" "A function that an annotation names does not fit"
    MS2050 Error "not-a-package" "An element is named through a class that is not a package"
    MS2051 Error "partial-lookup" "An element of a partial class is used"
    MS2052 Warning "out-of-bounds" "A value is outside the bounds of its variable"
    MS2053 Warning "read-before-assigned" "A variable of a function is read before it has a value"
    MS2070 Error "clock-conflict" "Two clocks contradict each other"
    MS2071 Error "clock-missing" "No clock can be found for something clocked"
    MS2072 Error "clock-mixed" "Clocked variables and continuous time are mixed"
    MS2073 Error "clock-argument" "An operator on clocks does not take this argument"
    MS2074 Warning "clock-default" "No clock is given, and a default one is taken"
    MS2075 Error "clocked-equations" "The equations on a clock cannot be computed"
    MS2076 Error "state-machine" "A state machine is not complete or contradicts itself"
    MS2077 Warning "pre-of-continuous" "`pre` of a continuous variable is not standard Modelica"
    MS2078 Error "conditional-use" "A conditional component is used outside of `connect`"
    MS2079 Error "endless-recursion" "A function calls itself without end"

    // MS3: connections and flattening.
    MS3001 Error "model-too-large" "The model has too many scalar variables"
    MS3002 Error "incompatible-connectors" "Two connectors that do not fit together are connected"
    MS3003 Error "connector-sizes-differ" "Arrays of connectors of different sizes are connected"
    MS3004 Error "unknown-connection" "A connection is not known at compile time"
    MS3005 Error "uneven-branches" "Branches of an if-equation have different numbers of equations"
    MS3006 Error "unbalanced-model" "The numbers of equations and unknowns differ"
    MS3007 Error "stream-without-flow" "A connector with streams does not have exactly one flow variable"
    MS3008 Error "circular-parameters" "Parameter values depend on each other in a cycle"
    MS3009 Error "two-sources" "Two sources of a signal are connected"
    MS3010 Error "unbalanced-connector" "A connector has different numbers of potentials and flows"
    MS3011 Warning "unit-mismatch" "Units do not fit together"
    MS3012 Warning "idle-component" "A component has no effect because of how it is connected"

    // MS4: the mDAE, modes and their structure.
    MS4001 Error "singular-mode" "In some mode the equations cannot determine the unknowns"
    MS4002 Error "logico-numerical-fixpoint" "A condition depends on variables that can only be computed once it is known"
    MS4003 Warning "event-iteration" "A condition and the variables it reads must be found together"
    MS4004 Warning "index-depends-on-mode" "Different modes need different equations to be differentiated"
    MS4005 Note "state-in-some-modes" "A variable is a state in some modes and not in others"
    MS4006 Warning "guard-never-true" "A branch can never be taken"
    MS4007 Error "no-possible-mode" "The assertions and conditions leave no mode"
    MS4008 Warning "numerically-singular-mode" "The equations of a mode depend on each other"
    MS4009 Warning "mode-set-limit" "The modes are too entangled to be analysed all at once"
    MS4010 Error "not-analysed" "The mode analysis does not support this construct"
    MS4011 Error "boolean-loop" "Booleans are defined by each other"
    MS4012 Error "boolean-definition" "A discrete variable has no definition or more than one"
    MS4013 Error "unused-unknown" "A variable occurs in no equation"
    MS4014 Error "no-fitting-mode" "For some values no truth values of the conditions fit"
    MS4015 Warning "several-fitting-modes" "Which mode follows another is not determined"
    MS4016 Note "mode-before-decides" "Several modes fit the same values; the one before decides"
    MS4018 Warning "switching-undoes-itself" "The switching of a condition undoes itself"
    MS4019 Warning "own-new-value" "A variable is computed at an event from its own new value"
    MS4020 Warning "derivative-twice" "Two equations give one derivative and none gives another"

    // MS5: mode changes and restarts.
    MS5001 Error "restart-undetermined" "A mode change does not determine the state after it"
    MS5002 Error "nonlinear-impulse" "An impulse enters an equation nonlinearly"
    MS5003 Error "inconsistent-restart" "Equations for the instant of a mode change contradict each other"
    MS5004 Warning "redundant-law" "A law for a mode change says what the new mode says already"
    MS5005 Warning "numerically-singular-restart" "The equations for a restart depend on each other"
    MS5006 Error "unbounded-cascade" "Events at one instant do not come to an end"
    MS5007 Error "ambiguous-restart" "Equally good choices of equations give different values after a mode change"
    MS5008 Warning "scheme-dependent-restart" "An impulse is multiplied by a state that jumps"
    MS5009 Note "state-was-algebraic" "A state of the new mode was not a state before"
    MS5010 Warning "mode-left-at-once" "A jump leaves the new mode at the same instant"
    MS5011 Note "changes-not-listed" "There are more mode changes than are analysed"
    MS5012 Error "no-such-change" "There is no mode change of this kind"
    MS5013 Error "restart-not-solved" "The restart could not be computed for the given values"
    MS5014 Error "change-with-singular-mode" "The mode after a change is structurally singular"
    MS5015 Warning "left-limits-contradict" "Given left limits contradict the mode before the change"
    MS5016 Warning "forced-jump" "A step forces a state to jump"

    // MS6: simulation.
    MS6001 Error "not-simulated" "The simulation does not support this construct"
    MS6002 Error "inconsistent-start" "The start values contradict the equations"
    MS6003 Error "no-restart" "The simulation reached a mode change that does not determine what comes after it"
    MS6004 Error "no-mode" "At an instant of the simulation no mode fits"
    MS6005 Warning "several-modes" "At an instant of the simulation several modes fit"
    MS6006 Error "zeno" "Events of the simulation accumulate"
    MS6007 Error "chattering" "Modes alternate without time between them"
    MS6008 Error "no-solution" "Equations have no solution at an instant of the simulation"
    MS6009 Error "step-too-small" "The step size of the simulation became too small"
    MS6010 Error "assertion-violated" "An assertion does not hold during the simulation"
    MS6011 Warning "start-moved" "Start values were changed to satisfy the equations"
    MS6012 Error "singular-mode-reached" "The simulation reached a mode whose equations do not determine it"
    MS6013 Note "start-restarted" "The start was computed like a mode change"
    MS6014 Note "relaxed" "Where modes alternate, the simulation takes what lies between them"
    MS6015 Error "no-capture" "The event-capturing scheme does not apply to this model"
    MS6016 Warning "assertion-warning" "An assertion with the level warning does not hold"
    MS6017 Note "terminated" "The model ended the simulation"
    MS6018 Warning "no-number" "A variable that nothing reads has no value"
    MS6019 Warning "kept-undetermined" "The equations do not determine a variable, which keeps its value"
}

impl Code {
    /// The code whose number is `text` (`MS0001`, case does not matter).
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL
            .iter()
            .copied()
            .find(|code| code.as_str().eq_ignore_ascii_case(text))
    }

    /// The code whose number or slug is `text`.
    pub fn parse_or_slug(text: &str) -> Option<Self> {
        Self::parse(text).or_else(|| Self::ALL.iter().copied().find(|code| code.slug() == text))
    }

    /// The codes that `name` stands for where the user names some: a number, a slug, `warnings` for all
    /// that can be one, or the name of a group.
    pub fn named(name: &str) -> Vec<Self> {
        match name {
            "warnings" => {
                let all = Self::ALL.iter().copied();
                all.filter(|code| !code.is_opt_in()).collect()
            }
            "fixpoints" => vec![Self::MS4002, Self::MS4003, Self::MS4014, Self::MS4015],
            _ => Self::parse_or_slug(name).into_iter().collect(),
        }
    }

    /// Everything that [`Code::named`] knows.
    pub fn names() -> impl Iterator<Item = &'static str> {
        let codes = Self::ALL.iter();
        let slugs = codes.clone().map(|code| code.slug());
        ["warnings", "fixpoints"]
            .into_iter()
            .chain(codes.map(|code| code.as_str()))
            .chain(slugs)
    }

    /// Whether the message is only shown to those who ask for it by name, with `--deny` or in the settings of a project.
    pub fn is_opt_in(self) -> bool {
        self == Self::MS2077
    }

    /// The page that explains the code, relative to the repository.
    pub fn page(self) -> String {
        format!("docs/diagnostics/{self}.md")
    }

    pub fn phase(self) -> Phase {
        match self.as_str().as_bytes()[2] {
            b'0' => Phase::Syntax,
            b'1' => Phase::Lookup,
            b'2' => Phase::Instantiation,
            b'3' => Phase::Flattening,
            b'4' => Phase::Modes,
            b'5' => Phase::Restart,
            _ => Phase::Simulation,
        }
    }
}

impl std::fmt::Display for Code {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::Code;
    use std::collections::BTreeSet;

    #[test]
    fn codes_ascend_and_names_are_unique() {
        assert!(
            Code::ALL
                .windows(2)
                .all(|pair| pair[0].as_str() < pair[1].as_str())
        );
        let slugs: BTreeSet<&str> = Code::ALL.iter().map(|code| code.slug()).collect();
        assert_eq!(slugs.len(), Code::ALL.len(), "a slug is used twice");
    }

    #[test]
    fn every_name_stands_for_something() {
        assert!(Code::names().all(|name| !Code::named(name).is_empty()));
        assert!(Code::named("nonsense").is_empty());
    }

    #[test]
    fn names_and_titles_are_written_alike() {
        for code in Code::ALL {
            let slug = code.slug();
            assert!(
                slug.bytes().all(|b| b == b'-' || b.is_ascii_lowercase()),
                "{code}: {slug}"
            );
            let title = code.title();
            assert!(
                !title.ends_with('.'),
                "{code}: a headline has no full stop: {title}"
            );
            let first = title.chars().next();
            assert!(
                first.is_some_and(|c| c.is_uppercase() || c == '`'),
                "{code}: {title}"
            );
        }
    }
}
