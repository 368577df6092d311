//! Structured output: from a JSON Schema to a value that matches it.
//!
//! Check the schema → compile it for the model → ask → parse or repair → reverse the compiler's changes →
//! validate → ask again with the violations. It must not know forms, HTTP or vendors' wire formats.

mod ask;
mod asker;
mod compile;
mod dialect;
mod error;
mod finiteness;
mod format;
mod keywords;
mod parse;
mod plan;
mod schema;
mod schema_check;
mod validate;

pub use ask::{StructuredAnswer, ask, ask_whole, doubled_cap, repair_request};
pub use asker::{Asker, SingleModel};
pub use compile::{CompiledSchema, UnsupportedSchema, compile};
pub use dialect::Dialect;
pub use error::StructuredError;
pub use format::ResponseFormat;
pub use parse::{ParsedJson, RootKind, parse, parse_nested, parse_where};
pub use plan::{fits, set_response_schema};
pub use schema::{MAX_SCHEMA_NAME, Schema};
pub use schema_check::MAX_SCHEMA;
