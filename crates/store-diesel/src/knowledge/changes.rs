//! The change feed of the indexes and its sequence numbers. A transaction that takes a number locks the
//! feed's row until its end, so that the numbers have the order of the commits. It takes the lock as late as
//! possible.

use diesel::{ExpressionMethods as _, QueryDsl as _, RunQueryDsl as _};
use kb_core::ChangeKind;
use shared_core::{StoreError, Timestamp};

use crate::connection::{AnyConnection, prepared};
use crate::failure::{Failure, corrupt};
use crate::schema::{kb_changes, kb_feed};

/// Rows per insert statement on PostgreSQL; each takes four of its 65,535 parameters.
const INSERT_BATCH: usize = 5_000;

/// Key of the single row.
pub(super) const FEED: i32 = 1;
pub(super) const GONE: &str = "gone";
const PUT: &str = "put";
const BASE_GONE: &str = "base_gone";

#[derive(Clone, Debug, diesel::Insertable)]
#[diesel(table_name = kb_changes)]
struct NewChange {
    sequence: i64,
    what: &'static str,
    number: i64,
    time: i64,
}

/// Reserves `count` numbers. Returns the one before the first.
pub(super) fn reserve_sequences(connection: &mut AnyConnection, count: i64) -> Result<i64, Failure> {
    let row = kb_feed::table.filter(kb_feed::id.eq(FEED));
    let update =
        diesel::update(row).set(kb_feed::latest.eq(kb_feed::latest + count)).returning(kb_feed::latest);
    let latest: i64 = prepared!(connection, inner => update.get_result(inner))?;
    Ok(latest - count)
}

/// Writes changes under the reserved numbers after `before`.
pub(super) fn write(
    connection: &mut AnyConnection,
    before: i64,
    told: impl IntoIterator<Item = ChangeKind>,
    now: Timestamp,
) -> Result<(), Failure> {
    let row = |(sequence, what)| {
        let (what, number) = to_stored(what);
        NewChange { sequence, what, number, time: now.micros() }
    };
    let rows: Vec<NewChange> = (before + 1..).zip(told).map(row).collect();
    match connection {
        AnyConnection::Sqlite(inner) => {
            for row in &rows {
                diesel::insert_into(kb_changes::table).values(row).execute(inner)?;
            }
        }
        AnyConnection::Postgres(inner) => {
            for part in rows.chunks(INSERT_BATCH) {
                diesel::insert_into(kb_changes::table).values(part).execute(inner)?;
            }
        }
    }
    Ok(())
}

/// Writes a change under the next number and returns the number.
pub(super) fn append(
    connection: &mut AnyConnection,
    what: ChangeKind,
    now: Timestamp,
) -> Result<i64, Failure> {
    let before = reserve_sequences(connection, 1)?;
    write(connection, before, [what], now)?;
    Ok(before + 1)
}

fn to_stored(what: ChangeKind) -> (&'static str, i64) {
    match what {
        ChangeKind::Put { item } => (PUT, item),
        ChangeKind::Gone { item } => (GONE, item),
        ChangeKind::BaseGone { base } => (BASE_GONE, base),
    }
}

/// Decodes what [`write`] stored.
pub(super) fn read(what: &str, number: i64) -> Result<ChangeKind, StoreError> {
    match what {
        PUT => Ok(ChangeKind::Put { item: number }),
        GONE => Ok(ChangeKind::Gone { item: number }),
        BASE_GONE => Ok(ChangeKind::BaseGone { base: number }),
        other => Err(corrupt(format!("'{other}' is no change"))),
    }
}
