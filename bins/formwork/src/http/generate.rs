//! Generation: one answer of a model, complete or streamed.

use actix_web::http::Method;
use actix_web::{HttpResponse, web};
use gen_core::structured::MAX_SCHEMA_NAME;
use gen_core::{
    BaseQuery, ContextOptions, Finish, GenerateAnswer, GenerateRequest, HistoryMessage, MAX_ANSWER_TOKENS,
    MAX_CONTEXT_TOKENS, MAX_FALLBACKS, MAX_PICTURES, MAX_REFERENCE, MAX_STOP, MAX_STOPS, MAX_TOOLS,
    MAX_TOP_K,
};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::citations::{CitationRecord, ContextRecord, StatementRecord};
use super::effort::EffortBody;
use super::file_ref::{FileRef, PictureRef};
use super::generate_tools::{ToolBody, ToolCallBody, ToolChoiceBody, tool_set};
use super::knowledge::index_position::IndexWaitBody;
use super::knowledge_ref::KnowledgeRef;
use super::openapi::events;
use super::operation::Registry;
use super::request::{Caller, PictureBody};
use super::rules::NOT_BLANK;
use super::{ApiError, HandlerResult, examples, generate_stream, sse};
use crate::app::AppState;

/// Registers the operation of this file.
pub(super) fn register(registry: &mut Registry) {
    registry
        .operation(
            Method::POST,
            "/v2/generate",
            "generate",
            "Asks a model, with documents and knowledge bases as context. With stream, the answer is server-sent \
             events: delta with a text, then done with the whole answer, or error.",
        )
        .for_restricted_keys()
        .body::<GenerateBody>()
        .example(examples::generate)
        .answers::<GeneratedRecord>()
        .example(examples::generated)
        .also_answers(sse::STREAM, events(&["delta", "done", "error"]), || json!(examples::EVENTS))
        .fails(&[422, 502, 504])
        .given_up_with_its_client()
        .to_once(generate);
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct GenerateBody {
    /// `model@provider`; an own server's model is `<server>/<model>@formwork`.
    model_id: String,
    /// The question, or the description of the picture or speech to generate.
    #[schemars(extend("pattern" = NOT_BLANK))]
    prompt: String,
    /// A knowledge base to take context from; an empty id selects none.
    #[schemars(length(max = MAX_REFERENCE))]
    knowledge_id: Option<String>,
    /// Further knowledge bases.
    knowledge: Option<Vec<KnowledgeRef>>,
    #[serde(flatten)]
    wait: IndexWaitBody,
    /// File ids and URLs of documents that join the context.
    urls: Option<Vec<FileRef>>,
    /// System instructions, which precede the conversation.
    system: Option<String>,
    /// The conversation before the prompt, oldest first.
    messages: Option<Vec<MessageBody>>,
    /// Pictures that the prompt is about: file ids, URLs, or data URLs in base64 of PNG, JPEG, WebP and GIF files. Models
    /// that see none leave them out with a warning.
    #[schemars(length(max = MAX_PICTURES))]
    images: Option<Vec<PictureRef>>,
    /// Functions that the model may call. The caller runs them.
    #[schemars(length(max = MAX_TOOLS))]
    tools: Option<Vec<ToolBody>>,
    /// Which of `tools` the model calls: `auto` as it decides, `none`, `required` at least one, or the one with a name.
    tool_choice: Option<ToolChoiceBody>,
    /// Whether one answer may have several calls; as the vendor decides when absent.
    parallel_tool_calls: Option<bool>,
    /// What followed the prompt: the calls of the model and the results of the tools.
    tool_messages: Option<Vec<MessageBody>>,
    /// Sampling temperature, 0 to 2. Dropped with a warning where the model does not support it.
    #[schemars(range(min = 0.0, max = 2.0))]
    temperature: Option<f64>,
    /// Share of the probability that tokens are sampled from. Dropped as the temperature is.
    #[schemars(range(min = 0.0, max = 1.0))]
    top_p: Option<f64>,
    /// Seed of the sampling, for answers that differ little. Dropped with a warning where a vendor takes none.
    seed: Option<i64>,
    /// How much the model may reason before it answers: `low`, `medium` or `high`. Dropped with a warning where it does not
    /// reason.
    effort: Option<EffortBody>,
    /// Texts before which the answer ends. Dropped as the temperature is.
    #[schemars(length(max = MAX_STOPS), inner(length(min = 1, max = MAX_STOP)))]
    stop: Option<Vec<String>>,
    /// Maximum number of output tokens.
    #[schemars(range(min = 1, max = MAX_ANSWER_TOKENS))]
    max_tokens: Option<u64>,
    /// `{"type": "json_schema", "json_schema": {"name", "schema"}}`, `json_object` or `text`.
    #[serde(default)]
    #[schemars(schema_with = "response_format")]
    response_format: Option<Value>,
    /// Whether the answer is streamed.
    stream: Option<bool>,
    /// Maximum number of tokens of all passages of the context together; never more than fits the model's
    /// context window.
    #[schemars(range(min = 1, max = MAX_CONTEXT_TOKENS))]
    max_context_tokens: Option<u64>,
    /// Maximum number of passages of the context.
    #[schemars(range(min = 1, max = MAX_TOP_K))]
    top_k: Option<u64>,
    /// Minimum `score` of a passage.
    #[schemars(range(min = 0.0, max = 1.0))]
    min_score: Option<f64>,
    /// Fallback models, asked in order when the first fails; at most five.
    #[schemars(length(max = MAX_FALLBACKS))]
    fallback_models: Option<Vec<String>>,
}

/// Adds the filter of the caller's key, if it has one, to each knowledge base; `first` is one by its id alone.
///
/// # Errors
/// 400 for a wrong filter of the request.
fn narrow(knowledge: &mut Vec<BaseQuery>, first: Option<&str>, caller: &Caller) -> Result<(), ApiError> {
    if caller.0.key_filter.is_none() {
        return Ok(());
    }
    let first = first.filter(|id| !id.is_empty());
    if let Some(id) = first.filter(|id| knowledge.iter().all(|base| base.id != *id)) {
        knowledge.push(BaseQuery::from(id));
    }
    for (index, base) in knowledge.iter_mut().enumerate() {
        base.filter = caller.narrowed(base.filter.take(), &format!("/knowledge/{index}/filter"))?;
    }
    Ok(())
}

/// The schema of what [`gen_core::structured::ResponseFormat`] accepts.
fn response_format(_: &mut SchemaGenerator) -> Schema {
    let mut named = json!({"type": "object", "required": ["schema"], "properties": {
        "schema": {"type": "object"},
        "name": {"type": ["string", "null"], "pattern": "^[A-Za-z0-9_-]+$", "maxLength": MAX_SCHEMA_NAME},
        "strict": {"type": ["boolean", "null"]}
    }});
    let kind = json!({"const": "json_schema"});
    let nested = json!({
        "type": "object", "required": ["type", "json_schema"],
        "properties": {"type": kind, "json_schema": named}
    });
    // A nested schema takes precedence over one beside the type.
    named["required"] = json!(["type", "schema"]);
    named["properties"]["json_schema"] = nested["properties"]["json_schema"].clone();
    named["properties"]["type"] = kind;
    json_schema!({"anyOf": [
        {"type": "null"},
        {"type": "object", "required": ["type"], "properties": {"type": {"enum": ["text", "json_object"]}}},
        nested,
        named
    ]})
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "HistoryMessage")]
struct MessageBody {
    /// Role of the author.
    #[schemars(extend("enum" = ["user", "assistant", "tool"]))]
    role: String,
    /// Text of the message; of a tool, its result. May be absent beside `images` and `toolCalls`.
    #[serde(default)]
    content: String,
    /// Pictures of a user's message.
    #[serde(default)]
    #[schemars(length(max = MAX_PICTURES))]
    images: Option<Vec<PictureRef>>,
    /// Calls of tools in a message of the assistant, as an answer had them.
    #[serde(default)]
    tool_calls: Option<Vec<ToolCallBody>>,
    /// The id of the call that a tool's message answers.
    #[serde(default)]
    tool_call_id: Option<String>,
}

impl From<MessageBody> for HistoryMessage {
    fn from(message: MessageBody) -> Self {
        Self {
            role: message.role,
            content: message.content,
            pictures: references(message.images),
            tool_calls: message.tool_calls.unwrap_or_default().into_iter().map(Into::into).collect(),
            tool_call_id: message.tool_call_id,
        }
    }
}

fn references(pictures: Option<Vec<PictureRef>>) -> Vec<String> {
    pictures.unwrap_or_default().into_iter().map(|picture| picture.0).collect()
}

/// The complete answer; also the data of the event `done`.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct GeneratedRecord {
    /// Markdown; a picture is `![alt](url)`.
    text: String,
    /// URL of the speech; empty when there is none.
    audio: String,
    /// Calls of `tools` that the model asks for, in order; absent when there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tool_calls: Vec<ToolCallBody>,
    /// The passages of the context; `[n]` in the text cites them.
    context: Vec<ContextRecord>,
    /// The statements of the text, and whether their citations support them; empty without a context and
    /// where `responseFormat` asks for JSON.
    statements: Vec<StatementRecord>,
    /// The citations of the text in order, each with its place in the source.
    citations: Vec<CitationRecord>,
    /// Estimated probability, 0 to 1, that the answer is right. Only answers of the built-in model with a
    /// context have it; else absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    probability: Option<f64>,
    /// Display name of the provider that answered.
    provider: &'static str,
    /// The provider's name of the model that answered.
    model: String,
    /// The prompt.
    prompt: String,
    /// The request's `knowledgeId`; empty when absent.
    knowledge_id: String,
    /// Input and output tokens of all attempts.
    tokens: u64,
    /// Name of the user.
    user_name: String,
    /// E-mail address of the user.
    user_email: String,
    /// Why the answer ends: `stop`, complete; `length`, token limit; `content_filter`, refused by the model
    /// or filtered by its provider; `tool_calls`, the model called a tool; `other`, an unknown reason.
    #[schemars(extend("enum" = Finish::ALL.map(Finish::name)))]
    finish_reason: &'static str,
    /// Tokens and cost of all attempts.
    usage: UsageRecord,
    /// Parts of the request that were dropped, searches that fell back to lexical search, an index that did
    /// not have the awaited change in time, and models that failed before.
    warnings: Vec<String>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "TokenUsage")]
pub(super) struct UsageRecord {
    /// Input tokens.
    input_tokens: u64,
    /// Output tokens.
    output_tokens: u64,
    /// Input tokens from the provider's cache; part of `inputTokens`.
    cached_tokens: u64,
    /// US dollars; null when the price of a model is unknown.
    cost: Option<f64>,
}

impl GenerateBody {
    /// Checks that a restricted key asks for no other context than its knowledge bases.
    fn check_restriction(&self, caller: &Caller) -> Result<(), ApiError> {
        let first = self.knowledge_id.as_deref().filter(|id| !id.is_empty());
        let further = self.knowledge.iter().flatten().map(|base| base.id.as_str());
        caller.check_bases(first.into_iter().chain(further))?;
        let messages = self.messages.iter().flatten().filter_map(|message| message.images.as_ref());
        let mut pictures = self.images.iter().chain(messages).flatten();
        let reads = self.urls.as_ref().is_some_and(|urls| !urls.is_empty())
            || pictures.any(|picture| !picture.is_inline());
        if caller.0.key_bases.is_some() && reads {
            return Err(ApiError::restricted_key(
                "the API key may search knowledge bases only, and read no documents",
            ));
        }
        Ok(())
    }

    /// The request with the filter of the key, if it has one, on each knowledge base.
    fn narrowed_request(self, caller: &Caller) -> Result<GenerateRequest, ApiError> {
        let mut request = self.request()?;
        narrow(&mut request.knowledge, request.knowledge_id.as_deref(), caller)?;
        Ok(request)
    }

    fn request(self) -> Result<GenerateRequest, ApiError> {
        let tools = tool_set(self.tools, self.tool_choice, self.parallel_tool_calls);
        let turns = |messages: Option<Vec<MessageBody>>| {
            messages.unwrap_or_default().into_iter().map(HistoryMessage::from).collect()
        };
        Ok(GenerateRequest {
            wait: self.wait.wait()?,
            model_id: self.model_id,
            prompt: self.prompt,
            system: self.system,
            messages: turns(self.messages),
            tool_messages: turns(self.tool_messages),
            pictures: references(self.images),
            tools,
            knowledge_id: self.knowledge_id,
            knowledge: self.knowledge.unwrap_or_default().into_iter().map(BaseQuery::from).collect(),
            urls: self.urls.unwrap_or_default().into_iter().map(|reference| reference.0).collect(),
            temperature: self.temperature,
            top_p: self.top_p,
            seed: self.seed,
            effort: self.effort.map(EffortBody::effort),
            stop: self.stop.unwrap_or_default(),
            max_tokens: self.max_tokens,
            response_format: self.response_format.filter(|format| !format.is_null()),
            context: ContextOptions {
                max_tokens: self.max_context_tokens,
                top_k: self.top_k,
                min_score: self.min_score,
            },
            fallback_models: self.fallback_models.unwrap_or_default(),
            documents: Vec::new(),
        })
    }
}

impl GeneratedRecord {
    /// The answer for the caller.
    pub(super) fn of(answer: GenerateAnswer, caller: &Caller) -> Self {
        let context = ContextRecord::all(answer.context, &answer.citations);
        Self {
            text: answer.text,
            audio: answer.audio,
            tool_calls: answer.tool_calls.into_iter().map(ToolCallBody::from).collect(),
            context,
            statements: answer.statements.into_iter().map(StatementRecord::from).collect(),
            citations: answer.citations.into_iter().map(CitationRecord::from).collect(),
            probability: answer.probability,
            provider: answer.model.provider.display_name(),
            model: answer.model.model,
            prompt: answer.prompt,
            knowledge_id: answer.knowledge_id,
            tokens: answer.usage.total(),
            user_name: caller.0.author.name.clone(),
            user_email: caller.0.author.email.clone(),
            finish_reason: answer.finish.name(),
            usage: UsageRecord::of(answer.usage, answer.cost),
            warnings: answer.warnings,
        }
    }
}

impl UsageRecord {
    /// Tokens, and their cost where it is known.
    pub(super) fn of(usage: gen_core::Usage, cost: Option<gen_core::Cost>) -> Self {
        Self {
            input_tokens: usage.input_tokens,
            output_tokens: usage.output_tokens,
            cached_tokens: usage.cached_tokens,
            cost: cost.map(gen_core::Cost::dollars),
        }
    }
}

async fn generate(
    state: web::Data<AppState>,
    caller: Caller,
    PictureBody(wanted): PictureBody<GenerateBody>,
) -> HandlerResult {
    wanted.check_restriction(&caller)?;
    let (streamed, payer) = (wanted.stream.unwrap_or_default(), caller.payer());
    let request = wanted.narrowed_request(&caller)?;
    if streamed {
        let events = state.generate.stream(&payer, request).await?;
        return Ok(generate_stream::answer(&state.shutdown, events, caller));
    }
    let answer = state.generate.generate(&payer, request).await?;
    Ok(HttpResponse::Ok().json(GeneratedRecord::of(answer, &caller)))
}
