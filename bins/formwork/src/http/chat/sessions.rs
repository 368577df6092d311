//! Stored conversations.

use std::collections::BTreeMap;

use actix_web::http::Method;
use actix_web::{HttpResponse, web};
use agents_core::chat::{FieldStatus, FormState, Phase, Session, Speaker, Turn, ValueChange, machine};
use forms_core::Evidence;
use gen_core::Finish;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use shared_core::{Page, PageRequest, Position, Scope};

use super::examples;
use super::people::PersonRecord;
use super::phases::{STATUSES, phase_named, status};
use super::responses::{FormRecord, ProgressRecord};
use crate::app::AppState;
use crate::http::examples::done;
use crate::http::generate::UsageRecord;
use crate::http::lists::{AnyObject, Done, List, ListMeta, ListQuery, whole_number};
use crate::http::operation::Registry;
use crate::http::request::{Caller, Query, Segment, Segments};
use crate::http::{ApiError, HandlerResult, rules};

/// The list of an agent's sessions.
const LIST: List = List { name: "sessions", rows: 50 };
const PATH: &str = "/v1/agent/{namespace}/sessions";
/// One session.
const ONE: &str = "/v1/agent/{namespace}/sessions/{session_id}";
/// Registers the operations of this file.
pub(super) fn register(registry: &mut Registry) {
    registry
        .operation(Method::GET, PATH, "list_sessions", "Lists the conversations with an agent, newest first.")
        .paged()
        .query(
            "status",
            json!({"type": "string", "enum": STATUSES}),
            "Only conversations whose form is in this phase.",
        )
        .answers::<SessionList>()
        .example(examples::sessions)
        .fails(&[404])
        .to(list_sessions);
    registry
        .operation(
            Method::DELETE,
            PATH,
            "delete_sessions",
            "Deletes all conversations with an agent. Their submissions stay.",
        )
        .answers::<Done>()
        .example(|| done("2 sessions were deleted."))
        .fails(&[404])
        .to(delete_sessions);
    registry
        .operation(
            Method::GET,
            ONE,
            "get_session",
            "Retrieves a conversation with its last messages, at most 1,000, and the state of its form.",
        )
        .query("after", rules::message_number(), "Only the messages after the one with this number.")
        .answers::<SessionDetails>()
        .example(examples::session)
        .fails(&[404])
        .to(get_session);
    registry
        .operation(Method::DELETE, ONE, "delete_session", "Deletes a conversation. Its submissions stay.")
        .answers::<Done>()
        .example(|| done("The session was deleted."))
        .fails(&[404])
        .to(delete_session);
}

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
    fn of(session: &Session, progress: Option<(usize, usize)>) -> Self {
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

#[derive(Serialize, JsonSchema)]
struct SessionList {
    sessions: Vec<SessionRecord>,
    meta: ListMeta,
}

#[derive(Serialize, JsonSchema)]
struct SessionDetails {
    #[serde(flatten)]
    session: SessionRecord,
    /// The last messages, oldest first.
    messages: Vec<MessageRecord>,
    /// The form's state after the last answer. Only its values when the agent no longer has the form; null
    /// when it had none.
    form: Option<FormRecord>,
    /// Where the values of the form come from, or why one is absent, by JSON pointer into `form.values`.
    #[schemars(with = "BTreeMap<String, ValueSource>")]
    sources: BTreeMap<String, ValueSource>,
}

/// Where a value comes from.
#[derive(Serialize, JsonSchema)]
struct ValueSource {
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

#[derive(Deserialize)]
struct SessionsQuery {
    #[serde(default, deserialize_with = "whole_number")]
    page: Option<i64>,
    #[serde(default, deserialize_with = "whole_number")]
    limit: Option<i64>,
    cursor: Option<String>,
    status: Option<String>,
}

async fn list_sessions(
    state: web::Data<AppState>,
    Caller(who): Caller,
    Segment(namespace): Segment,
    Query(query): Query<SessionsQuery>,
) -> HandlerResult {
    let phase = query.status.as_deref().map(phase_named).transpose()?;
    let SessionsQuery { page, limit, cursor, .. } = query;
    let request = ListQuery { page, limit, cursor, ..ListQuery::default() }.page(&LIST)?;
    let page = records(&state, (&who.scope, &namespace), phase, &request).await?;
    let meta = ListMeta::of(&LIST, &page, &request);
    Ok(HttpResponse::Ok().json(SessionList { sessions: page.items, meta }))
}

/// A page of records. Sessions of large forms are read in parts, so that only their records stay in memory.
async fn records(
    state: &AppState,
    (scope, namespace): (&Scope, &str),
    phase: Option<Phase>,
    request: &PageRequest,
) -> Result<Page<SessionRecord>, ApiError> {
    let read = async |request: &PageRequest| -> Result<Page<SessionRecord>, ApiError> {
        let page = state.sessions.list(scope, namespace, phase, request).await?;
        let progress = state.chat.progress(scope, namespace, &page.items).await?;
        let items = page.items.iter().zip(progress).map(|(session, part)| SessionRecord::of(session, part));
        Ok(Page { items: items.collect(), total: page.total, next: page.next })
    };
    let mut page = read(request).await?;
    while let Some(cursor) = &page.next {
        let missing = request.limit.saturating_sub(u32::try_from(page.items.len()).unwrap_or(u32::MAX));
        if missing == 0 {
            break;
        }
        let further = PageRequest { position: Position::After(cursor.clone()), limit: missing };
        let further = read(&further).await?;
        page.items.extend(further.items);
        page.next = further.next;
    }
    Ok(page)
}

#[derive(Deserialize)]
struct SessionQuery {
    #[serde(default, deserialize_with = "whole_number")]
    after: Option<i64>,
}

/// The number of a message.
fn after(number: Option<i64>) -> Result<Option<u32>, ApiError> {
    let Some(number) = number else { return Ok(None) };
    let valid = u32::try_from(number).ok();
    let rule = || ApiError::invalid("?after", format!("'after' must be 0 to {}", u32::MAX));
    valid.map(Some).ok_or_else(rule)
}

/// A session with its progress.
pub(super) async fn session_record(
    state: &AppState,
    scope: &Scope,
    namespace: &str,
    session: &Session,
) -> Result<SessionRecord, ApiError> {
    let progress = state.chat.progress(scope, namespace, std::slice::from_ref(session)).await?;
    Ok(SessionRecord::of(session, progress.into_iter().next().flatten()))
}

/// Where the values of a form come from. What is told of the next item of a list is of no value.
fn sources(form: &FormState) -> BTreeMap<String, ValueSource> {
    let places = form.marks.keys().filter(|path| !path.ends_with("/-")).chain(form.evidence.keys());
    let of = |path: &String| {
        let source = machine::source(&form.marks, path)?.clone();
        Some((path.clone(), ValueSource { source, evidence: form.evidence.get(path).cloned() }))
    };
    places.filter_map(of).collect()
}

async fn get_session(
    state: web::Data<AppState>,
    Caller(who): Caller,
    Segments(namespace, id): Segments,
    Query(query): Query<SessionQuery>,
) -> HandlerResult {
    let (session, turns) = match after(query.after)? {
        None => state.sessions.get(&who.scope, &namespace, &id).await?,
        Some(number) => state.sessions.get_after(&who.scope, &namespace, &id, number).await?,
    };
    let details = SessionDetails {
        session: session_record(&state, &who.scope, &namespace, &session).await?,
        messages: turns.into_iter().map(MessageRecord::from).collect(),
        sources: session.form.as_ref().map(sources).unwrap_or_default(),
        form: form_record(&state, &who.scope, &namespace, session).await?,
    };
    Ok(HttpResponse::Ok().json(details))
}

/// The form's state after the last answer of a session.
pub(in crate::http) async fn form_record(
    state: &AppState,
    scope: &Scope,
    namespace: &str,
    session: Session,
) -> Result<Option<FormRecord>, ApiError> {
    Ok(match state.chat.form_view(scope, namespace, &session).await? {
        Some(shown) => Some(FormRecord::of(shown, None)),
        None => session.form.map(FormRecord::left),
    })
}

async fn delete_session(
    state: web::Data<AppState>,
    Caller(who): Caller,
    Segments(namespace, id): Segments,
) -> HandlerResult {
    state.sessions.delete(&who.scope, &namespace, &id).await?;
    Ok(HttpResponse::Ok().json(Done::new("The session was deleted.")))
}

async fn delete_sessions(
    state: web::Data<AppState>,
    Caller(who): Caller,
    Segment(namespace): Segment,
) -> HandlerResult {
    let message = match state.sessions.delete_all(&who.scope, &namespace).await? {
        1 => "1 session was deleted.".to_owned(),
        gone => format!("{gone} sessions were deleted."),
    };
    Ok(HttpResponse::Ok().json(Done::new(message)))
}
