//! Retries failed items, and items that are submitted again.

use kb_core::{ChangeKind, Contents, Item, ItemId, ItemStatus};
use shared_core::{StoreError, Timestamp};

use super::contents::{PreparedItem, store_contents};
use super::item_rows::{self, StoredItem};
use super::locked_base::LockedBase;
use super::{changes, chunks};
use crate::connection::AnyConnection;
use crate::failure::Failure;
use crate::jobs::reset_job;

/// Enqueues an item. A worker that processes it loses its lease.
pub(super) fn put_job(
    connection: &mut AnyConnection,
    row: &StoredItem,
    now: Timestamp,
) -> Result<(), Failure> {
    reset_job(connection, &row.job(), &row.item.workspace.0, (now.micros(), row.fence))
}

/// Handles an item whose content is submitted again: it expires as the new submission says, and a failed one is
/// queued again.
pub(super) fn resubmit(
    connection: &mut AnyConnection,
    held: &mut LockedBase,
    number: i64,
    given: &PreparedItem,
    now: Timestamp,
) -> Result<Item, Failure> {
    let row = item_rows::load(connection, &held.workspace, &[number])?.pop();
    let mut row = row.ok_or(StoreError::Missing("item"))?;
    if row.item.expires != given.new.expires {
        row.item.expires = given.new.expires;
        row.item.updated = now;
        item_rows::save(connection, &row)?;
    }
    if row.item.status != ItemStatus::Failed || matches!(given.new.matter, Contents::Unusable(_)) {
        return Ok(row.item);
    }
    if row.item.content.is_some() || row.stored > 0 {
        return queue(connection, held, row, now);
    }
    fill_item(connection, held, row, given, now)
}

/// Gives an empty item its contents.
fn fill_item(
    connection: &mut AnyConnection,
    held: &mut LockedBase,
    mut row: StoredItem,
    given: &PreparedItem,
    now: Timestamp,
) -> Result<Item, Failure> {
    held.exclude(&row.item);
    let got = store_contents(connection, &held.workspace, given)?;
    chunks::insert(connection, &held.workspace, given.rows.iter().map(|chunk| (row.item.number, chunk)))?;
    let sequence = match got.is_findable() {
        true => Some(changes::append(connection, ChangeKind::Put { item: row.item.number }, now)?),
        false => None,
    };
    if let Some(sequence) = sequence {
        held.set_written(sequence);
    }
    got.apply_to(&mut row, sequence, held);
    row.item.updated = now;
    if row.item.status == ItemStatus::Queued {
        put_job(connection, &row, now)?;
    }
    item_rows::save(connection, &row)?;
    held.include(&row.item);
    Ok(row.item)
}

/// Queues a failed item again.
fn queue(
    connection: &mut AnyConnection,
    held: &mut LockedBase,
    mut row: StoredItem,
    now: Timestamp,
) -> Result<Item, Failure> {
    held.exclude(&row.item);
    row.item.queue_again(now);
    put_job(connection, &row, now)?;
    item_rows::save(connection, &row)?;
    held.include(&row.item);
    Ok(row.item)
}

/// Queues a failed item again on request.
pub(super) fn retry(
    connection: &mut AnyConnection,
    workspace: &str,
    id: &ItemId,
    now: Timestamp,
) -> Result<Option<Item>, Failure> {
    let Some((mut held, row)) = lock_item(connection, workspace, id)? else { return Ok(None) };
    if row.item.status != ItemStatus::Failed {
        return Err(StoreError::Stale.into());
    }
    let item = queue(connection, &mut held, row, now)?;
    held.store(connection, now)?;
    Ok(Some(item))
}

/// An item and its base, which is locked.
pub(super) fn lock_item(
    connection: &mut AnyConnection,
    workspace: &str,
    id: &ItemId,
) -> Result<Option<(LockedBase, StoredItem)>, Failure> {
    // An item never changes its base, so it can be read before the base is locked.
    let Some(seen) = item_rows::find(connection, workspace, id)? else { return Ok(None) };
    let Some(held) = LockedBase::lock(connection, workspace, &seen.item.base)? else { return Ok(None) };
    let row = match connection {
        AnyConnection::Sqlite(_) => Some(seen),
        AnyConnection::Postgres(_) => item_rows::find(connection, workspace, id)?,
    };
    Ok(row.map(|row| (held, row)))
}
