//! `POST /openai/v1/images/generations` and `POST /openai/v1/audio/speech`.

use actix_web::http::Method;
use actix_web::{HttpResponse, web};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use gen_core::{GenError, GenerateLimits, ImageRequest, ModelChoice, ModelId, ModelKind, SpeechRequest};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::super::operation::Registry;
use super::super::request::{Body, Caller};
use super::super::rules::NOT_BLANK;
use super::super::{ApiError, HandlerResult};
use super::completion::unix_seconds;
use crate::app::AppState;

/// Registers the operations of this file.
pub(super) fn register(registry: &mut Registry) {
    registry
        .operation(Method::POST, "/openai/v1/images/generations", "create_image", "Draws a picture.")
        .body::<ImageBody>()
        .example(|| json!({"model": "gpt-image-2@openai", "prompt": "A harbour at dawn"}))
        .answers::<ImageList>()
        .example(|| json!({"created": 1_773_480_413, "data": [{"b64_json": "iVBORw0KGgo="}]}))
        .fails(&[502, 504])
        .given_up_with_its_client()
        .to(create_image);
    registry
        .operation(Method::POST, "/openai/v1/audio/speech", "create_speech", "Speaks a text.")
        .body::<SpeechBody>()
        .example(|| json!({"model": "voxtral-tts@mistral", "input": "Good morning.", "voice": "alloy"}))
        .raw_answer("audio/*", schemars::json_schema!({"type": "string", "contentMediaType": "audio/*"}))
        .example(|| json!("(the sound)"))
        .fails(&[502, 504])
        .given_up_with_its_client()
        .to(create_speech);
}

/// The request as OpenAI's interface describes it. Size, quality and format are the model's own.
#[derive(Debug, Deserialize, JsonSchema)]
struct ImageBody {
    /// `model@provider`.
    model: String,
    /// What the picture shows.
    #[schemars(extend("pattern" = NOT_BLANK))]
    prompt: String,
    /// Number of pictures: 1.
    #[serde(default)]
    #[schemars(range(min = 1, max = 1))]
    n: Option<u64>,
    /// `b64_json`, the only form.
    #[serde(default)]
    #[schemars(extend("enum" = ["b64_json", null]))]
    response_format: Option<String>,
}

/// Pictures.
#[derive(Debug, Serialize, JsonSchema)]
struct ImageList {
    /// Seconds since 1970.
    created: i64,
    /// At least one.
    data: Vec<ImageRecord>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct ImageRecord {
    /// The file in Base64.
    b64_json: String,
}

/// The request as OpenAI's interface describes it. The format is the model's own.
#[derive(Debug, Deserialize, JsonSchema)]
struct SpeechBody {
    /// `model@provider`.
    model: String,
    /// The text to speak.
    #[schemars(extend("pattern" = NOT_BLANK))]
    input: String,
    /// The voice; the default of the provider's settings when absent.
    #[serde(default)]
    voice: Option<String>,
}

async fn create_image(
    state: web::Data<AppState>,
    caller: Caller,
    Body(wanted): Body<ImageBody>,
) -> HandlerResult {
    let prompt = checked("prompt", wanted.prompt)?;
    if wanted.n.is_some_and(|n| n != 1) {
        return Err(ApiError::invalid("/n", "'n' must be 1"));
    }
    if wanted.response_format.is_some_and(|format| format != "b64_json") {
        return Err(ApiError::invalid("/response_format", "'response_format' must be b64_json"));
    }
    let choice = choice(&state, &wanted.model, ModelKind::TextToImage)?;
    let request = ImageRequest { model: String::new(), prompt };
    let made = state.generation.image(&caller.payer(), &choice, request).await?;
    let data = made.answer.images.iter().map(|image| ImageRecord { b64_json: STANDARD.encode(&image.bytes) });
    let created = unix_seconds(state.clock.now());
    Ok(HttpResponse::Ok().json(ImageList { created, data: data.collect() }))
}

async fn create_speech(
    state: web::Data<AppState>,
    caller: Caller,
    Body(wanted): Body<SpeechBody>,
) -> HandlerResult {
    let text = checked("input", wanted.input)?;
    let choice = choice(&state, &wanted.model, ModelKind::TextToSpeech)?;
    let request = SpeechRequest { model: String::new(), text, voice: wanted.voice };
    let made = state.generation.speech(&caller.payer(), &choice, request).await?;
    Ok(HttpResponse::Ok().content_type(made.answer.audio.content_type).body(made.answer.audio.bytes))
}

/// A text that is neither empty nor longer than a prompt may be.
fn checked(name: &str, text: String) -> Result<String, ApiError> {
    let limit = GenerateLimits::default().text_chars;
    if text.trim().is_empty() {
        return Err(ApiError::invalid(format!("/{name}"), format!("'{name}' must not be empty")));
    }
    if text.chars().nth(limit).is_some() {
        let rule = format!("'{name}' has at most {limit} characters");
        return Err(ApiError::invalid(format!("/{name}"), rule));
    }
    Ok(text)
}

fn choice(state: &AppState, model: &str, kind: ModelKind) -> Result<ModelChoice, ApiError> {
    let model: ModelId = model.parse().map_err(GenError::from)?;
    state.generation.check_for(&model, kind)?;
    Ok(model.into())
}
