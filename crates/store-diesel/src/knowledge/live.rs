//! Store queries of searches: whether a hit may be shown.

use std::collections::HashMap;

use diesel::dsl::sql;
use diesel::sql_types::Bool;
use diesel::{
    BoolExpressionMethods as _, ExpressionMethods as _, JoinOnDsl as _, OptionalExtension as _,
    QueryDsl as _, RunQueryDsl as _,
};
use kb_core::{BaseId, ChunkKey, ItemId, LiveChunk};

use super::base_rows;
use super::chunks::{self, StoredChunk, chunk};
use crate::connection::AnyConnection;
use crate::failure::Failure;
use crate::rows::{from_json, time};
use crate::schema::{kb_chunks, kb_items};
use crate::text_encoding::decode;

/// A chunk with its item's id, name, meta, language, sequence and expiry.
type JoinedChunk = (StoredChunk, (String, String, String, Option<String>, i64, Option<i64>));

/// The chunks of hits in order, without those that must not be shown. One statement reads a chunk and its
/// staleness: on PostgreSQL a second statement would see another state.
pub(super) fn live(
    connection: &mut AnyConnection,
    workspace: &str,
    base: &BaseId,
    found: &[(ChunkKey, i64)],
) -> Result<Vec<Option<LiveChunk>>, Failure> {
    let Some(base) = base_rows::number(connection, workspace, base)? else {
        return Ok(vec![None; found.len()]);
    };
    let ids: Vec<i64> = found.iter().map(|(key, _)| chunks::id(*key)).collect();
    let mut present: HashMap<ChunkKey, (i64, LiveChunk)> = HashMap::with_capacity(found.len());
    for (chunk, (id, name, meta, language, sequence, expires)) in load(connection, workspace, base, &ids)? {
        let key = chunks::key(chunk.id)?;
        let (name, meta, chunk) = (decode(name), from_json(&meta)?, chunk.read()?);
        let (item, language) = (ItemId(id), language.map(decode));
        let expires = expires.map(time).transpose()?;
        let live = LiveChunk { item, number: key.item, name, meta, expires, language, chunk };
        present.insert(key, (sequence, live));
    }
    let shown = |(key, sequence): &(ChunkKey, i64)| {
        let (now, chunk) = present.get(key)?;
        (now == sequence).then(|| chunk.clone())
    };
    Ok(found.iter().map(shown).collect())
}

fn load(
    connection: &mut AnyConnection,
    workspace: &str,
    base: i64,
    ids: &[i64],
) -> Result<Vec<JoinedChunk>, Failure> {
    let own = || {
        kb_chunks::table
            .inner_join(kb_items::table.on(sql::<Bool>("kb_items.number = (kb_chunks.id >> 20)")))
            .filter(kb_items::base.eq(base).and(kb_items::sequence.gt(0)))
            .filter(kb_items::workspace.eq(workspace).and(kb_chunks::workspace.eq(workspace)))
            .select((
                chunk!(),
                (
                    kb_items::id,
                    kb_items::name,
                    kb_items::meta,
                    kb_items::language,
                    kb_items::sequence,
                    kb_items::expires,
                ),
            ))
    };
    match connection {
        AnyConnection::Postgres(inner) => Ok(own().filter(kb_chunks::id.eq_any(ids)).load(inner)?),
        // A list has no statement that is prepared once on SQLite; single rows are cheap.
        AnyConnection::Sqlite(inner) => {
            let mut rows = Vec::with_capacity(ids.len());
            for id in ids {
                rows.extend(own().filter(kb_chunks::id.eq(id)).get_result::<JoinedChunk>(inner).optional()?);
            }
            Ok(rows)
        }
    }
}
