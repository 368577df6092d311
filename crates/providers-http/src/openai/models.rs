//! Lists of models: which can be called, and of which kind they are.

use chrono::{DateTime, NaiveDate};
use gen_core::{Fault, KindGuess, ListedModel, ModelKind, ProviderError, guess_open_model};

use super::model_page::{ModelEntry, ModelPage};
use super::profile::Profile;
use crate::lenient::Scalar;

/// Maximum number of characters of a model's name. Bounds the memory.
const LONGEST: usize = 256;

/// Substrings in names of vendors' models that need an API not called here.
const ELSEWHERE: &[&str] = &[
    "whisper",
    "transcribe",
    "realtime",
    "moderation",
    "gpt-audio",
    "audio-preview",
    "sora",
    "babbage",
    "davinci",
    "-instruct",
    "deep-research",
    "computer-use",
    "ocr",
];

/// The models of a page that can be called at `now`, in seconds since 1970.
pub(super) fn callable(
    profile: &Profile,
    page: ModelPage,
    now: i64,
) -> Result<Vec<ListedModel>, ProviderError> {
    let entries = match (page.data, page.models) {
        (None, None) => {
            return Err(ProviderError::new(Fault::Protocol, "the provider's answer has no list of models"));
        }
        (Some(data), models) if data.is_empty() => models.unwrap_or_default(),
        (data, models) => data.or(models).unwrap_or_default(),
    };
    Ok(entries.into_iter().filter_map(|entry| to_listed_model(profile, entry, now)).collect())
}

fn to_listed_model(profile: &Profile, entry: ModelEntry, now: i64) -> Option<ListedModel> {
    if shutdown_time(&entry.shutdown_date).is_some_and(|end| end <= now) {
        return None;
    }
    let name = entry.name.text();
    let model = entry.id.text().or(entry.model.text()).or(name.clone())?;
    if model.is_empty() || model.chars().nth(LONGEST).is_some() || model.chars().any(char::is_control) {
        return None;
    }
    let small = model.to_lowercase();
    let said = by_capabilities(&entry.capabilities.0).or(by_type(&entry.r#type));
    if said.is_none() && profile.kind_from_name && ELSEWHERE.iter().any(|part| small.contains(part)) {
        return None;
    }
    let meta = entry.meta.unwrap_or_default();
    let window = entry.max_context_length.0.or(meta.n_ctx.0).or(meta.n_ctx_train.0);
    Some(ListedModel {
        kind: said.or_else(|| by_name(profile, &small)),
        name: name.filter(|name| *name != model && name.chars().nth(LONGEST).is_none()),
        context_tokens: window.filter(|tokens| *tokens > 0).and_then(|tokens| tokens.try_into().ok()),
        output_tokens: None,
        model,
    })
}

/// Shutdown time of a model in seconds since 1970, from a number or a date.
fn shutdown_time(date: &Scalar) -> Option<i64> {
    match date {
        Scalar::Number(seconds) => Some(*seconds as i64),
        Scalar::Text(text) => {
            let moment = DateTime::parse_from_rfc3339(text).ok().map(|moment| moment.timestamp());
            moment.or_else(|| {
                let day = NaiveDate::parse_from_str(text, "%Y-%m-%d").ok()?;
                Some(day.and_hms_opt(0, 0, 0)?.and_utc().timestamp())
            })
        }
        Scalar::None | Scalar::Flag(_) => None,
    }
}

/// The kind from Mistral's flags and from the terms of own servers.
fn by_capabilities(names: &[String]) -> Option<ModelKind> {
    let has = |words: &[&str]| names.iter().any(|name| words.contains(&name.as_str()));
    if has(&["completion_chat", "completion", "chat"]) {
        Some(ModelKind::TextToText)
    } else if has(&["embedding", "embeddings", "embed"]) {
        Some(ModelKind::TextToEmbedding)
    } else if has(&["rerank", "reranking"]) {
        Some(ModelKind::TextToScore)
    } else if has(&["audio_speech", "speech", "tts"]) {
        Some(ModelKind::TextToSpeech)
    } else if has(&["image_generation", "images"]) {
        Some(ModelKind::TextToImage)
    } else {
        None
    }
}

fn by_type(word: &Scalar) -> Option<ModelKind> {
    let Scalar::Text(word) = word else { return None };
    match word.as_str() {
        "llm" | "vlm" => Some(ModelKind::TextToText),
        "embedding" | "embeddings" => Some(ModelKind::TextToEmbedding),
        "rerank" | "reranker" => Some(ModelKind::TextToScore),
        _ => None,
    }
}

/// The kind from a model's name. Other models of own servers generate text.
fn by_name(profile: &Profile, name: &str) -> Option<ModelKind> {
    if !profile.kind_from_name {
        return match guess_open_model(name) {
            KindGuess::Kind(kind) => Some(kind),
            KindGuess::Unknown => Some(ModelKind::TextToText),
            KindGuess::Other => None,
        };
    }
    let has = |words: &[&str]| words.iter().any(|word| name.contains(word));
    if has(&["embed"]) {
        Some(ModelKind::TextToEmbedding)
    } else if has(&["tts"]) {
        Some(ModelKind::TextToSpeech)
    } else if has(&["dall-e", "gpt-image", "chatgpt-image"]) {
        Some(ModelKind::TextToImage)
    } else if has(&["gpt-", "chatgpt"]) || is_reasoning(name) {
        Some(ModelKind::TextToText)
    } else {
        None
    }
}

/// Whether the name is one of OpenAI's `o1`, `o3-mini` and similar.
fn is_reasoning(name: &str) -> bool {
    name.strip_prefix('o').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::super::model_page::ModelListPage;
    use super::super::profile::{MISTRAL, OPENAI, OWN};
    use super::*;

    /// 1 December 2026.
    const NOW: i64 = 1_796_083_200;

    fn list(profile: &Profile, answer: Value) -> Vec<ListedModel> {
        callable(profile, serde_json::from_value::<ModelListPage>(answer).unwrap().0, NOW).unwrap()
    }

    fn names(models: &[ListedModel]) -> Vec<&str> {
        models.iter().map(|model| model.model.as_str()).collect()
    }

    #[test]
    fn models_past_their_end_are_left_out() {
        let models = list(
            &OPENAI,
            json!({"object": "list", "data": [
                {"id": "gpt-a", "shutdown_date": "2026-10-23"},
                {"id": "gpt-b", "shutdown_date": "2027-01-14"},
                {"id": "gpt-c", "shutdown_date": NOW},
                {"id": "gpt-d", "shutdown_date": NOW + 1},
                {"id": "gpt-e", "shutdown_date": null},
                {"id": "gpt-f", "shutdown_date": "2026-11-30T23:59:59Z"},
                {"id": "gpt-g", "shutdown_date": "some day"}
            ]}),
        );
        assert_eq!(names(&models), ["gpt-b", "gpt-d", "gpt-e", "gpt-g"]);
    }

    #[test]
    fn the_kind_comes_from_the_name_where_the_entry_says_nothing() {
        let ids = ["gpt-6-luna", "o3", "gpt-image-2", "text-embedding-3-small", "tts-1", "odd"];
        let data: Vec<Value> = ids.iter().map(|id| json!({"id": id})).collect();
        let kinds = list(&OPENAI, json!({"data": data})).iter().map(|model| model.kind).collect::<Vec<_>>();
        assert_eq!(
            kinds,
            [
                Some(ModelKind::TextToText),
                Some(ModelKind::TextToText),
                Some(ModelKind::TextToImage),
                Some(ModelKind::TextToEmbedding),
                Some(ModelKind::TextToSpeech),
                None,
            ]
        );
        assert!(list(&OPENAI, json!({"data": [{"id": "whisper-1"}, {"id": "gpt-realtime-2"}]})).is_empty());
    }

    #[test]
    fn what_an_entry_says_goes_before_its_name() {
        let models = list(
            &MISTRAL,
            json!({"data": [
                {"id": "m-large", "name": "Large", "max_context_length": 131_072,
                    "capabilities": {"completion_chat": true, "vision": false}},
                {"id": "m-voice", "capabilities": {"completion_chat": false, "audio_speech": true}},
                {"id": "m-embed", "capabilities": {"completion_chat": false}},
                {"id": "m-ocr", "capabilities": {"ocr": true}}
            ]}),
        );
        let kinds = models.iter().map(|model| model.kind).collect::<Vec<_>>();
        assert_eq!(names(&models), ["m-large", "m-voice", "m-embed"]);
        assert_eq!(
            kinds,
            [Some(ModelKind::TextToText), Some(ModelKind::TextToSpeech), Some(ModelKind::TextToEmbedding)]
        );
        assert_eq!((models[0].name.as_deref(), models[0].context_tokens), (Some("Large"), Some(131_072)));
    }

    #[test]
    fn an_answer_without_a_list_is_not_an_empty_one() {
        let answer: ModelListPage = serde_json::from_value(json!({"object": "list"})).unwrap();
        assert_eq!(callable(&OWN, answer.0, NOW).unwrap_err().fault, Fault::Protocol);
        assert!(list(&OWN, json!({"object": "list", "data": null})).is_empty());
    }

    #[test]
    fn lists_of_own_servers_are_read_in_odd_forms() {
        let llama = json!({
            "models": [{"name": "tiny.gguf", "model": "tiny.gguf", "capabilities": ["completion"]}],
            "object": "list",
            "data": [{"id": "tiny.gguf", "meta": {"n_ctx": 4096, "n_ctx_train": 8192}}]
        });
        assert_eq!(list(&OWN, llama)[0].context_tokens, Some(4096));
        for answer in [
            json!([{"id": "a"}]),
            json!({"models": [{"name": "a", "capabilities": ["completion"]}]}),
            json!({"data": [{"id": "a", "max_model_len": "odd", "type": "llm"}, {"id": 7}, {}]}),
            json!({"data": null, "models": [{"model": "a"}]}),
        ] {
            let models = list(&OWN, answer.clone());
            assert_eq!(names(&models), ["a"], "{answer}");
            assert_eq!(models[0].kind, Some(ModelKind::TextToText), "{answer}");
        }
    }
}
