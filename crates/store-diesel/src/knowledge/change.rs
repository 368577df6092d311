//! Changing an item.

use diesel::{
    BoolExpressionMethods as _, ExpressionMethods as _, OptionalExtension as _, QueryDsl as _,
    RunQueryDsl as _,
};
use kb_core::{Item, ItemChange, ItemId, ItemStatus, Progress, Removed, Replacement, What};
use shared_core::{StoreError, Timestamp};

use super::add::refer_to;
use super::again::{held_item, put_job};
use super::held::Held;
use super::item_rows::{self, Stored};
use super::{changes, chunks};
use crate::blob_refs::release;
use crate::connection::{AnyConnection, prepared};
use crate::failure::Failure;
use crate::schema::kb_items;

pub(super) fn change(
    connection: &mut AnyConnection,
    workspace: &str,
    id: &ItemId,
    change: &ItemChange,
    now: Timestamp,
) -> Result<Option<(Item, Removed)>, Failure> {
    let Some((mut held, before)) = held_item(connection, workspace, id)? else { return Ok(None) };
    let mut row = before.clone();
    row.item.updated = now;
    if let Some(name) = &change.name {
        row.item.name.clone_from(name);
    }
    if let Some(meta) = &change.meta {
        row.item.meta.clone_from(meta);
    }
    if let Some(print) = &change.fingerprint
        && taken_by(connection, &held, print)?.is_none()
    {
        row.fingerprint = item_rows::print(print);
    }
    if let Some(new) = &change.replacement {
        replace(connection, &held, &mut row, new)?;
        put_job(connection, &row, now)?;
    }
    item_rows::save(connection, &row)?;
    let orphans = match (&change.replacement, &before.item.content) {
        (Some(_), Some(old)) => release(connection, workspace, &old.blob.0)?.into_iter().collect(),
        _ => Vec::new(),
    };
    let told = |row: &Stored| (row.item.name.clone(), row.item.meta.clone());
    if row.item.is_findable() && told(&row) != told(&before) {
        held.wrote(changes::tell(connection, What::Put { item: row.item.number }, now)?);
    }
    held.exclude(&before.item);
    held.include(&row.item);
    held.store(connection, now)?;
    Ok(Some((row.item, Removed { orphans, ..Removed::default() })))
}

/// Gives an item new content. Its old one is still referred to.
fn replace(
    connection: &mut AnyConnection,
    held: &Held,
    row: &mut Stored,
    new: &Replacement,
) -> Result<(), Failure> {
    if taken_by(connection, held, &new.fingerprint)?.is_some_and(|number| number != row.item.number) {
        return Err(StoreError::Taken("content").into());
    }
    let content = refer_to(connection, &held.workspace, &new.content, new.fresh)?;
    row.fingerprint = item_rows::print(&new.fingerprint);
    row.item.source = new.source.clone();
    row.item.bytes = content.bytes;
    row.item.content = Some(content);
    row.item.status = ItemStatus::Queued;
    row.item.error = None;
    row.item.progress = Progress::default();
    if !row.item.is_findable() && row.stored > 0 {
        // Ready-made chunks that never were findable are of the old content.
        chunks::delete(connection, &held.workspace, &[row.item.number])?;
        row.stored = 0;
    }
    Ok(())
}

/// The number of the base's item that has a content.
fn taken_by(connection: &mut AnyConnection, held: &Held, fingerprint: &str) -> Result<Option<i64>, Failure> {
    let query = kb_items::table
        .filter(kb_items::base.eq(held.number).and(kb_items::fingerprint.eq(item_rows::print(fingerprint))))
        .filter(kb_items::workspace.eq(&held.workspace))
        .select(kb_items::number);
    Ok(prepared!(connection, inner => query.get_result(inner).optional())?)
}
