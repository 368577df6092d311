//! Disjoint sets (union-find).

use std::collections::BTreeMap;

/// Disjoint sets of the numbers below a bound.
#[derive(Debug)]
pub(super) struct DisjointSets {
    parents: Vec<usize>,
}

impl DisjointSets {
    pub(super) fn new(count: usize) -> Self {
        Self { parents: (0..count).collect() }
    }

    fn root(&mut self, member: usize) -> usize {
        let mut root = member;
        while let Some(parent) = self.parents.get(root).copied().filter(|parent| *parent != root) {
            // Path halving.
            let grand = self.parents.get(parent).copied().unwrap_or(parent);
            if let Some(place) = self.parents.get_mut(root) {
                *place = grand;
            }
            root = grand;
        }
        root
    }

    /// Joins the sets of two members; returns whether they were separate.
    pub(super) fn join(&mut self, a: usize, b: usize) -> bool {
        let (a, b) = (self.root(a), self.root(b));
        if a == b {
            return false;
        }
        if let Some(place) = self.parents.get_mut(a.max(b)) {
            *place = a.min(b);
        }
        true
    }

    /// The members of each set.
    pub(super) fn groups(&mut self) -> Vec<Vec<usize>> {
        let mut groups: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for member in 0..self.parents.len() {
            groups.entry(self.root(member)).or_default().push(member);
        }
        groups.into_values().collect()
    }
}
