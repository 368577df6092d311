//! Translates schemas into a vendor's dialect, and answers back from it.

use gen_core::structured::{self, CompiledSchema, Dialect};
use gen_core::{ChatAnswer, ProviderError, ResponseSchema};

/// The schema in the vendor's dialect, if one is requested.
pub(crate) fn compiled(
    schema: Option<&ResponseSchema>,
    dialect: Dialect,
) -> Result<Option<CompiledSchema>, ProviderError> {
    schema.map(|schema| structured::compile(schema, dialect)).transpose().map_err(ProviderError::from)
}

/// Decodes an answer from the dialect.
pub(crate) fn decoded(answer: ChatAnswer, compiled: Option<&CompiledSchema>) -> ChatAnswer {
    match compiled {
        Some(compiled) => ChatAnswer { text: compiled.decode_text(&answer.text), ..answer },
        None => answer,
    }
}
