//! Definition lists: which terms have one short value, to be written on one line.

use html::{Id, Tree, is_block};

use crate::content::Content;

/// Maximum characters of a term. Chosen by hand; no measurement recorded.
const NAME: u32 = 60;
/// Maximum nodes of a value. Protects time.
const NODES: usize = 100;
/// Maximum characters of a value. Chosen by hand; no measurement recorded.
const VALUE: u32 = 300;

/// The value of a term with exactly one value, when both are short and without blocks.
pub(super) fn single_definition(tree: &Tree<'_>, content: &Content, term: Id) -> Option<Id> {
    let value = next(tree, term).filter(|id| tree.name(*id) == "dd" && !content.measure.is_dropped(*id))?;
    let measure = |id: Id| content.measure.text(tree, id);
    let fits = (1..=NAME).contains(&measure(term)) && (1..=VALUE).contains(&measure(value));
    let is_single = next(tree, value).is_none_or(|id| tree.name(id) != "dd");
    let is_inline = tree.range(value).len() <= NODES
        && !tree.range(value).skip(1).any(|id| is_block(tree.name(id)) || tree.name(id) == "br");
    (fits && is_single && is_inline).then_some(value)
}

/// The next sibling element.
fn next(tree: &Tree<'_>, id: Id) -> Option<Id> {
    let mut at = tree.end(id);
    while at < tree.node_count() && tree.parent(at) == tree.parent(id) {
        match tree.text(at) {
            Some(text) if text.trim().is_empty() => at = tree.end(at),
            Some(_) => return None,
            None => return Some(at),
        }
    }
    None
}
