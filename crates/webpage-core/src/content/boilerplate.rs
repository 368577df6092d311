//! What is no content wherever it stands.

use super::measure::Measure;
use super::signs::Signs;
use crate::PageKind;
use crate::html::{Id, Tree};

/// An element with more than this share of a page's text is never left out for its name.
const MOST: f64 = 0.4;

/// Leaves out what is never shown, or is a control.
pub(crate) fn leave_out_unseen(tree: &Tree<'_>, measure: &mut Measure) {
    let all = f64::from(measure.text(tree, 0).max(1));
    each(tree, measure, |tree, measure, id| {
        matches!(
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
        ) && !(tree.name(id) == "head" && tree.range(id).any(|below| tree.name(below) == "p"))
            || tree.name(id) == "noscript" && f64::from(measure.text(tree, id)) < 0.3 * all
            || is_hidden(tree, id) && f64::from(measure.text(tree, id)) < MOST * all
    });
    measure.count(tree);
}

/// Leaves out what is around the content, by the elements' own names and those that authors give.
pub(crate) fn leave_out_frame(tree: &Tree<'_>, measure: &mut Measure, kind: PageKind) {
    let all = f64::from(measure.text(tree, 0).max(1));
    each(tree, measure, |tree, measure, id| {
        let name = tree.name(id);
        if name.is_empty() || matches!(name, "html" | "body" | "main" | "img") {
            return false;
        }
        let share = f64::from(measure.text(tree, id)) / all;
        let consents = Signs::of(tree, id).has(Signs::CONSENT);
        consents && share < 0.9
            || share < MOST
                && (is_frame(tree, measure, id, name) || is_named_so(tree, measure, id, name, kind))
    });
    measure.count(tree);
}

fn each(tree: &Tree<'_>, measure: &mut Measure, test: impl Fn(&Tree<'_>, &Measure, Id) -> bool) {
    let mut id = 1;
    while id < tree.len() {
        if measure.is_out(id) || test(tree, measure, id) {
            measure.leave_out(tree, id);
            id = tree.end(id);
        } else {
            id += 1;
        }
    }
}

fn is_hidden(tree: &Tree<'_>, id: Id) -> bool {
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

/// Elements that HTML has for what is around the content.
fn is_frame(tree: &Tree<'_>, measure: &Measure, id: Id, name: &str) -> bool {
    let within = |names: &[&str]| tree.ancestors(id).any(|above| names.contains(&tree.name(above)));
    match name {
        "nav" | "search" | "menu" => true,
        "footer" => !within(&["blockquote", "figure"]),
        "aside" => !is_note(tree, id),
        "button" => measure.text(tree, id) < 60,
        "header" => !within(&["main", "article", "section"]) && !has_main_heading(tree, id),
        "form" => measure.text(tree, id) < 400 && !within(&["table"]),
        _ => matches!(
            tree.raw_attribute(id, "role"),
            Some("banner" | "contentinfo" | "complementary" | "search")
        ),
    }
}

fn has_main_heading(tree: &Tree<'_>, id: Id) -> bool {
    tree.range(id).any(|below| tree.name(below) == "h1")
}

/// Hints and warnings of a manual, which are content though they stand aside.
fn is_note(tree: &Tree<'_>, id: Id) -> bool {
    let class = tree.raw_attribute(id, "class").unwrap_or_default().to_ascii_lowercase();
    ["note", "tip", "warn", "admonition", "callout", "info", "caution", "hint"]
        .iter()
        .any(|word| class.contains(word))
}

fn is_named_so(tree: &Tree<'_>, measure: &Measure, id: Id, name: &str, kind: PageKind) -> bool {
    if tree.raw_attribute(id, "class").is_none()
        && tree.raw_attribute(id, "id").is_none()
        && tree.raw_attribute(id, "role").is_none()
    {
        return false;
    }
    let signs = Signs::of(tree, id);
    let mut bad = Signs::NAVIGATION
        .and(Signs::SHARING)
        .and(Signs::RELATED)
        .and(Signs::PROMOTION)
        .and(Signs::LEGAL)
        .and(Signs::ACCOUNT)
        .and(Signs::HIDDEN);
    bad = match kind {
        PageKind::Forum => bad.and(Signs::PROFILE),
        _ => bad.and(Signs::COMMENTS),
    };
    if kind == PageKind::Article {
        bad = bad.and(Signs::ABOUT);
    }
    let is_text = matches!(
        name,
        "p" | "pre" | "code" | "td" | "h1" | "table" | "tr" | "tbody" | "blockquote" | "em" | "b" | "strong"
    );
    signs.has(bad) && !is_text && !(signs.has(Signs::CONTENT) && measure.text(tree, id) > 400)
}
