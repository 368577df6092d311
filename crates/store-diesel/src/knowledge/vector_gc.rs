//! Garbage collection of vectors. It serves the whole process, so it visits all workspaces, one at a time.

use async_trait::async_trait;
use diesel::{
    BoolExpressionMethods as _, ExpressionMethods as _, OptionalExtension as _, QueryDsl as _,
    RunQueryDsl as _,
};
use kb_core::{ChunkKey, ChunkPlace, ContentHash, VectorKind, VectorStore};
use shared_core::{StoreError, Timestamp, WorkspaceId};

use super::DieselKnowledge;
use super::chunks;
use super::vectors::{clear_unneeded, name, of_kind};
use crate::commands;
use crate::connection::{AnyConnection, prepared};
use crate::failure::Failure;
use crate::schema::{kb_bases, kb_chunks, kb_items, kb_vectors};
use crate::text_encoding::{decode, encode};

/// Maximum number of items that one statement reads.
const ITEM_BATCH: i64 = 1_000;

/// A workspace, and a model as stored.
#[derive(Clone, Debug)]
struct StoredKind {
    workspace: String,
    model: String,
}

impl From<&VectorKind> for StoredKind {
    fn from(kind: &VectorKind) -> Self {
        Self { workspace: kind.workspace.0.clone(), model: encode(&kind.model).into_owned() }
    }
}

/// The keys of vectors after a key, ascending.
macro_rules! names_after {
    ($kind:expr, $after:expr, $limit:expr) => {
        of_kind!(&$kind.workspace, &$kind.model)
            // The empty key sorts before all others.
            .filter(kb_vectors::hash.gt($after.map_or_else(Vec::new, |name| name.0.to_vec())))
            .order(kb_vectors::hash)
            .limit(i64::from($limit))
            .select(kb_vectors::hash)
    };
}

#[async_trait]
impl VectorStore for DieselKnowledge {
    async fn next_kind(&self, after: Option<&VectorKind>) -> Result<Option<VectorKind>, StoreError> {
        let after = after.map(StoredKind::from);
        let next = self.0.read(move |connection| next_kind(connection, after.as_ref())).await?;
        Ok(next.map(|StoredKind { workspace, model }| VectorKind {
            workspace: WorkspaceId(workspace),
            model: decode(model),
        }))
    }

    async fn names(
        &self,
        kind: &VectorKind,
        after: Option<ContentHash>,
        limit: u32,
    ) -> Result<Vec<ContentHash>, StoreError> {
        let kind = StoredKind::from(kind);
        let names = move |connection: &mut AnyConnection| {
            let query = names_after!(kind, after, limit);
            let found: Vec<Vec<u8>> = prepared!(connection, inner => query.load(inner))?;
            Ok(found.into_iter().map(name).collect::<Result<_, _>>()?)
        };
        self.0.read(names).await
    }

    async fn unneeded(
        &self,
        kind: &VectorKind,
        after: Option<ContentHash>,
        limit: u32,
    ) -> Result<Vec<ContentHash>, StoreError> {
        let kind = StoredKind::from(kind);
        let names = move |connection: &mut AnyConnection| {
            let query = names_after!(kind, after, limit).filter(kb_vectors::unneeded.is_not_null());
            let found: Vec<Vec<u8>> = prepared!(connection, inner => query.load(inner))?;
            Ok(found.into_iter().map(name).collect::<Result<_, _>>()?)
        };
        self.0.read(names).await
    }

    async fn needed(
        &self,
        kind: &VectorKind,
        from: ChunkPlace,
        limit: u32,
    ) -> Result<(Vec<ContentHash>, Option<ChunkPlace>), StoreError> {
        let kind = StoredKind::from(kind);
        self.0.read(move |connection| list_needed(connection, &kind, from, limit as usize)).await
    }

    async fn discard(
        &self,
        kind: &VectorKind,
        names: &[ContentHash],
        before: Timestamp,
        now: Timestamp,
    ) -> Result<u64, StoreError> {
        let (kind, names) = (StoredKind::from(kind), names.to_vec());
        self.0.write(move |connection| discard(connection, &kind, &names, (before, now))).await
    }

    async fn clear_unneeded(&self, kind: &VectorKind, names: &[ContentHash]) -> Result<(), StoreError> {
        let (kind, names) = (StoredKind::from(kind), names.to_vec());
        let work = move |connection: &mut AnyConnection| {
            clear_unneeded(connection, (&kind.workspace, &kind.model), &names)
        };
        self.0.write(work).await.map(drop)
    }
}

/// Two lookups in the key of vectors: the next model of the workspace, else the next workspace.
fn next_kind(
    connection: &mut AnyConnection,
    after: Option<&StoredKind>,
) -> Result<Option<StoredKind>, Failure> {
    let columns = (kb_vectors::workspace, kb_vectors::model);
    let order = (kb_vectors::workspace, kb_vectors::model);
    let mut found: Option<(String, String)> = None;
    if let Some(after) = after {
        let query = kb_vectors::table
            .filter(kb_vectors::workspace.eq(&after.workspace).and(kb_vectors::model.gt(&after.model)))
            .order(order)
            .limit(1)
            .select(columns);
        found = prepared!(connection, inner => query.get_result(inner).optional())?;
    }
    if found.is_none() {
        let workspace = after.map_or("", |after| after.workspace.as_str());
        let query = kb_vectors::table
            .filter(kb_vectors::workspace.gt(workspace))
            .order(order)
            .limit(1)
            .select(columns);
        found = prepared!(connection, inner => query.get_result(inner).optional())?;
    }
    Ok(found.map(|(workspace, model)| StoredKind { workspace, model }))
}

/// The vectors that chunks need, from a position on. Bases and items count towards the limit as well, which
/// bounds the work without results.
fn list_needed(
    connection: &mut AnyConnection,
    kind: &StoredKind,
    from: ChunkPlace,
    limit: usize,
) -> Result<(Vec<ContentHash>, Option<ChunkPlace>), Failure> {
    commands::prefer_indexes(connection)?;
    let (mut names, mut seen, mut place) = (Vec::new(), 0, from);
    while seen < limit {
        let Some((base, all)) = next_base(connection, kind, place.base)? else { return Ok((names, None)) };
        let first = if base == place.base { place.key } else { ChunkPlace::START.key };
        let items = next_items(connection, base, first.item)?;
        seen += 1 + items.len();
        let Some(last) = items.last().map(|(item, _)| *item) else {
            place = ChunkPlace { base: base.saturating_add(1), key: ChunkPlace::START.key };
            continue;
        };
        let needs = |embedded: &Option<String>| all || embedded.as_ref() == Some(&kind.model);
        let needing: Vec<i64> =
            items.iter().filter(|(_, embedded)| needs(embedded)).map(|(item, _)| *item).collect();
        for (begin, end) in chunks::id_ranges(&needing) {
            let room = limit.saturating_sub(names.len()).max(1);
            let texts = texts_of(connection, kind, (begin.max(chunks::id(first)), end), room)?;
            let full = (texts.len() >= room).then(|| texts.last().map(|(id, _)| id + 1)).flatten();
            for (_, text) in texts {
                names.push(name(text)?);
            }
            if let Some(next) = full {
                return Ok((names, Some(ChunkPlace { base, key: chunks::key(next)? })));
            }
        }
        seen = seen.max(names.len());
        place = ChunkPlace { base, key: ChunkKey { item: last.saturating_add(1), position: 0 } };
    }
    Ok((names, Some(place)))
}

/// The first base of the workspace from this number on, and whether it uses the model.
fn next_base(
    connection: &mut AnyConnection,
    kind: &StoredKind,
    from: i64,
) -> Result<Option<(i64, bool)>, Failure> {
    let query = kb_bases::table
        .filter(kb_bases::workspace.eq(&kind.workspace).and(kb_bases::number.ge(from)))
        .order(kb_bases::number)
        .limit(1)
        .select((kb_bases::number, kb_bases::embedding, kb_bases::serving));
    let found: Option<(i64, Option<String>, Option<String>)> =
        prepared!(connection, inner => query.get_result(inner).optional())?;
    let model = Some(&kind.model);
    Ok(found
        .map(|(base, embedding, serving)| (base, embedding.as_ref() == model || serving.as_ref() == model)))
}

/// Items of a base from a number on, with the model of their vectors.
fn next_items(
    connection: &mut AnyConnection,
    base: i64,
    from: i64,
) -> Result<Vec<(i64, Option<String>)>, Failure> {
    let query = kb_items::table
        .filter(kb_items::base.eq(base).and(kb_items::number.ge(from)))
        .order(kb_items::number)
        .limit(ITEM_BATCH)
        .select((kb_items::number, kb_items::embedded));
    Ok(prepared!(connection, inner => query.load(inner))?)
}

/// The ids of a range of chunks, with the hashes of their texts.
fn texts_of(
    connection: &mut AnyConnection,
    kind: &StoredKind,
    (first, end): (i64, i64),
    limit: usize,
) -> Result<Vec<(i64, Vec<u8>)>, Failure> {
    let query = kb_chunks::table
        .filter(kb_chunks::workspace.eq(&kind.workspace))
        .filter(kb_chunks::id.ge(first).and(kb_chunks::id.lt(end)))
        .order(kb_chunks::id)
        .limit(i64::try_from(limit).unwrap_or(i64::MAX))
        .select((kb_chunks::id, kb_chunks::hash));
    Ok(prepared!(connection, inner => query.load(inner))?)
}

fn discard(
    connection: &mut AnyConnection,
    kind: &StoredKind,
    names: &[ContentHash],
    (before, now): (Timestamp, Timestamp),
) -> Result<u64, Failure> {
    let (before, now) = (before.micros(), now.micros());
    let mut gone = 0;
    match connection {
        AnyConnection::Postgres(inner) => {
            let names: Vec<&[u8]> = names.iter().map(|name| name.0.as_slice()).collect();
            let own = || of_kind!(&kind.workspace, &kind.model).filter(kb_vectors::hash.eq_any(&names));
            gone += diesel::delete(own().filter(kb_vectors::unneeded.lt(before))).execute(inner)?;
            let new = own().filter(kb_vectors::unneeded.is_null());
            diesel::update(new).set(kb_vectors::unneeded.eq(now)).execute(inner)?;
        }
        AnyConnection::Sqlite(inner) => {
            for name in names {
                let own =
                    || of_kind!(&kind.workspace, &kind.model).filter(kb_vectors::hash.eq(name.0.as_slice()));
                gone += diesel::delete(own().filter(kb_vectors::unneeded.lt(before))).execute(inner)?;
                let new = own().filter(kb_vectors::unneeded.is_null());
                diesel::update(new).set(kb_vectors::unneeded.eq(now)).execute(inner)?;
            }
        }
    }
    Ok(gone as u64)
}
