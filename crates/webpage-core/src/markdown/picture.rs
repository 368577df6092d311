//! Pictures that belong to the content.

use std::borrow::Cow;

use html::{Id, Tree};

use crate::address::Addresses;
use crate::content::{ClassHints, Measure};
use crate::text::line;

/// Pixels below which a picture is an icon or a tracking pixel. Chosen by hand; no measurement recorded.
const SMALL: u32 = 48;
/// Maximum levels between a picture and its figure. Protects time.
const FIGURE_DEPTH: usize = 6;
/// Maximum nodes of a figure that are examined. Protects time.
pub(crate) const FIGURE: usize = 200;
/// Maximum characters of a description. Chosen by hand; no measurement recorded.
const ALT: usize = 300;

/// The Markdown of a picture; `None` for icons, tracking pixels and decoration. A caption that was removed
/// from the text becomes part of the description.
pub(super) fn markdown(tree: &Tree<'_>, id: Id, measure: &Measure, addresses: &Addresses) -> Option<String> {
    if !is_shown(tree, id) {
        return None;
    }
    let source = sources(tree, id).find_map(|source| addresses.absolute(&source))?;
    let alt = line(&tree.attribute(id, "alt").unwrap_or_default(), ALT);
    let caption = caption(tree, id).filter(|caption| measure.is_dropped(*caption));
    let alt = joined(alt, caption.map(|caption| line(&tree.plain(caption, 2 * ALT), ALT)));
    let alt: String = alt.chars().filter(|c| !matches!(c, '[' | ']' | '\\')).collect();
    Some(format!("![{alt}]({})", destination(source.as_str())))
}

/// Whether a picture is written: not an icon, tracking pixel or decoration.
pub(crate) fn is_shown(tree: &Tree<'_>, id: Id) -> bool {
    let is_described = tree.attribute(id, "alt").is_some_and(|alt| !alt.trim().is_empty());
    (is_described || figure(tree, id).is_some())
        && !is_small(tree, id)
        && !ClassHints::of(tree, id)
            .contains(ClassHints::PROFILE.union(ClassHints::SHARING).union(ClassHints::PROMOTION))
        && sources(tree, id).next().is_some()
}

/// The URLs of a picture; the attributes for lazy loading come first.
fn sources<'t>(tree: &'t Tree<'_>, id: Id) -> impl Iterator<Item = Cow<'t, str>> {
    let named = ["data-src", "data-lazy-src", "data-original", "src"];
    let found = named.into_iter().filter_map(move |name| tree.attribute(id, name));
    found.filter(|source| !source.trim_start().starts_with("data:"))
}

/// The figure that contains a picture or a caption.
pub(crate) fn figure(tree: &Tree<'_>, id: Id) -> Option<Id> {
    tree.ancestors(id).take(FIGURE_DEPTH).find(|above| tree.name(*above) == "figure")
}

/// The caption of the figure whose first picture this is.
fn caption(tree: &Tree<'_>, id: Id) -> Option<Id> {
    let figure = figure(tree, id)?;
    let first = |name: &str| {
        tree.range(figure)
            .take(FIGURE)
            .find(|below| tree.name(*below) == name && self::figure(tree, *below) == Some(figure))
    };
    first("figcaption").filter(|_| first("img") == Some(id))
}

/// Joins the alternative text and the caption; only one when it contains the other.
fn joined(alt: String, caption: Option<String>) -> String {
    match caption {
        Some(caption) if !alt.contains(&caption) => {
            if alt.is_empty() || caption.contains(&alt) {
                caption
            } else {
                format!("{alt}: {caption}")
            }
        }
        _ => alt,
    }
}

fn is_small(tree: &Tree<'_>, id: Id) -> bool {
    let pixels = |name| {
        tree.raw_attribute(id, name).and_then(|value| value.trim_end_matches("px").parse::<u32>().ok())
    };
    [pixels("width"), pixels("height")].into_iter().flatten().any(|size| size < SMALL)
}

/// A URL as a Markdown link destination.
pub(super) fn destination(url: &str) -> String {
    url.replace('(', "%28").replace(')', "%29").replace('<', "%3C").replace('>', "%3E").replace(' ', "%20")
}
