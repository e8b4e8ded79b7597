//! The instance tree: modifiers, redeclarations, types, variability, constant evaluation.
