//! Stored conversations.

use std::collections::BTreeMap;

use actix_web::http::Method;
use actix_web::{HttpResponse, web};
use agents_core::chat::{Phase, Session, Turn};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use shared_core::{Page, PageRequest, Position, Scope};

use super::examples;
use super::phases::{STATUSES, phase_named};
use super::responses::FormRecord;
use super::session_records::{MessageRecord, SessionRecord, ValueSource, sources};
use crate::app::AppState;
use crate::http::examples::done;
use crate::http::lists::{Done, List, ListMeta, ListQuery, whole_number};
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

/// Which messages of a conversation are read.
#[derive(Deserialize)]
pub(in crate::http) struct SessionQuery {
    #[serde(default, deserialize_with = "whole_number")]
    after: Option<i64>,
}

impl SessionQuery {
    /// The conversation with these messages.
    pub(in crate::http) async fn read(
        &self,
        state: &AppState,
        scope: &Scope,
        namespace: &str,
        id: &str,
    ) -> Result<(Session, Vec<Turn>), ApiError> {
        let Some(after) = self.after else { return Ok(state.sessions.get(scope, namespace, id).await?) };
        let rule = || ApiError::invalid("?after", format!("'after' must be 0 to {}", u32::MAX));
        let number = u32::try_from(after).ok().ok_or_else(rule)?;
        Ok(state.sessions.get_after(scope, namespace, id, number).await?)
    }
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

async fn get_session(
    state: web::Data<AppState>,
    Caller(who): Caller,
    Segments(namespace, id): Segments,
    Query(query): Query<SessionQuery>,
) -> HandlerResult {
    let (session, turns) = query.read(&state, &who.scope, &namespace, &id).await?;
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
