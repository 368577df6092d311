//! Names of models and providers.

use std::fmt;
use std::str::FromStr;

/// Who serves a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Provider {
    /// OpenAI.
    OpenAi,
    /// Anthropic.
    Anthropic,
    /// Google.
    Google,
    /// Mistral.
    Mistral,
    /// The service's own models.
    Formwork,
}

impl Provider {
    /// Every provider.
    pub const ALL: [Self; 5] = [Self::OpenAi, Self::Anthropic, Self::Google, Self::Mistral, Self::Formwork];

    /// The identifier used in model ids and filters.
    #[must_use]
    pub fn id(self) -> &'static str {
        match self {
            Self::OpenAi => "openai",
            Self::Anthropic => "anthropic",
            Self::Google => "google",
            Self::Mistral => "mistral",
            Self::Formwork => "formwork",
        }
    }

    /// The name shown to people.
    #[must_use]
    pub fn display_name(self) -> &'static str {
        match self {
            Self::OpenAi => "OpenAI",
            Self::Anthropic => "Anthropic",
            Self::Google => "Google",
            Self::Mistral => "Mistral",
            Self::Formwork => "Formwork",
        }
    }

    /// The provider with this identifier.
    #[must_use]
    pub fn from_id(id: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|provider| provider.id() == id)
    }
}

/// `model@provider`; the model's name may itself contain `@`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ModelId {
    /// The name that the provider knows it by.
    pub model: String,
    /// Who serves it.
    pub provider: Provider,
}

/// The name of the built-in model.
pub const EXTRACTIVE: &str = "extractive";

impl ModelId {
    /// `extractive@formwork`, which needs no key and no network.
    #[must_use]
    pub fn extractive() -> Self {
        Self { model: EXTRACTIVE.to_owned(), provider: Provider::Formwork }
    }

    /// Whether it is the built-in model.
    #[must_use]
    pub fn is_extractive(&self) -> bool {
        self.provider == Provider::Formwork && self.model == EXTRACTIVE
    }
}

impl fmt::Display for ModelId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}@{}", self.model, self.provider.id())
    }
}

/// Text that names no model.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ModelIdError {
    /// Not of the form `model@provider`.
    #[error("'modelId' must have the form model@provider")]
    Shape,
    /// A provider that is not known.
    #[error("'modelId' must end in @openai, @anthropic, @google, @mistral or @formwork")]
    Provider,
}

impl FromStr for ModelId {
    type Err = ModelIdError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (model, provider) = text.rsplit_once('@').ok_or(ModelIdError::Shape)?;
        if model.is_empty() || model.chars().nth(256).is_some() || model.chars().any(char::is_control) {
            return Err(ModelIdError::Shape);
        }
        let provider = Provider::from_id(provider).ok_or(ModelIdError::Provider)?;
        Ok(Self { model: model.to_owned(), provider })
    }
}

/// What a model turns into what.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ModelKind {
    /// Answers in words.
    TextToText,
    /// Makes pictures.
    TextToImage,
    /// Speaks.
    TextToSpeech,
    /// Makes vectors.
    TextToEmbedding,
}

impl ModelKind {
    /// The word for it in answers.
    #[must_use]
    pub fn id(self) -> &'static str {
        match self {
            Self::TextToText => "text-to-text",
            Self::TextToImage => "text-to-image",
            Self::TextToSpeech => "text-to-speech",
            Self::TextToEmbedding => "text-to-embedding",
        }
    }
}

/// A model that can be called now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Model {
    /// How it is named in requests.
    pub id: ModelId,
    /// Display name.
    pub name: String,
    /// What it turns into what.
    pub kind: ModelKind,
    /// Tokens that it reads at most; `None` when not known.
    pub context_tokens: Option<u32>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_model_id_splits_at_its_last_at_sign() {
        let id: ModelId = "a@b@openai".parse().unwrap();
        assert_eq!((id.model.as_str(), id.provider), ("a@b", Provider::OpenAi));
        assert_eq!(id.to_string(), "a@b@openai");
    }

    #[test]
    fn text_without_model_or_known_provider_is_refused() {
        for (text, error) in [
            ("", ModelIdError::Shape),
            ("extractive", ModelIdError::Shape),
            ("@formwork", ModelIdError::Shape),
            ("gpt@nobody", ModelIdError::Provider),
        ] {
            assert_eq!(text.parse::<ModelId>(), Err(error), "{text}");
        }
    }
}
