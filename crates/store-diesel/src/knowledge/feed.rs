//! The feed that indexes follow. It serves the whole process, so its queries are the only ones without a
//! workspace. Nothing that they return is shown before a query with a workspace has confirmed it.

use std::collections::HashMap;
use std::sync::Arc;

use async_trait::async_trait;
use diesel::dsl::exists;
use diesel::{
    BoolExpressionMethods as _, ExpressionMethods as _, JoinOnDsl as _, OptionalExtension as _,
    QueryDsl as _, RunQueryDsl as _,
};
use kb_core::{Change, ChangeFeed, Chunk, ChunkKey, FeedState, IndexedItem};
use shared_core::{StoreError, Timestamp};

use super::changes::{FEED, read};
use super::chunks::{self, StoredChunk, chunk};
use super::{DieselKnowledge, vectors};
use crate::connection::{AnyConnection, prepared};
use crate::failure::Failure;
use crate::rows::time;
use crate::schema::{kb_bases, kb_changes, kb_chunks, kb_feed, kb_items, kb_vectors};
use crate::text_encoding::{decode, encode};

/// Maximum number of changes that one transaction prunes.
const PRUNE_BATCH: i64 = 10_000;

type IndexedItemRow = (i64, i64, i64, String, Option<String>);

/// A chunk's key, the sequence of its item, and its vector.
type EmbeddedChunk = (ChunkKey, i64, Arc<[f32]>);

#[async_trait]
impl ChangeFeed for DieselKnowledge {
    async fn state(&self) -> Result<FeedState, StoreError> {
        let state = |connection: &mut AnyConnection| {
            let columns = (kb_feed::latest, kb_feed::forgotten, kb_feed::generation);
            let query = kb_feed::table.filter(kb_feed::id.eq(FEED)).select(columns);
            let (latest, forgotten, generation) = prepared!(connection, inner => query.get_result(inner))?;
            Ok(FeedState { latest, forgotten, generation })
        };
        self.0.look_up(state).await
    }

    async fn changes(&self, after: i64, limit: u32) -> Result<Vec<Change>, StoreError> {
        self.0.read(move |connection| changes(connection, after, limit)).await
    }

    async fn next_change_time(&self, after: i64) -> Result<Option<Timestamp>, StoreError> {
        self.0.look_up(move |connection| next_change_time(connection, after)).await
    }

    async fn item(&self, number: i64) -> Result<Option<IndexedItem>, StoreError> {
        self.0.look_up(move |connection| item(connection, number)).await
    }

    async fn items(&self, after: i64, limit: u32) -> Result<Vec<IndexedItem>, StoreError> {
        self.0.read(move |connection| items(connection, after, limit)).await
    }

    async fn chunks(&self, item: i64, from: u32, limit: u32) -> Result<Vec<Chunk>, StoreError> {
        self.0.read(move |connection| chunks_of(connection, item, (from, limit))).await
    }

    async fn vectors(
        &self,
        base: i64,
        model: &str,
        after: ChunkKey,
        limit: u32,
    ) -> Result<Vec<EmbeddedChunk>, StoreError> {
        let model = encode(model).into_owned();
        self.0.read(move |connection| list_vectors(connection, (base, &model), after, limit as usize)).await
    }

    async fn renew(&self) -> Result<i64, StoreError> {
        let renew = |connection: &mut AnyConnection| {
            let row = kb_feed::table.filter(kb_feed::id.eq(FEED));
            let update = diesel::update(row).set(kb_feed::generation.eq(kb_feed::generation + 1));
            let update = update.returning(kb_feed::generation);
            Ok(prepared!(connection, inner => update.get_result(inner))?)
        };
        self.0.write(renew).await
    }

    async fn forget(&self, before: Timestamp, applied: i64) -> Result<u64, StoreError> {
        self.0.write(move |connection| forget(connection, before, applied)).await
    }
}

fn changes(connection: &mut AnyConnection, after: i64, limit: u32) -> Result<Vec<Change>, Failure> {
    let query = kb_changes::table
        .filter(kb_changes::sequence.gt(after))
        .order(kb_changes::sequence)
        .limit(i64::from(limit))
        .select((kb_changes::sequence, kb_changes::what, kb_changes::number));
    let rows: Vec<(i64, String, i64)> = prepared!(connection, inner => query.load(inner))?;
    let told =
        |(sequence, what, number): (i64, String, i64)| Ok(Change { sequence, what: read(&what, number)? });
    rows.into_iter().map(told).collect()
}

fn next_change_time(connection: &mut AnyConnection, after: i64) -> Result<Option<Timestamp>, Failure> {
    let query = kb_changes::table
        .filter(kb_changes::sequence.gt(after))
        .order(kb_changes::sequence)
        .limit(1)
        .select(kb_changes::time);
    let found: Option<i64> = prepared!(connection, inner => query.get_result(inner).optional())?;
    Ok(found.map(time).transpose()?)
}

fn items(connection: &mut AnyConnection, after: i64, limit: u32) -> Result<Vec<IndexedItem>, Failure> {
    let query = kb_items::table
        .filter(kb_items::number.gt(after).and(kb_items::sequence.gt(0)))
        .order(kb_items::number)
        .limit(i64::from(limit))
        .select((kb_items::number, kb_items::base, kb_items::sequence, kb_items::name, kb_items::language));
    let rows: Vec<IndexedItemRow> = prepared!(connection, inner => query.load(inner))?;
    Ok(rows.into_iter().map(to_indexed_item).collect())
}

fn item(connection: &mut AnyConnection, number: i64) -> Result<Option<IndexedItem>, Failure> {
    let query = kb_items::table.filter(kb_items::number.eq(number).and(kb_items::sequence.gt(0))).select((
        kb_items::number,
        kb_items::base,
        kb_items::sequence,
        kb_items::name,
        kb_items::language,
    ));
    let found: Option<IndexedItemRow> = prepared!(connection, inner => query.get_result(inner).optional())?;
    Ok(found.map(to_indexed_item))
}

fn to_indexed_item((number, base, sequence, name, language): IndexedItemRow) -> IndexedItem {
    IndexedItem { number, base, sequence, name: decode(name), language: language.map(decode) }
}

/// Chunks of a searchable item, read by one statement and so from one snapshot.
fn chunks_of(
    connection: &mut AnyConnection,
    item: i64,
    (from, limit): (u32, u32),
) -> Result<Vec<Chunk>, Failure> {
    let findable = kb_items::table.filter(kb_items::number.eq(item).and(kb_items::sequence.gt(0)));
    let (first, end) = chunks::from_position(item, from);
    let query = kb_chunks::table
        .filter(kb_chunks::id.ge(first).and(kb_chunks::id.lt(end)))
        .filter(exists(findable.select(kb_items::number)))
        .order(kb_chunks::id)
        .limit(i64::from(limit))
        .select(chunk!());
    let rows: Vec<StoredChunk> = prepared!(connection, inner => query.load(inner))?;
    Ok(rows.into_iter().map(StoredChunk::read).collect::<Result<_, _>>()?)
}

/// Chunks with their vectors, found by ranges of items with consecutive numbers.
fn list_vectors(
    connection: &mut AnyConnection,
    (base, model): (i64, &str),
    after: ChunkKey,
    limit: usize,
) -> Result<Vec<EmbeddedChunk>, Failure> {
    let workspace = kb_bases::table.filter(kb_bases::number.eq(base)).select(kb_bases::workspace);
    let workspace: Option<String> = prepared!(connection, inner => workspace.get_result(inner).optional())?;
    let Some(workspace) = workspace else { return Ok(Vec::new()) };
    let mut found = Vec::new();
    let (mut from, mut next) = (chunks::id_after(after), after.item);
    while found.len() < limit {
        let items = list_findable(connection, base, next, limit)?;
        let Some((last, _)) = items.last() else { break };
        next = last.saturating_add(1);
        let numbers: Vec<i64> = items.iter().map(|(number, _)| *number).collect();
        let sequences: HashMap<i64, i64> = items.into_iter().collect();
        for (first, end) in chunks::id_ranges(&numbers) {
            let stretch = (first.max(from), end);
            let rows = load_vectors(connection, (&workspace, model), stretch, limit - found.len())?;
            for (id, vector) in rows {
                let key = chunks::key(id)?;
                let sequence = sequences.get(&key.item).copied().unwrap_or_default();
                found.push((key, sequence, vectors::read(&vector)?));
            }
            if found.len() >= limit {
                break;
            }
        }
        from = chunks::first_id(next);
    }
    Ok(found)
}

/// Searchable items of a base from a number on, with their sequences.
fn list_findable(
    connection: &mut AnyConnection,
    base: i64,
    from: i64,
    limit: usize,
) -> Result<Vec<(i64, i64)>, Failure> {
    let query = kb_items::table
        .filter(kb_items::base.eq(base).and(kb_items::number.ge(from)))
        .filter(kb_items::sequence.gt(0))
        .order(kb_items::number)
        .limit(i64::try_from(limit).unwrap_or(i64::MAX))
        .select((kb_items::number, kb_items::sequence));
    Ok(prepared!(connection, inner => query.load(inner))?)
}

/// The chunks of a range that have vectors.
pub(super) fn load_vectors(
    connection: &mut AnyConnection,
    (workspace, model): (&str, &str),
    (first, end): (i64, i64),
    limit: usize,
) -> Result<Vec<(i64, Vec<u8>)>, Failure> {
    let same = kb_vectors::workspace.eq(kb_chunks::workspace).and(kb_vectors::hash.eq(kb_chunks::hash));
    let query = kb_chunks::table
        .inner_join(kb_vectors::table.on(same))
        .filter(kb_chunks::id.ge(first).and(kb_chunks::id.lt(end)))
        .filter(kb_vectors::workspace.eq(workspace).and(kb_vectors::model.eq(model)))
        .order(kb_chunks::id)
        .limit(i64::try_from(limit).unwrap_or(i64::MAX))
        .select((kb_chunks::id, kb_vectors::vector));
    Ok(prepared!(connection, inner => query.load(inner))?)
}

/// Prunes the oldest changes, up to the first that is too new or not yet applied.
fn forget(connection: &mut AnyConnection, before: Timestamp, applied: i64) -> Result<u64, Failure> {
    let oldest = kb_changes::table.select(diesel::dsl::min(kb_changes::sequence));
    let oldest: Option<i64> = prepared!(connection, inner => oldest.get_result(inner))?;
    let Some(oldest) = oldest else { return Ok(0) };
    let end = oldest.saturating_add(PRUNE_BATCH);
    let newer = kb_changes::table
        .filter(kb_changes::time.ge(before.micros()).and(kb_changes::sequence.lt(end)))
        .order(kb_changes::sequence)
        .limit(1)
        .select(kb_changes::sequence);
    let newer: Option<i64> = prepared!(connection, inner => newer.get_result(inner).optional())?;
    let last = applied.min(newer.unwrap_or(end) - 1);
    let old = || kb_changes::table.filter(kb_changes::sequence.le(last));
    let newest = old().select(diesel::dsl::max(kb_changes::sequence));
    let newest: Option<i64> = prepared!(connection, inner => newest.get_result(inner))?;
    let Some(newest) = newest else { return Ok(0) };
    let row = kb_feed::table.filter(kb_feed::id.eq(FEED));
    let update = diesel::update(row).set(kb_feed::forgotten.eq(newest));
    prepared!(connection, inner => update.execute(inner))?;
    Ok(prepared!(connection, inner => diesel::delete(old()).execute(inner))? as u64)
}
