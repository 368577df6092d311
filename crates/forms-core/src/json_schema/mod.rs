//! Forms from JSON Schema (drafts 4 to 2020-12, OpenAPI 3, and what Pydantic and Zod write), and JSON Schema of
//! forms.
//!
//! What a form cannot say is left out, and told in a warning. What JSON Schema cannot say of a form stands in
//! the keyword [`FORM_KEYWORD`], so that the way there and back changes nothing.

mod definition;
mod envelope;
mod export;
mod keywords;
mod node;
mod pairs;
mod reference;
mod union;

pub use crate::schema::is_json_schema;
pub use export::to_json_schema;
pub use node::{FormImport, from_json_schema};

/// The keyword of what JSON Schema cannot say of a field: an object of keys of a field's definition, which
/// replace those that the other keywords state; `null` states that there is no such key.
pub const FORM_KEYWORD: &str = "x-formwork";
