//! Entries for items that have their external ids.

use std::collections::{HashMap, HashSet};

use diesel::{
    BoolExpressionMethods as _, ExpressionMethods as _, NullableExpressionMethods as _,
    OptionalExtension as _, QueryDsl as _, RunQueryDsl as _,
};
use files_core::BlobKey;
use kb_core::{AddedItem, ChangeKind, Contents, Difference, ItemStatus, Progress, Replacement};
use shared_core::{StoreError, Timestamp};

use super::change::replace;
use super::contents::PreparedItem;
use super::item_rows::{self, StoredItem};
use super::locked_base::LockedBase;
use super::retry::{put_job, resubmit};
use super::{changes, chunks};
use crate::blob_refs::remove_ref;
use crate::connection::AnyConnection;
use crate::failure::Failure;
use crate::schema::kb_items;
use crate::text_encoding::{decode, encode};

/// An entry whose contents are stored, with its item before and after.
pub(super) struct Upsert {
    before: StoredItem,
    after: StoredItem,
    difference: Difference,
    orphan: Option<BlobKey>,
}

/// The numbers of the base's items by the external ids that the given ones have.
pub(super) fn find_owners(
    connection: &mut AnyConnection,
    held: &LockedBase,
    given: &[PreparedItem],
) -> Result<HashMap<String, i64>, Failure> {
    let wanted: Vec<String> = given
        .iter()
        .filter_map(|one| one.new.external_id.as_deref())
        .map(|id| encode(id).into_owned())
        .collect();
    if wanted.is_empty() {
        return Ok(HashMap::new());
    }
    let own = || {
        kb_items::table
            .filter(kb_items::workspace.eq(&held.workspace).and(kb_items::base.eq(held.number)))
            .select((kb_items::external_id.assume_not_null(), kb_items::number))
    };
    let mut found: Vec<(String, i64)> = Vec::new();
    match connection {
        AnyConnection::Postgres(inner) => {
            found = own().filter(kb_items::external_id.eq_any(wanted)).load(inner)?;
        }
        AnyConnection::Sqlite(inner) => {
            for one in wanted {
                let query = own().filter(kb_items::external_id.eq(one));
                found.extend(query.get_result::<(String, i64)>(inner).optional()?);
            }
        }
    }
    Ok(found.into_iter().map(|(id, number)| (decode(id), number)).collect())
}

/// An entry with its index among the given items, and the number of its item.
type NumberedEntry<'a> = (usize, i64, &'a PreparedItem);

/// Stores the contents of all entries, in the order of their keys, as every bulk writer does. The feed is not
/// locked yet. Returns them by their index. A second entry for an item is left out: it is answered as one that
/// is there already.
pub(super) fn write_all<'a>(
    connection: &mut AnyConnection,
    held: &LockedBase,
    entries: impl Iterator<Item = NumberedEntry<'a>>,
) -> Result<HashMap<usize, Upsert>, Failure> {
    let mut numbers = HashSet::new();
    let mut entries: Vec<NumberedEntry<'_>> =
        entries.filter(|(_, number, _)| numbers.insert(*number)).collect();
    entries.sort_by_key(|(_, _, given)| match &given.new.matter {
        Contents::Document { content, .. } => content.sha256.as_str(),
        Contents::Chunks { .. } | Contents::Remote | Contents::Unusable(_) => "",
    });
    let mut upserts = HashMap::with_capacity(entries.len());
    for (at, number, given) in entries {
        upserts.insert(at, write(connection, held, number, given)?);
    }
    Ok(upserts)
}

fn write(
    connection: &mut AnyConnection,
    held: &LockedBase,
    number: i64,
    given: &PreparedItem,
) -> Result<Upsert, Failure> {
    let before = item_rows::load(connection, &held.workspace, &[number])?.pop();
    let before = before.ok_or(StoreError::Missing("item"))?;
    let (mut after, new) = (before.clone(), &given.new);
    let fingerprint = item_rows::hash_fingerprint(&new.fingerprint);
    let difference = new.difference(&before.item, before.fingerprint == fingerprint);
    let mut orphan = None;
    if difference != Difference::Nothing {
        if difference == Difference::Content {
            replace_contents(connection, held, &mut after, given)?;
        }
        new.label(&mut after.item);
        after.fingerprint = fingerprint;
        // A content goes when no row names it any more.
        item_rows::save(connection, &after)?;
    }
    if let Some(old) = before.item.content.as_ref().filter(|_| difference == Difference::Content) {
        orphan = remove_ref(connection, &held.workspace, &old.blob.0)?;
    }
    Ok(Upsert { before, after, difference, orphan })
}

/// Replaces what an item consists of. The reference to its old content stays.
fn replace_contents(
    connection: &mut AnyConnection,
    held: &LockedBase,
    row: &mut StoredItem,
    given: &PreparedItem,
) -> Result<(), Failure> {
    let new = &given.new;
    if let Contents::Document { content, fresh } = &new.matter {
        let replacement = Replacement {
            source: new.source.clone(),
            content: content.clone(),
            fresh: *fresh,
            fingerprint: new.fingerprint.clone(),
        };
        return replace(connection, held, row, &replacement);
    }
    let number = row.item.number;
    let is_findable = row.item.is_findable();
    let item = &mut row.item;
    (item.content, item.error) = (None, None);
    (item.bytes, item.status, item.progress) = (new.bytes, ItemStatus::Queued, Progress::default());
    let rows = match &new.matter {
        Contents::Chunks { language, .. } => {
            (item.language, item.embedded) = (language.clone(), None);
            &given.rows
        }
        // Chunks that can be found stay until the page is fetched.
        _ if is_findable => return Ok(()),
        _ => &Vec::new(),
    };
    if row.stored > 0 {
        chunks::delete(connection, &held.workspace, &[number])?;
    }
    chunks::insert(connection, &held.workspace, rows.iter().map(|chunk| (number, chunk)))?;
    row.stored = rows.len() as u64;
    Ok(())
}

/// Stores the item of an entry, with its change and job.
pub(super) fn finish(
    connection: &mut AnyConnection,
    held: &mut LockedBase,
    upsert: Upsert,
    given: &PreparedItem,
    now: Timestamp,
) -> Result<AddedItem, Failure> {
    let Upsert { before, mut after, difference, orphan } = upsert;
    if difference == Difference::Nothing {
        let item = resubmit(connection, held, before.item.number, given, now)?;
        return Ok(AddedItem::existing(item));
    }
    let replaced = difference == Difference::Content;
    let has_chunks = replaced && matches!(given.new.matter, Contents::Chunks { .. });
    let labels = |row: &StoredItem| (row.item.name.clone(), row.item.meta.clone());
    if has_chunks || (after.item.is_findable() && labels(&after) != labels(&before)) {
        let what = ChangeKind::Put { item: after.item.number };
        after.item.position = changes::append(connection, what, now)?;
        held.set_written(after.item.position);
    }
    if has_chunks {
        show_chunks(&mut after, held);
    }
    let failed = after.item.status == ItemStatus::Failed;
    if failed {
        after.item.queue_again(now);
    }
    if replaced || failed {
        // Also for chunks that are ready: a worker of the former content loses its job.
        put_job(connection, &after, now)?;
    }
    after.item.updated = now;
    item_rows::save(connection, &after)?;
    held.exclude(&before.item);
    held.include(&after.item);
    Ok(AddedItem { item: after.item, new: false, replaced, orphan })
}

/// Makes the new ready-made chunks of an item findable.
fn show_chunks(row: &mut StoredItem, held: &LockedBase) {
    row.item.sequence = row.item.position;
    row.item.chunks = row.stored;
    if held.embedding.is_none() {
        row.item.status = ItemStatus::Ready;
    } else {
        row.item.progress = Progress { done: 0, total: row.stored };
    }
}
