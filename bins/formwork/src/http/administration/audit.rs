//! The audit log.

use std::collections::BTreeSet;

use accounts_core::audit::{AuditEvent, AuditFilter};
use accounts_core::{AccountsError, ApiKey, User};
use actix_web::http::Method;
use actix_web::{HttpResponse, web};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use shared_core::{Timestamp, UserId, WorkspaceId};

use super::key_record::MemberRef;
use super::{List, ListMeta, ListQuery, administered, examples, parse_time};
use crate::app::AppState;
use crate::http::lists::whole_number;
use crate::http::operation::Registry;
use crate::http::request::{Caller, Query};
use crate::http::{ApiError, HandlerResult, rules};

const LIST: List = List { name: "audit", rows: 50 };

pub(super) fn register(registry: &mut Registry) {
    let time = || json!({"type": "string", "format": "date-time"});
    administered(
        registry,
        Method::GET,
        "/v1/audit",
        "list_audit_events",
        "Lists who created, changed, deleted or exported what in the workspace, newest first.",
    )
    .paged()
    .query("from", time(), "First time, in RFC 3339.")
    .query("to", time(), "The time after the last one, in RFC 3339.")
    .query("member", rules::text(), "Only by this member, by its id.")
    .query("key", rules::text(), "Only by this key, by its id or prefix.")
    .query("operation", rules::text(), "Only this operation, by its id in this document.")
    .query("target", rules::text(), "Only on this path.")
    .answers::<AuditLog>()
    .example(examples::audit)
    .to(list_audit_events);
}

#[derive(Deserialize)]
struct AuditQuery {
    #[serde(default, deserialize_with = "whole_number")]
    page: Option<i64>,
    #[serde(default, deserialize_with = "whole_number")]
    limit: Option<i64>,
    cursor: Option<String>,
    from: Option<String>,
    to: Option<String>,
    member: Option<String>,
    key: Option<String>,
    operation: Option<String>,
    target: Option<String>,
}

#[derive(Serialize, JsonSchema)]
struct AuditLog {
    events: Vec<AuditRecord>,
    meta: ListMeta,
}

/// An operation that stored or exported something.
#[derive(Serialize, JsonSchema)]
struct AuditRecord {
    id: String,
    /// When it began, in RFC 3339.
    time: String,
    /// Who did it; null for the server's command line.
    member: Option<MemberRef>,
    /// Prefix of the key, or its id if it was that of a sign-in that has expired; null for the command line.
    key: Option<String>,
    /// The operation, by its id in this document; of the command line, its sub-commands.
    operation: String,
    /// The path of the request.
    target: String,
    /// What it created, if anything.
    created: Option<CreatedRecord>,
    /// Id of the request in the log; empty for the command line and for sign-ins.
    request_id: String,
    /// Network address of the client.
    address: String,
    /// Status of a request that failed after it stored something, or tried to; else null.
    failure: Option<u16>,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "CreatedResource")]
struct CreatedRecord {
    /// Kind of the resource.
    kind: String,
    ids: Vec<String>,
}

impl AuditRecord {
    fn of(event: AuditEvent, users: &[User], keys: &[ApiKey]) -> Self {
        let AuditEvent { id, created, action, effect, failure } = event;
        let prefix = |id: &str| {
            let found = keys.iter().find(|key| key.id == id);
            found.map_or_else(|| id.to_owned(), |key| key.prefix.clone())
        };
        Self {
            id,
            time: Timestamp::rfc3339(created),
            member: action.actor.as_ref().map(|actor| MemberRef::of(&actor.user.0, users)),
            key: action.actor.as_ref().map(|actor| prefix(&actor.key)),
            operation: action.operation,
            target: action.target,
            created: effect.map(|effect| CreatedRecord { kind: effect.kind, ids: effect.ids }),
            request_id: action.request,
            address: action.address,
            failure,
        }
    }
}

/// The id of the key that a request names by prefix or id; what names none finds no events.
async fn key_id(state: &AppState, workspace: &WorkspaceId, named: String) -> Result<String, ApiError> {
    match state.accounts.key(workspace, &named).await {
        Ok(key) => Ok(key.id),
        Err(AccountsError::KeyNotFound) => Ok(named),
        Err(error) => Err(error.into()),
    }
}

async fn list_audit_events(
    state: web::Data<AppState>,
    Caller(who): Caller,
    Query(query): Query<AuditQuery>,
) -> HandlerResult {
    let list =
        ListQuery { page: query.page, limit: query.limit, cursor: query.cursor, title: None, label: None };
    let request = list.page(&LIST)?;
    let workspace = &who.scope.workspace;
    let key = match query.key {
        Some(named) => Some(key_id(&state, workspace, named).await?),
        None => None,
    };
    let filter = AuditFilter {
        from: query.from.as_deref().map(|text| parse_time("?from", text)).transpose()?,
        to: query.to.as_deref().map(|text| parse_time("?to", text)).transpose()?,
        user: query.member.map(UserId),
        key,
        operation: query.operation,
        target: query.target,
    };
    let page = state.audit.list(workspace, &filter, &request).await?;
    let meta = ListMeta::of(&LIST, &page, &request);
    let actors = page.items.iter().filter_map(|event| event.action.actor.as_ref());
    let ids: BTreeSet<&String> = actors.map(|actor| &actor.key).collect();
    let ids: Vec<String> = ids.into_iter().cloned().collect();
    let keys = state.accounts.keys_by_id(workspace, &ids).await?;
    let users = state.accounts.users(workspace).await?;
    let events = page.map(|event| AuditRecord::of(event, &users, &keys)).items;
    Ok(HttpResponse::Ok().json(AuditLog { events, meta }))
}
