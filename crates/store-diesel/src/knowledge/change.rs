//! Changes an item.

use diesel::{
    BoolExpressionMethods as _, ExpressionMethods as _, OptionalExtension as _, QueryDsl as _,
    RunQueryDsl as _,
};
use kb_core::{ChangeKind, Item, ItemChange, ItemId, ItemStatus, Progress, RemovedItems, Replacement};
use shared_core::{StoreError, Timestamp};

use super::contents::add_content_ref;
use super::item_rows::{self, StoredItem};
use super::locked_base::LockedBase;
use super::retry::{lock_item, put_job};
use super::{changes, chunks};
use crate::blob_refs::remove_ref;
use crate::connection::{AnyConnection, prepared};
use crate::failure::Failure;
use crate::schema::kb_items;

pub(super) fn change(
    connection: &mut AnyConnection,
    workspace: &str,
    id: &ItemId,
    change: &ItemChange,
    now: Timestamp,
) -> Result<Option<(Item, RemovedItems)>, Failure> {
    let Some((mut held, before)) = lock_item(connection, workspace, id)? else { return Ok(None) };
    let mut row = before.clone();
    row.item.updated = now;
    if let Some(name) = &change.name {
        row.item.name.clone_from(name);
    }
    if let Some(meta) = &change.meta {
        row.item.meta.clone_from(meta);
    }
    row.item.expires = change.expires.unwrap_or(row.item.expires);
    if let Some(print) = &change.fingerprint
        && find_by_fingerprint(connection, &held, print)?.is_none()
    {
        row.fingerprint = item_rows::hash_fingerprint(print);
    }
    if let Some(new) = &change.replacement {
        replace(connection, &held, &mut row, new)?;
        put_job(connection, &row, now)?;
    }
    item_rows::save(connection, &row)?;
    let orphans = match (&change.replacement, &before.item.content) {
        (Some(_), Some(old)) => remove_ref(connection, workspace, &old.blob.0)?.into_iter().collect(),
        _ => Vec::new(),
    };
    let told = |row: &StoredItem| (row.item.name.clone(), row.item.meta.clone());
    if row.item.is_findable() && told(&row) != told(&before) {
        row.item.position = changes::append(connection, ChangeKind::Put { item: row.item.number }, now)?;
        held.set_written(row.item.position);
        item_rows::save(connection, &row)?;
    }
    held.exclude(&before.item);
    held.include(&row.item);
    held.store(connection, now)?;
    Ok(Some((row.item, RemovedItems { orphans, ..RemovedItems::default() })))
}

/// Gives an item new content. The reference to its old content stays.
pub(super) fn replace(
    connection: &mut AnyConnection,
    held: &LockedBase,
    row: &mut StoredItem,
    new: &Replacement,
) -> Result<(), Failure> {
    if find_by_fingerprint(connection, held, &new.fingerprint)?
        .is_some_and(|number| number != row.item.number)
    {
        return Err(StoreError::Taken("content").into());
    }
    let content = add_content_ref(connection, &held.workspace, &new.content, new.fresh)?;
    row.fingerprint = item_rows::hash_fingerprint(&new.fingerprint);
    row.item.source = new.source.clone();
    row.item.bytes = content.bytes;
    row.item.content = Some(content);
    row.item.status = ItemStatus::Queued;
    row.item.error = None;
    row.item.progress = Progress::default();
    if !row.item.is_findable() && row.stored > 0 {
        // Ready-made chunks that were never searchable belong to the old content.
        chunks::delete(connection, &held.workspace, &[row.item.number])?;
        row.stored = 0;
    }
    Ok(())
}

/// The number of the base's item with this content.
fn find_by_fingerprint(
    connection: &mut AnyConnection,
    held: &LockedBase,
    fingerprint: &str,
) -> Result<Option<i64>, Failure> {
    let query = kb_items::table
        .filter(
            kb_items::base
                .eq(held.number)
                .and(kb_items::fingerprint.eq(item_rows::hash_fingerprint(fingerprint))),
        )
        .filter(kb_items::workspace.eq(&held.workspace))
        .select(kb_items::number);
    Ok(prepared!(connection, inner => query.get_result(inner).optional())?)
}
