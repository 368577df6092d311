//! Form schemas and the extraction engine.
