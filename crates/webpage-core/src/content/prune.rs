//! What is left out inside the main content: lists of links, sections about other pages.

use super::measure::Measure;
use crate::PageKind;
use crate::html::{Id, Tree, is_heading};

/// Sections that are looked at for being about other pages.
const SECTIONS: usize = 200;

/// Leaves out what is no content inside the chosen element.
pub(crate) fn prune(tree: &Tree<'_>, measure: &mut Measure, root: Id, kind: PageKind) {
    if !matches!(kind, PageKind::Listing) {
        leave_out_link_lists(tree, measure, root, kind);
        measure.count(tree);
    }
    leave_out_sections(tree, measure, root);
    measure.count(tree);
}

/// Blocks that are links more than anything else.
fn leave_out_link_lists(tree: &Tree<'_>, measure: &mut Measure, root: Id, kind: PageKind) {
    let all = f64::from(measure.text(tree, root).max(1));
    let mut id = root + 1;
    while id < tree.end(root) {
        let text = measure.text(tree, id);
        let density = measure.link_density(tree, id);
        let share = f64::from(text) / all;
        let links = || tree.range(id).filter(|below| tree.name(*below) == "a").take(4).count();
        let is_links = match tree.name(id) {
            "ul" | "ol" | "dl" => density > 0.75 && links() > 2 && share < 0.3,
            "div" | "section" | "table" => density > 0.7 && links() > 2 && share < 0.3,
            _ => false,
        };
        if !measure.is_out(id) && is_links && kind == PageKind::Article {
            measure.leave_out(tree, id);
            id = tree.end(id);
        } else {
            id += 1;
        }
    }
}

/// Sections whose heading says that they are about other pages.
fn leave_out_sections(tree: &Tree<'_>, measure: &mut Measure, root: Id) {
    let all = f64::from(measure.text(tree, root).max(1));
    let mut looked_at = 0;
    for id in tree.range(root).skip(1) {
        if looked_at == SECTIONS {
            break;
        }
        if measure.is_out(id) || is_heading(tree.name(id)).is_none() || !is_about_others(&tree.plain(id, 60))
        {
            continue;
        }
        looked_at += 1;
        // The section is what follows the heading in the highest element that begins with it.
        let mut first = id;
        for above in tree.ancestors(id).take_while(|above| *above > root) {
            let before = tree.range(above).take_while(|node| *node < id).any(|node| {
                !measure.is_out(node) && tree.text(node).is_some_and(|text| !text.trim().is_empty())
            });
            if before || f64::from(measure.text(tree, above)) > 0.4 * all {
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
            if f64::from(size) < 0.4 * all {
                measure.leave_out(tree, id);
                section.into_iter().for_each(|node| measure.leave_out(tree, node));
            }
        }
    }
}

/// Headings of what is about other pages.
fn is_about_others(heading: &str) -> bool {
    let lower = heading.trim().trim_end_matches([':', '…', '.', '!']).to_lowercase();
    const WHOLE: &[&str] = &[
        "comments",
        "leave a comment",
        "leave a reply",
        "share this",
        "share",
        "share this post",
        "share this article",
        "tags",
        "related",
        "related posts",
        "related articles",
        "related content",
        "related stories",
        "related topics",
        "related products",
        "related threads",
        "related questions",
        "more stories",
        "read more",
        "read next",
        "see also",
        "you may also like",
        "you might also like",
        "recommended",
        "recommended for you",
        "recently viewed",
        "recent posts",
        "latest posts",
        "latest news",
        "popular posts",
        "trending",
        "most popular",
        "most read",
        "newsletter",
        "subscribe",
        "follow us",
        "about the author",
        "customers also bought",
        "customers also viewed",
        "similar products",
        "similar threads",
        "further reading",
        "kommentare",
        "mehr zum thema",
        "das könnte sie auch interessieren",
        "articles liés",
        "commentaires",
        "à lire aussi",
        "artículos relacionados",
        "comentarios",
        "articoli correlati",
    ];
    let begins = [
        "more from ",
        "more in ",
        "more on ",
        "also in ",
        "you may also",
        "you might also",
        "people also",
        "customers who",
        "sign up for",
        "subscribe to",
        "join our",
        "leave a ",
    ];
    WHOLE.contains(&lower.as_str()) || begins.iter().any(|begin| lower.starts_with(begin))
}
