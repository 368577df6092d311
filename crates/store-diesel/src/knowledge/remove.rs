//! Deletes items with everything that belongs to them: some, or all of a base with a few statements.

use std::collections::{BTreeMap, BTreeSet};

use diesel::sql_types::{BigInt, Text};
use diesel::{
    BoolExpressionMethods as _, ExpressionMethods as _, OptionalExtension as _, QueryDsl as _,
    RunQueryDsl as _,
};
use files_core::BlobKey;
use kb_core::{BaseId, ChangeKind, Content, Counts, Item, ItemId, QUEUE, RemovedItems, Selection};
use shared_core::{Scope, Timestamp};

use super::item_rows::{self, StoredItem};
use super::locked_base::LockedBase;
use super::{base_rows, changes, chunks};
use crate::blob_refs::{delete_orphans, remove_ref};
use crate::connection::{AnyConnection, prepared};
use crate::failure::Failure;
use crate::jobs::{delete_jobs_at, delete_owner_jobs};
use crate::rows::position;
use crate::schema::kb_items;
use crate::text_encoding::encode;

/// An item that is deleted with its base.
#[derive(Debug, diesel::Queryable)]
pub(super) struct DeletedItemRow {
    number: i64,
    id: String,
    sequence: i64,
}

/// All items of a base, ordered by number.
pub(super) fn list_items(
    connection: &mut AnyConnection,
    held: &LockedBase,
) -> Result<Vec<DeletedItemRow>, Failure> {
    let query = kb_items::table.filter(kb_items::base.eq(held.number)).order(kb_items::number).select((
        kb_items::number,
        kb_items::id,
        kb_items::sequence,
    ));
    Ok(prepared!(connection, inner => query.load(inner))?)
}

/// Deletes all items of a base with their chunks and jobs.
pub(super) fn delete_items(
    connection: &mut AnyConnection,
    held: &LockedBase,
    all: Vec<DeletedItemRow>,
) -> Result<RemovedItems, Failure> {
    let numbers: Vec<i64> = all.iter().map(|item| item.number).collect();
    chunks::delete(connection, &held.workspace, &numbers)?;
    delete_owner_jobs(connection, QUEUE, &held.id.0)?;
    release_all(connection, held)?;
    let own =
        kb_items::table.filter(kb_items::workspace.eq(&held.workspace).and(kb_items::base.eq(held.number)));
    prepared!(connection, inner => diesel::delete(own).execute(inner))?;
    let orphans = delete_orphans(connection, &held.workspace)?;
    Ok(RemovedItems {
        items: all.into_iter().map(|item| ItemId(item.id)).collect(),
        orphans,
        ..RemovedItems::default()
    })
}

/// Removes the references of all items of a base to their contents. Unreferenced contents stay as rows.
fn release_all(connection: &mut AnyConnection, held: &LockedBase) -> Result<(), Failure> {
    if let AnyConnection::Postgres(inner) = connection {
        // Locked in the order of their keys, as every bulk writer does, to prevent deadlocks.
        let lock = diesel::sql_query(
            "SELECT key FROM blobs WHERE workspace = $1 \
             AND key IN (SELECT blob FROM kb_items WHERE base = $2 AND blob IS NOT NULL) \
             ORDER BY sha256 FOR UPDATE",
        );
        lock.bind::<Text, _>(&held.workspace).bind::<BigInt, _>(held.number).execute(inner)?;
    }
    // Counts in one pass over the base. Counting per content could read the whole base each time.
    let update = diesel::sql_query(
        "UPDATE blobs SET refs = refs - gone.times \
         FROM (SELECT blob, count(*) AS times FROM kb_items WHERE base = $1 AND blob IS NOT NULL GROUP BY blob) AS gone \
         WHERE blobs.key = gone.blob AND blobs.workspace = $2",
    );
    let update = update.bind::<BigInt, _>(held.number).bind::<Text, _>(&held.workspace);
    prepared!(connection, inner => update.execute(inner))?;
    Ok(())
}

pub(super) fn remove(
    connection: &mut AnyConnection,
    scope: &Scope,
    selection: &Selection,
    now: Timestamp,
) -> Result<RemovedItems, Failure> {
    let workspace = &scope.workspace.0;
    match selection {
        Selection::All(base) => match LockedBase::lock(connection, workspace, base)? {
            Some(held) => clear_base(connection, held, now),
            None => Ok(RemovedItems::default()),
        },
        Selection::Ids(base, ids) => remove_named(connection, workspace, base.as_ref(), ids, now),
    }
}

/// Empties a base that stays, and writes a change for each searchable item.
fn clear_base(
    connection: &mut AnyConnection,
    mut held: LockedBase,
    now: Timestamp,
) -> Result<RemovedItems, Failure> {
    let all = list_items(connection, &held)?;
    let findable: Vec<i64> = all.iter().filter(|item| item.sequence > 0).map(|item| item.number).collect();
    let mut removed = delete_items(connection, &held, all)?;
    removed.position = append_deletions(connection, &findable, now)?;
    (held.counts, held.lacking) = (Counts::default(), 0);
    held.store(connection, now)?;
    Ok(removed)
}

/// Writes the changes of deleted items; returns the number of the last one.
fn append_deletions(
    connection: &mut AnyConnection,
    items: &[i64],
    now: Timestamp,
) -> Result<Option<i64>, Failure> {
    if items.is_empty() {
        return Ok(None);
    }
    let before = changes::reserve_sequences(connection, items.len() as i64)?;
    changes::write(connection, before, items.iter().map(|item| ChangeKind::Gone { item: *item }), now)?;
    Ok(Some(before + items.len() as i64))
}

fn remove_named(
    connection: &mut AnyConnection,
    workspace: &str,
    base: Option<&BaseId>,
    ids: &[ItemId],
    now: Timestamp,
) -> Result<RemovedItems, Failure> {
    let only = match base {
        Some(base) => match base_rows::number(connection, workspace, base)? {
            Some(number) => Some(number),
            None => return Ok(RemovedItems::default()),
        },
        None => None,
    };
    let named = find_numbers(connection, workspace, ids)?;
    let named = named.into_iter().filter(|(base, _)| only.is_none_or(|only| only == *base));
    remove_numbered(connection, workspace, named, |_| true, now)
}

/// Deletes the items with these numbers, each with the number of its base, for which the condition holds once
/// the base is locked.
pub(super) fn remove_numbered(
    connection: &mut AnyConnection,
    workspace: &str,
    named: impl IntoIterator<Item = (i64, i64)>,
    condition: impl Fn(&Item) -> bool,
    now: Timestamp,
) -> Result<RemovedItems, Failure> {
    let mut by_base: BTreeMap<i64, BTreeSet<i64>> = BTreeMap::new();
    for (base, number) in named {
        by_base.entry(base).or_default().insert(number);
    }
    let (mut removed, mut findable, mut bases) = (RemovedItems::default(), Vec::new(), Vec::new());
    // In the order of their numbers, so that concurrent deletions from the same bases do not deadlock.
    for (base, numbers) in by_base {
        let Some(mut held) = LockedBase::lock_number(connection, workspace, base)? else { continue };
        let numbers: Vec<i64> = numbers.into_iter().collect();
        let mut rows = item_rows::load(connection, workspace, &numbers)?;
        rows.retain(|row| condition(&row.item));
        findable.extend(rows.iter().filter(|row| row.item.is_findable()).map(|row| row.item.number));
        removed.orphans.extend(remove_of(connection, &mut held, &rows)?);
        removed.items.extend(rows.into_iter().map(|row| row.item.id));
        bases.push(held);
    }
    removed.position = append_deletions(connection, &findable, now)?;
    for held in bases {
        held.store(connection, now)?;
    }
    Ok(removed)
}

/// The numbers of the items with these ids, and of their bases.
fn find_numbers(
    connection: &mut AnyConnection,
    workspace: &str,
    ids: &[ItemId],
) -> Result<Vec<(i64, i64)>, Failure> {
    let own = || {
        kb_items::table.filter(kb_items::workspace.eq(workspace)).select((kb_items::base, kb_items::number))
    };
    match connection {
        AnyConnection::Postgres(inner) => {
            let ids: Vec<_> = ids.iter().map(|id| encode(&id.0)).collect();
            Ok(own().filter(kb_items::id.eq_any(ids)).load(inner)?)
        }
        AnyConnection::Sqlite(inner) => {
            let mut found = Vec::with_capacity(ids.len());
            for id in ids {
                let query = own().filter(kb_items::id.eq(encode(&id.0).into_owned()));
                found.extend(query.get_result::<(i64, i64)>(inner).optional()?);
            }
            Ok(found)
        }
    }
}

/// Deletes items of a base. Returns the contents that are now unreferenced.
fn remove_of(
    connection: &mut AnyConnection,
    held: &mut LockedBase,
    rows: &[StoredItem],
) -> Result<Vec<BlobKey>, Failure> {
    let mut numbers: Vec<i64> = rows.iter().map(|row| row.item.number).collect();
    numbers.sort_unstable();
    chunks::delete(connection, &held.workspace, &numbers)?;
    let places: Vec<i32> = rows.iter().map(|row| position(row.item.place)).collect();
    delete_jobs_at(connection, QUEUE, &held.id.0, &places)?;
    let own = || kb_items::table.filter(kb_items::workspace.eq(&held.workspace));
    match connection {
        AnyConnection::Postgres(inner) => {
            diesel::delete(own().filter(kb_items::number.eq_any(&numbers))).execute(inner)?;
        }
        AnyConnection::Sqlite(inner) => {
            for number in &numbers {
                diesel::delete(own().filter(kb_items::number.eq(number))).execute(inner)?;
            }
        }
    }
    let mut orphans = Vec::new();
    let mut contents: Vec<&Content> = rows.iter().filter_map(|row| row.item.content.as_ref()).collect();
    contents.sort_unstable_by_key(|content| &content.sha256);
    for content in contents {
        orphans.extend(remove_ref(connection, &held.workspace, &content.blob.0)?);
    }
    rows.iter().for_each(|row| held.exclude(&row.item));
    Ok(orphans)
}
