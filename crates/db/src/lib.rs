//! Salsa inputs (files, library roots, settings), the `System` door to the world, parse queries.
