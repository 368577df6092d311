//! Items that failed and are tried again, or given again.

use kb_core::{Item, ItemId, ItemStatus, Matter, What};
use shared_core::{StoreError, Timestamp};

use super::add::{Given, take};
use super::held::Held;
use super::item_rows::{self, Stored};
use super::{changes, chunks};
use crate::connection::AnyConnection;
use crate::failure::Failure;
use crate::jobs::put_anew;

/// Lets an item wait for a worker; whoever works on it has lost it.
pub(super) fn put_job(connection: &mut AnyConnection, row: &Stored, now: Timestamp) -> Result<(), Failure> {
    put_anew(connection, &row.job(), &row.item.workspace.0, (now.micros(), row.fence))
}

/// An item whose content is given once more: it is queued again where it had failed.
pub(super) fn give(
    connection: &mut AnyConnection,
    held: &mut Held,
    number: i64,
    given: &Given,
    now: Timestamp,
) -> Result<Item, Failure> {
    let row = item_rows::load(connection, &held.workspace, &[number])?.pop();
    let row = row.ok_or(StoreError::Missing("item"))?;
    if row.item.status != ItemStatus::Failed || matches!(given.new.matter, Matter::Unusable(_)) {
        return Ok(row.item);
    }
    if row.item.content.is_some() || row.stored > 0 {
        return queue(connection, held, row, now);
    }
    fill(connection, held, row, given, now)
}

/// Gives an item that has nothing what it consists of.
fn fill(
    connection: &mut AnyConnection,
    held: &mut Held,
    mut row: Stored,
    given: &Given,
    now: Timestamp,
) -> Result<Item, Failure> {
    held.exclude(&row.item);
    let got = take(connection, &held.workspace, given)?;
    chunks::insert(connection, &held.workspace, given.rows.iter().map(|chunk| (row.item.number, chunk)))?;
    let sequence = match got.is_findable() {
        true => Some(changes::tell(connection, What::Put { item: row.item.number }, now)?),
        false => None,
    };
    if let Some(sequence) = sequence {
        held.wrote(sequence);
    }
    got.settle(&mut row, sequence, held);
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
    held: &mut Held,
    mut row: Stored,
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
    let Some((mut held, row)) = held_item(connection, workspace, id)? else { return Ok(None) };
    if row.item.status != ItemStatus::Failed {
        return Err(StoreError::Stale.into());
    }
    let item = queue(connection, &mut held, row, now)?;
    held.store(connection, now)?;
    Ok(Some(item))
}

/// An item with its base, which is held.
pub(super) fn held_item(
    connection: &mut AnyConnection,
    workspace: &str,
    id: &ItemId,
) -> Result<Option<(Held, Stored)>, Failure> {
    // An item never changes its base, so that it can be read before the base is held.
    let Some(seen) = item_rows::find(connection, workspace, id)? else { return Ok(None) };
    let Some(held) = Held::lock(connection, workspace, &seen.item.base)? else { return Ok(None) };
    let row = match connection {
        AnyConnection::Sqlite(_) => Some(seen),
        AnyConnection::Postgres(_) => item_rows::find(connection, workspace, id)?,
    };
    Ok(row.map(|row| (held, row)))
}
