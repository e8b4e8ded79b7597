//! The functions and operators that Modelica itself has (Modelica 3.6, sections 3.7, 10.3, 12.9 and 15 to 16).

/// A built-in function or operator with call syntax.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Builtin {
    pub name: &'static str,
    pub inputs: &'static [&'static str],
    pub about: &'static str,
}

/// The built-in of that name. O(number of built-ins).
pub fn builtin(name: &str) -> Option<&'static Builtin> {
    BUILTINS.iter().find(|it| it.name == name)
}

impl Builtin {
    /// `reinit(x, expr)`
    pub fn signature(&self) -> String {
        format!("{}({})", self.name, self.inputs.join(", "))
    }
}

macro_rules! builtins {
    ($($name:literal ($($input:literal),*) $about:literal;)*) => {
        &[$(Builtin { name: $name, inputs: &[$($input),*], about: $about },)*]
    };
}

/// All of them.
pub const BUILTINS: &[Builtin] = builtins! {
    "abs" ("v") "The value without its sign; an event where the sign changes.";
    "acos" ("u") "Inverse cosine, for -1 ≤ u ≤ 1.";
    "actualStream" ("stream_variable") "The value of a stream variable in the direction in which it flows.";
    "array" ("A", "B", "…") "The array {A, B, …}.";
    "asin" ("u") "Inverse sine, for -1 ≤ u ≤ 1.";
    "assert" ("condition", "message", "level = AssertionLevel.error") "Ends the simulation, or warns, where the condition is false.";
    "atan" ("u") "Inverse tangent.";
    "atan2" ("u1", "u2") "The angle of the point (u2, u1), in all four quadrants.";
    "cardinality" ("c") "How many connections a connector has. Deprecated.";
    "cat" ("k", "A", "B", "…") "Joins arrays along dimension k.";
    "ceil" ("x") "The smallest integer not below x, as a Real; an event where it changes.";
    "change" ("v") "Whether v differs from pre(v).";
    "cos" ("u") "Cosine.";
    "cosh" ("u") "Hyperbolic cosine.";
    "cross" ("x", "y") "The cross product of two vectors of length 3.";
    "delay" ("expr", "delayTime", "delayMax") "The value that expr had delayTime ago.";
    "der" ("expr") "The derivative with respect to time.";
    "diagonal" ("v") "The square matrix with v on its diagonal.";
    "div" ("x", "y") "The quotient without its fraction, as in C; an event where it changes.";
    "edge" ("b") "Whether b has just become true: b and not pre(b).";
    "exp" ("u") "Exponential, base e.";
    "fill" ("s", "n1", "n2", "…") "An array with all elements equal to s.";
    "floor" ("x") "The largest integer not above x, as a Real; an event where it changes.";
    "getInstanceName" () "The path of the instance it is evaluated in.";
    "homotopy" ("actual", "simplified") "The actual expression; initialization may start from the simplified one.";
    "identity" ("n") "The n × n identity matrix.";
    "initial" () "Whether the initial values are being determined.";
    "inStream" ("stream_variable") "The value of a stream variable if the flow goes in.";
    "Integer" ("e") "The number of an enumeration literal.";
    "integer" ("x") "The largest Integer not above x; an event where it changes.";
    "interval" ("u") "The time since the clock of u ticked before.";
    "linspace" ("x1", "x2", "n") "n equally spaced values from x1 to x2.";
    "log" ("u") "Natural logarithm, for u > 0.";
    "log10" ("u") "Logarithm, base 10, for u > 0.";
    "matrix" ("A") "The array as a matrix.";
    "max" ("x", "y") "The larger of two values, or the largest element of an array.";
    "min" ("x", "y") "The smaller of two values, or the smallest element of an array.";
    "mod" ("x", "y") "x - floor(x / y) * y; an event where it jumps.";
    "ndims" ("A") "The number of dimensions.";
    "noEvent" ("expr") "The expression taken literally: its relations make no events.";
    "ones" ("n1", "n2", "…") "An array of ones.";
    "outerProduct" ("x", "y") "The outer product of two vectors.";
    "pre" ("y") "The left limit of y: its value just before the event.";
    "product" ("A") "The product of all elements.";
    "promote" ("A", "n") "The array with dimensions of size one added up to n.";
    "reinit" ("x", "expr") "Gives the state x a new value at an event, in a when-equation.";
    "rem" ("x", "y") "x - div(x, y) * y; an event where it jumps.";
    "sample" ("start", "interval") "True at the instants start + i * interval.";
    "scalar" ("A") "The only element of an array.";
    "semiLinear" ("x", "k_positive", "k_negative") "k_positive * x for x ≥ 0, else k_negative * x.";
    "sign" ("v") "-1, 0 or 1; an event where it changes.";
    "sin" ("u") "Sine.";
    "sinh" ("u") "Hyperbolic sine.";
    "size" ("A", "i") "The length of dimension i, or without i the lengths of all dimensions.";
    "skew" ("x") "The skew-symmetric matrix of a vector of length 3.";
    "smooth" ("p", "expr") "expr, which is p times continuously differentiable: events are not needed.";
    "spatialDistribution" ("in0", "in1", "x", "positiveVelocity", "initialPoints", "initialValues") "Transport of properties with variable speed.";
    "sqrt" ("v") "Square root, for v ≥ 0.";
    "String" ("v", "significantDigits = 6", "minimumLength = 0", "leftJustified = true", "format") "The value as text.";
    "sum" ("A") "The sum of all elements.";
    "symmetric" ("A") "The symmetric matrix with the upper triangle of A.";
    "tan" ("u") "Tangent.";
    "tanh" ("u") "Hyperbolic tangent.";
    "terminal" () "Whether the simulation ends successfully.";
    "terminate" ("message") "Ends the simulation successfully.";
    "transpose" ("A") "The matrix with its first two dimensions exchanged.";
    "vector" ("A") "The array as a vector.";
    "zeros" ("n1", "n2", "…") "An array of zeros.";
};

#[cfg(test)]
mod tests {
    use super::BUILTINS;

    #[test]
    fn the_table_is_sorted_without_regard_to_case_and_names_each_once() {
        let names: Vec<String> = BUILTINS.iter().map(|it| it.name.to_lowercase()).collect();
        assert!(names.is_sorted(), "{names:?}");
        let exact: std::collections::BTreeSet<_> = BUILTINS.iter().map(|it| it.name).collect();
        assert_eq!(exact.len(), BUILTINS.len());
    }
}
