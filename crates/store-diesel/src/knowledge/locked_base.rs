//! A knowledge base whose row is locked until the end of the transaction, so that its counts can be read and
//! written.

use diesel::{
    BoolExpressionMethods as _, ExpressionMethods as _, OptionalExtension as _, QueryDsl as _,
    RunQueryDsl as _,
};
use kb_core::{BaseId, Counts, Item};
use shared_core::{StoreError, Timestamp};

use super::base_rows::BaseRow;
use crate::connection::{AnyConnection, prepared};
use crate::failure::Failure;
use crate::rows::{stored_count, to_json};
use crate::schema::kb_bases;
use crate::text_encoding::{decode, encode};

#[derive(Debug)]
pub(super) struct LockedBase {
    pub(super) number: i64,
    pub(super) workspace: String,
    pub(super) id: BaseId,
    pub(super) embedding: Option<String>,
    pub(super) revision: i64,
    pub(super) counts: Counts,
    /// Number of items that keep `serving` from becoming `embedding`.
    pub(super) lacking: i64,
    next_place: i64,
    written: i64,
    serving: Option<String>,
    languages: Vec<String>,
}

/// The row of a base by a condition, locked on PostgreSQL.
macro_rules! lock {
    ($connection:expr, $workspace:expr, $condition:expr) => {{
        let query = kb_bases::table.filter(kb_bases::workspace.eq($workspace).and($condition));
        let found: Option<BaseRow> = match $connection {
            AnyConnection::Postgres(inner) => query.for_no_key_update().get_result(inner).optional()?,
            AnyConnection::Sqlite(inner) => query.get_result(inner).optional()?,
        };
        found.map(LockedBase::of).transpose()
    }};
}

impl LockedBase {
    fn of(row: BaseRow) -> Result<Self, Failure> {
        Ok(Self {
            counts: row.counts()?,
            languages: row.languages()?,
            number: row.number,
            workspace: row.workspace,
            id: BaseId(row.id),
            embedding: row.embedding.map(decode),
            serving: row.serving.map(decode),
            revision: row.revision,
            lacking: row.lacking,
            next_place: row.next_place,
            written: row.written,
        })
    }

    /// Locks the base with this id.
    pub(super) fn lock(
        connection: &mut AnyConnection,
        workspace: &str,
        id: &BaseId,
    ) -> Result<Option<Self>, Failure> {
        let id = encode(&id.0);
        lock!(connection, workspace, kb_bases::id.eq(id.as_ref()))
    }

    /// Locks the base with this number.
    pub(super) fn lock_number(
        connection: &mut AnyConnection,
        workspace: &str,
        number: i64,
    ) -> Result<Option<Self>, Failure> {
        lock!(connection, workspace, kb_bases::number.eq(number))
    }

    /// Reserves the position of the next item.
    pub(super) fn take_place(&mut self) -> Result<u32, Failure> {
        let place = i32::try_from(self.next_place).and_then(u32::try_from);
        self.next_place += 1;
        place.ok().ok_or_else(|| StoreError::Full.into())
    }

    /// Adds an item to the counts.
    pub(super) fn include(&mut self, item: &Item) {
        self.counts.include(item);
        self.lacking += i64::from(item.lacks(self.embedding.as_deref()));
        if let Some(new) =
            item.language.as_ref().filter(|new| item.is_findable() && !self.languages.contains(new))
        {
            self.languages.push(new.clone());
        }
    }

    /// Subtracts an item from the counts.
    pub(super) fn exclude(&mut self, item: &Item) {
        self.counts.exclude(item);
        self.lacking -= i64::from(item.lacks(self.embedding.as_deref()));
    }

    /// Sets the sequence of a change that made something searchable.
    pub(super) fn set_written(&mut self, sequence: i64) {
        self.written = sequence;
    }

    /// Writes the changes. With no lacking items, `serving` becomes `embedding`.
    pub(super) fn store(self, connection: &mut AnyConnection, now: Timestamp) -> Result<(), Failure> {
        let serving = if self.lacking == 0 { self.embedding } else { self.serving };
        let serving = serving.as_deref().map(encode);
        let row = kb_bases::table
            .filter(kb_bases::workspace.eq(&self.workspace).and(kb_bases::number.eq(self.number)));
        let update = diesel::update(row).set((
            kb_bases::queued.eq(stored_count(self.counts.queued)),
            kb_bases::processing.eq(stored_count(self.counts.processing)),
            kb_bases::ready.eq(stored_count(self.counts.ready)),
            kb_bases::failed.eq(stored_count(self.counts.failed)),
            kb_bases::chunks.eq(stored_count(self.counts.chunks)),
            kb_bases::bytes.eq(stored_count(self.counts.bytes)),
            kb_bases::lacking.eq(self.lacking),
            kb_bases::next_place.eq(self.next_place),
            kb_bases::written.eq(self.written),
            kb_bases::serving.eq(serving.as_deref()),
            kb_bases::languages.eq(to_json(&self.languages)?),
            kb_bases::updated.eq(now.micros()),
        ));
        prepared!(connection, inner => update.execute(inner))?;
        Ok(())
    }
}
