//! Stored conversations.

use actix_web::http::Method;
use actix_web::{HttpResponse, web};
use agents_core::AgentsError;
use agents_core::chat::{Session, Speaker, Turn};
use gen_core::Finish;
use schemars::JsonSchema;
use serde::Serialize;
use shared_core::{Page, PageRequest, Position, Scope};

use super::examples;
use super::phases::{STATUSES, status};
use super::responses::FormRecord;
use crate::app::AppState;
use crate::http::examples::done;
use crate::http::generate::UsageRecord;
use crate::http::lists::{Done, List, ListMeta, ListQuery};
use crate::http::operation::Registry;
use crate::http::request::{Caller, Query, Segment, Segments};
use crate::http::{ApiError, HandlerResult};

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

#[derive(Serialize, JsonSchema)]
struct SessionRecord {
    id: String,
    /// Start of its first message.
    title: String,
    /// Phase of its form; null when the agent had none.
    #[schemars(schema_with = "statuses")]
    status: Option<&'static str>,
    /// The form; null when the agent had none.
    form_id: Option<String>,
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

impl From<&Session> for SessionRecord {
    fn from(session: &Session) -> Self {
        Self {
            id: session.id.clone(),
            title: session.title.clone(),
            status: session.form.as_ref().map(|form| status(form.phase)),
            form_id: session.form.as_ref().map(|form| form.form_id.clone()),
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
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "SessionMessage")]
struct MessageRecord {
    #[schemars(extend("enum" = ["user", "assistant"]))]
    role: &'static str,
    content: String,
    /// `YYYY-MM-DD hh:mm:ss`, UTC.
    timestamp: String,
    /// Why the agent's message ends; null for user messages and for messages stored by earlier versions.
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

impl From<Turn> for MessageRecord {
    fn from(turn: Turn) -> Self {
        let role = match turn.speaker {
            Speaker::User => "user",
            Speaker::Assistant => "assistant",
        };
        let finish_reason = turn.outcome.map(|taken| taken.finish.name());
        let usage = turn.outcome.map(|taken| UsageRecord::of(taken.spent.usage, taken.spent.cost));
        Self { role, content: turn.text, timestamp: turn.at.record_text(), finish_reason, usage }
    }
}

async fn list_sessions(
    state: web::Data<AppState>,
    Caller(who): Caller,
    Segment(namespace): Segment,
    Query(query): Query<ListQuery>,
) -> HandlerResult {
    let request = query.page(&LIST)?;
    let page = records(&state, &who.scope, &namespace, &request).await?;
    let meta = ListMeta::of(&LIST, &page, &request);
    Ok(HttpResponse::Ok().json(SessionList { sessions: page.items, meta }))
}

/// A page of records. Sessions of large forms are read in parts, so that only their records stay in memory.
async fn records(
    state: &AppState,
    scope: &Scope,
    namespace: &str,
    request: &PageRequest,
) -> Result<Page<SessionRecord>, AgentsError> {
    let of = |page: Page<Session>| page.map(|session| SessionRecord::from(&session));
    let mut page = of(state.sessions.list(scope, namespace, request).await?);
    while let Some(cursor) = &page.next {
        let missing = request.limit.saturating_sub(u32::try_from(page.items.len()).unwrap_or(u32::MAX));
        if missing == 0 {
            break;
        }
        let further = PageRequest { position: Position::After(cursor.clone()), limit: missing };
        let further = of(state.sessions.list(scope, namespace, &further).await?);
        page.items.extend(further.items);
        page.next = further.next;
    }
    Ok(page)
}

async fn get_session(
    state: web::Data<AppState>,
    Caller(who): Caller,
    Segments(namespace, id): Segments,
) -> HandlerResult {
    let (session, turns) = state.sessions.get(&who.scope, &namespace, &id).await?;
    let details = SessionDetails {
        session: SessionRecord::from(&session),
        messages: turns.into_iter().map(MessageRecord::from).collect(),
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
