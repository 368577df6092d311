//! Chunks: the id range that belongs to an item's number.

use diesel::sql_types::{Array, BigInt, Text};
use diesel::{
    BoolExpressionMethods as _, ExpressionMethods as _, QueryDsl as _, Queryable, RunQueryDsl as _,
};
use futures_channel::oneshot;
use kb_core::{Chunk, ChunkKey};
use shared_core::StoreError;

use crate::connection::{AnyConnection, prepared};
use crate::failure::Failure;
use crate::rows::{count, position, stored_count};
use crate::schema::kb_chunks;
use crate::text_encoding::{decode, encode};

/// Number of bits of a chunk's id for its position; [`Chunk::MAX`] positions.
const POSITION_BITS: u32 = Chunk::MAX.trailing_zeros();
/// Rows per insert statement on PostgreSQL; each takes eight of its 65,535 parameters.
const INSERT_BATCH: usize = 1_000;

/// Number of bytes that are hashed in about a millisecond.
const OFFLOAD_BYTES: usize = 1 << 20;

/// A stored chunk without its item.
#[derive(Clone, Debug)]
pub(super) struct ChunkRow {
    position: u32,
    page: Option<i32>,
    begins: i64,
    ends: i64,
    heading: String,
    text: String,
    hash: [u8; 16],
}

/// Converts chunks with this many bytes of text to rows. Large ones run on a thread of their own: each text
/// is hashed, which must block neither the caller's thread nor the writer.
pub(super) async fn offload<T: Send + 'static>(
    bytes: usize,
    make: impl FnOnce() -> T + Send + 'static,
) -> Result<T, StoreError> {
    if bytes < OFFLOAD_BYTES {
        return Ok(make());
    }
    let (sender, made) = oneshot::channel();
    let work = move || drop(sender.send(make()));
    let started = std::thread::Builder::new().name("kb-rows".into()).spawn(work);
    started.map_err(|error| StoreError::Unavailable(error.into()))?;
    made.await.map_err(|error| StoreError::Failed(error.into()))
}

/// Total size of the texts of chunks in bytes.
pub(super) fn bytes(chunks: &[Chunk]) -> usize {
    chunks.iter().map(|chunk| chunk.heading.len() + chunk.text.len()).sum()
}

impl From<Chunk> for ChunkRow {
    fn from(chunk: Chunk) -> Self {
        Self {
            hash: chunk.hash().0,
            position: chunk.position,
            page: chunk.page.map(position),
            begins: stored_count(chunk.start),
            ends: stored_count(chunk.end),
            heading: to_stored(chunk.heading),
            text: to_stored(chunk.text),
        }
    }
}

impl ChunkRow {
    fn of<'a>(&'a self, workspace: &'a str, item: i64) -> Result<NewChunk<'a>, StoreError> {
        // A larger position would be in the range of another item.
        if self.position as usize >= Chunk::MAX {
            return Err(StoreError::Failed("an item has too many chunks".into()));
        }
        Ok(NewChunk {
            id: id(ChunkKey { item, position: self.position }),
            workspace,
            page: self.page,
            begins: self.begins,
            ends: self.ends,
            heading: &self.heading,
            text: &self.text,
            hash: &self.hash,
        })
    }
}

/// Most texts need no encoding.
fn to_stored(text: String) -> String {
    match encode(&text) {
        std::borrow::Cow::Owned(other) => other,
        std::borrow::Cow::Borrowed(_) => text,
    }
}

#[derive(Debug, diesel::Insertable)]
#[diesel(table_name = kb_chunks)]
struct NewChunk<'a> {
    id: i64,
    workspace: &'a str,
    page: Option<i32>,
    begins: i64,
    ends: i64,
    heading: &'a str,
    text: &'a str,
    hash: &'a [u8],
}

/// The id of a chunk.
pub(super) fn id(key: ChunkKey) -> i64 {
    first_id(key.item) | i64::from(key.position)
}

/// The first id after a key, whose position may be greater than that of any chunk.
pub(super) fn id_after(key: ChunkKey) -> i64 {
    let next = (i64::from(key.position) + 1).min(1 << POSITION_BITS);
    first_id(key.item).saturating_add(next)
}

/// The id of an item's first chunk.
pub(super) fn first_id(item: i64) -> i64 {
    item << POSITION_BITS
}

/// The key of a chunk from its id.
pub(super) fn key(id: i64) -> Result<ChunkKey, StoreError> {
    let position = id & ((1 << POSITION_BITS) - 1);
    Ok(ChunkKey { item: id >> POSITION_BITS, position: count(position)? })
}

/// Half-open id ranges that hold the chunks of these items (ascending). Items with consecutive numbers share
/// one range.
pub(super) fn id_ranges(items: &[i64]) -> Vec<(i64, i64)> {
    let follows = |one: &i64, next: &i64| one + 1 == *next;
    let ends = |run: &[i64]| Some((first_id(*run.first()?), first_id(run.last()? + 1)));
    items.chunk_by(follows).filter_map(ends).collect()
}

/// Stores the chunks of items that have none.
pub(super) fn insert<'a>(
    connection: &mut AnyConnection,
    workspace: &'a str,
    chunks: impl Iterator<Item = (i64, &'a ChunkRow)>,
) -> Result<(), Failure> {
    let mut rows = chunks.map(|(item, chunk)| chunk.of(workspace, item));
    match connection {
        // Diesel wraps a batch in a transaction of its own on SQLite, where single rows are cheap.
        AnyConnection::Sqlite(inner) => {
            for row in rows {
                diesel::insert_into(kb_chunks::table).values(row?).execute(inner)?;
            }
        }
        AnyConnection::Postgres(inner) => loop {
            let part: Vec<NewChunk<'_>> = rows.by_ref().take(INSERT_BATCH).collect::<Result<_, _>>()?;
            if part.is_empty() {
                break;
            }
            diesel::insert_into(kb_chunks::table).values(part).execute(inner)?;
        },
    }
    Ok(())
}

/// Deletes all chunks of items (ascending).
pub(super) fn delete(connection: &mut AnyConnection, workspace: &str, items: &[i64]) -> Result<(), Failure> {
    let stretches = id_ranges(items);
    match connection {
        AnyConnection::Sqlite(inner) => {
            for (first, end) in stretches {
                let own = kb_chunks::table.filter(kb_chunks::id.ge(first).and(kb_chunks::id.lt(end)));
                diesel::delete(own.filter(kb_chunks::workspace.eq(workspace))).execute(inner)?;
            }
        }
        AnyConnection::Postgres(inner) if !stretches.is_empty() => {
            let (first, end): (Vec<i64>, Vec<i64>) = stretches.into_iter().unzip();
            // Forces the use of the key, however many rows the planner expects.
            diesel::sql_query("SELECT set_config('enable_seqscan', 'off', true)").execute(inner)?;
            diesel::sql_query(
                "DELETE FROM kb_chunks USING unnest($1, $2) AS stretches (first, stretch_end) \
                 WHERE kb_chunks.id >= first AND kb_chunks.id < stretch_end AND kb_chunks.workspace = $3",
            )
            .bind::<Array<BigInt>, _>(first)
            .bind::<Array<BigInt>, _>(end)
            .bind::<Text, _>(workspace)
            .execute(inner)?;
            diesel::sql_query("SELECT set_config('enable_seqscan', 'on', true)").execute(inner)?;
        }
        AnyConnection::Postgres(_) => {}
    }
    Ok(())
}

/// The columns read of a chunk.
#[derive(Debug, Queryable)]
pub(super) struct StoredChunk {
    pub(super) id: i64,
    page: Option<i32>,
    begins: i64,
    ends: i64,
    heading: String,
    text: String,
}

/// The columns of a [`StoredChunk`].
macro_rules! chunk {
    () => {
        (
            crate::schema::kb_chunks::id,
            crate::schema::kb_chunks::page,
            crate::schema::kb_chunks::begins,
            crate::schema::kb_chunks::ends,
            crate::schema::kb_chunks::heading,
            crate::schema::kb_chunks::text,
        )
    };
}
pub(super) use chunk;

impl StoredChunk {
    pub(super) fn read(self) -> Result<Chunk, StoreError> {
        Ok(Chunk {
            position: key(self.id)?.position,
            page: self.page.map(|page| count(i64::from(page))).transpose()?,
            start: count(self.begins)?,
            end: count(self.ends)?,
            heading: decode(self.heading),
            text: decode(self.text),
        })
    }
}

/// The id range of an item's chunks from a position on.
pub(super) fn from_position(item: i64, position: u32) -> (i64, i64) {
    (first_id(item).saturating_add(i64::from(position)), first_id(item.saturating_add(1)))
}

/// Chunks of an item from a position on.
pub(super) fn list(
    connection: &mut AnyConnection,
    workspace: &str,
    item: i64,
    (from, limit): (u32, u32),
) -> Result<Vec<Chunk>, Failure> {
    let (first, end) = from_position(item, from);
    let query = kb_chunks::table
        .filter(kb_chunks::workspace.eq(workspace))
        .filter(kb_chunks::id.ge(first).and(kb_chunks::id.lt(end)))
        .order(kb_chunks::id)
        .limit(i64::from(limit))
        .select(chunk!());
    let rows: Vec<StoredChunk> = prepared!(connection, inner => query.load(inner))?;
    Ok(rows.into_iter().map(StoredChunk::read).collect::<Result<_, _>>()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_whose_numbers_follow_each_other_share_a_stretch() {
        let one = 1 << POSITION_BITS;
        assert_eq!(
            id_ranges(&[1, 2, 3, 7, 9, 10]),
            [(one, 4 * one), (7 * one, 8 * one), (9 * one, 11 * one)]
        );
        assert_eq!(id_ranges(&[]), []);
    }

    #[test]
    fn the_id_of_a_chunk_tells_its_item_and_position() {
        for (item, position) in [(1, 0), (5, (1 << 20) - 1), (1 << 42, 7)] {
            let named = ChunkKey { item, position };
            assert_eq!(key(id(named)).unwrap(), named);
        }
    }
}
