//! The class tree: scopes, imports, extends and static lookup, per class and free of absolute spans.
