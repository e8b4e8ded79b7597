//! Fixture language, event-log database and model runner for tests (development only).
