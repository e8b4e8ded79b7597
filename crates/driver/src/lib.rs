//! The concrete database, library discovery, and the `check`/`flatten` pipelines.
