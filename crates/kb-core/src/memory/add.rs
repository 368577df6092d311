//! Adding items.

use files_core::BlobKey;
use shared_core::{Scope, StoreError, Timestamp};

use super::MemoryKnowledge;
use super::state::{ItemRow, State};
use crate::{
    AddedItem, Base, BaseId, Chunk, Content, Contents, Item, ItemError, ItemStatus, NewItem, Progress,
};

/// What an item gets from its contents.
#[derive(Debug, Default)]
struct Got {
    content: Option<Content>,
    chunks: Vec<Chunk>,
    language: Option<String>,
    error: Option<ItemError>,
    /// Whether it consists of ready-made chunks.
    chunked: bool,
}

impl MemoryKnowledge {
    /// Adds a reference to a document's content: its own bytes, or existing ones.
    pub(super) fn refer(&self, scope: &Scope, content: &Content, fresh: bool) -> Result<Content, StoreError> {
        let Content { blob, sha256, bytes } = content;
        let referred = if fresh {
            Some(self.refs.add_ref(&scope.workspace, sha256, *bytes, blob.clone()))
        } else {
            self.refs.add_ref_to_existing(&scope.workspace, sha256, *bytes)
        };
        let blob = referred.ok_or(StoreError::Missing("file"))?;
        Ok(Content { blob, sha256: sha256.clone(), bytes: *bytes })
    }

    fn take(&self, scope: &Scope, matter: Contents) -> Result<Got, StoreError> {
        Ok(match matter {
            Contents::Document { content, fresh } => {
                Got { content: Some(self.refer(scope, &content, fresh)?), ..Got::default() }
            }
            Contents::Chunks { chunks, language } => {
                Got { chunks, language, chunked: true, ..Got::default() }
            }
            Contents::Remote => Got::default(),
            Contents::Unusable(error) => Got { error: Some(error), ..Got::default() },
        })
    }

    pub(super) fn add_all(
        &self,
        state: &mut State,
        scope: &Scope,
        base: &BaseId,
        items: Vec<NewItem>,
        (most, now): (u64, Timestamp),
    ) -> Result<Option<Vec<AddedItem>>, StoreError> {
        let missing = StoreError::Missing("knowledge base");
        let base = state.base(&scope.workspace, base).ok_or(missing)?.base.clone();
        if items.iter().any(|new| state.clashes(scope, &base.id, new)) {
            return Err(StoreError::Taken("item"));
        }
        let new = state.fresh(&base, &items);
        if new > 0 && base.counts.items().saturating_add(new) > most {
            return Ok(None);
        }
        // A missing file rolls back the whole unit.
        let held = self.hold(scope, &items)?;
        let added: Result<Vec<AddedItem>, _> =
            items.into_iter().map(|item| self.add_one(state, scope, &base, item, now)).collect();
        for blob in held {
            let _: bool = self.refs.release(&blob);
        }
        added.map(Some)
    }

    /// Adds references to the contents that must exist already, so that none is removed in between.
    fn hold(&self, scope: &Scope, items: &[NewItem]) -> Result<Vec<BlobKey>, StoreError> {
        let mut held = Vec::new();
        for (index, item) in items.iter().enumerate() {
            let Contents::Document { content, fresh: false } = &item.matter else { continue };
            match self.refs.add_ref_to_existing(&scope.workspace, &content.sha256, content.bytes) {
                Some(blob) => held.push(blob),
                None if brings(&items[..index], content) => {}
                None => {
                    held.iter().for_each(|blob| _ = self.refs.release(blob));
                    return Err(StoreError::Missing("file"));
                }
            }
        }
        Ok(held)
    }

    fn add_one(
        &self,
        state: &mut State,
        scope: &Scope,
        base: &Base,
        new: NewItem,
        now: Timestamp,
    ) -> Result<AddedItem, StoreError> {
        if let Some(number) = state.owner(&scope.workspace, &base.id, new.external_id.as_deref()) {
            return self.upsert(state, scope, number, new, now);
        }
        if let Some(number) = state.twin(&scope.workspace, &base.id, &new.fingerprint) {
            return self.give_again(state, scope, number, new, now);
        }
        let got = self.take(scope, new.matter.clone())?;
        state.last_item += 1;
        let place = next_place(state, base)?;
        let item = new.queued(scope, &base.id, (state.last_item, place), now);
        let row = ItemRow { item, fingerprint: new.fingerprint, stored: Vec::new(), fence: 0 };
        let item = self.settle(state, base, row, got, now);
        Ok(AddedItem { new: true, ..AddedItem::existing(item) })
    }

    /// Stores the contents of an item and its status: ready, queued, or failed.
    fn settle(&self, state: &mut State, base: &Base, mut row: ItemRow, got: Got, now: Timestamp) -> Item {
        let item = &mut row.item;
        item.content = got.content;
        item.language = got.language;
        item.status = ItemStatus::Queued;
        item.error = None;
        if let Some(error) = got.error {
            item.status = ItemStatus::Failed;
            item.error = Some(error);
        } else if got.chunked {
            item.chunks = got.chunks.len() as u64;
            item.sequence = state.tell_put(item, now);
            item.position = item.sequence;
            if base.embedding.is_none() {
                item.status = ItemStatus::Ready;
            } else {
                item.progress = Progress { done: 0, total: item.chunks };
            }
        }
        item.updated = now;
        row.stored = got.chunks;
        if row.item.status == ItemStatus::Queued {
            row.put_job(&self.jobs, now);
        }
        let item = row.item.clone();
        state.store(row, now);
        item
    }

    /// An existing item with the same content; a failed one is queued again.
    pub(super) fn give_again(
        &self,
        state: &mut State,
        scope: &Scope,
        number: i64,
        new: NewItem,
        now: Timestamp,
    ) -> Result<AddedItem, StoreError> {
        let mut row = state.items.get(&number).cloned().ok_or(StoreError::Missing("item"))?;
        if row.item.expires != new.expires {
            row.item.expires = new.expires;
            row.item.updated = now;
            state.store(row.clone(), now);
        }
        let matter = new.matter;
        if row.item.status != ItemStatus::Failed || matches!(matter, Contents::Unusable(_)) {
            return Ok(AddedItem::existing(row.item));
        }
        let empty = row.item.content.is_none() && row.stored.is_empty();
        let base = state.base(&scope.workspace, &row.item.base).map(|row| row.base.clone());
        let item = match base.filter(|_| empty) {
            Some(base) => {
                let got = self.take(scope, matter)?;
                self.settle(state, &base, row, got, now)
            }
            None => self.queue_again(state, row, now),
        };
        Ok(AddedItem::existing(item))
    }

    /// Queues a failed item again.
    pub(super) fn queue_again(&self, state: &mut State, mut row: ItemRow, now: Timestamp) -> Item {
        row.item.queue_again(now);
        row.put_job(&self.jobs, now);
        let item = row.item.clone();
        state.store(row, now);
        item
    }
}

fn next_place(state: &mut State, base: &Base) -> Result<u32, StoreError> {
    let row = state.bases.get_mut(&base.number).ok_or(StoreError::Missing("knowledge base"))?;
    let place = row.next_place;
    row.next_place = place.checked_add(1).ok_or(StoreError::Full)?;
    Ok(place)
}

/// Whether one of the items brings the bytes of a content.
fn brings(items: &[NewItem], content: &Content) -> bool {
    items.iter().any(|item| match &item.matter {
        Contents::Document { content: own, fresh: true } => {
            own.sha256 == content.sha256 && own.bytes == content.bytes
        }
        _ => false,
    })
}
