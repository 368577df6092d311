//! Lists of items. The page is found in an index alone, its rows by their numbers, the total in the counts.

use diesel::dsl::sql;
use diesel::sql_types::BigInt;
use diesel::{
    BoolExpressionMethods as _, Connection, ExpressionMethods as _, QueryDsl as _, RunQueryDsl as _,
};
use kb_core::{BaseId, Item, ItemFilter, ItemStatus};
use shared_core::{Cursor, Page, PageRequest, Timestamp};

use super::base_rows;
use super::item_rows::{self, StoredItem};
use crate::connection::{AnyConnection, prepared};
use crate::failure::Failure;
use crate::lists::{self, cut};
use crate::schema::{kb_bases, kb_items};
use crate::text_encoding::encode;

pub(super) fn list(
    connection: &mut AnyConnection,
    workspace: &str,
    filter: &ItemFilter,
    page: &PageRequest,
) -> Result<Page<Item>, Failure> {
    let base = match &filter.base {
        None => None,
        Some(id) => match base_rows::number(connection, workspace, id)? {
            Some(number) => Some(number),
            None => return Ok(Page { items: Vec::new(), total: 0, next: None }),
        },
    };
    let total = match &filter.external_id {
        None => total(connection, workspace, (base, filter.status))?,
        Some(_) => selection(workspace, base, filter).count().get_result(connection)?,
    };
    let numbers = numbers(connection, selection(workspace, base, filter), page)?;
    let items = in_order(connection, workspace, &numbers)?;
    let key = |item: &Item| Cursor { created: item.created, id: item.number.to_string() };
    Ok(lists::page(items, total, page, key)?)
}

/// Items of a base that changed at or after a time, the latest first.
pub(super) fn changed(
    connection: &mut AnyConnection,
    workspace: &str,
    base: &BaseId,
    (since, limit): (Timestamp, u32),
) -> Result<Vec<Item>, Failure> {
    let Some(base) = base_rows::number(connection, workspace, base)? else { return Ok(Vec::new()) };
    let query = kb_items::table
        .filter(kb_items::base.eq(base).and(kb_items::updated.ge(since.micros())))
        .order((kb_items::updated.desc(), kb_items::number.desc()))
        .limit(i64::from(limit))
        .select(kb_items::number);
    let numbers: Vec<i64> = prepared!(connection, inner => query.load(inner))?;
    in_order(connection, workspace, &numbers)
}

/// The items with these numbers, in this order.
fn in_order(connection: &mut AnyConnection, workspace: &str, numbers: &[i64]) -> Result<Vec<Item>, Failure> {
    let mut rows = item_rows::load(connection, workspace, numbers)?;
    rows.sort_by_key(|row| numbers.iter().position(|number| *number == row.item.number));
    Ok(rows.into_iter().map(|StoredItem { item, .. }| item).collect())
}

/// The number of items in a state or in all, of a base or of all.
fn total(
    connection: &mut AnyConnection,
    workspace: &str,
    (base, status): (Option<i64>, Option<ItemStatus>),
) -> Result<i64, Failure> {
    let mut query = kb_bases::table.filter(kb_bases::workspace.eq(workspace)).into_boxed();
    if let Some(base) = base {
        query = query.filter(kb_bases::number.eq(base));
    }
    let counted = match status {
        None => "queued + processing + ready + failed",
        Some(ItemStatus::Queued) => "queued",
        Some(ItemStatus::Processing) => "processing",
        Some(ItemStatus::Ready) => "ready",
        Some(ItemStatus::Failed) => "failed",
    };
    let sum = sql::<BigInt>(&format!("CAST(coalesce(sum({counted}), 0) AS BIGINT)"));
    Ok(query.select(sum).get_result(connection)?)
}

/// A query of numbers of items, on any database.
type NumberQuery<'a> = kb_items::BoxedQuery<'a, <AnyConnection as Connection>::Backend, BigInt>;

/// The items that fit the filter. The base belongs to the workspace.
fn selection<'a>(workspace: &'a str, base: Option<i64>, filter: &'a ItemFilter) -> NumberQuery<'a> {
    let mut query = kb_items::table.select(kb_items::number).into_boxed();
    query = match base {
        Some(base) => query.filter(kb_items::base.eq(base)),
        None => query.filter(kb_items::workspace.eq(workspace)),
    };
    if let Some(id) = &filter.external_id {
        query = query
            .filter(kb_items::workspace.eq(workspace).and(kb_items::external_id.eq(encode(id).into_owned())));
    }
    if let Some(status) = filter.status {
        query = query.filter(kb_items::status.eq(status.name()));
    }
    query
}

/// The numbers of the items of a page, plus one of the next page.
fn numbers(
    connection: &mut AnyConnection,
    query: NumberQuery<'_>,
    page: &PageRequest,
) -> Result<Vec<i64>, Failure> {
    let number = |id: &String| id.parse::<i64>().unwrap_or_default();
    Ok(cut!(query, &page, kb_items::created, kb_items::number, number).load(connection)?)
}
