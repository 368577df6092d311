//! What a model does, told from its name; for vendors that list names alone.

use crate::ModelKind;

/// What a name tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Guess {
    /// It is of this kind.
    Kind(ModelKind),
    /// It does something that no capability here is for, as transcribing or filtering.
    Other,
    /// Nothing in particular: most likely it answers in words.
    Unknown,
}

/// Words of names of models that do something else, or only through another interface.
const OTHER: &[&str] = &[
    "whisper",
    "transcribe",
    "transcription",
    "moderation",
    "realtime",
    "sora",
    "veo",
    "lyria",
    "live",
    "audio",
    "ocr",
    "rerank",
    "reranker",
    "aqa",
    "babbage",
    "davinci",
    "codex",
    "translate",
    "robotics",
    "computer",
    "dialog",
    "music",
    "video",
];
/// Words of names of models that make vectors.
const EMBED: &[&str] = &["embed", "embedding", "embeddings", "bge", "gte", "e5", "minilm"];
/// Words of names of models that make pictures.
const IMAGE: &[&str] = &["image", "dall", "imagen", "flux", "sdxl", "diffusion"];
/// Words of names of models that speak.
const SPEECH: &[&str] = &["tts", "speech"];

/// Looks at the words of a name.
pub(crate) fn guess(model: &str) -> Guess {
    let lower = model.to_lowercase();
    let words: Vec<&str> = lower.split(|c: char| !c.is_alphanumeric()).collect();
    let any = |list: &[&str]| words.iter().any(|word| list.contains(word));
    if any(EMBED) {
        Guess::Kind(ModelKind::TextToEmbedding)
    } else if any(SPEECH) {
        Guess::Kind(ModelKind::TextToSpeech)
    } else if any(IMAGE) {
        Guess::Kind(ModelKind::TextToImage)
    } else if any(OTHER) || lower.contains("deep-research") {
        Guess::Other
    } else {
        Guess::Unknown
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_what_models_do() {
        use ModelKind::{TextToEmbedding, TextToImage, TextToSpeech};
        for (name, kind) in [
            ("gpt-image-2", TextToImage),
            ("chatgpt-image-latest", TextToImage),
            ("dall-e-3", TextToImage),
            ("gemini-3-pro-image-preview", TextToImage),
            ("imagen-4.0-generate-001", TextToImage),
            ("black-forest/FLUX.1-dev", TextToImage),
            ("text-embedding-3-small", TextToEmbedding),
            ("mistral-embed", TextToEmbedding),
            ("nomic-embed-text:latest", TextToEmbedding),
            ("tts-1-hd", TextToSpeech),
            ("gemini-2.5-flash-preview-tts", TextToSpeech),
            ("voxtral-mini-tts-2603", TextToSpeech),
        ] {
            assert_eq!(guess(name), Guess::Kind(kind), "{name}");
        }
    }

    #[test]
    fn names_of_models_that_cannot_be_called_here_are_told_apart() {
        for name in ["whisper-1", "omni-moderation-latest", "gpt-realtime-2", "sora-2", "mistral-ocr-latest"]
        {
            assert_eq!(guess(name), Guess::Other, "{name}");
        }
        for name in ["gpt-6-luna", "claude-opus-5-5", "llama3.3:70b", "mistral-small-latest", "imagine-7b"] {
            assert_eq!(guess(name), Guess::Unknown, "{name}");
        }
    }
}
