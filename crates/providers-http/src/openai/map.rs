//! Maps requests and answers between the ports and OpenAI's JSON. No I/O.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use gen_core::{
    ChatAnswer, ChatRequest, Effort, Fault, Finish, ImageAnswer, ImageRequest, Media, ProviderError,
    ResponseSchema, SpeechRequest, Usage, picture_type,
};
use serde_json::Value;

use super::messages::{ChatMessage, chat_messages};
use super::profile::Profile;
use super::tools::{calls, tool_params};
use super::wire::{
    ChatBody, ChatCompletion, ImageBody, Images, JsonSchema, ResponseFormat, SpeechBody, StreamOptions,
    TokenUsage,
};
use crate::lenient::Scalar;

/// Requested speech format and its content type.
pub(super) const SPEECH: (&str, &str) = ("mp3", "audio/mpeg");

/// Characters per token, for servers that do not count. This is the rule of thumb for English.
const TOKEN_CHARS: u64 = 4;

/// The body of a chat request, and warnings on dropped parts. `schema` is the request's schema in the
/// vendor's dialect.
pub(super) fn chat_body<'a>(
    profile: &Profile,
    request: &'a ChatRequest,
    schema: Option<&'a Value>,
    stream: bool,
) -> (ChatBody<'a>, Vec<String>) {
    let system = request.system.as_deref().map(|text| ChatMessage::text("system", text));
    let spoken = chat_messages(profile, &request.messages);
    let takes_sampling = profile.takes_temperature(&request.model);
    let given = [
        ("temperature", request.temperature.is_some()),
        ("topP", request.top_p.is_some()),
        ("stop", !request.stop.is_empty()),
    ];
    let takes_effort = profile.takes_effort(&request.model);
    let dropped = given.into_iter().filter(|(_, given)| *given && !takes_sampling);
    let dropped =
        dropped.chain([("effort", true)].into_iter().filter(|_| request.effort.is_some() && !takes_effort));
    let warnings =
        dropped.map(|(name, _)| format!("'{name}' was left out: {} does not take it", request.model));
    let warnings = warnings.collect();
    let body = ChatBody {
        model: &request.model,
        messages: system.into_iter().chain(spoken).collect(),
        max_completion_tokens: request.max_tokens.filter(|_| profile.completion_tokens),
        max_tokens: request.max_tokens.filter(|_| !profile.completion_tokens),
        temperature: request.temperature.filter(|_| takes_sampling),
        top_p: request.top_p.filter(|_| takes_sampling),
        seed: request.seed.filter(|_| !profile.random_seed),
        random_seed: request.seed.filter(|_| profile.random_seed),
        reasoning_effort: request.effort.filter(|_| takes_effort).map(Effort::name),
        stop: if takes_sampling { &request.stop } else { &[] },
        response_format: request.response_schema.as_ref().zip(schema).map(response_format),
        tools: tool_params(profile, &request.tools),
        stream: stream.then_some(true),
        stream_options: (stream && profile.asks_for_usage).then_some(StreamOptions { include_usage: true }),
    };
    (body, warnings)
}

fn response_format<'a>((asked, schema): (&'a ResponseSchema, &'a Value)) -> ResponseFormat<'a> {
    ResponseFormat::JsonSchema { json_schema: JsonSchema { name: &asked.name, strict: true, schema } }
}

/// The answer in a completion. `input` is the size of the request in characters; `has_tools`: whether tools were
/// offered, without which calls are none.
pub(super) fn chat_answer(
    completion: ChatCompletion,
    input: u64,
    has_tools: bool,
    warnings: Vec<String>,
) -> Result<ChatAnswer, ProviderError> {
    let usage = completion.usage;
    let Some(choice) = completion.choices.into_iter().next() else {
        return Err(ProviderError::new(Fault::Protocol, "the provider's answer has no choice"));
    };
    let said = choice.message.unwrap_or_default();
    let (text, refusal) = (said.content.0.unwrap_or_default(), said.refusal.text().unwrap_or_default());
    let shown = if text.is_empty() { refusal.clone() } else { text };
    let tool_calls = if has_tools { calls(said.tool_calls) } else { Vec::new() };
    let called: u64 =
        tool_calls.iter().map(|call| characters(&call.name) + characters(&call.arguments)).sum();
    let usage = usage_or_estimate(usage, input, characters(&shown) + called);
    let any = !shown.is_empty() || !tool_calls.is_empty();
    let finish = finish_reason(&choice.finish_reason, !refusal.is_empty(), any)
        .map_err(|error| ProviderError { usage, ..error })?;
    let finish = with_calls(finish, !tool_calls.is_empty());
    Ok(ChatAnswer { text: shown, tool_calls, finish, usage, warnings, ..ChatAnswer::default() })
}

/// The finish reason. A filter without any text, and a failure within the answer, are errors.
pub(super) fn finish_reason(reason: &Scalar, refused: bool, any_text: bool) -> Result<Finish, ProviderError> {
    let reason = match reason {
        Scalar::Text(reason) => reason.as_str(),
        Scalar::None | Scalar::Flag(_) | Scalar::Number(_) => "",
    };
    match reason {
        "content_filter" if !any_text => {
            Err(ProviderError::new(Fault::Refused, "the provider filtered the answer"))
        }
        "error" => Err(ProviderError::new(Fault::Failed, "the provider failed while it answered")),
        "content_filter" => Ok(Finish::Refused),
        _ if refused => Ok(Finish::Refused),
        "length" | "model_length" | "max_tokens" => Ok(Finish::Length),
        "tool_calls" | "function_call" => Ok(Finish::ToolCalls),
        // Own servers report it in several ways, or not at all.
        "" | "stop" | "stop_sequence" | "end_turn" | "eos" | "eos_token" => Ok(Finish::Stop),
        _ => Ok(Finish::Other),
    }
}

/// The reason of an answer with calls of tools: some own servers say that it is complete.
pub(super) fn with_calls(finish: Finish, any_call: bool) -> Finish {
    if any_call && finish == Finish::Stop { Finish::ToolCalls } else { finish }
}

/// Reported token counts, or estimates from characters.
pub(super) fn usage_or_estimate(told: Option<TokenUsage>, input: u64, output: u64) -> Usage {
    let told = told.unwrap_or_default();
    let input_tokens = told.prompt_tokens.0.unwrap_or(input.div_ceil(TOKEN_CHARS));
    let output_tokens = told.completion_tokens.0.unwrap_or(output.div_ceil(TOKEN_CHARS));
    let cached = told.prompt_tokens_details.unwrap_or_default().cached_tokens.0.unwrap_or_default();
    let reasoning = told.completion_tokens_details.unwrap_or_default().reasoning_tokens.0.unwrap_or_default();
    Usage {
        input_tokens,
        output_tokens,
        cached_tokens: cached.min(input_tokens),
        reasoning_tokens: reasoning.min(output_tokens),
    }
}

/// Number of Unicode characters.
pub(super) fn characters(text: &str) -> u64 {
    text.chars().count() as u64
}

/// Number of Unicode characters of everything that the model reads.
pub(super) fn input_characters(body: &ChatBody<'_>) -> u64 {
    body.messages.iter().map(ChatMessage::characters).sum()
}

/// llama.cpp answers an incomplete structured text with status 500. This is no failure of the server, but an
/// unusable answer, which used all permitted tokens.
pub(super) fn unusable(error: ProviderError, body: &ChatBody<'_>) -> ProviderError {
    if error.fault != Fault::Failed || !error.message.contains("does not match the expected") {
        return error;
    }
    let output_tokens = body.max_tokens.or(body.max_completion_tokens).unwrap_or_default().into();
    let usage = Usage { output_tokens, ..usage_or_estimate(None, input_characters(body), 0) };
    ProviderError { fault: Fault::Protocol, should_retry: None, usage, ..error }
}

/// The error as a truncated answer, if it reports one. With a schema, a grammar constrains every token, so
/// only the token limit can have made the text invalid. The error does not contain the text.
pub(super) fn cut_off(
    error: ProviderError,
    body: &ChatBody<'_>,
    warnings: Vec<String>,
) -> Result<ChatAnswer, ProviderError> {
    let failed = error.fault == Fault::Failed;
    let error = unusable(error, body);
    if !failed || error.fault != Fault::Protocol || body.response_format.is_none() {
        return Err(error);
    }
    let usage = error.usage;
    Ok(ChatAnswer { finish: Finish::Length, usage, warnings, ..ChatAnswer::default() })
}

/// The body of a picture request; `size` is from the settings.
pub(super) fn image_body<'a>(
    profile: &Profile,
    request: &'a ImageRequest,
    size: Option<&'a str>,
) -> Result<ImageBody<'a>, ProviderError> {
    let Some(asks) = profile.pictures else {
        let message = format!("{} makes no pictures through this interface", request.model);
        return Err(ProviderError::unsupported(message));
    };
    let response_format = asks.then_some("b64_json");
    Ok(ImageBody { model: &request.model, prompt: &request.prompt, size, response_format })
}

/// The pictures of an answer.
pub(super) fn image_answer(answer: Images, prompt: &str) -> Result<ImageAnswer, ProviderError> {
    // Without reported usage nothing is estimated: the output tokens of a picture are unknown.
    let usage =
        answer.usage.map_or_else(Usage::default, |told| usage_or_estimate(Some(told), characters(prompt), 0));
    let failed = |message: &str| ProviderError { usage, ..ProviderError::new(Fault::Protocol, message) };
    let mut images = Vec::new();
    let mut text = String::new();
    for image in answer.data {
        let encoded =
            image.b64_json.text().ok_or_else(|| failed("the provider gave a picture without data"))?;
        let bytes = STANDARD
            .decode(encoded)
            .map_err(|error| failed("the provider gave a picture that is not base64").with_source(error))?;
        let content_type =
            picture_type(&bytes).ok_or_else(|| failed("the provider gave what is no picture"))?;
        images.push(Media { bytes: bytes.into(), content_type: content_type.to_owned() });
        if text.is_empty() {
            text = image.revised_prompt.text().unwrap_or_default();
        }
    }
    if images.is_empty() {
        return Err(failed("the provider's answer has no picture"));
    }
    Ok(ImageAnswer { images, text, usage })
}

/// The body of a speech request; `voice` is from the settings.
pub(super) fn speech_body<'a>(
    profile: &Profile,
    request: &'a SpeechRequest,
    voice: Option<&'a str>,
) -> Result<SpeechBody<'a>, ProviderError> {
    if let Some(most) = profile.max_speech_characters
        && request.text.chars().nth(most).is_some()
    {
        let message = format!("{} speaks at most {most} characters at once", request.model);
        return Err(ProviderError::unsupported(message));
    }
    let chosen = request.voice.as_deref().or(voice);
    Ok(SpeechBody {
        model: &request.model,
        input: &request.text,
        voice: profile.voice.map(|usual| chosen.unwrap_or(usual)),
        voice_id: chosen.filter(|_| profile.voice.is_none()),
        response_format: SPEECH.0,
    })
}
