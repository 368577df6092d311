//! What filters and facets compare of items.

use diesel::{BoolExpressionMethods as _, ExpressionMethods as _, QueryDsl as _, RunQueryDsl as _};
use kb_core::{BaseId, ItemAttributes, ItemId};

use super::base_rows;
use crate::connection::{AnyConnection, prepared};
use crate::failure::Failure;
use crate::rows::{from_json, time};
use crate::schema::kb_items;
use crate::text_encoding::decode;

/// Number, id, name, meta, source, language, and the times of adding and of the last change.
type Row = (i64, String, String, String, String, Option<String>, i64, i64);

/// The findable items of a base whose number is greater than `after`, ascending.
pub(super) fn list(
    connection: &mut AnyConnection,
    workspace: &str,
    base: &BaseId,
    (after, limit): (i64, u32),
) -> Result<Vec<ItemAttributes>, Failure> {
    let Some(base) = base_rows::number(connection, workspace, base)? else { return Ok(Vec::new()) };
    let query = kb_items::table
        .filter(kb_items::base.eq(base).and(kb_items::number.gt(after)))
        .filter(kb_items::sequence.gt(0).and(kb_items::workspace.eq(workspace)))
        .order(kb_items::number)
        .limit(i64::from(limit))
        .select((
            kb_items::number,
            kb_items::id,
            kb_items::name,
            kb_items::meta,
            kb_items::source,
            kb_items::language,
            kb_items::created,
            kb_items::updated,
        ));
    let rows: Vec<Row> = prepared!(connection, inner => query.load(inner))?;
    rows.into_iter().map(read).collect()
}

fn read(
    (number, id, name, meta, source, language, created, updated): Row,
) -> Result<ItemAttributes, Failure> {
    Ok(ItemAttributes {
        number,
        id: ItemId(id),
        name: decode(name),
        meta: from_json(&meta)?,
        source: from_json(&source)?,
        language: language.map(decode),
        created: time(created)?,
        updated: time(updated)?,
    })
}
