//! Asks until the answer matches the schema: again after truncation, and again with the violations.

use serde_json::Value;
use shared_core::Violation;

use super::compile::compile_value;
use super::plan::{Question, questions, set_response_schema};
use super::{Asker, Dialect, Schema, StructuredError, parse};
use crate::{
    ChatAnswer, ChatRequest, Citation, Fault, Finish, GenError, Message, Part, ResponseSchema, Role,
    ToolCall, Usage,
};

/// Maximum repair requests with the violations of an answer. As `forms_core`'s correction calls. Chosen by
/// hand; no measurement is recorded.
const MAX_REASKS: usize = 2;
/// Maximum violations in one repair request. Bounds the prompt. Chosen by hand; no measurement is recorded.
const MAX_TOLD: usize = 50;
/// Maximum bytes of an answer that are sent back to the model. Bounds the prompt. Chosen by hand; no
/// measurement is recorded.
const MAX_RETURNED: usize = 20_000;
/// The assumed token limit of a truncated answer when neither the request nor the provider reports one. As
/// high as the default that Anthropic's adapter sends.
const GUESSED_CAP: u64 = 8_192;
/// Upper bound of a raised token limit. The highest output limit of the catalogue.
const MAX_CAP: u64 = 128_000;

/// A value that matches its schema, with its cost.
#[derive(Clone, Debug, PartialEq)]
pub struct StructuredAnswer {
    /// The value; null with `tool_calls`.
    pub value: Value,
    /// Calls of the request's tools, where the model asks for their results before it answers.
    pub tool_calls: Vec<ToolCall>,
    /// Where the model claims to have found the values.
    pub citations: Vec<Citation>,
    /// Tokens of all requests.
    pub usage: Usage,
    /// Warnings for the caller, one sentence each.
    pub warnings: Vec<String>,
}

/// Asks for a value that matches `schema`, which replaces the request's own response schema. A schema that is
/// too large for the model is split by its properties into several sequential requests. A truncated answer is
/// requested once more with twice the token limit, unless the caller sets a limit.
///
/// # Errors
/// [`StructuredError`], with the tokens used.
pub async fn ask(
    asker: &dyn Asker,
    request: ChatRequest,
    schema: &Schema,
) -> Result<StructuredAnswer, StructuredError> {
    let dialects = asker.dialects();
    let questions = questions(schema.wanted(), &dialects);
    let mut inquiry = Inquiry { asker, dialects, schema, answer: Tally::default() };
    if questions.len() > 1 {
        inquiry.warn(format!(
            "the schema was split into {} requests, as it exceeds the model's limits",
            questions.len()
        ));
    }
    let mut whole: Option<Value> = None;
    for question in &questions {
        let value = match inquiry.conversation(&request, question).await? {
            Reply::Value(value) => value,
            Reply::ToolCalls(tool_calls) => {
                let Tally { citations, usage, warnings } = inquiry.answer;
                return Ok(StructuredAnswer { value: Value::Null, tool_calls, citations, usage, warnings });
            }
        };
        whole = Some(match (whole, value) {
            (Some(Value::Object(mut members)), Value::Object(more)) => {
                members.extend(more);
                Value::Object(members)
            }
            (_, value) => value,
        });
    }
    let value = whole.unwrap_or_default();
    let Tally { citations, usage, warnings } = inquiry.answer;
    let violations = if questions.len() > 1 { schema.validate(&value) } else { Vec::new() };
    match violations.is_empty() {
        true => Ok(StructuredAnswer { value, tool_calls: Vec::new(), citations, usage, warnings }),
        false => Err(StructuredError::Violation { violations, usage }),
    }
}

/// Asks for an answer to `schema` and returns it unvalidated, for callers with a repair of their own. A
/// truncated answer is requested once more with twice the token limit; if that fails, the first answer is
/// returned. Its usage is that of both requests.
///
/// # Errors
/// As the asker's.
pub async fn ask_whole(
    asker: &dyn Asker,
    mut request: ChatRequest,
    schema: ResponseSchema,
) -> Result<ChatAnswer, GenError> {
    set_response_schema(&mut request, schema, &asker.dialects());
    let first = asker.ask(request.clone()).await?;
    let cap = doubled_cap(&request, &first).filter(|_| first.finish == Finish::Length);
    let Some(cap) = cap else { return Ok(first) };
    request.max_tokens = Some(cap);
    Ok(match asker.ask(request).await {
        Ok(mut second) => {
            second.usage += first.usage;
            second
        }
        Err(error) => {
            let mut first = first;
            first.usage += failed_usage(&error);
            first
        }
    })
}

/// Tokens of a failed request.
fn failed_usage(error: &GenError) -> Usage {
    match error {
        GenError::Provider { error, .. } => error.usage,
        _ => Usage::default(),
    }
}

/// The token limit for a request after `answer` was truncated: twice the previous one. `None` if that is
/// already the maximum.
#[must_use]
pub fn doubled_cap(request: &ChatRequest, answer: &ChatAnswer) -> Option<u32> {
    let written = Some(answer.usage.output_tokens).filter(|tokens| *tokens > 0);
    let cap = request.max_tokens.map(u64::from).or(written).unwrap_or(GUESSED_CAP);
    (cap < MAX_CAP).then(|| u32::try_from((cap * 2).min(MAX_CAP)).ok()).flatten()
}

/// Extends a conversation with the model's answer and its violations.
#[must_use]
pub fn repair_request(request: &ChatRequest, answer: &str, told: String) -> ChatRequest {
    let mut request = request.clone();
    let returned = answer.get(..answer.floor_char_boundary(MAX_RETURNED)).unwrap_or_default();
    if !returned.trim().is_empty() {
        let parts = vec![Part::Text(returned.to_owned())];
        request.messages.push(Message { role: Role::Assistant, parts });
    }
    request.messages.push(Message { role: Role::User, parts: vec![Part::Text(told)] });
    request
}

/// The result of the requests so far.
#[derive(Default)]
struct Tally {
    citations: Vec<Citation>,
    usage: Usage,
    warnings: Vec<String>,
}

/// What one question gave.
enum Reply {
    Value(Value),
    ToolCalls(Vec<ToolCall>),
}

struct Inquiry<'a> {
    asker: &'a dyn Asker,
    dialects: Vec<Dialect>,
    schema: &'a Schema,
    answer: Tally,
}

impl Inquiry<'_> {
    fn warn(&mut self, warning: String) {
        if !self.answer.warnings.contains(&warning) {
            self.answer.warnings.push(warning);
        }
    }

    /// Repeats one question until its answer matches.
    async fn conversation(
        &mut self,
        base: &ChatRequest,
        question: &Question,
    ) -> Result<Reply, StructuredError> {
        // For the schema of any object, the prompt alone is as good.
        if let Some(why) = question.unsupported.as_ref().filter(|_| !self.schema.is_any_object()) {
            self.warn(format!(
                "{why}; the schema was put into the prompt instead, and the answer was validated"
            ));
        }
        let mut first = question.to_request(base, &self.dialects);
        let mut request = first.clone();
        let (mut reasks, mut raised) = (0, false);
        loop {
            let answer = self.ask_once(request.clone(), raised).await?;
            if !answer.tool_calls.is_empty() {
                return Ok(Reply::ToolCalls(answer.tool_calls));
            }
            let problems = match self.read(question, &answer) {
                Ok(value) => {
                    self.answer.citations.extend(answer.citations);
                    return Ok(Reply::Value(value));
                }
                Err(problems) => problems,
            };
            if answer.finish == Finish::Length {
                // With a limit that was raised before or cannot be raised, the next answer would be truncated
                // too. A limit of the caller is not exceeded.
                let own = base.max_tokens.is_some();
                let cap = doubled_cap(&request, &answer).filter(|_| !raised && !own);
                let Some(cap) = cap else { return Err(StructuredError::CutOff { usage: self.answer.usage }) };
                self.warn(format!("the answer was truncated, and requested again with at most {cap} tokens"));
                (first.max_tokens, request.max_tokens, raised) = (Some(cap), Some(cap), true);
                continue;
            }
            if reasks == MAX_REASKS {
                return Err(StructuredError::Violation { violations: problems, usage: self.answer.usage });
            }
            reasks += 1;
            request = repair_request(&first, &answer.text, violations_message(&problems));
        }
    }

    async fn ask_once(&mut self, request: ChatRequest, raised: bool) -> Result<ChatAnswer, StructuredError> {
        let answer = self.asker.ask(request).await.map_err(|source| self.map_failure(source, raised))?;
        self.answer.usage += answer.usage;
        answer.warnings.iter().for_each(|warning| self.warn(warning.clone()));
        match answer.finish {
            Finish::Refused => Err(StructuredError::Refused { usage: self.answer.usage }),
            Finish::Stop | Finish::Length | Finish::ToolCalls | Finish::Other => Ok(answer),
        }
    }

    fn map_failure(&mut self, source: GenError, raised: bool) -> StructuredError {
        self.answer.usage += failed_usage(&source);
        let usage = self.answer.usage;
        let refuses =
            matches!(&source, GenError::Provider { error, .. } if error.fault == Fault::InvalidRequest);
        // The same request was valid before, so the provider rejects the raised limit.
        if raised && refuses {
            StructuredError::CutOff { usage }
        } else {
            StructuredError::Generation { source, usage }
        }
    }

    /// The value of an answer, or its violations.
    fn read(&self, question: &Question, answer: &ChatAnswer) -> Result<Value, Vec<Violation>> {
        let Some(parsed) = parse(&answer.text, question.root()) else {
            return Err(vec![Violation::new(
                "",
                "the answer must be one JSON value that matches the schema",
            )]);
        };
        // A bare number at the end of a truncated answer may lack digits.
        let is_open = answer.finish == Finish::Length && parsed.value.is_number();
        if parsed.cut || is_open {
            return Err(vec![Violation::new(parsed.cut_at, "the answer is not complete")]);
        }
        let schema = &question.schema.schema;
        let problems = self.schema.validate_part(schema, &parsed.value);
        if problems.is_empty() {
            return Ok(parsed.value);
        }
        // A model that does not enforce the schema may answer as those that do: `null` or an empty string for
        // an absent property, the root wrapped in an object.
        let mended = [Dialect::OpenAi, Dialect::Anthropic].into_iter().find_map(|dialect| {
            let mended = compile_value(schema, dialect).ok()?.decode(parsed.value.clone());
            self.schema.validate_part(schema, &mended).is_empty().then_some(mended)
        });
        mended.ok_or(problems)
    }
}

fn violations_message(problems: &[Violation]) -> String {
    let mut told = String::from("Your answer does not fit the schema:\n");
    for Violation { path, message } in problems.iter().take(MAX_TOLD) {
        let path = if path.is_empty() { "the whole" } else { path };
        told.push_str(&format!("- {path}: {message}\n"));
    }
    told.push_str("Answer again with the whole corrected JSON and nothing else.");
    told
}
