//! Pictures that belong to the content.

use crate::address::Addresses;
use crate::content::Signs;
use crate::html::{Id, Tree};
use crate::text::line;

/// Pixels below which a picture is an icon or a counter.
const SMALL: u32 = 48;
/// Characters of a description at the most.
const ALT: usize = 300;

/// The Markdown of a picture; `None` for icons, counters and what only decorates.
pub(super) fn markdown(tree: &Tree<'_>, id: Id, addresses: &Addresses) -> Option<String> {
    let alt = line(&tree.attribute(id, "alt").unwrap_or_default(), ALT);
    let in_figure = tree.ancestors(id).take(6).any(|above| tree.name(above) == "figure");
    if alt.is_empty() && !in_figure || is_small(tree, id) {
        return None;
    }
    if Signs::of(tree, id).has(Signs::PROFILE.and(Signs::SHARING).and(Signs::PROMOTION)) {
        return None;
    }
    let named = ["data-src", "data-lazy-src", "data-original", "src"];
    let sources = named.iter().filter_map(|name| tree.attribute(id, name));
    let source = sources
        .filter(|source| !source.trim_start().starts_with("data:"))
        .find_map(|source| addresses.absolute(&source))?;
    let alt: String = alt.chars().filter(|c| !matches!(c, '[' | ']' | '\\')).collect();
    Some(format!("![{alt}]({})", destination(source.as_str())))
}

fn is_small(tree: &Tree<'_>, id: Id) -> bool {
    let pixels = |name| {
        tree.raw_attribute(id, name).and_then(|value| value.trim_end_matches("px").parse::<u32>().ok())
    };
    [pixels("width"), pixels("height")].into_iter().flatten().any(|size| size < SMALL)
}

/// An address between the brackets of a link.
pub(super) fn destination(url: &str) -> String {
    url.replace('(', "%28").replace(')', "%29").replace('<', "%3C").replace('>', "%3E").replace(' ', "%20")
}
