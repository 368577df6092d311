//! Deletes items that have expired.

use std::collections::BTreeMap;

use diesel::{ExpressionMethods as _, QueryDsl as _, RunQueryDsl as _};
use kb_core::RemovedItems;
use shared_core::Timestamp;

use super::remove::remove_numbered;
use crate::connection::{AnyConnection, prepared};
use crate::failure::Failure;
use crate::schema::kb_items;

/// Deletes up to `limit` items of all workspaces, those first that expired first.
pub(super) fn remove_expired(
    connection: &mut AnyConnection,
    now: Timestamp,
    limit: u32,
) -> Result<RemovedItems, Failure> {
    let query = kb_items::table
        .filter(kb_items::expires.le(now.micros()))
        .order((kb_items::expires, kb_items::number))
        .limit(i64::from(limit))
        .select((kb_items::workspace, kb_items::base, kb_items::number));
    let expired: Vec<(String, i64, i64)> = prepared!(connection, inner => query.load(inner))?;
    let mut by_workspace: BTreeMap<String, Vec<(i64, i64)>> = BTreeMap::new();
    for (workspace, base, number) in expired {
        by_workspace.entry(workspace).or_default().push((base, number));
    }
    let mut all = RemovedItems::default();
    for (workspace, named) in by_workspace {
        // Somebody may have given an item a later end meanwhile.
        let is_expired = |item: &kb_core::Item| item.is_expired(now);
        let removed = remove_numbered(connection, &workspace, named, is_expired, now)?;
        all.items.extend(removed.items);
        all.orphans.extend(removed.orphans);
        all.position = removed.position.or(all.position);
    }
    Ok(all)
}
