//! A cache of the items of bases that match filters.

use std::collections::HashMap;
use std::sync::Arc;

use parking_lot::{Mutex, MutexGuard};
use shared_core::Timestamp;

use crate::{ContentHash, ItemSet};

/// Maximum cached sets. Protects memory.
const SETS: usize = 128;
/// Maximum items of all cached sets together. Protects memory.
const ITEMS: usize = 2_000_000;

/// The cache key: the base as of its last change, and the hash of the filter.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct SelectionKey {
    pub(super) base: i64,
    pub(super) written: i64,
    pub(super) updated: Timestamp,
    pub(super) filter: ContentHash,
}

#[derive(Debug, Default)]
struct CachedSelection {
    /// With the time of their last use.
    sets: HashMap<SelectionKey, (ItemSet, u64)>,
    items: usize,
    now: u64,
}

/// Cached sets of items by base and filter. Clones share the cache.
#[derive(Clone, Debug, Default)]
pub(crate) struct Selections(Arc<Mutex<CachedSelection>>);

impl Selections {
    fn kept(&self) -> MutexGuard<'_, CachedSelection> {
        self.0.lock()
    }

    pub(super) fn find(&self, key: &SelectionKey) -> Option<ItemSet> {
        let mut kept = self.kept();
        kept.now += 1;
        let now = kept.now;
        let (set, asked) = kept.sets.get_mut(key)?;
        *asked = now;
        Some(set.clone())
    }

    pub(super) fn keep(&self, key: SelectionKey, set: ItemSet) {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn key(base: i64) -> SelectionKey {
        let updated = Timestamp::from_micros(0).unwrap();
        SelectionKey { base, written: 1, updated, filter: ContentHash::of("") }
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
