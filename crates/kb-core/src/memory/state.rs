//! The state, and the steps that every change of it consists of.

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

use jobs_core::{Job, JobKey, MemoryJobs, Priority};
use shared_core::{Scope, Timestamp, WorkspaceId};

use crate::{
    Base, BaseId, ChangeKind, Chunk, ContentHash, FeedState, Item, ItemId, NewItem, QUEUE, VectorKind,
};

#[derive(Debug, Default)]
pub(super) struct State {
    /// By number.
    pub(super) bases: BTreeMap<i64, BaseRow>,
    /// By number.
    pub(super) items: BTreeMap<i64, ItemRow>,
    pub(super) vectors: BTreeMap<(VectorKind, ContentHash), StoredVector>,
    pub(super) feed: FeedState,
    pub(super) changes: BTreeMap<i64, (ChangeKind, Timestamp)>,
    pub(super) last_base: i64,
    pub(super) last_item: i64,
}

#[derive(Clone, Debug)]
pub(super) struct StoredVector {
    pub(super) vector: Arc<[f32]>,
    /// Since when it is marked as unneeded.
    pub(super) unneeded: Option<Timestamp>,
}

#[derive(Debug)]
pub(super) struct BaseRow {
    pub(super) base: Base,
    pub(super) next_place: u32,
    /// Items that block `serving` from following `embedding`.
    pub(super) lacking: u64,
}

#[derive(Clone, Debug)]
pub(super) struct ItemRow {
    pub(super) item: Item,
    pub(super) fingerprint: String,
    /// Also those that are not findable yet.
    pub(super) stored: Vec<Chunk>,
    /// The last fencing token of an ended job.
    pub(super) fence: i64,
}

pub(super) fn job(item: &Item) -> Job {
    let key = JobKey { queue: QUEUE, owner: item.base.0.clone(), position: item.place };
    Job { key, workspace: item.workspace.clone(), priority: Priority::Normal }
}

impl ItemRow {
    /// Queues a job for the item; a worker of an earlier job has lost it.
    pub(super) fn put_job(&self, jobs: &MemoryJobs, now: Timestamp) {
        jobs.restart(job(&self.item), now, self.fence);
    }
}

impl BaseRow {
    /// Adds an item to the counts.
    pub(super) fn include(&mut self, item: &Item) {
        self.base.counts.include(item);
        self.lacking += u64::from(item.lacks(self.base.embedding.as_deref()));
    }

    /// Removes an item from the counts.
    pub(super) fn exclude(&mut self, item: &Item) {
        self.base.counts.exclude(item);
        self.lacking -= u64::from(item.lacks(self.base.embedding.as_deref()));
    }

    /// Updates the base after its items changed: its time, and `serving` once no item lacks vectors.
    pub(super) fn settle(&mut self, now: Timestamp) {
        self.base.updated = now;
        if self.lacking == 0 {
            self.base.serving.clone_from(&self.base.embedding);
        }
    }

    pub(super) fn add_language(&mut self, language: Option<&str>) {
        if let Some(new) = language.filter(|new| !self.base.languages.iter().any(|known| known == new)) {
            self.base.languages.push(new.to_owned());
        }
    }
}

impl State {
    pub(super) fn base(&self, workspace: &WorkspaceId, id: &BaseId) -> Option<&BaseRow> {
        self.bases.values().find(|row| row.base.workspace == *workspace && row.base.id == *id)
    }

    pub(super) fn base_mut(&mut self, workspace: &WorkspaceId, id: &BaseId) -> Option<&mut BaseRow> {
        self.bases.values_mut().find(|row| row.base.workspace == *workspace && row.base.id == *id)
    }

    pub(super) fn item(&self, scope: &Scope, id: &ItemId) -> Option<&ItemRow> {
        self.items.values().find(|row| row.item.workspace == scope.workspace && row.item.id == *id)
    }

    /// The item of the base with this fingerprint.
    pub(super) fn twin(&self, workspace: &WorkspaceId, base: &BaseId, fingerprint: &str) -> Option<i64> {
        let same = |row: &&ItemRow| {
            row.item.workspace == *workspace && row.item.base == *base && row.fingerprint == fingerprint
        };
        self.items.values().find(same).map(|row| row.item.number)
    }

    /// The item of the base with this external id.
    pub(super) fn owner(
        &self,
        workspace: &WorkspaceId,
        base: &BaseId,
        external_id: Option<&str>,
    ) -> Option<i64> {
        let id = external_id?;
        let own = |item: &&Item| {
            item.workspace == *workspace && item.base == *base && item.external_id.as_deref() == Some(id)
        };
        self.items.values().map(|row| &row.item).find(own).map(|item| item.number)
    }

    /// Whether the id belongs to an item with other content.
    pub(super) fn clashes(&self, scope: &Scope, base: &BaseId, new: &NewItem) -> bool {
        if self.owner(&scope.workspace, base, new.external_id.as_deref()).is_some() {
            return false;
        }
        let same = self.twin(&scope.workspace, base, &new.fingerprint);
        same.is_none() && self.item(scope, &new.id).is_some()
    }

    /// How many of the given items are new to the base.
    pub(super) fn fresh(&self, base: &Base, items: &[NewItem]) -> u64 {
        let unowned = |new: &&NewItem| {
            self.owner(&base.workspace, &base.id, new.external_id.as_deref()).is_none()
                && self.twin(&base.workspace, &base.id, &new.fingerprint).is_none()
        };
        // An external id is part of the fingerprint.
        let prints: HashSet<&str> =
            items.iter().filter(unowned).map(|new| new.fingerprint.as_str()).collect();
        prints.len() as u64
    }

    /// Writes a change under the next number, which it returns.
    pub(super) fn tell(&mut self, what: ChangeKind, now: Timestamp) -> i64 {
        self.feed.latest += 1;
        self.changes.insert(self.feed.latest, (what, now));
        self.feed.latest
    }

    /// Writes the change of a findable item; returns its number.
    pub(super) fn tell_put(&mut self, item: &Item, now: Timestamp) -> i64 {
        let sequence = self.tell(ChangeKind::Put { item: item.number }, now);
        if let Some(base) = self.base_mut(&item.workspace, &item.base) {
            base.base.written = sequence;
        }
        sequence
    }

    /// Stores a new or changed item, and updates the counts.
    pub(super) fn store(&mut self, row: ItemRow, now: Timestamp) {
        let before = self.items.insert(row.item.number, row.clone());
        let Some(base) = self.base_mut(&row.item.workspace, &row.item.base) else { return };
        if let Some(before) = before {
            base.exclude(&before.item);
        }
        base.include(&row.item);
        if row.item.is_findable() {
            base.add_language(row.item.language.as_deref());
        }
        base.settle(now);
    }
}
