//! Entries for items that have their external ids.

use files_core::BlobKey;
use shared_core::{Scope, StoreError, Timestamp};

use super::MemoryKnowledge;
use super::state::{ItemRow, State};
use crate::{AddedItem, Contents, Difference, Item, ItemStatus, NewItem, Progress, Replacement};

impl MemoryKnowledge {
    /// Applies an entry to the item with its external id.
    pub(super) fn upsert(
        &self,
        state: &mut State,
        scope: &Scope,
        number: i64,
        new: NewItem,
        now: Timestamp,
    ) -> Result<AddedItem, StoreError> {
        let mut row = state.items.get(&number).cloned().ok_or(StoreError::Missing("item"))?;
        let difference = new.difference(&row.item, row.fingerprint == new.fingerprint);
        if difference == Difference::Nothing {
            return self.give_again(state, scope, number, new, now);
        }
        let told = (row.item.name.clone(), row.item.meta.clone());
        let mut added = AddedItem::existing(row.item.clone());
        if difference == Difference::Content {
            added.orphan = self.replace_contents(state, scope, &mut row, &new, now)?;
            added.replaced = true;
        }
        new.label(&mut row.item);
        row.fingerprint.clone_from(&new.fingerprint);
        row.item.updated = now;
        let renamed = told != (row.item.name.clone(), row.item.meta.clone());
        if row.item.is_findable() && renamed && row.item.position == added.item.position {
            row.item.position = state.tell_put(&row.item, now);
        }
        if row.item.status == ItemStatus::Failed {
            row.item.queue_again(now);
            row.put_job(&self.jobs, now);
        }
        added.item = row.item.clone();
        state.store(row, now);
        Ok(added)
    }

    /// Replaces what an item consists of; returns its former content if nothing refers to that any more.
    fn replace_contents(
        &self,
        state: &mut State,
        scope: &Scope,
        row: &mut ItemRow,
        new: &NewItem,
        now: Timestamp,
    ) -> Result<Option<BlobKey>, StoreError> {
        let orphan = match &new.matter {
            Contents::Document { content, fresh } => {
                let replacement = Replacement {
                    source: new.source.clone(),
                    content: content.clone(),
                    fresh: *fresh,
                    fingerprint: new.fingerprint.clone(),
                };
                self.replace(state, scope, row, &replacement)?.pop()
            }
            Contents::Remote => {
                let orphan = self.release(&row.item);
                forget_content(&mut row.item, 0);
                if !row.item.is_findable() {
                    row.stored.clear();
                }
                orphan
            }
            Contents::Chunks { chunks, language } => {
                let orphan = self.release(&row.item);
                forget_content(&mut row.item, new.bytes);
                row.stored.clone_from(chunks);
                row.item.language.clone_from(language);
                row.item.embedded = None;
                row.item.chunks = chunks.len() as u64;
                row.item.sequence = state.tell_put(&row.item, now);
                row.item.position = row.item.sequence;
                let base = state.base(&scope.workspace, &row.item.base);
                if base.is_some_and(|row| row.base.embedding.is_none()) {
                    row.item.status = ItemStatus::Ready;
                } else {
                    row.item.progress = Progress { done: 0, total: row.item.chunks };
                }
                orphan
            }
            Contents::Unusable(_) => None,
        };
        // Also for chunks that are ready: a worker of the former content loses its job.
        row.put_job(&self.jobs, now);
        Ok(orphan)
    }
}

/// Queues an item that has no original.
fn forget_content(item: &mut Item, bytes: u64) {
    item.content = None;
    item.bytes = bytes;
    item.status = ItemStatus::Queued;
    item.error = None;
    item.progress = Progress::default();
}
