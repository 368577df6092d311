//! Adding items, all of them in one transaction.

use std::collections::HashMap;

use diesel::{
    BoolExpressionMethods as _, ExpressionMethods as _, OptionalExtension as _, QueryDsl as _,
    RunQueryDsl as _,
};
use files_core::BlobKey;
use kb_core::{Added, BaseId, Content, ItemError, ItemStatus, Matter, NewItem, Progress, QUEUE, What};
use shared_core::{Scope, StoreError, Timestamp};

use super::chunks::{self, ChunkRow};
use super::held::Held;
use super::item_rows::{self, Stored};
use super::{again, changes};
use crate::blob_refs::{refer, refer_present};
use crate::connection::AnyConnection;
use crate::failure::Failure;
use crate::jobs::put_new;
use crate::rows::position;
use crate::schema::kb_items;

/// A new item, whose chunks were made rows before the transaction.
#[derive(Clone, Debug)]
pub(super) struct Given {
    pub(super) new: NewItem,
    pub(super) rows: Vec<ChunkRow>,
}

impl From<NewItem> for Given {
    fn from(mut new: NewItem) -> Self {
        let rows = match &mut new.matter {
            Matter::Chunks { chunks, .. } => std::mem::take(chunks).into_iter().map(ChunkRow::from).collect(),
            Matter::Document { .. } | Matter::Elsewhere | Matter::Unusable(_) => Vec::new(),
        };
        Self { new, rows }
    }
}

/// What an item gets from its matter.
#[derive(Clone, Debug, Default)]
pub(super) struct Got {
    pub(super) content: Option<Content>,
    pub(super) language: Option<String>,
    pub(super) error: Option<ItemError>,
    /// Whether it consists of ready-made chunks, and how many.
    pub(super) chunks: Option<u64>,
}

/// Counts a reference to a document's content: its own bytes, or those that are there already.
pub(super) fn refer_to(
    connection: &mut AnyConnection,
    workspace: &str,
    content: &Content,
    fresh: bool,
) -> Result<Content, Failure> {
    let Content { blob, sha256, bytes } = content;
    let referred = if fresh {
        Some(refer(connection, workspace, blob, (sha256, *bytes))?)
    } else {
        refer_present(connection, workspace, (sha256, *bytes))?
    };
    let blob = BlobKey(referred.ok_or(StoreError::Missing("file"))?);
    Ok(Content { blob, sha256: sha256.clone(), bytes: *bytes })
}

pub(super) fn take(connection: &mut AnyConnection, workspace: &str, given: &Given) -> Result<Got, Failure> {
    Ok(match &given.new.matter {
        Matter::Document { content, fresh } => {
            Got { content: Some(refer_to(connection, workspace, content, *fresh)?), ..Got::default() }
        }
        Matter::Chunks { language, .. } => {
            Got { language: language.clone(), chunks: Some(given.rows.len() as u64), ..Got::default() }
        }
        Matter::Elsewhere => Got::default(),
        Matter::Unusable(error) => Got { error: Some(error.clone()), ..Got::default() },
    })
}

/// What new items get, in their order. Contents are referred to in the order of their names, as whoever
/// changes many does, so that nobody waits in a circle.
fn take_all(connection: &mut AnyConnection, workspace: &str, fresh: &[&Given]) -> Result<Vec<Got>, Failure> {
    let mut order: Vec<usize> = (0..fresh.len()).collect();
    order.sort_by_key(|index| match &fresh[*index].new.matter {
        Matter::Document { content, .. } => content.sha256.as_str(),
        Matter::Chunks { .. } | Matter::Elsewhere | Matter::Unusable(_) => "",
    });
    let mut got = vec![Got::default(); fresh.len()];
    for index in order {
        got[index] = take(connection, workspace, fresh[index])?;
    }
    Ok(got)
}

impl Got {
    /// Whether the item is findable at once.
    pub(super) fn is_findable(&self) -> bool {
        self.error.is_none() && self.chunks.is_some()
    }

    /// Gives it to an item; `sequence` is that of the change where it is findable at once. It is ready then where the
    /// base wants no vectors.
    pub(super) fn settle(self, row: &mut Stored, sequence: Option<i64>, held: &Held) {
        let waits = held.embedding.is_some();
        let item = &mut row.item;
        row.stored = self.chunks.unwrap_or_default();
        item.content = self.content;
        item.language = self.language;
        item.status = match (&self.error, sequence) {
            (Some(_), _) => ItemStatus::Failed,
            (None, Some(_)) if !waits => ItemStatus::Ready,
            (None, _) => ItemStatus::Queued,
        };
        item.error = self.error;
        if let Some(sequence) = sequence {
            item.sequence = sequence;
            item.chunks = row.stored;
        }
        if item.status == ItemStatus::Queued {
            item.progress = Progress { done: 0, total: row.stored };
        }
    }
}

/// How an item of the request is answered.
enum Answer {
    /// It is the new one at this place of the list.
    New(usize),
    /// It has the content of that new one.
    Same(usize),
    /// It has the content of the stored item with this number.
    Known(i64),
}

pub(super) fn add(
    connection: &mut AnyConnection,
    (scope, base): (&Scope, &BaseId),
    given: &[Given],
    most: u64,
    now: Timestamp,
) -> Result<Option<Vec<Added>>, Failure> {
    let held = Held::lock(connection, &scope.workspace.0, base)?;
    let mut held = held.ok_or(StoreError::Missing("knowledge base"))?;
    let (answers, fresh) = sort_out(connection, &held, given)?;
    // With the base's row held, nobody else adds in between.
    if !fresh.is_empty() && held.counts.items().saturating_add(fresh.len() as u64) > most {
        return Ok(None);
    }
    let new = insert(connection, scope, &mut held, &fresh, now)?;
    let mut added = Vec::with_capacity(given.len());
    for (answer, given) in answers.into_iter().zip(given) {
        let number = match answer {
            Answer::New(index) => {
                added.push(Added { item: new[index].item.clone(), new: true });
                continue;
            }
            Answer::Same(index) => new[index].item.number,
            Answer::Known(number) => number,
        };
        let item = again::give(connection, &mut held, number, given, now)?;
        added.push(Added { item, new: false });
    }
    held.store(connection, now)?;
    Ok(Some(added))
}

/// Which of the given are new, and how each is answered.
fn sort_out<'a>(
    connection: &mut AnyConnection,
    held: &Held,
    given: &'a [Given],
) -> Result<(Vec<Answer>, Vec<&'a Given>), Failure> {
    let known = known(connection, held, given)?;
    let (mut places, mut fresh): (HashMap<&str, usize>, Vec<&Given>) = Default::default();
    let answer = |one: &'a Given| {
        let fingerprint = one.new.fingerprint.as_str();
        if let Some(number) = known.get(&item_rows::print(fingerprint)) {
            return Answer::Known(*number);
        }
        if let Some(index) = places.get(fingerprint) {
            return Answer::Same(*index);
        }
        places.insert(fingerprint, fresh.len());
        fresh.push(one);
        Answer::New(fresh.len() - 1)
    };
    let answers = given.iter().map(answer).collect();
    Ok((answers, fresh))
}

/// The numbers of the base's items with the fingerprints of what is given.
fn known(
    connection: &mut AnyConnection,
    held: &Held,
    given: &[Given],
) -> Result<HashMap<Vec<u8>, i64>, Failure> {
    let own = || {
        kb_items::table
            .filter(kb_items::base.eq(held.number).and(kb_items::workspace.eq(&held.workspace)))
            .select((kb_items::fingerprint, kb_items::number))
    };
    let wanted = given.iter().map(|one| item_rows::print(&one.new.fingerprint));
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

/// Stores new items with their chunks, their jobs, and the changes that tell of them.
fn insert(
    connection: &mut AnyConnection,
    scope: &Scope,
    held: &mut Held,
    fresh: &[&Given],
    now: Timestamp,
) -> Result<Vec<Stored>, Failure> {
    let got = take_all(connection, &scope.workspace.0, fresh)?;
    let numbers = item_rows::take_numbers(connection, fresh.len())?;
    let rows = numbers.iter().zip(fresh);
    let rows = rows.flat_map(|(number, given)| given.rows.iter().map(|chunk| (*number, chunk)));
    // The chunks, which take the most time, before the numbers of the changes, which keep others waiting.
    chunks::insert(connection, &scope.workspace.0, rows)?;
    let ready = got.iter().filter(|got| got.is_findable()).count();
    let before = if ready > 0 { changes::take(connection, ready as i64)? } else { 0 };
    let mut sequences = before + 1..;
    let mut items = Vec::with_capacity(fresh.len());
    for ((given, got), number) in fresh.iter().zip(got).zip(numbers) {
        let mut row = waiting(scope, held, (number, &given.new), now)?;
        let sequence = if got.is_findable() { sequences.next() } else { None };
        got.settle(&mut row, sequence, held);
        items.push(row);
    }
    item_rows::insert(connection, held.number, &items)?;
    tell(connection, held, (before, &items), now)?;
    items.iter().for_each(|row| held.include(&row.item));
    Ok(items)
}

/// Writes the changes of the items that are findable, and the jobs of those that wait.
fn tell(
    connection: &mut AnyConnection,
    held: &mut Held,
    (before, items): (i64, &[Stored]),
    now: Timestamp,
) -> Result<(), Failure> {
    let findable = items.iter().filter(|row| row.item.is_findable());
    changes::write(connection, before, findable.map(|row| What::Put { item: row.item.number }), now)?;
    if let Some(last) = items.iter().map(|row| row.item.sequence).max().filter(|last| *last > 0) {
        held.wrote(last);
    }
    let waiting = items.iter().filter(|row| row.item.status == ItemStatus::Queued);
    let places: Vec<i32> = waiting.map(|row| position(row.item.place)).collect();
    put_new(connection, (QUEUE, &held.id.0, &held.workspace), &places, now.micros())
}

/// An item that has nothing yet.
fn waiting(
    scope: &Scope,
    held: &mut Held,
    (number, new): (i64, &NewItem),
    now: Timestamp,
) -> Result<Stored, Failure> {
    let place = held.take_place()?;
    let item = new.queued(scope, &held.id, (number, place), now);
    Ok(Stored { item, fingerprint: item_rows::print(&new.fingerprint), stored: 0, fence: 0 })
}
