//! Answers of agents as they are told.

use agents_core::chat::machine::FormView;
use agents_core::chat::{AgentChatAnswer, AnswerBasis, ChatReply, FormState, FormStateView, GuidedReply};
use forms_core::{Conflict, Evidence, Extraction};
use gen_core::Finish;
use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};
use shared_core::Violation;

use super::sessions::status;
use crate::http::citations::{CitationRecord, ContextRecord, StatementRecord};
use crate::http::error::ErrorItem;
use crate::http::generate::UsageRecord;
use crate::http::lists::AnyObject;

/// An answer: of the guided conversation with `form`, a record with `record`, of free talk with neither.
#[derive(Serialize, JsonSchema)]
pub(super) struct Answer {
    /// The conversation, to go on with.
    session_id: String,
    /// What the agent says, as Markdown; absent with a record.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) text: Option<String>,
    /// The form on its way; absent without a guided conversation.
    #[serde(skip_serializing_if = "Option::is_none")]
    form: Option<FormRecord>,
    /// The form's fields; null where nothing was said.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<AnyObject>")]
    record: Option<Map<String, Value>>,
    /// By JSON pointer into the record; with `?evidence=true`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<AnyObject>")]
    evidence: Option<IndexMap<String, Evidence>>,
    /// Where message and documents disagree; with `?evidence=true`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Vec<AnyObject>>")]
    conflicts: Option<Vec<Conflict>>,
    /// Rules that the record breaks; absent without a record.
    #[serde(skip_serializing_if = "Option::is_none")]
    errors: Option<Vec<ErrorItem>>,
    /// What the text was based on; `[n]` in it cites it. Absent with a record.
    #[serde(skip_serializing_if = "Option::is_none")]
    context: Option<Vec<ContextRecord>>,
    /// The sentences of what was based on the context, and whether what they cite says what they say. Absent with a
    /// record.
    #[serde(skip_serializing_if = "Option::is_none")]
    statements: Option<Vec<StatementRecord>>,
    /// The citations of the text in order, each with the place that it rests on. Absent with a record.
    #[serde(skip_serializing_if = "Option::is_none")]
    citations: Option<Vec<CitationRecord>>,
    /// How likely it is that the answer to a question is right, 0 to 1; of answers of the built-in model that rest on a
    /// context.
    #[serde(skip_serializing_if = "Option::is_none")]
    probability: Option<f64>,
    /// Why the answer ends, as in answers of generation; `stop` where no model words it.
    #[serde(rename = "finishReason")]
    #[schemars(extend("enum" = Finish::ALL.map(Finish::name)))]
    finish_reason: &'static str,
    /// Tokens and money of all calls of models.
    usage: UsageRecord,
    /// What was left out, and which models failed.
    warnings: Vec<String>,
}

/// A form on its way.
#[derive(Serialize, JsonSchema)]
pub(super) struct FormRecord {
    /// Where the conversation is.
    #[schemars(extend("enum" = super::sessions::STATUSES))]
    status: &'static str,
    /// Every field of the form; null where there is no value.
    #[schemars(with = "AnyObject")]
    values: Map<String, Value>,
    /// What is asked for; null when nothing is.
    next: Option<NextRecord>,
    /// What is still to be asked for, and what is required and has no value: names of fields, of inner ones with those
    /// that they are in, as `address/city`.
    missing: Vec<String>,
    /// What was wrong with the last message, and required values that were left open.
    errors: Vec<ErrorItem>,
    /// Whether nothing is missing.
    complete: bool,
    /// How far it is.
    progress: ProgressRecord,
    /// The record that this message sent; null when it sent none.
    submission_id: Option<String>,
}

/// A value that is asked for.
#[derive(Serialize, JsonSchema)]
struct NextRecord {
    /// The name, as in `missing`.
    field: String,
    /// JSON pointer into `values`; `-` at its end asks for another item of a list.
    path: String,
    /// The field's definition in the form.
    #[schemars(with = "AnyObject")]
    definition: Value,
    /// The options, where there are some.
    choices: Vec<String>,
    /// The question, ready to be shown.
    question: String,
}

/// How far a form is.
#[derive(Serialize, JsonSchema)]
struct ProgressRecord {
    /// Values that there are.
    filled: usize,
    /// Values that apply.
    total: usize,
}

/// The answer as it is given to a caller.
pub(super) fn answer(said: AgentChatAnswer, with_evidence: bool) -> Answer {
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

/// An answer with what it is based on.
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
    /// A form as its last reply left it.
    pub(super) fn of(shown: FormStateView, submission_id: Option<String>) -> Self {
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

    /// What is left of a form that the agent no longer has: its values.
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

/// The name of a place: its pointer without the slash before it, and without the `-` of another item.
fn name(path: &str) -> String {
    path.trim_start_matches('/').trim_end_matches("/-").to_owned()
}

/// The definition of a place as the form was written; null where there is none.
fn definition(schema: &Map<String, Value>, path: &str) -> Value {
    let mut tokens = path.split('/').skip(1).map(|token| token.replace("~1", "/").replace("~0", "~"));
    let Some(mut found) = tokens.next().and_then(|first| schema.get(&first)) else { return Value::Null };
    for token in tokens {
        let inner = match found.get("properties") {
            Some(parts) => parts.get(&token),
            None if token == "-" => Some(found),
            None => found.get("items"),
        };
        let Some(inner) = inner else { return Value::Null };
        found = inner;
    }
    found.clone()
}
