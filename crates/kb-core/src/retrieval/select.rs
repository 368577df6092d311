//! The items of a base that a filter leaves, found in pages and remembered for a while.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::Value;
use shared_core::{Scope, StoreError, Timestamp};

use super::filter::Filter;
use crate::{Base, ContentHash, ItemSet, KnowledgeService};

/// Items whose meta is read at once.
const PAGE: u32 = 1_000;
/// Sets that are remembered.
const SETS: usize = 128;
/// Items of all remembered sets together.
const ITEMS: usize = 2_000_000;

/// What a set was made for: the base as it was then, and the name of the filter's text.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Key {
    base: i64,
    written: i64,
    updated: Timestamp,
    filter: ContentHash,
}

#[derive(Debug, Default)]
struct Kept {
    /// With the time when it was asked for last.
    sets: HashMap<Key, (ItemSet, u64)>,
    items: usize,
    now: u64,
}

/// Sets of items by base and filter. Clones share it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Selections(Arc<Mutex<Kept>>);

impl Selections {
    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn find(&self, key: &Key) -> Option<ItemSet> {
        let mut kept = self.kept();
        kept.now += 1;
        let now = kept.now;
        let (set, asked) = kept.sets.get_mut(key)?;
        *asked = now;
        Some(set.clone())
    }

    fn keep(&self, key: Key, set: ItemSet) {
        let mut kept = self.kept();
        kept.now += 1;
        kept.items += set.numbers().len();
        let now = kept.now;
        if let Some((old, _)) = kept.sets.insert(key, (set, now)) {
            kept.items -= old.numbers().len();
        }
        while kept.sets.len() > SETS || kept.items > ITEMS {
            let oldest = kept.sets.iter().min_by_key(|(_, (_, asked))| *asked).map(|(key, _)| key.clone());
            let Some((set, _)) = oldest.and_then(|key| kept.sets.remove(&key)) else { break };
            kept.items -= set.numbers().len();
        }
    }
}

impl KnowledgeService {
    /// The findable items of a base that the filter, as it was written, leaves.
    pub(super) async fn selected(
        &self,
        scope: &Scope,
        base: &Base,
        filter: &Filter,
        written: &Value,
    ) -> Result<ItemSet, StoreError> {
        let key = Key {
            base: base.number,
            written: base.written,
            updated: base.updated,
            filter: ContentHash::of(&written.to_string()),
        };
        if let Some(set) = self.selections.find(&key) {
            return Ok(set);
        }
        let (mut numbers, mut after) = (Vec::new(), 0);
        loop {
            let page = self.ports.items.metas(scope, &base.id, after, PAGE).await?;
            let Some((last, _)) = page.last() else { break };
            after = *last;
            let fitting = page.iter().filter(|(_, meta)| filter.fits(meta));
            numbers.extend(fitting.map(|(number, _)| *number));
        }
        let set = ItemSet::new(numbers);
        self.selections.keep(key, set.clone());
        Ok(set)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(base: i64) -> Key {
        let updated = Timestamp::from_micros(0).unwrap();
        Key { base, written: 1, updated, filter: ContentHash::of("") }
    }

    #[test]
    fn sets_are_forgotten_when_there_are_too_many_those_asked_for_last_stay() {
        let selections = Selections::default();
        for base in 0..200 {
            selections.keep(key(base), ItemSet::new(vec![base]));
            assert!(selections.find(&key(0)).is_some(), "{base}");
        }
        assert!(selections.find(&key(1)).is_none() && selections.find(&key(199)).is_some());
        selections.keep(key(500), ItemSet::new((0..1_999_999).collect()));
        assert!(selections.find(&key(500)).is_some());
        let kept = selections.kept();
        assert_eq!(kept.items, kept.sets.values().map(|(set, _)| set.numbers().len()).sum::<usize>());
        assert!(kept.items <= ITEMS);
    }
}
