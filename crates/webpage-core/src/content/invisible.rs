//! Removes invisible elements and form controls.

use html::{Id, Tree};

use super::disclosures::Disclosures;
use super::measure::Measure;

/// A hidden element with more than this share of a page's text is made visible by a script. Chosen by hand.
const MOST: f64 = 0.4;
/// Maximum nodes of a notice to enable scripts. Protects time.
const NODES: usize = 500;
/// Maximum characters of a notice to enable scripts. Chosen by hand.
const PLEA: u32 = 400;
/// A part for browsers without scripts with at least this share of the text is content. Chosen by hand.
const NOSCRIPT: f64 = 0.3;

/// Marks invisible elements and form controls as removed.
pub(super) fn leave_out(tree: &Tree<'_>, measure: &mut Measure, opened: &Disclosures<'_>) {
    let all = f64::from(measure.text(tree, 0).max(1));
    measure.leave_out_each(tree, |measure, id| {
        let share = f64::from(measure.text(tree, id)) / all;
        is_unseen(tree, id)
            || tree.name(id) == "noscript" && (share < NOSCRIPT || is_script_notice(tree, measure, id))
            || is_hidden(tree, id) && share < MOST && !opened.has(tree, measure, id)
    });
    measure.count(tree);
}

/// Elements without visible text. A head that was never closed contains the page.
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

/// A notice to enable scripts.
fn is_script_notice(tree: &Tree<'_>, measure: &Measure, id: Id) -> bool {
    let is_short = measure.text(tree, id) < PLEA && tree.range(id).len() <= NODES;
    is_short && tree.plain(id, 2_000).to_lowercase().contains("javascript")
}

/// Whether an element is declared hidden.
pub(crate) fn is_hidden(tree: &Tree<'_>, id: Id) -> bool {
    if tree.raw_attribute(id, "hidden").is_some_and(|value| value != "until-found")
        // React sends parts of a page hidden and reveals them by script.
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
