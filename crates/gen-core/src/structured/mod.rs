//! Structured answers: a JSON Schema in, a value that fits it out.
//!
//! Check the schema → compile it for the model → ask → parse or repair → undo the compiler's changes →
//! validate → ask again with what is wrong. It must not know forms, HTTP or vendors' wire formats.

mod ask;
mod asker;
mod compile;
mod dialect;
mod endless;
mod error;
mod format;
mod grammar;
mod keywords;
mod parse;
mod plan;
mod schema;
mod validate;

pub use ask::{StructuredAnswer, ask, ask_whole, doubled_cap, told_again};
pub use asker::{Asker, OneModel};
pub use compile::{Compiled, Unsupported, compile};
pub use dialect::Dialect;
pub use error::StructuredError;
pub use format::ResponseFormat;
pub use parse::{Parsed, Root, nested, parse, parse_where};
pub use plan::{fits, pose};
pub use schema::{MAX_SCHEMA, MAX_SCHEMA_NAME, Schema};
