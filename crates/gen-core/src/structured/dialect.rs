//! The dialects of JSON Schema that models support.

use crate::{ModelId, Provider};

/// The part of JSON Schema that a provider supports.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Dialect {
    /// OpenAI's strict structured outputs.
    OpenAi,
    /// Mistral's, which follow OpenAI's.
    Mistral,
    /// Anthropic's `output_config.format`.
    Anthropic,
    /// Google's `responseJsonSchema`.
    Gemini,
    /// The operator's own servers: the whole schema, except what the grammars of llama.cpp reject.
    Lenient,
    /// The built-in model: the schema unchanged.
    Native,
}

impl Dialect {
    /// The dialect of a model.
    #[must_use]
    pub fn of(model: &ModelId) -> Self {
        match model.provider {
            Provider::OpenAi => Self::OpenAi,
            Provider::Mistral => Self::Mistral,
            Provider::Anthropic => Self::Anthropic,
            Provider::Google => Self::Gemini,
            Provider::Formwork if model.is_extractive() => Self::Native,
            Provider::Formwork => Self::Lenient,
        }
    }

    /// Whether every object must be closed, and the root must be an object.
    pub(super) fn is_closed(self) -> bool {
        matches!(self, Self::OpenAi | Self::Mistral | Self::Anthropic)
    }

    /// Whether the dialect supports a constraint with this value.
    pub(super) fn keeps(self, keyword: &str, value: &serde_json::Value) -> bool {
        let text = value.as_str().unwrap_or_default();
        match self {
            Self::OpenAi | Self::Mistral => match keyword {
                // Look-around and named groups are rejected.
                "pattern" => !text.contains("(?"),
                "format" => OPENAI_FORMATS.contains(&text),
                "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" | "multipleOf"
                | "minItems" | "maxItems" => true,
                _ => false,
            },
            Self::Anthropic => match keyword {
                "format" => ANTHROPIC_FORMATS.contains(&text),
                "minItems" => value.as_u64().is_some_and(|count| count <= 1),
                _ => false,
            },
            Self::Gemini => match keyword {
                "format" => matches!(text, "enum" | "date-time"),
                "minimum" | "maximum" | "minItems" | "maxItems" => true,
                _ => false,
            },
            Self::Lenient | Self::Native => true,
        }
    }
}

const OPENAI_FORMATS: &[&str] =
    &["date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"];
const ANTHROPIC_FORMATS: &[&str] =
    &["date-time", "time", "date", "duration", "email", "hostname", "uri", "ipv4", "ipv6", "uuid"];
