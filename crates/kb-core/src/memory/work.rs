//! The job methods of the item port.

use shared_core::{Scope, StoreError, Timestamp, WorkspaceId};

use super::MemoryKnowledge;
use super::state::{ItemRow, State, job};
use crate::{BaseId, Content, IngestResult, Item, ItemError, ItemStatus, Progress, Task};

impl State {
    pub(super) fn task(&self, workspace: &WorkspaceId, base: &BaseId, place: u32) -> Option<Task> {
        let base = self.base(workspace, base)?.base.clone();
        let own = |row: &&ItemRow| {
            row.item.workspace == *workspace && row.item.base == base.id && row.item.place == place
        };
        let item = self.items.values().find(own)?.item.clone();
        let scope = Scope { workspace: workspace.clone(), user: item.author.clone() };
        Some(Task { scope, base, item })
    }
}

impl MemoryKnowledge {
    /// The item of a task whose job has this token, else `Stale`.
    fn held(&self, state: &State, task: &Task, token: i64) -> Result<ItemRow, StoreError> {
        let row = state.item(&task.scope, &task.item.id).ok_or(StoreError::Stale)?;
        let key = job(&row.item).key;
        let own = row.item.place == task.item.place && self.jobs.has_token(&key, token);
        own.then(|| row.clone()).ok_or(StoreError::Stale)
    }

    /// Changes the item of a task.
    pub(super) fn work(
        &self,
        task: &Task,
        token: i64,
        now: Timestamp,
        change: impl FnOnce(&mut ItemRow),
    ) -> Result<(), StoreError> {
        let mut state = self.state();
        let mut row = self.held(&state, task, token)?;
        change(&mut row);
        row.item.updated = now;
        state.store(row, now);
        Ok(())
    }

    /// Sets the original of a task's item.
    pub(super) fn obtain(
        &self,
        task: &Task,
        token: i64,
        (content, name): (&Content, Option<&str>),
        now: Timestamp,
    ) -> Result<Item, StoreError> {
        let mut state = self.state();
        let mut row = self.held(&state, task, token)?;
        if row.item.content.is_none() {
            let content = self.refer(&task.scope, content, true)?;
            row.item.bytes = content.bytes;
            row.item.content = Some(content);
            row.item.name = name.map_or(row.item.name, str::to_owned);
            row.item.updated = now;
            state.store(row.clone(), now);
        }
        Ok(row.item)
    }

    /// Ends the job of a task.
    fn end(&self, row: &mut ItemRow, token: i64) {
        row.fence = token;
        let _: bool = self.jobs.end(&job(&row.item).key, token);
    }

    /// Publishes the chunks of an item for lexical search while their vectors are made.
    pub(super) fn show(
        &self,
        task: &Task,
        token: i64,
        finished: &IngestResult,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        let mut state = self.state();
        let mut row = self.held(&state, task, token)?;
        row.item.sequence = state.tell_put(&row.item, now);
        row.item.position = row.item.sequence;
        row.stored = finished.chunks.clone().unwrap_or_default();
        row.item.language.clone_from(&finished.language);
        row.item.embedded = None;
        row.item.chunks = row.stored.len() as u64;
        row.item.progress = Progress { done: 0, total: row.item.chunks };
        row.item.updated = now;
        state.store(row, now);
        Ok(())
    }

    pub(super) fn succeed(
        &self,
        task: &Task,
        token: i64,
        finished: &IngestResult,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        let mut state = self.state();
        let mut row = self.held(&state, task, token)?;
        let base = state.base(&task.scope.workspace, &row.item.base).ok_or(StoreError::Stale)?;
        let embedding = base.base.embedding.clone();
        self.end(&mut row, token);
        let sequence = state.tell_put(&row.item, now);
        row.item.position = sequence;
        if finished.chunks.is_some() || !row.item.is_findable() {
            row.item.sequence = sequence;
        }
        match &finished.chunks {
            Some(chunks) => {
                row.stored.clone_from(chunks);
                row.item.language.clone_from(&finished.language);
                row.item.embedded.clone_from(&finished.embedded);
            }
            None => {
                row.item.language = finished.language.clone().or(row.item.language);
                row.item.embedded = finished.embedded.clone().or(row.item.embedded);
            }
        }
        row.item.updated = now;
        let other = (task.base.embedding != embedding).then_some(embedding.as_deref());
        let chunks = row.stored.len() as u64;
        if finished.settle(&mut row.item, chunks, other) {
            row.put_job(&self.jobs, now);
        }
        state.store(row, now);
        Ok(())
    }

    pub(super) fn give_up(
        &self,
        task: &Task,
        token: i64,
        error: &ItemError,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        self.work(task, token, now, |row| {
            self.end(row, token);
            row.item.status = ItemStatus::Failed;
            row.item.error = Some(error.clone());
        })
    }
}

pub(super) fn begin(row: &mut ItemRow) {
    if row.item.status != ItemStatus::Ready {
        row.item.status = ItemStatus::Processing;
        row.item.error = None;
    }
}

pub(super) fn postpone(row: &mut ItemRow, error: &ItemError) {
    if row.item.status != ItemStatus::Ready {
        row.item.status = ItemStatus::Queued;
    }
    row.item.error = Some(error.clone());
}

pub(super) fn progress(row: &mut ItemRow, done: u64, total: u64) {
    row.item.progress = Progress { done, total };
}
