//! Generation: one answer of a model, whole or as it is written.

use actix_web::http::Method;
use actix_web::{HttpResponse, web};
use gen_core::structured::MAX_SCHEMA_NAME;
use gen_core::{
    BaseQuery, ContextOptions, Finish, GenerateAnswer, GenerateRequest, HistoryMessage, MAX_ANSWER_TOKENS,
    MAX_CONTEXT_TOKENS, MAX_FALLBACKS, MAX_REFERENCE, MAX_TOP_K,
};
use kb_core::rules::MAX_RESULTS;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::citations::{CitationRecord, ContextRecord, StatementRecord};
use super::file_ref::FileRef;
use super::knowledge::search;
use super::openapi::events;
use super::operation::Registry;
use super::request::{Body, Caller, RequestId};
use super::rules::NOT_BLANK;
use super::{HandlerResult, examples, generate_stream, sse};
use crate::app::AppState;

/// Adds the operation of this file.
pub(super) fn register(registry: &mut Registry) {
    registry
        .operation(
            Method::POST,
            "/v2/generate",
            "generate",
            "Asks a model, with documents and knowledge bases as context. With stream, the answer is server-sent \
             events: delta with a text, then done with the whole answer, or error.",
        )
        .body::<GenerateBody>()
        .example(examples::generate())
        .answers::<GeneratedRecord>()
        .example(examples::generated())
        .also_answers(sse::STREAM, events(&["delta", "done", "error"]), json!(examples::EVENTS))
        .fails(&[422, 502, 504])
        .given_up_with_its_client()
        .to_once(generate);
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct GenerateBody {
    /// `model@provider`; an own server's model is `<server>/<model>@formwork`.
    model_id: String,
    /// What is asked, drawn or spoken.
    #[schemars(extend("pattern" = NOT_BLANK))]
    prompt: String,
    /// A knowledge base to take context from; an empty id names none.
    #[schemars(length(max = MAX_REFERENCE))]
    knowledge_id: Option<String>,
    /// Further knowledge bases.
    knowledge: Option<Vec<KnowledgeRef>>,
    /// File ids and URLs whose text joins the context.
    urls: Option<Vec<FileRef>>,
    /// Instructions before the conversation.
    system: Option<String>,
    /// The conversation before the prompt, oldest first.
    messages: Option<Vec<MessageBody>>,
    /// How freely the model words, 0 to 2; left out, with a warning, where the model refuses it.
    #[schemars(range(min = 0.0, max = 2.0))]
    temperature: Option<f64>,
    /// Tokens of the answer, at most.
    #[schemars(range(min = 1, max = MAX_ANSWER_TOKENS))]
    max_tokens: Option<u64>,
    /// `{"type": "json_schema", "json_schema": {"name", "schema"}}`, `json_object` or `text`.
    #[serde(default)]
    #[schemars(schema_with = "response_format")]
    response_format: Option<Value>,
    /// Whether the answer is sent as it is written.
    stream: Option<bool>,
    /// Tokens of all passages of the context together, at most; never more than the model has room for.
    #[schemars(range(min = 1, max = MAX_CONTEXT_TOKENS))]
    max_context_tokens: Option<u64>,
    /// Passages of the context, at most.
    #[schemars(range(min = 1, max = MAX_TOP_K))]
    top_k: Option<u64>,
    /// Only passages whose `score` reaches this.
    #[schemars(range(min = 0.0, max = 1.0))]
    min_score: Option<f64>,
    /// Models that are asked in order when the first fails; at most five.
    #[schemars(length(max = MAX_FALLBACKS))]
    fallback_models: Option<Vec<String>>,
}

/// A knowledge base, and how it is searched for this request.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct KnowledgeRef {
    /// Its id.
    #[schemars(length(max = MAX_REFERENCE), extend("pattern" = NOT_BLANK))]
    id: String,
    /// Which meta the files have to have, as in searches of the knowledge base.
    #[serde(default)]
    #[schemars(schema_with = "search::filter")]
    filter: Option<Value>,
    /// Passages that are found in it at the most; 20 in all knowledge bases together when absent.
    #[schemars(range(min = 1, max = MAX_RESULTS))]
    limit: Option<i64>,
    /// Only passages that reach this score by words or by vectors.
    #[schemars(range(min = 0.0, max = 1.0))]
    min_score: Option<f32>,
    /// By words, by vectors, or by both; when absent, by both where the knowledge base has vectors, else by words.
    #[schemars(extend("enum" = search::modes()))]
    mode: Option<String>,
}

impl From<KnowledgeRef> for BaseQuery {
    fn from(wanted: KnowledgeRef) -> Self {
        Self {
            id: wanted.id,
            filter: wanted.filter.filter(|filter| !filter.is_null()),
            // What is out of range is so for the service, too, which tells the rule.
            limit: wanted.limit.map(|limit| usize::try_from(limit).unwrap_or(usize::MAX)),
            min_score: wanted.min_score,
            mode: wanted.mode,
        }
    }
}

/// What [`gen_core::structured::ResponseFormat`] reads.
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
    // A nested schema goes before one beside the type.
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
struct MessageBody {
    /// Who spoke.
    #[schemars(extend("enum" = ["user", "assistant"]))]
    role: String,
    /// What was said.
    #[schemars(extend("pattern" = NOT_BLANK))]
    content: String,
}

/// The whole answer; also the data of the event `done`.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct GeneratedRecord {
    /// Markdown; a picture is `![alt](url)`.
    text: String,
    /// URL of the speech; empty when there is none.
    audio: String,
    /// What the answer was to be based on; `[n]` in the text cites it.
    context: Vec<ContextRecord>,
    /// The sentences of the text, and whether what they cite says what they say; empty without a context, and where
    /// `responseFormat` wants JSON.
    statements: Vec<StatementRecord>,
    /// The citations of the text in order, each with the place that it rests on.
    citations: Vec<CitationRecord>,
    /// How likely it is that the text answers the question rightly, 0 to 1; of answers of the built-in model that rest
    /// on a context, else absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    probability: Option<f64>,
    /// Display name of the provider that answered.
    provider: &'static str,
    /// The provider's name of the model that answered.
    model: String,
    /// The prompt.
    prompt: String,
    /// The request's `knowledgeId`; empty when there was none.
    knowledge_id: String,
    /// Input and output tokens of all attempts.
    tokens: u64,
    /// Name of the user.
    user_name: String,
    /// E-mail address of the user.
    user_email: String,
    /// Why the answer ends: `stop`, done; `length`, at a limit of tokens; `content_filter`, the model refused or its
    /// provider filtered the answer; `tool_calls`, the model asked for a tool; `other`, a reason that is not known here.
    #[schemars(extend("enum" = Finish::ALL.map(Finish::name)))]
    finish_reason: &'static str,
    /// Tokens and money of all attempts.
    usage: UsageRecord,
    /// What of the request was left out, what was searched by words alone, and which models failed before.
    warnings: Vec<String>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct UsageRecord {
    /// Tokens read.
    input_tokens: u64,
    /// Tokens written.
    output_tokens: u64,
    /// Tokens read from the provider's cache; part of `inputTokens`.
    cached_tokens: u64,
    /// US dollars; null when the price of a model is not known.
    cost: Option<f64>,
}

impl GenerateBody {
    fn request(self) -> GenerateRequest {
        let turn = |message: MessageBody| HistoryMessage { role: message.role, content: message.content };
        GenerateRequest {
            model_id: self.model_id,
            prompt: self.prompt,
            system: self.system,
            messages: self.messages.unwrap_or_default().into_iter().map(turn).collect(),
            knowledge_id: self.knowledge_id,
            knowledge: self.knowledge.unwrap_or_default().into_iter().map(BaseQuery::from).collect(),
            urls: self.urls.unwrap_or_default().into_iter().map(|reference| reference.0).collect(),
            temperature: self.temperature,
            max_tokens: self.max_tokens,
            response_format: self.response_format.filter(|format| !format.is_null()),
            context: ContextOptions {
                max_tokens: self.max_context_tokens,
                top_k: self.top_k,
                min_score: self.min_score,
            },
            fallback_models: self.fallback_models.unwrap_or_default(),
            documents: Vec::new(),
        }
    }
}

impl GeneratedRecord {
    /// The answer as it is given to a caller.
    pub(super) fn of(answer: GenerateAnswer, caller: &Caller) -> Self {
        let context = ContextRecord::all(answer.context, &answer.citations);
        Self {
            text: answer.text,
            audio: answer.audio,
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
    /// Tokens, and their price where it is known.
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
    Body(wanted): Body<GenerateBody>,
    id: RequestId,
) -> HandlerResult {
    let (streamed, payer) = (wanted.stream.unwrap_or_default(), caller.payer());
    let request = wanted.request();
    if streamed {
        let events = state.generate.stream(&payer, request).await?;
        return Ok(generate_stream::answer(events, caller, id));
    }
    let answer = state.generate.generate(&payer, request).await?;
    Ok(HttpResponse::Ok().json(GeneratedRecord::of(answer, &caller)))
}
