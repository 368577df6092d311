//! Detects texts that are separate on the screen but adjacent in the HTML, such as a brand and a product
//! name, or a name and its value, which authors separate by styles.

use html::{Id, Tree};

/// Maximum levels between siblings and their texts. Protects time.
const DEPTH: usize = 6;
/// Nodes that are examined for a text. Protects time.
const NODES: usize = 20;

/// Whether a space is missing before an element: its previous sibling is an element too, and the concatenated
/// text is not a word.
pub(super) fn needs_space(tree: &Tree<'_>, id: Id, written: &str) -> bool {
    is_inline(tree.name(id)) && follows_inline(tree, id) && {
        let mut texts = tree.range(id).take(NODES).filter_map(|below| tree.text(below));
        texts.next().is_some_and(|next| are_texts(written, next))
    }
}

/// Whether the previous sibling is an inline element.
fn follows_inline(tree: &Tree<'_>, id: Id) -> bool {
    let Some(last) = id.checked_sub(1) else { return false };
    let mut above = std::iter::once(last).chain(tree.ancestors(last)).take(DEPTH);
    above.find(|node| tree.parent(*node) == tree.parent(id)).is_some_and(|node| is_inline(tree.name(node)))
}

/// Inline elements without a meaning of their own, which are only styled.
fn is_inline(name: &str) -> bool {
    matches!(name, "span" | "other" | "time" | "label" | "small" | "strong" | "b")
}

/// Whether two adjacent texts are two words: camel case, a value after a name, a price after another.
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
        // Two words, and not letters in separate elements.
        _ if last.is_uppercase() => {
            ends.next().is_some_and(char::is_uppercase)
                && first.is_uppercase()
                && after.chars().nth(1).is_some_and(char::is_lowercase)
        }
        _ => false,
    }
}
