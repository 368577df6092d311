//! Structured answers: a JSON Schema in, a value that fits it out.
//!
//! Check the schema → compile it for the model → ask → parse or repair → undo the compiler's changes →
//! validate → ask again with what is wrong. It must not know forms, HTTP or vendors' wire formats.

mod compile;
mod dialect;
mod grammar;
mod keywords;
mod parse;
mod schema;
mod validate;

pub use compile::{Compiled, Unsupported, compile};
pub use dialect::Dialect;
pub use parse::{Parsed, Root, nested, parse};
pub use schema::{MAX_SCHEMA, Schema};
