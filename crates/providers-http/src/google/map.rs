//! Maps requests and answers between the ports and the Gemini API. No I/O.

use std::borrow::Cow;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use gen_core::{
    ChatAnswer, ChatRequest, EmbedPurpose, Fault, Finish, ImageAnswer, ImageRequest, ListedModel, Media,
    Message, ModelKind, Part, ProviderError, Role, SpeechAnswer, SpeechRequest, Usage,
};
use serde_json::Value;

use super::answer::{AnswerState, usage};
use super::media;
use super::tools::{call_part, result_part, tools};
use super::wire::{
    BatchEmbedRequest, BatchEmbedResponse, ContentParam, DIMENSIONS, EmbedContentRequest, GenerateRequest,
    GenerateResponse, GenerationConfig, InlineDataParam, ModelInfo, PartParam, PrebuiltVoice, ResponseFormat,
    SpeechConfig, TextFormat, ThinkingConfig, UsageMetadata, VoiceConfig,
};
use crate::chat_stream::TOKEN_CHARS;
use crate::prompt::DocumentNumbers;

/// How a structured answer is requested.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum GoogleStructured {
    /// `responseMimeType` and `responseJsonSchema`. The default: the vendor calls them deprecated, but its
    /// own client (google-genai 3.4.0) sends only these to the Gemini API, and marks the newer field as not
    /// supported there.
    #[default]
    JsonSchema,
    /// `responseFormat` with a `text` entry.
    ResponseFormat,
}

/// The body of `request`, with the schema in the vendor's dialect.
pub(super) fn request<'a>(
    request: &'a ChatRequest,
    schema: Option<&'a Value>,
    structured: GoogleStructured,
) -> Result<GenerateRequest<'a>, ProviderError> {
    let contents = contents(&request.messages);
    if contents.is_empty() {
        return Err(ProviderError::unsupported("the request has no message with text"));
    }
    let mut config = GenerationConfig {
        temperature: request.temperature,
        top_p: request.top_p,
        seed: request.seed,
        thinking_config: request.effort.map(|effort| ThinkingConfig { thinking_level: effort.name() }),
        stop_sequences: &request.stop,
        max_output_tokens: request.max_tokens,
        ..GenerationConfig::default()
    };
    match (schema, structured) {
        (None, _) => {}
        (Some(schema), GoogleStructured::JsonSchema) => {
            config.response_mime_type = Some("application/json");
            config.response_json_schema = Some(schema);
        }
        (Some(schema), GoogleStructured::ResponseFormat) => {
            let text = TextFormat { mime_type: "APPLICATION_JSON", schema };
            config.response_format = Some([ResponseFormat { text }]);
        }
    }
    let samples = request.temperature.is_some() || request.top_p.is_some() || request.seed.is_some();
    let asked =
        samples || request.effort.is_some() || request.max_tokens.is_some() || !request.stop.is_empty();
    let system = request.system.as_deref().filter(|text| !text.trim().is_empty());
    let (tools, tool_config) = tools(&request.tools);
    Ok(GenerateRequest {
        contents,
        tools,
        tool_config,
        system_instruction: system.map(|text| content(None, text)),
        generation_config: (asked || schema.is_some()).then_some(config),
    })
}

/// The conversation without empty texts, which the API rejects.
fn contents(messages: &[Message]) -> Vec<ContentParam<'_>> {
    let mut numbers = DocumentNumbers::default();
    let mut contents = Vec::with_capacity(messages.len());
    for message in messages {
        let mut parts = Vec::with_capacity(message.parts.len());
        for part in &message.parts {
            parts.push(match part {
                Part::Text(text) if text.trim().is_empty() => continue,
                Part::Text(text) => text_part(Cow::Borrowed(text.as_str())),
                Part::Document { name, description, text } => {
                    text_part(Cow::Owned(numbers.document(name, description.as_deref(), text)))
                }
                Part::Picture(Media { bytes, content_type }) => PartParam {
                    inline_data: Some(InlineDataParam {
                        mime_type: content_type,
                        data: STANDARD.encode(bytes),
                    }),
                    ..PartParam::default()
                },
                Part::ToolCall(call) => {
                    let is_first = parts.iter().all(|part: &PartParam<'_>| part.function_call.is_none());
                    call_part(call, is_first)
                }
                Part::ToolResult { name, text, .. } => result_part(name, text),
            });
        }
        let role = match message.role {
            Role::User => "user",
            Role::Assistant => "model",
        };
        if !parts.is_empty() {
            contents.push(ContentParam { role: Some(role), parts });
        }
    }
    contents
}

fn content<'a>(role: Option<&'static str>, text: &'a str) -> ContentParam<'a> {
    ContentParam { role, parts: vec![text_part(Cow::Borrowed(text))] }
}

fn text_part(text: Cow<'_, str>) -> PartParam<'_> {
    PartParam { text: Some(text), ..PartParam::default() }
}

/// The body of a picture request.
pub(super) fn image_request(request: &ImageRequest) -> GenerateRequest<'_> {
    let config =
        GenerationConfig { response_modalities: Some(&["IMAGE", "TEXT"]), ..GenerationConfig::default() };
    media_request(&request.prompt, config)
}

/// The body of a speech request; `voice` is the default.
pub(super) fn speech_request<'a>(request: &'a SpeechRequest, voice: &'a str) -> GenerateRequest<'a> {
    let voice_name = request.voice.as_deref().unwrap_or(voice);
    let voice_config = VoiceConfig { prebuilt_voice_config: PrebuiltVoice { voice_name } };
    let config = GenerationConfig {
        response_modalities: Some(&["AUDIO"]),
        speech_config: Some(SpeechConfig { voice_config }),
        ..GenerationConfig::default()
    };
    media_request(&request.text, config)
}

fn media_request<'a>(text: &'a str, config: GenerationConfig<'a>) -> GenerateRequest<'a> {
    let contents = vec![content(Some("user"), text)];
    GenerateRequest {
        contents,
        system_instruction: None,
        generation_config: Some(config),
        tools: None,
        tool_config: None,
    }
}

/// The text answer. `has_tools`: whether tools were offered, without which calls are none.
pub(super) fn answer(response: GenerateResponse, has_tools: bool) -> Result<ChatAnswer, ProviderError> {
    let mut answering = AnswerState::new(has_tools);
    let text = answering.read(response);
    let finish = answering.finish()?;
    let (usage, tool_calls) = (answering.usage(), answering.take_calls());
    Ok(ChatAnswer { text, tool_calls, finish, usage, ..ChatAnswer::default() })
}

/// The pictures of an answer.
pub(super) fn images(response: GenerateResponse) -> Result<ImageAnswer, ProviderError> {
    let mut answering = AnswerState::default();
    let text = answering.read(response);
    answering.finish()?;
    if answering.files.is_empty() {
        // The model explains in text why: this is a refusal.
        return Err(answering.failed(Fault::Refused, "the model made no picture", ""));
    }
    let usage = answering.usage();
    let images = answering.files.iter().map(media::picture).collect::<Result<_, _>>();
    let images = images.map_err(|error| ProviderError { usage, ..error })?;
    Ok(ImageAnswer { images, text, usage })
}

/// The speech of an answer.
pub(super) fn speech(response: GenerateResponse) -> Result<SpeechAnswer, ProviderError> {
    let mut answering = AnswerState::default();
    answering.read(response);
    match answering.finish()? {
        Finish::Stop | Finish::ToolCalls | Finish::Other => {}
        Finish::Length => {
            let message = "the text is longer than the model speaks at once";
            return Err(answering.failed(Fault::ContextTooLong, message, ""));
        }
        Finish::Refused => {
            return Err(answering.failed(Fault::Refused, "the provider withheld the answer", ""));
        }
    }
    if answering.files.is_empty() {
        return Err(answering.failed(Fault::Refused, "the model did not speak", ""));
    }
    let usage = answering.usage();
    let audio = media::sound(&answering.files).map_err(|error| ProviderError { usage, ..error })?;
    Ok(SpeechAnswer { audio, usage })
}

/// The body of an embedding request. `model` has the prefix `models/`.
pub(super) fn embed_request<'a>(
    model: &'a str,
    texts: &'a [String],
    purpose: EmbedPurpose,
    dimensions: Option<u32>,
) -> BatchEmbedRequest<'a> {
    let task_type = match purpose {
        EmbedPurpose::Document => "RETRIEVAL_DOCUMENT",
        EmbedPurpose::Query => "RETRIEVAL_QUERY",
    };
    let one = |text: &'a String| EmbedContentRequest {
        model,
        content: content(Some("user"), text),
        task_type,
        output_dimensionality: dimensions,
    };
    BatchEmbedRequest { requests: texts.iter().map(one).collect() }
}

/// Usage of embedding `texts`: as reported, or estimated, because `v1` does not report it.
pub(super) fn embed_usage(told: Option<UsageMetadata>, texts: &[String]) -> Usage {
    match told {
        Some(counts) if counts.prompt_token_count.is_some() => usage(counts),
        _ => {
            let characters = texts.iter().map(|text| text.chars().count() as u64).sum::<u64>();
            Usage { input_tokens: characters.div_ceil(TOKEN_CHARS), ..Usage::default() }
        }
    }
}

/// The vectors of `texts` texts, with the same length as those in `before`.
pub(super) fn vectors(
    response: BatchEmbedResponse,
    texts: usize,
    before: Option<usize>,
) -> Result<Vec<Vec<f32>>, ProviderError> {
    let protocol = |message: &str| ProviderError::new(Fault::Protocol, message);
    if response.embeddings.len() != texts {
        return Err(protocol("the provider's answer has not one vector for each text"));
    }
    let vectors: Vec<Vec<f32>> = response.embeddings.into_iter().map(|embedding| embedding.values).collect();
    let length = before.or(vectors.first().map(Vec::len)).unwrap_or_default();
    if !(1..=DIMENSIONS).contains(&length) || vectors.iter().any(|vector| vector.len() != length) {
        return Err(protocol("the provider's vectors are not of one length that is read"));
    }
    if vectors.iter().flatten().any(|number| !number.is_finite()) {
        return Err(protocol("the provider's vectors have numbers that are too great"));
    }
    Ok(vectors)
}

/// A model that can be called here; `None` for others, such as those for live calls only.
pub(super) fn model(info: ModelInfo) -> Option<ListedModel> {
    let model = info.name.strip_prefix("models/").unwrap_or(&info.name);
    let methods = &info.supported_generation_methods;
    let can = |name: &str| methods.iter().any(|method| method == name);
    // A model with `generateContent` may generate text, pictures or speech; the list does not say which.
    let kind = match (methods.is_empty() || can("generateContent"), can("embedContent")) {
        (true, _) => None,
        (false, true) => Some(ModelKind::TextToEmbedding),
        (false, false) => return None,
    };
    let tokens = |count: Option<u64>| count.filter(|count| *count > 0)?.try_into().ok();
    Some(ListedModel {
        model: model.to_owned(),
        name: info.display_name,
        kind,
        context_tokens: tokens(info.input_token_limit),
        output_tokens: tokens(info.output_token_limit),
    })
}
