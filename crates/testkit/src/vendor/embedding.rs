//! Embedding vectors, in OpenAI's wire format.

use serde_json::{Value, json};

use super::faults::split_mix;
use super::{Fault, openai};
use crate::upstream::Reply;

/// Dimensions of a vector: one per class of words.
const LENGTH: usize = 16;

/// The reply to an embedding request of `bytes` bytes.
pub(super) fn reply(body: &Value, bytes: usize, fault: Option<Fault>) -> Reply {
    let texts: Vec<&str> = body["input"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    let whole = answer(body, &texts, bytes, fault);
    match fault {
        Some(Fault::EmptyObject) => Reply::json(200, &json!({})),
        Some(Fault::CutAtLimit | Fault::CutSilently | Fault::CutFirstValue | Fault::CutFirstValueAtLimit) => {
            let text = whole.to_string();
            Reply::whole(200, "application/json", text.get(..text.len() / 3).unwrap_or_default().to_owned())
        }
        Some(fault) => openai::fault_reply(fault, &whole).unwrap_or_else(|| Reply::json(200, &whole)),
        None => Reply::json(200, &whole),
    }
}

/// Tokens charged for a request of `bytes` bytes.
pub(super) fn tokens(bytes: usize, fault: Option<Fault>) -> u64 {
    if fault.is_some_and(Fault::is_free) { 0 } else { (bytes / openai::BYTES_PER_TOKEN) as u64 }
}

fn answer(body: &Value, texts: &[&str], bytes: usize, fault: Option<Fault>) -> Value {
    let entry = |(index, text): (usize, &&str)| {
        // A copy of the first entry has its index too.
        let (index, text) = if fault == Some(Fault::Echo) { (0, texts[0]) } else { (index, *text) };
        let embedding = match fault {
            Some(Fault::WrongKinds) => json!(["much", "little"]),
            Some(Fault::EmptyContent) => json!([]),
            _ => json!(vector(text)),
        };
        json!({"object": "embedding", "index": index, "embedding": embedding})
    };
    let mut data: Vec<Value> = texts.iter().enumerate().map(entry).collect();
    if fault == Some(Fault::RepeatedRows) {
        data.extend(data.clone());
    }
    let mut answer = json!({"object": "list", "model": body["model"], "data": data});
    if fault != Some(Fault::NoUsage) {
        let read = tokens(bytes, fault);
        answer["usage"] = json!({"prompt_tokens": read, "total_tokens": read});
    }
    answer
}

/// Counts the words of each class (by hash), so texts that share words have similar vectors.
fn vector(text: &str) -> Vec<f64> {
    let mut counts = vec![0.01; LENGTH];
    for word in text.split(|sign: char| !sign.is_alphanumeric()).filter(|word| !word.is_empty()) {
        let hash = word.to_lowercase().bytes().fold(0, |hash, byte| split_mix(hash ^ u64::from(byte)));
        let class = usize::try_from(hash % LENGTH as u64).unwrap_or_default();
        if let Some(count) = counts.get_mut(class) {
            *count += 1.0;
        }
    }
    counts
}
