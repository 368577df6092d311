//! Removes sections whose heading shows that they are about other pages.

use html::{Id, Tree, heading_level};
use language::fold::fold_phrase;
use language::page::PagePhrase;

use super::measure::Measure;
use crate::PageKind;

/// Maximum sections that are examined. Protects time.
const SECTIONS: usize = 200;
/// A section with more than this share of the content's text is never removed. Chosen by hand.
const MOST: f64 = 0.4;
/// Characters of a heading that are examined. Protects time.
const HEADING: usize = 60;

/// Removes the sections whose heading shows that they are about other pages.
pub(super) fn leave_out(tree: &Tree<'_>, measure: &mut Measure, root: Id, kind: PageKind) {
    let all = f64::from(measure.text(tree, root).max(1));
    let mut looked_at = 0;
    for id in tree.range(root).skip(1) {
        if looked_at == SECTIONS {
            break;
        }
        if measure.is_dropped(id) || heading_level(tree.name(id)).is_none() {
            continue;
        }
        let heading = fold_phrase(&tree.plain(id, HEADING));
        // On pages about several things a list of pages is the content.
        let of_one_thing = !matches!(kind, PageKind::Listing | PageKind::Other);
        let goes = is_related(&heading)
            || kind == PageKind::Product && is_of_buyers(&heading)
            || of_one_thing && PagePhrase::Listing.has(&heading);
        if !goes {
            continue;
        }
        looked_at += 1;
        // The section is what follows the heading in the highest element that begins with it.
        let mut first = id;
        for above in tree.ancestors(id).take_while(|above| *above > root) {
            let before = tree.range(above).take_while(|node| *node < id).any(|node| {
                !measure.is_dropped(node) && tree.text(node).is_some_and(|text| !text.trim().is_empty())
            });
            if before || f64::from(measure.text(tree, above)) > MOST * all {
                break;
            }
            first = above;
        }
        if first != id {
            measure.leave_out(tree, first);
        } else {
            let level = heading_level(tree.name(id));
            let parent = tree.parent(id);
            let siblings: Vec<Id> = tree.children(parent).skip_while(|node| *node <= id).collect();
            let section: Vec<Id> = siblings
                .into_iter()
                .take_while(|node| heading_level(tree.name(*node)).is_none_or(|other| Some(other) > level))
                .collect();
            let size: u32 = section.iter().map(|node| measure.text(tree, *node)).sum();
            if f64::from(size) < MOST * all {
                measure.leave_out(tree, id);
                section.into_iter().for_each(|node| measure.leave_out(tree, node));
            }
        }
    }
}

/// Headings of product reviews, perhaps with their number.
fn is_of_buyers(words: &str) -> bool {
    PagePhrase::Review.has(words.trim_end_matches(|c: char| c.is_ascii_digit() || c == ' '))
}

/// Headings of sections about other pages, and of comments, as [`fold_phrase`] writes them.
pub(super) fn is_related(words: &str) -> bool {
    PagePhrase::Related.has(words) || PagePhrase::RelatedStart.begins(words)
}
