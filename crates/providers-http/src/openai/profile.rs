//! Differences between providers with an OpenAI-compatible API.

use gen_core::structured::Dialect;

/// The vendor's public API, version 1.
pub const OPENAI_BASE_URL: &str = "https://api.openai.com/v1";

/// The vendor's public API, version 1.
pub const MISTRAL_BASE_URL: &str = "https://api.mistral.ai/v1";

/// The dialect of a provider.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Profile {
    /// Its name in traces. Own servers speak OpenAI's interface, whoever made their models.
    pub(super) interface: &'static str,
    /// The schema dialect of its models.
    pub(super) dialect: Dialect,
    /// Whether the token limit is called `max_completion_tokens`, not `max_tokens`.
    pub(super) completion_tokens: bool,
    /// Whether a stream reports usage only on request. Other providers report it always, and may reject the
    /// request.
    pub(super) asks_for_usage: bool,
    /// Whether models with a generation number reject `temperature`, `top_p` and `stop`.
    pub(super) fixed_temperature: bool,
    /// Whether the seed is called `random_seed`, not `seed`.
    pub(super) random_seed: bool,
    /// What the tool choice is called that requires a call of any tool.
    pub(super) requires_tool: &'static str,
    /// Whether ids of tool calls have nine letters and digits.
    pub(super) short_call_ids: bool,
    /// Maximum length of the id of a tool call, if known.
    pub(super) max_call_id: Option<usize>,
    /// Whether vectors are requested in base64, which is shorter.
    pub(super) base64_vectors: bool,
    /// Whether the number of dimensions is called `dimensions`, not `output_dimension`.
    pub(super) dimensions: bool,
    /// Maximum number of texts per embedding call.
    pub(super) texts: usize,
    /// Maximum size in bytes of the texts of an embedding call. No vendor's token is shorter than a byte.
    pub(super) text_bytes: usize,
    /// Whether it generates pictures, and whether base64 must be requested for them.
    pub(super) pictures: Option<AsksForBase64>,
    /// Default voice, if the field is called `voice`; else it is `voice_id`.
    pub(super) voice: Option<&'static str>,
    /// Maximum number of Unicode characters of a speech request, if known.
    pub(super) max_speech_characters: Option<usize>,
    /// Whether model names decide which models can be called.
    pub(super) kind_from_name: bool,
    /// Whether required fields may be missing in its answers.
    pub(super) lenient: bool,
}

/// Whether pictures come in base64 only on request.
pub(super) type AsksForBase64 = bool;

/// OpenAI: at most 300,000 tokens per embedding call (a byte is a token at most), and 4,096 characters per
/// speech request. Answers with 1,024 vectors of 3,072 numbers stay below the limit of a JSON answer.
pub(super) const OPENAI: Profile = Profile {
    interface: "openai",
    dialect: Dialect::OpenAi,
    completion_tokens: true,
    asks_for_usage: true,
    fixed_temperature: true,
    random_seed: false,
    requires_tool: "required",
    short_call_ids: false,
    max_call_id: Some(40),
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

/// Mistral: about 16,000 tokens per embedding call, so 32,000 bytes even at two bytes a token. It rejects
/// unknown fields.
pub(super) const MISTRAL: Profile = Profile {
    interface: "mistral_ai",
    dialect: Dialect::Mistral,
    completion_tokens: false,
    asks_for_usage: false,
    fixed_temperature: false,
    random_seed: true,
    requires_tool: "any",
    short_call_ids: true,
    max_call_id: None,
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

/// An own server: fewer texts a call, since its limits are not known. Chosen by hand.
pub(super) const OWN: Profile = Profile {
    interface: "openai",
    dialect: Dialect::Lenient,
    completion_tokens: false,
    asks_for_usage: true,
    fixed_temperature: false,
    random_seed: false,
    requires_tool: "required",
    short_call_ids: false,
    max_call_id: None,
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
    /// Whether `model` accepts an effort of reasoning: OpenAI's reasoning models, and own servers, which ignore what they
    /// do not know. Mistral's interface has none.
    pub(super) fn takes_effort(&self, model: &str) -> bool {
        if self.fixed_temperature { !self.takes_temperature(model) } else { self.lenient }
    }

    /// Whether `model` accepts a temperature, and with it the other parameters of sampling but the seed. OpenAI's reasoning models (`o1` and later, `gpt-5` and later,
    /// not their `chat` variants) reject it.
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
