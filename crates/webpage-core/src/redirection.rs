//! Finds content outside the page: behind a refresh that acts as a redirect, or in frames.

use html::{Id, Tree};
use url::Url;

use crate::address::{Addresses, without_fragment};
use crate::content::is_hidden;
use crate::script_content::LITTLE;

/// Maximum frames that are returned. Protects time: each is fetched.
const FRAMES: usize = 3;
/// Maximum frames that are examined. Protects time.
const LOOKED_AT: usize = 200;
/// Maximum seconds of a refresh that is a redirect. Chosen by hand; no measurement recorded.
const AT_ONCE: u32 = 1;
/// Maximum seconds of a refresh that redirects from a page with little text; later ones reload the page for
/// its reader. Chosen by hand; no measurement recorded.
const SOON: u32 = 10;
/// Pixels below which a frame has no content. Chosen by hand; no measurement recorded.
const SMALL: u32 = 100;

/// The redirect target of a refresh: another page, at once, or soon when the page itself has little text.
pub(crate) fn refresh(tree: &Tree<'_>, addresses: &Addresses, shown: u32) -> Option<Url> {
    let is_refresh = |id: &Id| {
        tree.name(*id) == "meta"
            && tree
                .raw_attribute(*id, "http-equiv")
                .is_some_and(|name| name.trim().eq_ignore_ascii_case("refresh"))
            && !tree.ancestors(*id).any(|above| tree.name(above) == "noscript")
    };
    let content = (0..tree.node_count()).find(is_refresh).and_then(|id| tree.attribute(id, "content"))?;
    let (seconds, target) = content.split_once([';', ','])?;
    let seconds: u32 = seconds.split('.').next()?.trim().parse().ok()?;
    let target = target.trim();
    let is_named = target.get(..3).is_some_and(|name| name.eq_ignore_ascii_case("url"));
    let target = if is_named { target.get(3..)?.trim_start().strip_prefix('=')? } else { target };
    let url = addresses.absolute(target.trim().trim_matches(['"', '\'']))?;
    let counts = seconds <= AT_ONCE || seconds <= SOON && shown < LITTLE;
    (counts && !addresses.is_own(&url)).then(|| without_fragment(url))
}

/// Frames of the same site that may hold the content of a page with little text.
pub(crate) fn frames(tree: &Tree<'_>, addresses: &Addresses, shown: u32) -> Vec<Url> {
    if shown >= LITTLE {
        return Vec::new();
    }
    let mut found: Vec<Url> = Vec::new();
    let frames = (0..tree.node_count()).filter(|id| matches!(tree.name(*id), "frame" | "iframe"));
    for id in frames.take(LOOKED_AT).filter(|id| shows_content(tree, *id)) {
        let url =
            tree.attribute(id, "src").and_then(|source| addresses.absolute(&source)).map(without_fragment);
        let Some(url) = url.filter(|url| addresses.is_same_site(url) && !addresses.is_own(url)) else {
            continue;
        };
        if found.len() < FRAMES && !found.contains(&url) {
            found.push(url);
        }
    }
    found
}

/// Whether a frame is large enough, visible, and not named like a menu.
fn shows_content(tree: &Tree<'_>, id: Id) -> bool {
    const OTHERS: [&str; 12] = [
        "menu",
        "nav",
        "navi",
        "navigation",
        "header",
        "banner",
        "toc",
        "left",
        "top",
        "footer",
        "ads",
        "ad",
    ];
    let name = tree.raw_attribute(id, "name").or(tree.raw_attribute(id, "id")).unwrap_or_default();
    let name = name.to_ascii_lowercase();
    let pixels =
        |name| tree.raw_attribute(id, name).and_then(|size| size.trim_end_matches("px").parse::<u32>().ok());
    let is_small = [pixels("width"), pixels("height")].into_iter().flatten().any(|size| size < SMALL);
    let is_seen = !std::iter::once(id).chain(tree.ancestors(id)).any(|above| is_hidden(tree, above));
    is_seen && !is_small && !name.split(|c: char| !c.is_ascii_alphabetic()).any(|word| OTHERS.contains(&word))
}
