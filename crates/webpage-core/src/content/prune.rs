//! Removes what is not content inside the main content: lists of links, sections about other pages,
//! duplicates, controls.

use html::{Id, Tree};

use super::measure::Measure;
use crate::PageKind;

/// A list, or another block, with more than this share of its text in links consists of links.
/// Chosen by hand.
const LIST_DENSITY: f64 = 0.75;
const BLOCK_DENSITY: f64 = 0.7;
/// Such a block has more links than this. Chosen by hand.
const FEW_LINKS: usize = 2;
/// A block with at least this share of the content's text is never removed. Chosen by hand.
const MOST: f64 = 0.3;

/// Prunes the content root.
pub(crate) fn prune(tree: &Tree<'_>, measure: &mut Measure, root: Id, kind: PageKind) {
    if !matches!(kind, PageKind::Listing) {
        leave_out_link_lists(tree, measure, root, kind);
        measure.count(tree);
    }
    super::sections::leave_out(tree, measure, root, kind);
    measure.count(tree);
    super::controls::leave_out(tree, measure, root, kind);
    measure.count(tree);
    super::captions::leave_out(tree, measure, root, kind);
    measure.count(tree);
    super::copies::leave_out(tree, measure, root, kind);
    measure.count(tree);
}

/// Removes blocks that consist mostly of links.
fn leave_out_link_lists(tree: &Tree<'_>, measure: &mut Measure, root: Id, kind: PageKind) {
    let all = f64::from(measure.text(tree, root).max(1));
    let mut id = root + 1;
    while id < tree.end(root) {
        let text = measure.text(tree, id);
        let density = measure.link_density(tree, id);
        let share = f64::from(text) / all;
        let links = || tree.range(id).filter(|below| tree.name(*below) == "a").take(4).count();
        let is_links = match tree.name(id) {
            "ul" | "ol" | "dl" => density > LIST_DENSITY && links() > FEW_LINKS && share < MOST,
            "div" | "section" | "table" => density > BLOCK_DENSITY && links() > FEW_LINKS && share < MOST,
            _ => false,
        };
        if !measure.is_dropped(id) && is_links && matches!(kind, PageKind::Article | PageKind::Product) {
            measure.leave_out(tree, id);
            id = tree.end(id);
        } else {
            id += 1;
        }
    }
}
