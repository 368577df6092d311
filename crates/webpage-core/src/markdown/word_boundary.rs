//! Texts that stand apart on the screen though nothing stands between them on the page: a brand and the name of a thing, a
//! name and its value, which authors put side by side by their looks.

use crate::html::{Id, Tree};

/// Levels between neighbours and their texts at the most.
const DEPTH: usize = 6;
/// Nodes that are looked at for a text.
const NODES: usize = 20;

/// Whether an element that begins behind what was written is apart from it: its neighbour is an element too, and what would
/// come of both is no word.
pub(super) fn needs_space(tree: &Tree<'_>, id: Id, written: &str) -> bool {
    is_inline(tree.name(id)) && follows_inline(tree, id) && {
        let mut texts = tree.range(id).take(NODES).filter_map(|below| tree.text(below));
        texts.next().is_some_and(|next| are_texts(written, next))
    }
}

/// Whether the node before, on the same level, is an inline element.
fn follows_inline(tree: &Tree<'_>, id: Id) -> bool {
    let Some(last) = id.checked_sub(1) else { return false };
    let mut above = std::iter::once(last).chain(tree.ancestors(last)).take(DEPTH);
    above.find(|node| tree.parent(*node) == tree.parent(id)).is_some_and(|node| is_inline(tree.name(node)))
}

/// Elements that mean nothing by themselves, whose looks tell what they are.
fn is_inline(name: &str) -> bool {
    matches!(name, "span" | "other" | "time" | "label" | "small" | "strong" | "b")
}

/// Whether two texts are two words though no space is between them: a hump, a value behind a name, a price behind another.
fn are_texts(before: &str, after: &str) -> bool {
    let mut ends = before.chars().rev().filter(|c| *c != '*');
    let (Some(last), Some(first)) = (ends.next(), after.chars().next()) else { return false };
    let begins = first.is_uppercase() || first.is_ascii_digit() || matches!(first, '$' | '€' | '£' | '(');
    let is_number = first.is_ascii_digit();
    match last {
        _ if !begins => false,
        '.' | ',' => !is_number,
        ':' | ';' | ')' | '%' | '!' | '?' => true,
        _ if last.is_ascii_digit() => !is_number,
        _ if last.is_lowercase() => true,
        // Two words, and no letters that are written one by one.
        _ if last.is_uppercase() => {
            ends.next().is_some_and(char::is_uppercase)
                && first.is_uppercase()
                && after.chars().nth(1).is_some_and(char::is_lowercase)
        }
        _ => false,
    }
}
