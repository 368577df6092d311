//! Administration: members and keys of a workspace, its audit log, workspaces and their quotas, sign-ins.

mod audit;
mod examples;
mod key_record;
mod keys;
mod members;
mod oidc;
mod passwords;
mod publication;
mod sign_ins;
mod workspaces;

use actix_web::http::Method;
use chrono::DateTime;
use shared_core::{Cursor, Page, PageRequest, Timestamp};

pub(in crate::http) use self::key_record::{LimitsRecord, limits_record, object};
use super::ApiError;
use super::lists::{List, ListMeta, ListQuery};
use super::operation::{Access, OperationBuilder, Registry};

/// Registers the operations of this folder.
pub(super) fn register(registry: &mut Registry) {
    passwords::register(registry);
    oidc::register(registry);
    members::register(registry);
    keys::register(registry);
    workspaces::register(registry);
    audit::register(registry);
}

/// An operation of the owners of a workspace.
fn administered<'a>(
    registry: &'a mut Registry,
    method: Method,
    path: &'static str,
    id: &'static str,
    summary: &'static str,
) -> OperationBuilder<'a> {
    registry.operation(method, path, id, summary).access(Access::Admin)
}

/// A page of rows that are all in memory: some hundreds.
fn page<T>(rows: Vec<T>, request: &PageRequest, key: impl Fn(&T) -> (Timestamp, &str)) -> Page<T> {
    Page::paginate(rows, request, |row| {
        let (created, id) = key(row);
        Cursor { created, id: id.to_owned() }
    })
}

/// A time in RFC 3339.
fn parse_time(path: &str, text: &str) -> Result<Timestamp, ApiError> {
    let parsed = DateTime::parse_from_rfc3339(text).ok();
    let parsed = parsed.and_then(|time| Timestamp::from_micros(time.timestamp_micros()));
    let name = path.trim_start_matches(['/', '?']);
    let rule = || format!("'{name}' must be a time in RFC 3339, such as 2027-01-31T00:00:00Z");
    parsed.ok_or_else(|| ApiError::invalid(path, rule()))
}

/// The JSON schema of a time.
fn time(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
    schemars::json_schema!({"type": ["string", "null"], "format": "date-time"})
}
