//! The adapter of the audit log.

mod request_audit;
mod rows;

use accounts_core::audit::{AuditEvent, AuditFilter, AuditRepository};
use async_trait::async_trait;
use diesel::{BoolExpressionMethods as _, ExpressionMethods as _, QueryDsl as _, RunQueryDsl as _};
use shared_core::{Cursor, Page, PageRequest, Position, StoreError, WorkspaceId};

pub use self::request_audit::RequestAudit;
use self::rows::{EventRow, insert};
use crate::connection::AnyConnection;
use crate::database::Database;
use crate::lists;
use crate::schema::{audit_events as events, workspaces};
use crate::text_encoding::encode;

/// The audit log in the database.
#[derive(Clone, Debug)]
pub struct DieselAudit(Database);

impl DieselAudit {
    /// Uses `database`.
    #[must_use]
    pub fn new(database: Database) -> Self {
        Self(database.without_audit())
    }
}

/// The events of a workspace that pass a filter, as a boxed query for each database.
macro_rules! filtered {
    ($workspace:expr, $filter:expr) => {{
        let AuditFilter { from, to, user, key, operation, target } = $filter;
        let mut query = events::table.filter(events::workspace.eq($workspace)).into_boxed();
        if let Some(from) = from {
            query = query.filter(events::created.ge(from.micros()));
        }
        if let Some(to) = to {
            query = query.filter(events::created.lt(to.micros()));
        }
        if let Some(user) = user {
            query = query.filter(events::user_id.eq(encode(&user.0).into_owned()));
        }
        if let Some(key) = key {
            query = query.filter(events::key_id.eq(encode(key).into_owned()));
        }
        if let Some(operation) = operation {
            query = query.filter(events::operation.eq(encode(operation).into_owned()));
        }
        if let Some(target) = target {
            query = query.filter(events::target.eq(encode(target).into_owned()));
        }
        query
    }};
}

#[async_trait]
impl AuditRepository for DieselAudit {
    async fn insert(&self, event: &AuditEvent) -> Result<(), StoreError> {
        let event = event.clone();
        self.0.write(move |connection| insert(connection, &event, event.effect.as_ref()).map(drop)).await
    }

    async fn set_failure(&self, workspace: &WorkspaceId, id: &str, status: u16) -> Result<(), StoreError> {
        let (workspace, id) = (workspace.0.clone(), id.to_owned());
        let set = move |connection: &mut AnyConnection| {
            let named = events::table.filter(events::workspace.eq(&workspace).and(events::id.eq(&id)));
            diesel::update(named).set(events::failure.eq(Some(i32::from(status)))).execute(connection)?;
            Ok(())
        };
        self.0.write(set).await
    }

    async fn list(
        &self,
        workspace: &WorkspaceId,
        filter: &AuditFilter,
        page: &PageRequest,
    ) -> Result<Page<AuditEvent>, StoreError> {
        let (workspace, filter, page) = (workspace.0.clone(), filter.clone(), page.clone());
        let list = move |connection: &mut AnyConnection| {
            let total: i64 = filtered!(&workspace, &filter).count().get_result(connection)?;
            let query = filtered!(&workspace, &filter).select(events::all_columns);
            // The cursor's id alone gives the place: ids are in the order of time.
            let query = query.order(events::id.desc()).limit(lists::fetch(&page));
            let query = match &page.position {
                Position::Number(_) => query.offset(page.offset()),
                Position::After(cursor) => query.filter(events::id.lt(&cursor.id)),
            };
            let rows: Vec<EventRow> = query.load(connection)?;
            let items = rows.into_iter().map(EventRow::read).collect::<Result<Vec<_>, _>>()?;
            let key = |row: &AuditEvent| Cursor { created: row.created, id: row.id.clone() };
            Ok(lists::page(items, total, &page, key)?)
        };
        self.0.read(list).await
    }

    async fn delete_below(&self, end: &str, limit: u32) -> Result<u64, StoreError> {
        let end = end.to_owned();
        let delete = move |connection: &mut AnyConnection| {
            let all: Vec<String> = workspaces::table.select(workspaces::id).load(connection)?;
            let mut deleted = 0;
            for workspace in &all {
                let own = || events::table.filter(events::workspace.eq(workspace));
                let old = own().filter(events::id.lt(&end)).order(events::id).limit(i64::from(limit));
                let old: Vec<String> = old.select(events::id).load(connection)?;
                if let Some(last) = old.last() {
                    let gone = own().filter(events::id.le(last));
                    deleted += diesel::delete(gone).execute(connection)? as u64;
                }
            }
            Ok(deleted)
        };
        self.0.write(delete).await
    }
}
