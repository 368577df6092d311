//! Removes sections whose heading shows that they are about other pages.

use language::fold::fold_phrase;
use language::page::PagePhrase;

use super::measure::Measure;
use crate::PageKind;
use crate::html::{Id, Tree, is_heading};

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
        if measure.is_dropped(id) || is_heading(tree.name(id)).is_none() {
            continue;
        }
        let heading = tree.plain(id, HEADING);
        let of_one_thing = !matches!(kind, PageKind::Listing | PageKind::Other);
        let goes = is_about_others(&heading)
            || kind == PageKind::Product && is_of_buyers(&heading)
            || of_one_thing && is_about_many(&heading);
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
            let level = is_heading(tree.name(id));
            let parent = tree.parent(id);
            let siblings: Vec<Id> = tree.children(parent).skip_while(|node| *node <= id).collect();
            let section: Vec<Id> = siblings
                .into_iter()
                .take_while(|node| is_heading(tree.name(*node)).is_none_or(|other| Some(other) > level))
                .collect();
            let size: u32 = section.iter().map(|node| measure.text(tree, *node)).sum();
            if f64::from(size) < MOST * all {
                measure.leave_out(tree, id);
                section.into_iter().for_each(|node| measure.leave_out(tree, node));
            }
        }
    }
}

/// Headings of link lists on a page about one subject. On other pages such lists are the content.
fn is_about_many(heading: &str) -> bool {
    PagePhrase::Listing.has(&fold_phrase(heading))
}

/// Headings of product reviews, perhaps with their number.
fn is_of_buyers(heading: &str) -> bool {
    let words = fold_phrase(heading);
    PagePhrase::Review.has(words.trim_end_matches(|c: char| c.is_ascii_digit() || c == ' '))
}

/// Headings of sections about other pages, and of comments.
pub(super) fn is_about_others(heading: &str) -> bool {
    let words = fold_phrase(heading);
    PagePhrase::Related.has(&words) || PagePhrase::RelatedStart.begins(&words)
}
