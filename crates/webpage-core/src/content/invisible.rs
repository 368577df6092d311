//! What is never shown, or is a control.

use super::disclosures::Disclosures;
use super::measure::Measure;
use crate::html::{Id, Tree};

/// What is hidden and has more than this share of a page's text is shown by a script.
const MOST: f64 = 0.4;
/// Nodes of a plea for scripts at the most.
const NODES: usize = 500;
/// Characters of a plea for scripts at the most.
const PLEA: u32 = 400;

/// Leaves out what is never shown, or is a control.
pub(super) fn leave_out(tree: &Tree<'_>, measure: &mut Measure, opened: &Disclosures<'_>) {
    let all = f64::from(measure.text(tree, 0).max(1));
    measure.leave_out_each(tree, |measure, id| {
        let share = f64::from(measure.text(tree, id)) / all;
        is_unseen(tree, id)
            || tree.name(id) == "noscript" && (share < 0.3 || is_script_notice(tree, measure, id))
            || is_hidden(tree, id) && share < MOST && !opened.has(tree, measure, id)
    });
    measure.count(tree);
}

/// Elements without text for readers. A head that was never closed has the page in it.
fn is_unseen(tree: &Tree<'_>, id: Id) -> bool {
    let is_of_kind = matches!(
        tree.name(id),
        "script"
            | "style"
            | "template"
            | "iframe"
            | "svg"
            | "canvas"
            | "object"
            | "embed"
            | "audio"
            | "video"
            | "input"
            | "select"
            | "textarea"
            | "datalist"
            | "option"
            | "optgroup"
            | "progress"
            | "head"
            | "title"
            | "link"
            | "meta"
            | "dialog"
            | "math"
            | "map"
            | "noembed"
            | "noframes"
            | "param"
            | "source"
            | "track"
            | "rp"
    );
    is_of_kind && !(tree.name(id) == "head" && tree.range(id).any(|below| tree.name(below) == "p"))
}

/// What asks for scripts to be allowed.
fn is_script_notice(tree: &Tree<'_>, measure: &Measure, id: Id) -> bool {
    let is_short = measure.text(tree, id) < PLEA && tree.range(id).len() <= NODES;
    is_short && tree.plain(id, 2_000).to_lowercase().contains("javascript")
}

/// Whether an element says that it is not shown.
pub(crate) fn is_hidden(tree: &Tree<'_>, id: Id) -> bool {
    if tree.raw_attribute(id, "hidden").is_some_and(|value| value != "until-found")
        // React sends parts of a page hidden and shows them by script.
        && !tree.raw_attribute(id, "id").is_some_and(|id| id.starts_with("S:"))
    {
        return true;
    }
    if tree.raw_attribute(id, "aria-hidden").is_some_and(|value| value == "true") {
        return true;
    }
    tree.raw_attribute(id, "style").is_some_and(|style| {
        let style: String =
            style.chars().filter(|c| !c.is_whitespace()).collect::<String>().to_ascii_lowercase();
        style.contains("display:none") || style.contains("visibility:hidden")
    })
}
