//! Printing files, classes, elements and modifications.

use super::equation::Behind;
use super::expr::bracketed;
use super::{lines, separated, word};
use crate::ast::{
    Annotation, Argument, ArgumentKind, Binding, Causality, ClassBody, ClassDef, ClassSpec,
    ComponentClause, ComponentDecl, ConstrainedBy, Description, Element, ElementKind,
    ElementPrefixes, EnumLiteral, Extends, External, Flow, Import, ImportKind, Modification,
    Purity, Section, SectionKind, ShortClass, StoredDefinition, TypePrefix, VariabilityPrefix,
};
use crate::string::quote;
use std::fmt::{self, Display, Formatter};

impl Display for StoredDefinition {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if let Some(within) = &self.within {
            match &within.path {
                Some(path) => writeln!(f, "within {path};")?,
                None => writeln!(f, "within;")?,
            }
        }
        for class in &self.classes {
            writeln!(f, "{class};")?;
        }
        Ok(())
    }
}

impl Display for ElementPrefixes {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        word(f, self.redeclare, "redeclare")?;
        word(f, self.final_, "final")?;
        word(f, self.inner, "inner")?;
        word(f, self.outer, "outer")?;
        word(f, self.replaceable, "replaceable")
    }
}

impl Display for TypePrefix {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        word(f, self.flow == Some(Flow::Flow), "flow")?;
        word(f, self.flow == Some(Flow::Stream), "stream")?;
        word(
            f,
            self.variability == Some(VariabilityPrefix::Discrete),
            "discrete",
        )?;
        word(
            f,
            self.variability == Some(VariabilityPrefix::Parameter),
            "parameter",
        )?;
        word(
            f,
            self.variability == Some(VariabilityPrefix::Constant),
            "constant",
        )?;
        word(f, self.causality == Some(Causality::Input), "input")?;
        word(f, self.causality == Some(Causality::Output), "output")
    }
}

impl Display for ClassDef {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.prefixes.fmt(f)?;
        self.header_and_body(f)
    }
}

impl ClassDef {
    /// Everything behind the element prefixes, which an argument writes in its own way.
    fn header_and_body(&self, f: &mut Formatter<'_>) -> fmt::Result {
        word(f, self.encapsulated, "encapsulated")?;
        word(f, self.partial, "partial")?;
        word(f, self.purity == Some(Purity::Pure), "pure")?;
        word(f, self.purity == Some(Purity::Impure), "impure")?;
        write!(f, "{} ", self.kind.as_str())?;
        match &self.spec {
            ClassSpec::Long(body) => {
                self.name.fmt(f)?;
                self.body(f, body)?;
            }
            ClassSpec::Extends { modification, body } => {
                write!(f, "extends {}", self.name)?;
                arguments(f, modification)?;
                self.body(f, body)?;
            }
            ClassSpec::Short(short) => write!(f, "{} = {short}", self.name)?,
            ClassSpec::Enumeration { literals: None } => {
                write!(f, "{} = enumeration(:)", self.name)?
            }
            ClassSpec::Enumeration {
                literals: Some(literals),
            } => {
                write!(f, "{} = enumeration(", self.name)?;
                separated(f, literals, ", ")?;
                f.write_str(")")?;
            }
            ClassSpec::Der { function, wrt } => {
                write!(f, "{} = der({function}, ", self.name)?;
                separated(f, wrt, ", ")?;
                f.write_str(")")?;
            }
            ClassSpec::Error => f.write_str("?")?,
        }
        if let Some(constraint) = &self.constrained_by {
            write!(f, " {constraint}")?;
        }
        match self.spec {
            ClassSpec::Long(_) | ClassSpec::Extends { .. } => Ok(()),
            _ => Behind(&self.comment).fmt(f),
        }
    }

    /// Description, body, annotation and `end` of a long class.
    fn body(&self, f: &mut Formatter<'_>, body: &ClassBody) -> fmt::Result {
        if let Some(description) = &self.comment.description {
            write!(f, " {description}")?;
        }
        writeln!(f)?;
        body.fmt(f)?;
        if let Some(annotation) = &self.comment.annotation {
            lines(f, std::slice::from_ref(annotation))?;
        }
        write!(f, "end {}", self.name)
    }
}

impl Display for ClassBody {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for run in self.elements.chunk_by(|a, b| a.protected == b.protected) {
            if run.first().is_some_and(|element| element.protected) {
                writeln!(f, "protected")?;
            } else if self
                .elements
                .first()
                .is_some_and(|first| !std::ptr::eq(first, &run[0]))
            {
                writeln!(f, "public")?;
            }
            lines(f, run)?;
        }
        for section in &self.sections {
            section.fmt(f)?;
        }
        match &self.external {
            Some(external) => lines(f, std::slice::from_ref(external)),
            None => Ok(()),
        }
    }
}

impl Display for Section {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        word(f, self.initial, "initial")?;
        match &self.kind {
            SectionKind::Equations(list) => {
                writeln!(f, "equation")?;
                lines(f, list)
            }
            SectionKind::Algorithm(list) => {
                writeln!(f, "algorithm")?;
                lines(f, list)
            }
        }
    }
}

impl Display for External {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str("external")?;
        if let Some(language) = &self.language {
            write!(f, " {language}")?;
        }
        if let Some(output) = &self.output {
            write!(f, " {output} =")?;
        }
        if let Some(name) = &self.name {
            write!(f, " {name}(")?;
            separated(f, &self.args, ", ")?;
            f.write_str(")")?;
        }
        match &self.annotation {
            Some(annotation) => write!(f, " {annotation}"),
            None => Ok(()),
        }
    }
}

impl Display for ShortClass {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.type_prefix, self.base)?;
        bracketed(f, &self.dims)?;
        arguments(f, &self.modification)
    }
}

impl Display for EnumLiteral {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.name, Behind(&self.comment))
    }
}

impl Display for Element {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match &self.kind {
            ElementKind::Import(import) => import.fmt(f),
            ElementKind::Extends(extends) => extends.fmt(f),
            ElementKind::Class(class) => class.fmt(f),
            ElementKind::Components(clause) => clause.fmt(f),
            ElementKind::Error => f.write_str("?"),
        }
    }
}

impl Display for Import {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str("import ")?;
        match &self.kind {
            ImportKind::Qualified => self.path.fmt(f)?,
            ImportKind::Renaming(name) => write!(f, "{name} = {}", self.path)?,
            ImportKind::All => write!(f, "{}.*", self.path)?,
            ImportKind::Names(names) => {
                write!(f, "{}.{{", self.path)?;
                separated(f, names, ", ")?;
                f.write_str("}")?;
            }
        }
        Behind(&self.comment).fmt(f)
    }
}

impl Display for Extends {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "extends {}", self.base)?;
        arguments(f, &self.modification)?;
        match &self.annotation {
            Some(annotation) => write!(f, " {annotation}"),
            None => Ok(()),
        }
    }
}

impl Display for ConstrainedBy {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "constrainedby {}", self.base)?;
        arguments(f, &self.modification)
    }
}

impl Display for ComponentClause {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.prefixes.fmt(f)?;
        self.without_prefixes(f)?;
        Behind(&self.comment).fmt(f)
    }
}

impl ComponentClause {
    fn without_prefixes(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.type_prefix, self.type_name)?;
        bracketed(f, &self.dims)?;
        f.write_str(" ")?;
        separated(f, &self.declarations, ", ")?;
        match &self.constrained_by {
            Some(constraint) => write!(f, " {constraint}"),
            None => Ok(()),
        }
    }
}

impl Display for ComponentDecl {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.name.fmt(f)?;
        bracketed(f, &self.dims)?;
        if let Some(modification) = &self.modification {
            modification.fmt(f)?;
        }
        if let Some(condition) = &self.condition {
            write!(f, " if {condition}")?;
        }
        Behind(&self.comment).fmt(f)
    }
}

/// `(a, b)`, nothing when there are none.
fn arguments(f: &mut Formatter<'_>, args: &[Argument]) -> fmt::Result {
    if args.is_empty() {
        Ok(())
    } else {
        parenthesised(f, args)
    }
}

fn parenthesised(f: &mut Formatter<'_>, args: &[Argument]) -> fmt::Result {
    f.write_str("(")?;
    separated(f, args, ", ")?;
    f.write_str(")")
}

impl Display for Modification {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match &self.binding {
            None => parenthesised(f, &self.args),
            Some(binding) => {
                arguments(f, &self.args)?;
                match binding {
                    Binding::Expr(expr) => write!(f, " = {expr}"),
                    Binding::Break(_) => f.write_str(" = break"),
                }
            }
        }
    }
}

impl Display for Argument {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let prefixes = match &self.kind {
            ArgumentKind::RedeclareComponent(clause) => clause.prefixes,
            ArgumentKind::RedeclareClass(class) => class.prefixes,
            _ => ElementPrefixes::default(),
        };
        word(f, prefixes.redeclare, "redeclare")?;
        word(f, self.each, "each")?;
        word(f, self.final_, "final")?;
        word(f, prefixes.inner, "inner")?;
        word(f, prefixes.outer, "outer")?;
        word(f, prefixes.replaceable, "replaceable")?;
        match &self.kind {
            ArgumentKind::Modify {
                target,
                modification,
                comment,
            } => {
                separated(f, target, ".")?;
                if let Some(modification) = modification {
                    modification.fmt(f)?;
                }
                Behind(comment).fmt(f)
            }
            ArgumentKind::RedeclareComponent(clause) => clause.without_prefixes(f),
            ArgumentKind::RedeclareClass(class) => class.header_and_body(f),
            ArgumentKind::BreakComponent(name) => write!(f, "break {name}"),
            ArgumentKind::BreakConnect(from, to) => write!(f, "break connect({from}, {to})"),
            ArgumentKind::Error => f.write_str("?"),
        }
    }
}

impl Display for Annotation {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str("annotation")?;
        parenthesised(f, &self.args)
    }
}

impl Display for Description {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&quote(&self.text))
    }
}
