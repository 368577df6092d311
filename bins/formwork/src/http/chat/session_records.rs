//! The JSON shapes of stored conversations.

use std::collections::BTreeMap;

use agents_core::chat::{FieldStatus, FormState, Session, Speaker, Turn, ValueChange, machine};
use forms_core::Evidence;
use gen_core::Finish;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use super::people::PersonRecord;
use super::phases::{STATUSES, status};
use super::responses::ProgressRecord;
use crate::http::generate::UsageRecord;
use crate::http::lists::AnyObject;

/// A conversation.
#[derive(Serialize, JsonSchema)]
pub(super) struct SessionRecord {
    id: String,
    /// Start of its first message.
    title: String,
    /// Phase of its form; null when the agent had none.
    #[schemars(schema_with = "statuses")]
    status: Option<&'static str>,
    /// The form; null when the agent had none.
    form_id: Option<String>,
    /// How many values its form has; null when the agent had none or has none now.
    progress: Option<ProgressRecord>,
    /// The person who answers in place of the agent; null while the agent answers.
    taken_over_by: Option<PersonRecord>,
    /// Number of messages of both sides.
    turns: u32,
    /// ISO 639-1 code of the user's language as last detected; empty when unknown.
    language: String,
    /// `YYYY-MM-DD hh:mm:ss`, UTC.
    created_timestamp: String,
    /// Time of its last message.
    updated_timestamp: String,
    #[serde(rename = "userName")]
    user_name: String,
}

fn statuses(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
    let names = STATUSES.map(Some).into_iter().chain([None]).collect::<Vec<_>>();
    schemars::json_schema!({"type": ["string", "null"], "enum": names})
}

impl SessionRecord {
    pub(super) fn of(session: &Session, progress: Option<(usize, usize)>) -> Self {
        Self {
            id: session.id.clone(),
            title: session.title.clone(),
            status: session.form.as_ref().map(|form| status(form.phase)),
            form_id: session.form.as_ref().map(|form| form.form_id.clone()),
            progress: progress.map(|(filled, total)| ProgressRecord { filled, total }),
            taken_over_by: session.taken_over.clone().map(PersonRecord::from),
            turns: session.turns,
            language: session.language.clone(),
            created_timestamp: session.created.record_text(),
            updated_timestamp: session.updated.record_text(),
            user_name: session.author.name.clone(),
        }
    }
}

/// Where a value comes from.
#[derive(Serialize, JsonSchema)]
pub(super) struct ValueSource {
    /// `said` by the user; from a `document`, with `weak` support or not; `implied` by a message, as a model has it; the
    /// form's `default`. Without a value: `unknown` to the user, `not_applicable`, to be given `later`, or `skipped`.
    #[schemars(with = "String", extend("enum" = SOURCES))]
    source: FieldStatus,
    /// The place of the document that states it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<AnyObject>")]
    evidence: Option<Evidence>,
}

/// The names of sources.
const SOURCES: [&str; 9] =
    ["said", "document", "weak", "implied", "default", "unknown", "not_applicable", "later", "skipped"];

/// A value of the form that a message changed.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "ChangedValue")]
struct ChangeRecord {
    /// JSON pointer into `form.values`.
    path: String,
    /// The value after the message; null where it was removed.
    value: Value,
    /// Where it comes from; absent where it was removed.
    #[serde(flatten)]
    #[schemars(with = "Option<ValueSource>")]
    source: Option<ValueSource>,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "SessionMessage")]
pub(super) struct MessageRecord {
    /// Its place in the conversation, from 1.
    number: u32,
    #[schemars(extend("enum" = ["user", "assistant"]))]
    role: &'static str,
    content: String,
    /// Name of the person who wrote it in place of the agent; absent for others.
    #[serde(skip_serializing_if = "Option::is_none")]
    author: Option<String>,
    /// What the message changed in the form, at most 500 values; absent where it changed nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    changes: Option<Vec<ChangeRecord>>,
    /// `YYYY-MM-DD hh:mm:ss`, UTC.
    timestamp: String,
    /// Why the agent's message ends; null for messages of users and people, and for those stored by earlier versions.
    #[serde(rename = "finishReason")]
    #[schemars(schema_with = "finish_reasons")]
    finish_reason: Option<&'static str>,
    /// Tokens and cost of the agent's message; null for user messages and for messages stored by earlier
    /// versions.
    usage: Option<UsageRecord>,
}

fn finish_reasons(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
    let names = Finish::ALL.map(|finish| Some(finish.name())).into_iter().chain([None]).collect::<Vec<_>>();
    schemars::json_schema!({"type": ["string", "null"], "enum": names})
}

impl From<ValueChange> for ChangeRecord {
    fn from(change: ValueChange) -> Self {
        let ValueChange { path, value, source, evidence } = change;
        Self { path, value, source: source.map(|source| ValueSource { source, evidence }) }
    }
}

impl From<Turn> for MessageRecord {
    fn from(turn: Turn) -> Self {
        let role = match turn.speaker {
            Speaker::User => "user",
            Speaker::Assistant => "assistant",
        };
        let finish_reason = turn.outcome.map(|taken| taken.finish.name());
        let usage = turn.outcome.map(|taken| UsageRecord::of(taken.spent.usage, taken.spent.cost));
        let changes: Vec<_> = turn.details.changes.into_iter().map(ChangeRecord::from).collect();
        Self {
            number: turn.number,
            role,
            content: turn.text,
            author: turn.details.author,
            changes: Some(changes).filter(|changes| !changes.is_empty()),
            timestamp: turn.at.record_text(),
            finish_reason,
            usage,
        }
    }
}

/// Where the values of a form come from. What is told of the next item of a list is of no value.
pub(super) fn sources(form: &FormState) -> BTreeMap<String, ValueSource> {
    let places = form.marks.keys().filter(|path| !path.ends_with("/-")).chain(form.evidence.keys());
    let of = |path: &String| {
        let source = machine::source(&form.marks, path)?.clone();
        Some((path.clone(), ValueSource { source, evidence: form.evidence.get(path).cloned() }))
    };
    places.filter_map(of).collect()
}
