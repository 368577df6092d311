//! Adds items in one transaction.

use std::collections::HashMap;

use diesel::{
    BoolExpressionMethods as _, ExpressionMethods as _, OptionalExtension as _, QueryDsl as _,
    RunQueryDsl as _,
};
use kb_core::{AddedItem, BaseId, ChangeKind, Contents, ItemStatus, NewItem, QUEUE};
use shared_core::{Scope, StoreError, Timestamp};

use super::contents::{ItemContents, PreparedItem, store_contents};
use super::item_rows::{self, StoredItem};
use super::locked_base::LockedBase;
use super::{changes, chunks, retry, upsert};
use crate::connection::AnyConnection;
use crate::failure::Failure;
use crate::jobs::put_new;
use crate::rows::position;
use crate::schema::kb_items;

/// Stores the contents of new items, in order. References are added in the order of their keys, as every bulk
/// writer does, to prevent deadlocks.
fn store_all_contents(
    connection: &mut AnyConnection,
    workspace: &str,
    fresh: &[&PreparedItem],
) -> Result<Vec<ItemContents>, Failure> {
    let mut order: Vec<usize> = (0..fresh.len()).collect();
    order.sort_by_key(|index| match &fresh[*index].new.matter {
        Contents::Document { content, .. } => content.sha256.as_str(),
        Contents::Chunks { .. } | Contents::Remote | Contents::Unusable(_) => "",
    });
    let mut got = vec![ItemContents::default(); fresh.len()];
    for index in order {
        got[index] = store_contents(connection, workspace, fresh[index])?;
    }
    Ok(got)
}

/// The outcome of an item of the request.
enum AddOutcome {
    /// The new item at this index.
    New(usize),
    /// A duplicate of that new item.
    DuplicateOf(usize),
    /// A duplicate of the stored item with this number.
    Existing(i64),
    /// An entry for the stored item with this number, which has its external id.
    Upsert(i64),
}

/// What an item of the request is one item by.
#[derive(PartialEq, Eq, Hash)]
enum Identity<'a> {
    External(&'a str),
    Fingerprint(&'a str),
}

pub(super) fn add(
    connection: &mut AnyConnection,
    (scope, base): (&Scope, &BaseId),
    given: &[PreparedItem],
    most: u64,
    now: Timestamp,
) -> Result<Option<Vec<AddedItem>>, Failure> {
    let held = LockedBase::lock(connection, &scope.workspace.0, base)?;
    let mut held = held.ok_or(StoreError::Missing("knowledge base"))?;
    let (answers, fresh) = deduplicate(connection, &held, given)?;
    // The base's row is locked, so no concurrent transaction adds items.
    if !fresh.is_empty() && held.counts.items().saturating_add(fresh.len() as u64) > most {
        return Ok(None);
    }
    let entries = answers.iter().zip(given).enumerate().filter_map(|(at, (answer, given))| match answer {
        AddOutcome::Upsert(number) => Some((at, *number, given)),
        AddOutcome::New(_) | AddOutcome::DuplicateOf(_) | AddOutcome::Existing(_) => None,
    });
    let mut upserts = upsert::write_all(connection, &held, entries)?;
    let new = insert(connection, scope, &mut held, &fresh, now)?;
    let mut added = Vec::with_capacity(given.len());
    for (at, (answer, given)) in answers.into_iter().zip(given).enumerate() {
        let number = match answer {
            AddOutcome::New(index) => {
                added.push(AddedItem { new: true, ..AddedItem::existing(new[index].item.clone()) });
                continue;
            }
            AddOutcome::Upsert(number) => match upserts.remove(&at) {
                Some(upsert) => {
                    added.push(upsert::finish(connection, &mut held, upsert, given, now)?);
                    continue;
                }
                None => number,
            },
            AddOutcome::DuplicateOf(index) => new[index].item.number,
            AddOutcome::Existing(number) => number,
        };
        let item = retry::resubmit(connection, &mut held, number, given, now)?;
        added.push(AddedItem::existing(item));
    }
    held.store(connection, now)?;
    Ok(Some(added))
}

/// Splits the given items into new ones and duplicates.
fn deduplicate<'a>(
    connection: &mut AnyConnection,
    held: &LockedBase,
    given: &'a [PreparedItem],
) -> Result<(Vec<AddOutcome>, Vec<&'a PreparedItem>), Failure> {
    let known = find_known(connection, held, given)?;
    let owners = upsert::find_owners(connection, held, given)?;
    let (mut places, mut fresh): (HashMap<Identity<'_>, usize>, Vec<&PreparedItem>) = Default::default();
    let answer = |one: &'a PreparedItem| {
        let (fingerprint, external_id) = (one.new.fingerprint.as_str(), one.new.external_id.as_deref());
        if let Some(number) = external_id.and_then(|id| owners.get(id)) {
            return AddOutcome::Upsert(*number);
        }
        if let Some(number) = known.get(&item_rows::hash_fingerprint(fingerprint)) {
            return AddOutcome::Existing(*number);
        }
        let identity = external_id.map_or(Identity::Fingerprint(fingerprint), Identity::External);
        if let Some(index) = places.get(&identity) {
            return AddOutcome::DuplicateOf(*index);
        }
        places.insert(identity, fresh.len());
        fresh.push(one);
        AddOutcome::New(fresh.len() - 1)
    };
    let answers = given.iter().map(answer).collect();
    Ok((answers, fresh))
}

/// The numbers of the base's items that have the given fingerprints.
fn find_known(
    connection: &mut AnyConnection,
    held: &LockedBase,
    given: &[PreparedItem],
) -> Result<HashMap<Vec<u8>, i64>, Failure> {
    let own = || {
        kb_items::table
            .filter(kb_items::base.eq(held.number).and(kb_items::workspace.eq(&held.workspace)))
            .select((kb_items::fingerprint, kb_items::number))
    };
    let wanted = given.iter().map(|one| item_rows::hash_fingerprint(&one.new.fingerprint));
    let mut found: Vec<(Vec<u8>, i64)> = Vec::new();
    match connection {
        AnyConnection::Postgres(inner) => {
            let wanted: Vec<_> = wanted.collect();
            found = own().filter(kb_items::fingerprint.eq_any(wanted)).load(inner)?;
        }
        AnyConnection::Sqlite(inner) => {
            for one in wanted {
                let query = own().filter(kb_items::fingerprint.eq(one));
                found.extend(query.get_result::<(Vec<u8>, i64)>(inner).optional()?);
            }
        }
    }
    Ok(found.into_iter().collect())
}

/// Stores new items with their chunks, jobs and changes.
fn insert(
    connection: &mut AnyConnection,
    scope: &Scope,
    held: &mut LockedBase,
    fresh: &[&PreparedItem],
    now: Timestamp,
) -> Result<Vec<StoredItem>, Failure> {
    let got = store_all_contents(connection, &scope.workspace.0, fresh)?;
    let numbers = item_rows::take_numbers(connection, fresh.len())?;
    let rows = numbers.iter().zip(fresh);
    let rows = rows.flat_map(|(number, given)| given.rows.iter().map(|chunk| (*number, chunk)));
    // The chunks take the most time, so they come before the change numbers, which block others.
    chunks::insert(connection, &scope.workspace.0, rows)?;
    let ready = got.iter().filter(|got| got.is_findable()).count();
    let before = if ready > 0 { changes::reserve_sequences(connection, ready as i64)? } else { 0 };
    let mut sequences = before + 1..;
    let mut items = Vec::with_capacity(fresh.len());
    for ((given, got), number) in fresh.iter().zip(got).zip(numbers) {
        let mut row = queued_row(scope, held, (number, &given.new), now)?;
        let sequence = if got.is_findable() { sequences.next() } else { None };
        got.apply_to(&mut row, sequence, held);
        items.push(row);
    }
    item_rows::insert(connection, held.number, &items)?;
    write_changes_and_jobs(connection, held, (before, &items), now)?;
    items.iter().for_each(|row| held.include(&row.item));
    Ok(items)
}

/// Writes the changes of searchable items and the jobs of queued ones.
fn write_changes_and_jobs(
    connection: &mut AnyConnection,
    held: &mut LockedBase,
    (before, items): (i64, &[StoredItem]),
    now: Timestamp,
) -> Result<(), Failure> {
    let findable = items.iter().filter(|row| row.item.is_findable());
    changes::write(connection, before, findable.map(|row| ChangeKind::Put { item: row.item.number }), now)?;
    if let Some(last) = items.iter().map(|row| row.item.sequence).max().filter(|last| *last > 0) {
        held.set_written(last);
    }
    let waiting = items.iter().filter(|row| row.item.status == ItemStatus::Queued);
    let places: Vec<i32> = waiting.map(|row| position(row.item.place)).collect();
    put_new(connection, (QUEUE, &held.id.0, &held.workspace), &places, now.micros())
}

/// An item without contents.
fn queued_row(
    scope: &Scope,
    held: &mut LockedBase,
    (number, new): (i64, &NewItem),
    now: Timestamp,
) -> Result<StoredItem, Failure> {
    let place = held.take_place()?;
    let item = new.queued(scope, &held.id, (number, place), now);
    Ok(StoredItem { item, fingerprint: item_rows::hash_fingerprint(&new.fingerprint), stored: 0, fence: 0 })
}
