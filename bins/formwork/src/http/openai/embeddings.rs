//! `POST /openai/v1/embeddings`.

use actix_web::http::Method;
use actix_web::{HttpResponse, web};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use gen_core::{EmbedPurpose, EmbedRequest, ModelId, ModelKind};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::super::operation::Registry;
use super::super::request::{Body, Caller};
use super::super::{ApiError, HandlerResult};
use crate::app::AppState;

/// Maximum number of texts of a request, as OpenAI's.
const MAX_TEXTS: usize = 2_048;

/// Registers the operation of this file.
pub(super) fn register(registry: &mut Registry) {
    registry
        .operation(
            Method::POST,
            "/openai/v1/embeddings",
            "create_embeddings",
            "Computes the vectors of texts.",
        )
        .body::<EmbeddingsBody>()
        .example(|| json!({"model": "text-embedding-3-small@openai", "input": "Draught at berth 4"}))
        .answers::<EmbeddingList>()
        .example(|| {
            json!({
                "object": "list", "data": [{"object": "embedding", "index": 0, "embedding": [0.6, -0.8]}],
                "model": "text-embedding-3-small@openai", "usage": {"prompt_tokens": 5, "total_tokens": 5}
            })
        })
        .fails(&[502, 504])
        .given_up_with_its_client()
        .to(create);
}

/// The request as OpenAI's interface describes it.
#[derive(Debug, Deserialize, JsonSchema)]
struct EmbeddingsBody {
    /// `model@provider`.
    model: String,
    /// A text, or at most 2,048 of them. Lists of tokens are not supported.
    #[schemars(with = "TextInput")]
    input: Value,
    /// `float` (the default) or `base64`, which has 32-bit numbers in little-endian order.
    #[serde(default)]
    encoding_format: Option<EncodingFormat>,
    /// Number of dimensions, for models that support a choice.
    #[serde(default)]
    #[schemars(range(min = 1, max = 65_536))]
    dimensions: Option<u32>,
}

/// What `input` accepts.
#[derive(JsonSchema)]
#[serde(untagged)]
#[schemars(rename = "EmbeddingInput")]
#[expect(dead_code, reason = "the description needs the type alone")]
enum TextInput {
    One(String),
    Several(Vec<String>),
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum EncodingFormat {
    #[default]
    Float,
    Base64,
}

/// The vectors in the order of the texts.
#[derive(Debug, Serialize, JsonSchema)]
struct EmbeddingList {
    /// `list`.
    object: &'static str,
    /// One entry for each text.
    data: Vec<EmbeddingRecord>,
    /// The request's model.
    model: String,
    /// Tokens of the texts.
    usage: EmbeddingUsage,
}

#[derive(Debug, Serialize, JsonSchema)]
struct EmbeddingRecord {
    /// `embedding`.
    object: &'static str,
    /// Position of the text.
    index: usize,
    /// The numbers, or their bytes in Base64.
    embedding: Value,
}

#[derive(Debug, Serialize, JsonSchema)]
struct EmbeddingUsage {
    /// Input.
    prompt_tokens: u64,
    /// All.
    total_tokens: u64,
}

async fn create(
    state: web::Data<AppState>,
    caller: Caller,
    Body(wanted): Body<EmbeddingsBody>,
) -> HandlerResult {
    let texts = texts(wanted.input)?;
    let model: ModelId = wanted.model.parse().map_err(gen_core::GenError::from)?;
    state.generation.check_for(&model, ModelKind::TextToEmbedding)?;
    let request = EmbedRequest {
        model: String::new(),
        texts,
        dimensions: wanted.dimensions,
        purpose: EmbedPurpose::Document,
    };
    let made = state.generation.embed(&caller.payer(), &model, request).await?;
    let format = wanted.encoding_format.unwrap_or_default();
    let data = made.answer.vectors.iter().enumerate().map(|(index, vector)| EmbeddingRecord {
        object: "embedding",
        index,
        embedding: encoded(vector, format),
    });
    let tokens = made.usage.input_tokens;
    Ok(HttpResponse::Ok().json(EmbeddingList {
        object: "list",
        data: data.collect(),
        model: wanted.model,
        usage: EmbeddingUsage { prompt_tokens: tokens, total_tokens: tokens },
    }))
}

fn texts(input: Value) -> Result<Vec<String>, ApiError> {
    let rule = "'input' must be a text, or a list of texts; lists of tokens are not supported";
    let entries = match input {
        Value::String(text) => vec![Value::String(text)],
        Value::Array(entries) => entries,
        _ => return Err(ApiError::invalid("/input", rule)),
    };
    if entries.is_empty() || entries.len() > MAX_TEXTS {
        return Err(ApiError::invalid("/input", format!("'input' must have 1 to {MAX_TEXTS} texts")));
    }
    let text = |(at, entry)| match entry {
        Value::String(text) if !text.trim().is_empty() => Ok(text),
        Value::String(_) => {
            Err(ApiError::invalid(format!("/input/{at}"), "a text of 'input' must not be empty"))
        }
        _ => Err(ApiError::invalid(format!("/input/{at}"), rule)),
    };
    entries.into_iter().enumerate().map(text).collect()
}

fn encoded(vector: &[f32], format: EncodingFormat) -> Value {
    match format {
        EncodingFormat::Float => json!(vector),
        EncodingFormat::Base64 => {
            let bytes: Vec<u8> = vector.iter().flat_map(|number| number.to_le_bytes()).collect();
            json!(STANDARD.encode(bytes))
        }
    }
}
