//! Mode changes: facts, mode change arrays, rescaling offsets, restart systems, transient modes.
