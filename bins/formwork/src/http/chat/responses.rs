//! The JSON shapes of an agent's answers.

use agents_core::chat::machine::FormView;
use agents_core::chat::{AgentChatAnswer, AnswerBasis, ChatReply, FormState, FormStateView, GuidedReply};
use forms_core::{Conflict, Evidence, Extraction};
use gen_core::Finish;
use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};
use shared_core::Violation;

use super::people::PersonRecord;
use super::phases::status;
use crate::http::citations::{CitationRecord, ContextRecord, StatementRecord};
use crate::http::error::ErrorItem;
use crate::http::generate::UsageRecord;
use crate::http::lists::AnyObject;

/// An answer. It has `form` in a guided conversation, `record` for a record, and neither in a free
/// conversation.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "ChatAnswer")]
pub(in crate::http) struct Answer {
    /// The session. Send it with the next message to continue.
    session_id: String,
    /// The agent's message as Markdown; absent with a record.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) text: Option<String>,
    /// The state of the form; absent without a guided conversation.
    #[serde(skip_serializing_if = "Option::is_none")]
    form: Option<FormRecord>,
    /// The form's fields; null where the message has no value.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<AnyObject>")]
    record: Option<Map<String, Value>>,
    /// Evidence by JSON pointer into the record; with `?evidence=true`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<AnyObject>")]
    evidence: Option<IndexMap<String, Evidence>>,
    /// Values on which the message and the documents disagree; with `?evidence=true`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Vec<AnyObject>>")]
    conflicts: Option<Vec<Conflict>>,
    /// Rules that the record violates; absent without a record.
    #[serde(skip_serializing_if = "Option::is_none")]
    errors: Option<Vec<ErrorItem>>,
    /// The passages of the context; `[n]` in the text cites them. Absent with a record.
    #[serde(skip_serializing_if = "Option::is_none")]
    context: Option<Vec<ContextRecord>>,
    /// The statements of an answer with a context, and whether their citations support them. Absent with a
    /// record.
    #[serde(skip_serializing_if = "Option::is_none")]
    statements: Option<Vec<StatementRecord>>,
    /// The citations of the text in order, each with its place in the source. Absent with a record.
    #[serde(skip_serializing_if = "Option::is_none")]
    citations: Option<Vec<CitationRecord>>,
    /// Estimated probability, 0 to 1, that the answer is right. Only answers of the built-in model with a
    /// context have it.
    #[serde(skip_serializing_if = "Option::is_none")]
    probability: Option<f64>,
    /// The person who answers in place of the agent: the message is stored, and `text` is empty. Absent while the agent
    /// answers.
    #[serde(skip_serializing_if = "Option::is_none")]
    taken_over_by: Option<PersonRecord>,
    /// Why the answer ends, as for generation; `stop` where no model writes the answer.
    #[serde(rename = "finishReason")]
    #[schemars(extend("enum" = Finish::ALL.map(Finish::name)))]
    finish_reason: &'static str,
    /// Tokens and cost of all model calls.
    usage: UsageRecord,
    /// What was left out, and which models failed.
    warnings: Vec<String>,
}

/// The state of a form in a conversation.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "ConversationForm")]
pub(in crate::http) struct FormRecord {
    /// The phase of the conversation.
    #[schemars(extend("enum" = super::phases::STATUSES))]
    status: &'static str,
    /// Every field of the form; null where there is no value.
    #[schemars(with = "AnyObject")]
    values: Map<String, Value>,
    /// The field asked for next; null when there is none.
    next: Option<NextRecord>,
    /// Fields still to be asked for and required fields without a value. Nested fields have their path, such
    /// as `address/city`.
    missing: Vec<String>,
    /// Errors of the last message, and required values that were left open.
    errors: Vec<ErrorItem>,
    /// Whether nothing is missing.
    complete: bool,
    /// How many of its values are present.
    progress: ProgressRecord,
    /// Identifier of the submission that this message made; null when it made none.
    submission_id: Option<String>,
}

/// The field asked for next.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "NextField")]
struct NextRecord {
    /// Its name, as in `missing`.
    field: String,
    /// JSON pointer into `values`; `-` at its end asks for another item of a list.
    path: String,
    /// The field's definition in the form.
    #[schemars(with = "AnyObject")]
    definition: Value,
    /// The options of the field, if it has any.
    choices: Vec<String>,
    /// The question to display.
    question: String,
}

/// Progress of a form.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "FormProgress")]
pub(super) struct ProgressRecord {
    /// Number of values present.
    pub(super) filled: usize,
    /// Number of applicable values.
    pub(super) total: usize,
}

/// The answer for the caller.
pub(in crate::http) fn answer(said: AgentChatAnswer, with_evidence: bool) -> Answer {
    let empty = Answer {
        session_id: said.session,
        text: None,
        form: None,
        record: None,
        evidence: None,
        conflicts: None,
        errors: None,
        context: None,
        statements: None,
        citations: None,
        probability: None,
        taken_over_by: said.taken_over.map(PersonRecord::from),
        finish_reason: said.outcome.finish.name(),
        usage: UsageRecord::of(said.outcome.spent.usage, said.outcome.spent.cost),
        warnings: said.warnings,
    };
    match said.reply {
        ChatReply::Record(found) => record(empty, *found, with_evidence),
        ChatReply::Guided(reply) => guided(empty, *reply),
        ChatReply::Text { text, basis } => Answer { text: Some(text), ..based(empty, basis) },
    }
}

/// What a visitor sees of a reply: its text, and the form.
pub(in crate::http) fn visible_reply(reply: ChatReply) -> (String, Option<FormRecord>) {
    match reply {
        ChatReply::Guided(reply) => (reply.text, Some(FormRecord::of(reply.form_view, reply.submission))),
        ChatReply::Text { text, .. } => (text, None),
        // Visitors cannot ask for records.
        ChatReply::Record(_) => (String::new(), None),
    }
}

fn record(empty: Answer, found: Extraction, with_evidence: bool) -> Answer {
    Answer {
        record: Some(found.record),
        evidence: with_evidence.then_some(found.evidence),
        conflicts: with_evidence.then_some(found.conflicts),
        errors: Some(violations(found.errors)),
        ..empty
    }
}

fn guided(empty: Answer, reply: GuidedReply) -> Answer {
    Answer {
        text: Some(reply.text),
        form: Some(FormRecord::of(reply.form_view, reply.submission)),
        ..based(empty, reply.basis)
    }
}

/// Adds the basis of an answer: its context, statements and citations.
fn based(empty: Answer, basis: AnswerBasis) -> Answer {
    let AnswerBasis { context, statements, citations, probability } = basis;
    Answer {
        context: Some(ContextRecord::all(context, &citations)),
        statements: Some(statements.into_iter().map(StatementRecord::from).collect()),
        citations: Some(citations.into_iter().map(CitationRecord::from).collect()),
        probability,
        ..empty
    }
}

impl FormRecord {
    /// The state of a form after its last reply.
    pub(in crate::http) fn of(shown: FormStateView, submission_id: Option<String>) -> Self {
        let FormView { phase, values, next, missing, errors, complete, filled, total } = shown.view;
        let next = next.map(|path| NextRecord {
            field: name(&path),
            definition: definition(&shown.form.schema, &path),
            choices: shown.choices,
            question: shown.question,
            path,
        });
        Self {
            status: status(phase),
            values,
            next,
            missing: missing.iter().map(|path| name(path)).collect(),
            errors: violations(errors),
            complete,
            progress: ProgressRecord { filled, total },
            submission_id,
        }
    }

    /// The state of a form that the agent no longer has: only its values.
    pub(super) fn left(state: FormState) -> Self {
        let count = state.values.len();
        Self {
            status: status(state.phase),
            values: state.values,
            next: None,
            missing: Vec::new(),
            errors: Vec::new(),
            complete: false,
            progress: ProgressRecord { filled: count, total: count },
            submission_id: None,
        }
    }
}

fn violations(violations: Vec<Violation>) -> Vec<ErrorItem> {
    let item = |violation: Violation| ErrorItem { path: violation.path, message: violation.message };
    violations.into_iter().map(item).collect()
}

/// The name of a field from its pointer, without the leading slash and without the `-` of a new list item.
fn name(path: &str) -> String {
    path.trim_start_matches('/').trim_end_matches("/-").to_owned()
}

/// The definition of a field as stored in the form; null when there is none.
fn definition(schema: &Map<String, Value>, path: &str) -> Value {
    let mut tokens = path.split('/').skip(1).map(|token| token.replace("~1", "/").replace("~0", "~"));
    let Some(mut found) = tokens.next().and_then(|first| schema.get(&first)) else { return Value::Null };
    for token in tokens {
        let inner = match (found.get("type").and_then(Value::as_str), found.get("properties")) {
            // Amount and currency have no definitions of their own, and neither has the name of a value.
            (Some("money"), _) => Some(found),
            (Some("map"), _) => {
                if token == "value" {
                    found.get("values")
                } else {
                    Some(found)
                }
            }
            (_, Some(parts)) => parts.get(&token),
            (_, None) if token == "-" => Some(found),
            (_, None) => found.get("items"),
        };
        let Some(inner) = inner else { return Value::Null };
        found = inner;
    }
    found.clone()
}
