//! Texts of controls, which a reader clicks and which are not content.

use std::collections::HashMap;

use html::{Id, Tree, is_block};
use language::fold::fold_phrase;
use language::page::PagePhrase;

use super::class_hints::ClassHints;
use super::measure::Measure;
use crate::PageKind;

/// Maximum characters of a control's text. Chosen by hand.
const LONG: u32 = 40;
/// Maximum nodes of a control. Protects time.
const NODES: usize = 100;
/// Maximum characters of a notice that a message was edited. Chosen by hand.
const EDITED: u32 = 120;

/// Removes blocks, links and buttons whose whole text is that of a control. The only link to a page stays,
/// whatever its text, unless it looks like a button on a page that is not a listing.
pub(super) fn leave_out(tree: &Tree<'_>, measure: &mut Measure, root: Id, kind: PageKind) {
    let mut leads: HashMap<&str, usize> = HashMap::new();
    for href in tree.range(root).filter(|id| !measure.is_dropped(*id)).filter_map(|id| link_target(tree, id))
    {
        *leads.entry(href).or_default() += 1;
    }
    let mut id = root + 1;
    while id < tree.end(root) {
        let name = tree.name(id);
        let may_be = is_block(name) && !matches!(name, "td" | "th" | "tr" | "table" | "pre" | "h1")
            || matches!(name, "a" | "button" | "span" | "other" | "label");
        let text = measure.text(tree, id);
        let may_be = may_be && tree.range(id).len() <= NODES;
        if may_be
            && !measure.is_dropped(id)
            && (2..=EDITED).contains(&text)
            && is_control(tree, measure, id, kind)
            && (kind != PageKind::Listing && is_button(tree, id)
                || !tree
                    .range(id)
                    .filter_map(|below| link_target(tree, below))
                    .any(|href| leads.get(href) == Some(&1)))
        {
            measure.leave_out(tree, id);
            id = tree.end(id);
        } else {
            id += 1;
        }
    }
}

/// The target of a link to another page.
fn link_target<'h>(tree: &Tree<'h>, id: Id) -> Option<&'h str> {
    let href = tree.raw_attribute(id, "href").filter(|_| tree.name(id) == "a")?;
    Some(href.trim())
        .filter(|href| !href.is_empty() && !href.starts_with('#') && !href.starts_with("javascript:"))
}

fn is_control(tree: &Tree<'_>, measure: &Measure, id: Id, kind: PageKind) -> bool {
    // A link inside a sentence may have the text `learn more`.
    if !is_block(tree.name(id)) && !stands_alone(tree, measure, id) {
        return false;
    }
    let shown = tree.range(id).filter(|node| !measure.is_dropped(*node)).filter_map(|node| tree.text(node));
    let text: String = shown.flat_map(|text| [text, " "]).collect();
    let text = text.trim();
    if text.starts_with("{{") && text.ends_with("}}") {
        return true;
    }
    let is_short = measure.text(tree, id) <= LONG;
    if !is_short && kind != PageKind::Forum {
        return false;
    }
    let words = fold_phrase(text);
    kind == PageKind::Forum && PagePhrase::ForumNoticeStart.begins(&words)
        || is_short
            && (kind == PageKind::Article && takes_minutes(&words)
                || kind != PageKind::Listing && is_button(tree, id)
                || PagePhrase::Control.has(&words)
                || super::sections::is_related(&words)
                || kind == PageKind::Forum && is_of_message(text, &words))
}

/// Whether a link to a page looks like a button, which calls to an action and is not content. Not among them:
/// a link with a heading, which is a card; names on a listing; a file or a telephone number, which are
/// content.
fn is_button(tree: &Tree<'_>, id: Id) -> bool {
    let href = tree.raw_attribute(id, "href").unwrap_or_default();
    let path = href.split(['?', '#']).next().unwrap_or_default();
    tree.name(id) == "a"
        && (ClassHints::of(tree, id).contains(ClassHints::BUTTON)
            || tree.raw_attribute(id, "role") == Some("button"))
        && !path.starts_with("tel:")
        && !path.starts_with("mailto:")
        && crate::address::of_file(path).is_none()
        && !tree.range(id).any(|below| html::heading_level(tree.name(below)).is_some())
}

/// Whether a line gives the reading time.
fn takes_minutes(words: &str) -> bool {
    let begin = PagePhrase::ReadingTime.before_end(words);
    begin.is_some_and(|begin| begin.ends_with(|last: char| last.is_ascii_digit()))
}

/// Whether the block around an element has little other text.
fn stands_alone(tree: &Tree<'_>, measure: &Measure, id: Id) -> bool {
    let block = tree.ancestors(id).find(|above| is_block(tree.name(*above)) || *above == 0).unwrap_or(0);
    let around =
        tree.children(block).filter(|node| tree.text(*node).is_some_and(|text| text.trim().len() > 2));
    around.count() == 0 || measure.text(tree, block) == measure.text(tree, id)
}

/// The number of a message, and texts around a message.
fn is_of_message(text: &str, words: &str) -> bool {
    let number = text.strip_prefix('#').unwrap_or_default();
    (!number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()))
        || PagePhrase::MessageControl.has(words)
}
