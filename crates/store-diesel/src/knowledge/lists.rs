//! Lists of items: the page is found in an index alone, its rows by their numbers, the total in the counts.

use diesel::{BoolExpressionMethods as _, ExpressionMethods as _, QueryDsl as _, RunQueryDsl as _};
use kb_core::{BaseId, Counts, Item, ItemFilter, ItemStatus};
use shared_core::{Cursor, Page, PageRequest};

use super::base_rows::BaseRow;
use super::item_rows::{self, Stored};
use crate::connection::AnyConnection;
use crate::failure::Failure;
use crate::lists::{self, cut};
use crate::schema::{kb_bases, kb_items};
use crate::text::encode;

pub(super) fn list(
    connection: &mut AnyConnection,
    workspace: &str,
    filter: &ItemFilter,
    page: &PageRequest,
) -> Result<Page<Item>, Failure> {
    let nothing = Page { items: Vec::new(), total: 0, next: None };
    let bases = bases(connection, workspace, filter.base.as_ref())?;
    let base = match (&filter.base, bases.first()) {
        (Some(_), None) => return Ok(nothing),
        (Some(_), Some(base)) => Some(base.number),
        (None, _) => None,
    };
    let mut total = 0_u64;
    for one in &bases {
        let counts = one.counts()?;
        total += filter.status.map_or(counts.items(), |status| of(&counts, status));
    }
    let numbers = numbers(connection, workspace, (base, filter.status), page)?;
    let mut rows = item_rows::load(connection, workspace, &numbers)?;
    rows.sort_by_key(|row| numbers.iter().position(|number| *number == row.item.number));
    let items = rows.into_iter().map(|Stored { item, .. }| item).collect();
    let key = |item: &Item| Cursor { created: item.created, id: item.number.to_string() };
    Ok(lists::page(items, i64::try_from(total).unwrap_or(i64::MAX), page, key)?)
}

/// The base with this id, or all of the workspace.
fn bases(
    connection: &mut AnyConnection,
    workspace: &str,
    only: Option<&BaseId>,
) -> Result<Vec<BaseRow>, Failure> {
    let mut query = kb_bases::table.filter(kb_bases::workspace.eq(workspace)).into_boxed();
    if let Some(id) = only {
        query = query.filter(kb_bases::id.eq(encode(&id.0).into_owned()));
    }
    Ok(query.load(connection)?)
}

fn of(counts: &Counts, status: ItemStatus) -> u64 {
    match status {
        ItemStatus::Queued => counts.queued,
        ItemStatus::Processing => counts.processing,
        ItemStatus::Ready => counts.ready,
        ItemStatus::Failed => counts.failed,
    }
}

/// The numbers of the items of a page and of the one after it. The base is one of the workspace's.
fn numbers(
    connection: &mut AnyConnection,
    workspace: &str,
    (base, status): (Option<i64>, Option<ItemStatus>),
    page: &PageRequest,
) -> Result<Vec<i64>, Failure> {
    let mut query = kb_items::table.select(kb_items::number).into_boxed();
    query = match base {
        Some(base) => query.filter(kb_items::base.eq(base)),
        None => query.filter(kb_items::workspace.eq(workspace.to_owned())),
    };
    if let Some(status) = status {
        query = query.filter(kb_items::status.eq(status.name()));
    }
    let number = |id: &String| id.parse::<i64>().unwrap_or_default();
    Ok(cut!(query, &page, kb_items::created, kb_items::number, number).load(connection)?)
}
