//! Groups of equal vectors.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use super::super::view::ShardView;

/// For each representative vector, the places of the vectors equal to it.
#[derive(Clone, Debug, Default)]
pub(super) struct DuplicateGroups(HashMap<u32, Vec<u32>>);

impl DuplicateGroups {
    /// Finds the groups, and for each place whether it is a representative. Dead places are included: one
    /// that is in a graph already may represent live ones.
    pub(super) fn find(view: &ShardView) -> (Self, Vec<bool>) {
        let mut first: HashMap<u64, u32> = HashMap::new();
        let mut duplicates: HashMap<u32, Vec<u32>> = HashMap::new();
        let mut alone = vec![true; view.places as usize];
        for place in 0..view.places {
            let bytes = bytes(view, place);
            let mut hasher = DefaultHasher::new();
            bytes.hash(&mut hasher);
            let known = *first.entry(hasher.finish()).or_insert(place);
            // Two vectors that share only the hash stay separate.
            if known != place && self::bytes(view, known) == bytes {
                duplicates.entry(known).or_default().push(place);
                if let Some(alone) = alone.get_mut(place as usize) {
                    *alone = false;
                }
            }
        }
        (Self(duplicates), alone)
    }

    /// The place, and those that it represents.
    pub(super) fn of(&self, place: u32) -> impl Iterator<Item = u32> {
        std::iter::once(place).chain(self.0.get(&place).into_iter().flatten().copied())
    }

    pub(super) fn bytes(&self) -> usize {
        let lists: usize = self.0.values().map(|list| list.capacity() * 4 + 40).sum();
        lists + self.0.capacity() * size_of::<(u32, Vec<u32>)>()
    }
}

fn bytes(view: &ShardView, place: u32) -> (&[i8], &[i8]) {
    match view.locate(place) {
        (Some(block), at) => block.codes(at),
        (None, _) => (&[], &[]),
    }
}
