//! In what the speakers of OpenAI's interface differ.

use gen_core::structured::Dialect;

/// Where OpenAI is.
pub const OPENAI_BASE_URL: &str = "https://api.openai.com/v1";

/// Where Mistral is.
pub const MISTRAL_BASE_URL: &str = "https://api.mistral.ai/v1";

/// How one of them wants to be spoken to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Profile {
    /// The schemas that its models are held to.
    pub(super) dialect: Dialect,
    /// The name of the bound is `max_completion_tokens`, else the older `max_tokens`.
    pub(super) completion_tokens: bool,
    /// A stream tells its tokens only when it is asked to; others tell them unasked, and may refuse the
    /// question.
    pub(super) asks_for_usage: bool,
    /// Models with a number of their generation refuse `temperature`.
    pub(super) fixed_temperature: bool,
    /// Vectors are asked for in base64, which is shorter.
    pub(super) base64_vectors: bool,
    /// The length of vectors is `dimensions`, else `output_dimension`.
    pub(super) dimensions: bool,
    /// Texts of one call for vectors.
    pub(super) texts: usize,
    /// Bytes of the texts of one call for vectors: no vendor's token is shorter than a byte.
    pub(super) text_bytes: usize,
    /// Whether it makes pictures, and whether it must be asked for them in base64.
    pub(super) pictures: Option<AsksForBase64>,
    /// The voice is `voice`, with this one unless another is set; else `voice_id`.
    pub(super) voice: Option<&'static str>,
    /// Unicode characters that it speaks at once, where that is known.
    pub(super) max_speech_characters: Option<usize>,
    /// Which of its models can be called is told from their names.
    pub(super) kind_from_name: bool,
    /// Its answers may lack what the interface demands.
    pub(super) lenient: bool,
}

/// Whether pictures come in base64 only when that is asked for.
pub(super) type AsksForBase64 = bool;

/// OpenAI: at most 300,000 tokens of embeddings at once, and 4,096 characters of speech. Answers with
/// 1,024 vectors of 3,072 numbers stay below the bound of a JSON answer.
pub(super) const OPENAI: Profile = Profile {
    dialect: Dialect::OpenAi,
    completion_tokens: true,
    asks_for_usage: true,
    fixed_temperature: true,
    base64_vectors: true,
    dimensions: true,
    texts: 1024,
    text_bytes: 300_000,
    pictures: Some(false),
    voice: Some("alloy"),
    max_speech_characters: Some(4096),
    kind_from_name: true,
    lenient: false,
};

/// Mistral: about 16,000 tokens of embeddings at once. It refuses fields that it does not know.
pub(super) const MISTRAL: Profile = Profile {
    dialect: Dialect::Mistral,
    completion_tokens: false,
    asks_for_usage: false,
    fixed_temperature: false,
    base64_vectors: false,
    dimensions: false,
    texts: 512,
    text_bytes: 32_000,
    pictures: None,
    voice: None,
    max_speech_characters: None,
    kind_from_name: true,
    lenient: false,
};

/// A server of one's own.
pub(super) const OWN: Profile = Profile {
    dialect: Dialect::Lenient,
    completion_tokens: false,
    asks_for_usage: true,
    fixed_temperature: false,
    base64_vectors: false,
    dimensions: true,
    texts: 256,
    text_bytes: 300_000,
    pictures: Some(true),
    voice: Some("alloy"),
    max_speech_characters: None,
    kind_from_name: false,
    lenient: true,
};

impl Profile {
    /// Whether `model` takes a temperature: OpenAI's reasoning models (`o1` and later, `gpt-5` and
    /// later, not their `chat` variants) refuse it.
    pub(super) fn takes_temperature(&self, model: &str) -> bool {
        if !self.fixed_temperature {
            return true;
        }
        let base = model.strip_prefix("ft:").unwrap_or(model);
        let starts_with_number = |text: &str| text.starts_with(|c: char| c.is_ascii_digit());
        if base.strip_prefix('o').is_some_and(starts_with_number) {
            return false;
        }
        let generation = base.strip_prefix("gpt-").and_then(|rest| {
            let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
            rest[..digits].parse::<u32>().ok()
        });
        generation.is_none_or(|generation| generation < 5) || base.contains("-chat")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasoning_models_take_no_temperature() {
        for model in ["o1", "o3-mini", "gpt-5", "gpt-5.6", "gpt-6-luna", "ft:gpt-5-mini:acme", "gpt-12"] {
            assert!(!OPENAI.takes_temperature(model), "{model}");
        }
        for model in ["gpt-4o", "gpt-4.1-mini", "gpt-5-chat-latest", "chatgpt-4o-latest", "omni"] {
            assert!(OPENAI.takes_temperature(model), "{model}");
        }
        assert!(MISTRAL.takes_temperature("o1") && OWN.takes_temperature("gpt-5"));
    }
}
