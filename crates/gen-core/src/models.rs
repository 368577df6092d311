//! Ids of models and providers.

use std::fmt;
use std::str::FromStr;

use crate::server_name::ServerName;

/// The provider of a model.
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

    /// The display name.
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

    /// The provider with this identifier; `None` for an unknown one.
    #[must_use]
    pub fn from_id(id: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|provider| provider.id() == id)
    }
}

/// `model@provider`; the model's name may itself contain `@`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ModelId {
    /// The model's name at its provider.
    pub model: String,
    /// The provider.
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

    /// Whether this is the built-in model.
    #[must_use]
    pub fn is_extractive(&self) -> bool {
        self.provider == Provider::Formwork && self.model == EXTRACTIVE
    }

    /// The server of a model of one of the operator's own servers (`<server>/<model>@formwork`), and the
    /// model's name there. `None` for other models.
    #[must_use]
    pub fn server(&self) -> Option<(ServerName, &str)> {
        if self.provider != Provider::Formwork {
            return None;
        }
        let (server, model) = self.model.split_once('/')?;
        Some((server.parse().ok()?, model)).filter(|(_, model)| !model.is_empty())
    }
}

impl fmt::Display for ModelId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}@{}", self.model, self.provider.id())
    }
}

/// Why a text is not a model id.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ModelIdError {
    /// The text is not of the form `model@provider`, or the name is empty, longer than 256 characters or has
    /// control characters.
    #[error("'modelId' must have the form model@provider")]
    Shape,
    /// The provider is unknown.
    #[error("'modelId' must end in @openai, @anthropic, @google, @mistral or @formwork")]
    Provider,
}

impl FromStr for ModelId {
    type Err = ModelIdError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (model, provider) = text.rsplit_once('@').ok_or(ModelIdError::Shape)?;
        // Bounds the memory of logs and usage. Chosen by hand; no measurement is recorded.
        if model.is_empty() || model.chars().nth(256).is_some() || model.chars().any(char::is_control) {
            return Err(ModelIdError::Shape);
        }
        let provider = Provider::from_id(provider).ok_or(ModelIdError::Provider)?;
        Ok(Self { model: model.to_owned(), provider })
    }
}

/// The capability of a model, by input and output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ModelKind {
    /// Generates text.
    TextToText,
    /// Generates images.
    TextToImage,
    /// Generates speech.
    TextToSpeech,
    /// Computes embeddings.
    TextToEmbedding,
    /// Scores texts by their relevance to a query.
    TextToScore,
}

impl ModelKind {
    /// The verb phrase that follows "cannot" in
    /// [`GenError::UnsupportedKind`](crate::GenError::UnsupportedKind).
    #[must_use]
    pub fn verb(self) -> &'static str {
        match self {
            Self::TextToText => "answer in words",
            Self::TextToImage => "make pictures",
            Self::TextToSpeech => "speak",
            Self::TextToEmbedding => "make embeddings",
            Self::TextToScore => "rerank texts",
        }
    }

    /// The serialized name in answers.
    #[must_use]
    pub fn id(self) -> &'static str {
        match self {
            Self::TextToText => "text-to-text",
            Self::TextToImage => "text-to-image",
            Self::TextToSpeech => "text-to-speech",
            Self::TextToEmbedding => "text-to-embedding",
            Self::TextToScore => "text-to-score",
        }
    }
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
    fn a_model_of_an_own_server_is_named_behind_the_server_and_may_have_slashes_itself() {
        let id: ModelId = "gpu-1/org/llama@q4@formwork".parse().unwrap();
        assert_eq!(id.server(), Some(("gpu-1".parse().unwrap(), "org/llama@q4")));
        for other in ["extractive@formwork", "a/b@openai", "/b@formwork", "A/b@formwork", "a/@formwork"] {
            assert_eq!(other.parse::<ModelId>().unwrap().server(), None, "{other}");
        }
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
