//! Guesses a model's capability from its name, for providers whose lists have names alone.

use crate::ModelKind;

/// The result of a guess.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KindGuess {
    /// The name is that of a model of this kind.
    Kind(ModelKind),
    /// The name is that of a model with a capability that the gateway does not support, such as transcription
    /// or moderation.
    Other,
    /// The name says nothing; most likely the model generates text.
    Unknown,
}

/// Words in the names of models with another capability, or only behind another API.
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
/// Words in the names of reranking models.
const RERANK: &[&str] = &["rerank", "reranker", "reranking"];
/// Words in the names of embedding models.
const EMBED: &[&str] = &["embed", "embedding", "embeddings", "bge", "gte", "e5", "minilm"];
/// Words in the names of image models.
const IMAGE: &[&str] = &["image", "dall", "imagen", "flux", "sdxl", "diffusion"];
/// Words in the names of speech models.
const SPEECH: &[&str] = &["tts", "speech"];

/// Prefixes of words in the names of open embedding models.
const OPEN_EMBED: &[&str] = &[
    "embed", "bge", "gte", "e5", "minilm", "mpnet", "labse", "sbert", "arctic", "stella", "jina", "nomic",
    "mxbai", "splade", "colbert",
];
/// Prefixes of words in the names of open image models.
const OPEN_IMAGE: &[&str] = &[
    "flux",
    "sdxl",
    "sd1",
    "sd2",
    "sd3",
    "sd15",
    "sd21",
    "sd35",
    "diffusion",
    "dreamshaper",
    "juggernaut",
    "pixart",
    "kandinsky",
    "playground",
    "hidream",
    "kolors",
    "sana",
    "chroma",
    "lumina",
    "auraflow",
    "image",
    "dall",
];
/// Prefixes of words in the names of open speech models.
const OPEN_SPEECH: &[&str] = &[
    "tts",
    "xtts",
    "kokoro",
    "piper",
    "orpheus",
    "bark",
    "parler",
    "speecht5",
    "styletts",
    "melotts",
    "chattts",
    "cosyvoice",
    "chatterbox",
    "vits",
    "tortoise",
    "speech",
    "fishspeech",
    "dia",
    "zonos",
];
/// Prefixes of words in the names of open models that transcribe, which the gateway does not support.
const OPEN_OTHER: &[&str] = &["whisper", "transcri", "stt", "asr", "parakeet", "canary"];
/// Words in the names of models that generate text, whatever other words a name has.
const OF_WORDS: &[&str] =
    &["coder", "code", "chat", "instruct", "it", "llm", "vl", "vlm", "vision", "reasoning"];

/// Guesses the capability of a model on one of the operator's own servers by the families of open models
/// (Hugging Face, as of 2026). The name may be a path (`black-forest-labs/FLUX.1-dev`). Of several families, an
/// unsupported capability goes first, then reranking, embeddings, speech and images.
#[must_use]
pub fn guess_open_model(model: &str) -> KindGuess {
    let lower = model.to_lowercase();
    // The owner before the last slash says nothing about the model.
    let own = lower.rsplit('/').next().unwrap_or(&lower);
    let words: Vec<&str> =
        own.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let is_of = |word: &str, list: &[&str]| {
        list.iter().any(|family| {
            let rest = word.strip_prefix(family);
            // Short family names are prefixes of many other words.
            rest.is_some_and(|rest| family.len() > 4 || rest.bytes().all(|byte| byte.is_ascii_digit()))
        })
    };
    let any = |list: &[&str]| words.iter().any(|word| is_of(word, list));
    if any(OPEN_OTHER) {
        return KindGuess::Other;
    }
    if any(RERANK) {
        return KindGuess::Kind(ModelKind::TextToScore);
    }
    if words.contains(&"embedding") || words.contains(&"embeddings") {
        return KindGuess::Kind(ModelKind::TextToEmbedding);
    }
    if words.iter().any(|word| OF_WORDS.contains(word)) {
        return KindGuess::Unknown;
    }
    if any(OPEN_EMBED) {
        KindGuess::Kind(ModelKind::TextToEmbedding)
    } else if any(OPEN_SPEECH) {
        KindGuess::Kind(ModelKind::TextToSpeech)
    } else if any(OPEN_IMAGE) {
        KindGuess::Kind(ModelKind::TextToImage)
    } else {
        KindGuess::Unknown
    }
}

/// Guesses the capability of a vendor's model by the words of its name.
pub(crate) fn guess(model: &str) -> KindGuess {
    let lower = model.to_lowercase();
    let words: Vec<&str> = lower.split(|c: char| !c.is_alphanumeric()).collect();
    let any = |list: &[&str]| words.iter().any(|word| list.contains(word));
    if any(RERANK) {
        KindGuess::Kind(ModelKind::TextToScore)
    } else if any(EMBED) {
        KindGuess::Kind(ModelKind::TextToEmbedding)
    } else if any(SPEECH) {
        KindGuess::Kind(ModelKind::TextToSpeech)
    } else if any(IMAGE) {
        KindGuess::Kind(ModelKind::TextToImage)
    } else if any(OTHER) || lower.contains("deep-research") {
        KindGuess::Other
    } else {
        KindGuess::Unknown
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_what_models_do() {
        use ModelKind::{TextToEmbedding, TextToImage, TextToScore, TextToSpeech};
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
            ("rerank-v3.5", TextToScore),
        ] {
            assert_eq!(guess(name), KindGuess::Kind(kind), "{name}");
        }
    }

    #[test]
    fn the_usual_open_models_are_known_by_their_families() {
        use ModelKind::{TextToEmbedding, TextToImage, TextToScore, TextToSpeech};
        for (name, kind) in [
            ("flux", TextToImage),
            ("black-forest-labs/FLUX.1-schnell", TextToImage),
            ("flux2-dev", TextToImage),
            ("stabilityai/stable-diffusion-xl-base-1.0", TextToImage),
            ("stable-diffusion-3.5-large", TextToImage),
            ("sdxl-turbo", TextToImage),
            ("sd3-medium", TextToImage),
            ("stable_diffusion:latest", TextToImage),
            ("hexgrad/Kokoro-82M", TextToSpeech),
            ("kokoro", TextToSpeech),
            ("piper-en_US-lessac-medium", TextToSpeech),
            ("coqui/XTTS-v2", TextToSpeech),
            ("xtts", TextToSpeech),
            ("canopylabs/orpheus-3b-0.1-ft", TextToSpeech),
            ("suno/bark-small", TextToSpeech),
            ("parler-tts/parler-tts-mini-v1", TextToSpeech),
            ("microsoft/speecht5_tts", TextToSpeech),
            ("BAAI/bge-m3", TextToEmbedding),
            ("intfloat/multilingual-e5-large-instruct-embedding", TextToEmbedding),
            ("intfloat/e5-base-v2", TextToEmbedding),
            ("nomic-embed-text:latest", TextToEmbedding),
            ("mxbai-embed-large", TextToEmbedding),
            ("all-minilm", TextToEmbedding),
            ("sentence-transformers/all-mpnet-base-v2", TextToEmbedding),
            ("snowflake-arctic-embed2", TextToEmbedding),
            ("jina-embeddings-v3", TextToEmbedding),
            ("Qwen/Qwen3-Embedding-8B", TextToEmbedding),
            ("Alibaba-NLP/gte-large-en-v1.5", TextToEmbedding),
            ("BAAI/bge-reranker-v2-m3", TextToScore),
            ("jina-reranker-v2-base-multilingual", TextToScore),
            ("Alibaba-NLP/gte-multilingual-reranker-base", TextToScore),
            ("Qwen/Qwen3-Reranker-0.6B", TextToScore),
            ("mixedbread-ai/mxbai-rerank-large-v1", TextToScore),
            ("rerank-2.5-lite", TextToScore),
            ("rerank-multilingual-v3.0", TextToScore),
        ] {
            assert_eq!(guess_open_model(name), KindGuess::Kind(kind), "{name}");
        }
        for name in ["whisper-large-v3", "openai/whisper-1", "distil-whisper", "nvidia/parakeet-tdt-0.6b"] {
            assert_eq!(guess_open_model(name), KindGuess::Other, "{name}");
        }
        for name in [
            "llama3.3:70b",
            "gemma-3-27b-it",
            "flux-coder",
            "qwen2.5-vl-7b-instruct",
            "mistral-nemo",
            "diablo-7b",
            "e5x-large",
            "barking-mad-8b",
            "jinx-7b",
            "phi-4",
            "deepseek-r1",
            "gpt-oss:20b",
            "command-r",
            "granite3-dense",
            "vicuna",
            "a",
            "tiny.gguf",
        ] {
            assert_eq!(guess_open_model(name), KindGuess::Unknown, "{name}");
        }
    }

    #[test]
    fn names_of_models_that_cannot_be_called_here_are_told_apart() {
        for name in ["whisper-1", "omni-moderation-latest", "gpt-realtime-2", "sora-2", "mistral-ocr-latest"]
        {
            assert_eq!(guess(name), KindGuess::Other, "{name}");
        }
        for name in ["gpt-6-luna", "claude-opus-5-5", "llama3.3:70b", "mistral-small-latest", "imagine-7b"] {
            assert_eq!(guess(name), KindGuess::Unknown, "{name}");
        }
    }
}
