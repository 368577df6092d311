//! Removes duplicate text: a copy for another screen size, a carousel that repeats its items, a quote of an
//! earlier message.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use html::{Id, Tree, is_block};

use super::measure::Measure;
use crate::PageKind;
use crate::markdown::holds_data;

/// Minimum characters of a duplicate; shorter texts may be equal by chance. Chosen by hand.
const LONG: u32 = 36;
/// Base of the hash: an arbitrary large odd number.
const BASE: u64 = 0x9e37_79b9_7f4a_7c15;

/// Removes blocks with the text of an earlier block. Items of two lists may be equal, such as the shared
/// features of two offers. So a list is removed as a whole or not at all, except in messages.
pub(super) fn leave_out(tree: &Tree<'_>, measure: &mut Measure, root: Id, kind: PageKind) {
    let sums = TextHashes::of(tree, measure);
    let mut first: HashMap<(u64, u32), Id> = HashMap::new();
    let end = tree.end(root);
    let mut item_end = root;
    let mut id = root + 1;
    while id < end {
        let name = tree.name(id);
        if measure.is_dropped(id)
            || matches!(name, "pre" | "code" | "h1")
            || name == "table" && holds_data(tree, id)
        {
            id = tree.end(id);
            continue;
        }
        if name == "li" && kind != PageKind::Forum {
            item_end = item_end.max(tree.end(id));
        }
        let text = measure.text(tree, id);
        // Quotes are cut, and the lines of messages may be bare text nodes.
        let may_be = is_block(name) || kind == PageKind::Forum && name.is_empty();
        if id >= item_end && may_be && text >= LONG {
            let before = *first.entry((sums.of_range(id, tree.end(id)), text)).or_insert(id);
            if before != id && !tree.is_within(id, before) {
                measure.leave_out(tree, id);
                id = tree.end(id);
                continue;
            }
        }
        id += 1;
    }
}

/// Prefix sums that give the hash of the texts in any range of nodes.
struct TextHashes {
    /// Number of texts before each node.
    count: Vec<usize>,
    /// Hash of each prefix of the texts.
    hash: Vec<u64>,
    power: Vec<u64>,
}

impl TextHashes {
    fn of(tree: &Tree<'_>, measure: &Measure) -> Self {
        let mut sums =
            Self { count: Vec::with_capacity(tree.node_count() + 1), hash: vec![0], power: vec![1] };
        for id in 0..tree.node_count() {
            sums.count.push(sums.hash.len() - 1);
            let text =
                tree.text(id).map(str::trim).filter(|text| !text.is_empty() && !measure.is_dropped(id));
            if let Some(text) = text {
                let mut hasher = DefaultHasher::new();
                text.hash(&mut hasher);
                let (hash, power) = (last(&sums.hash), last(&sums.power));
                sums.hash.push(hash.wrapping_mul(BASE).wrapping_add(hasher.finish()));
                sums.power.push(power.wrapping_mul(BASE));
            }
        }
        sums.count.push(sums.hash.len() - 1);
        sums
    }

    fn of_range(&self, begin: Id, end: Id) -> u64 {
        let at = |id: Id| self.count.get(id).or(self.count.last()).copied().unwrap_or_default();
        let value = |values: &[u64], place: usize| values.get(place).copied().unwrap_or_default();
        let (from, to) = (at(begin), at(end));
        let before = value(&self.hash, from).wrapping_mul(value(&self.power, to.saturating_sub(from)));
        value(&self.hash, to).wrapping_sub(before)
    }
}

fn last(values: &[u64]) -> u64 {
    values.last().copied().unwrap_or_default()
}
