//! Schemas of answers in a vendor's dialect, and answers back out of it.

use gen_core::structured::{self, CompiledSchema, Dialect};
use gen_core::{ChatAnswer, ProviderError, ResponseSchema};

/// The schema as the vendor takes it, where one is asked for.
pub(crate) fn compiled(
    schema: Option<&ResponseSchema>,
    dialect: Dialect,
) -> Result<Option<CompiledSchema>, ProviderError> {
    schema.map(|schema| structured::compile(schema, dialect)).transpose().map_err(ProviderError::from)
}

/// The answer that the schema asked for, from one in the dialect.
pub(crate) fn decoded(answer: ChatAnswer, compiled: Option<&CompiledSchema>) -> ChatAnswer {
    match compiled {
        Some(compiled) => ChatAnswer { text: compiled.decode_text(&answer.text), ..answer },
        None => answer,
    }
}
