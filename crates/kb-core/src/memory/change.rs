//! Changing and deleting items.

use files_core::BlobKey;
use shared_core::{Scope, StoreError, Timestamp};

use super::MemoryKnowledge;
use super::state::{ItemRow, State, job};
use crate::{
    ChangeKind, Item, ItemChange, ItemId, ItemStatus, Progress, RemovedItems, Replacement, Selection,
};

impl MemoryKnowledge {
    /// Removes the item's reference to its content; returns the blob if it was the last one.
    pub(super) fn release(&self, item: &Item) -> Option<BlobKey> {
        let blob = &item.content.as_ref()?.blob;
        self.refs.release(blob).then(|| blob.clone())
    }

    pub(super) fn change(
        &self,
        state: &mut State,
        scope: &Scope,
        id: &ItemId,
        change: &ItemChange,
        now: Timestamp,
    ) -> Result<Option<(Item, RemovedItems)>, StoreError> {
        let Some(mut row) = state.item(scope, id).cloned() else { return Ok(None) };
        let mut removed = RemovedItems::default();
        if let Some(new) = &change.replacement {
            removed.orphans = self.replace(state, scope, &mut row, new)?;
        }
        if let Some(print) = &change.fingerprint
            && state.twin(&scope.workspace, &row.item.base, print).is_none()
        {
            row.fingerprint.clone_from(print);
        }
        let told = (row.item.name.clone(), row.item.meta.clone());
        if let Some(name) = &change.name {
            row.item.name.clone_from(name);
        }
        if let Some(meta) = &change.meta {
            row.item.meta.clone_from(meta);
        }
        row.item.expires = change.expires.unwrap_or(row.item.expires);
        if row.item.is_findable() && told != (row.item.name.clone(), row.item.meta.clone()) {
            row.item.position = state.tell_put(&row.item, now);
        }
        row.item.updated = now;
        if change.replacement.is_some() {
            row.put_job(&self.jobs, now);
        }
        let item = row.item.clone();
        state.store(row, now);
        Ok(Some((item, removed)))
    }

    /// Replaces the content of an item; returns the contents without references.
    pub(super) fn replace(
        &self,
        state: &State,
        scope: &Scope,
        row: &mut ItemRow,
        new: &Replacement,
    ) -> Result<Vec<BlobKey>, StoreError> {
        let twin = state.twin(&scope.workspace, &row.item.base, &new.fingerprint);
        if twin.is_some_and(|twin| twin != row.item.number) {
            return Err(StoreError::Taken("content"));
        }
        let content = self.refer(scope, &new.content, new.fresh)?;
        let orphan = self.release(&row.item);
        row.fingerprint.clone_from(&new.fingerprint);
        row.item.source = new.source.clone();
        row.item.bytes = content.bytes;
        row.item.content = Some(content);
        row.item.status = ItemStatus::Queued;
        row.item.error = None;
        row.item.progress = Progress::default();
        if !row.item.is_findable() {
            // Ready-made chunks that were never findable belong to the old content.
            row.stored.clear();
        }
        Ok(orphan.into_iter().collect())
    }

    pub(super) fn delete_all(
        &self,
        state: &mut State,
        scope: &Scope,
        selection: &Selection,
        now: Timestamp,
    ) -> RemovedItems {
        let chosen = |item: &Item| {
            let named = match selection {
                Selection::All(base) => item.base == *base,
                Selection::Ids(base, ids) => {
                    base.as_ref().is_none_or(|base| item.base == *base) && ids.contains(&item.id)
                }
            };
            named && item.workspace == scope.workspace
        };
        let chosen: Vec<i64> = {
            let rows = state.items.iter().filter(|(_, row)| chosen(&row.item));
            rows.map(|(number, _)| *number).collect()
        };
        self.delete_rows(state, chosen, now)
    }

    /// Deletes the items that expired first.
    pub(super) fn delete_expired(&self, state: &mut State, now: Timestamp, limit: usize) -> RemovedItems {
        let expired = state.items.values().map(|row| &row.item).filter(|item| item.is_expired(now));
        let mut expired: Vec<_> = expired.map(|item| (item.expires, item.number)).collect();
        expired.sort_unstable();
        expired.truncate(limit);
        self.delete_rows(state, expired.into_iter().map(|(_, number)| number).collect(), now)
    }

    fn delete_rows(&self, state: &mut State, numbers: Vec<i64>, now: Timestamp) -> RemovedItems {
        let mut removed = RemovedItems::default();
        for number in numbers {
            let Some(row) = state.items.remove(&number) else { continue };
            self.jobs.remove_all([&job(&row.item).key]);
            if row.item.is_findable() {
                removed.position = Some(state.tell(ChangeKind::Gone { item: number }, now));
            }
            if let Some(base) = state.base_mut(&row.item.workspace, &row.item.base) {
                base.exclude(&row.item);
                base.settle(now);
            }
            removed.orphans.extend(self.release(&row.item));
            removed.items.push(row.item.id);
        }
        removed
    }
}
