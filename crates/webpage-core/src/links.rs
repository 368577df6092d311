//! Related links: those of the content, then those of "related" blocks, then others of the site.

use std::collections::HashMap;

use html::{Id, Tree};
use language::fold::fold_phrase;
use language::page::PagePhrase;
use url::Url;

use crate::address::{Addresses, kind, without_fragment};
use crate::content::{ClassHints, Content, Measure};
use crate::text::line;
use crate::{PageLimits, RelatedLink};

/// Maximum links that are examined. Protects time.
const LOOKED_AT: usize = 5_000;
/// Characters that a link has more than its title, or its block more than the link, when they describe its
/// target. Chosen by hand; no measurement recorded.
const MORE: usize = 10;
const MORE_AROUND: u32 = 30;
/// The block that describes a link is within so many levels, and has fewer characters and links than these.
/// Chosen by hand; no measurement recorded.
const LEVELS: usize = 8;
const BLOCK: u32 = 1_200;
const LINKS: usize = 5;
/// A title with fewer characters is described by a longer text. Chosen by hand; no measurement recorded.
const SHORT: usize = 8;

/// Where on the page a link is; a lower value is closer to the subject.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Place {
    Content,
    Related,
    Site,
}

/// The related links, up to the limit.
pub(crate) fn find(
    tree: &Tree<'_>,
    content: &Content,
    addresses: &Addresses,
    limits: &PageLimits,
) -> Vec<RelatedLink> {
    let measure = Measure::new(tree);
    let mut found: Vec<(Place, RelatedLink)> = Vec::new();
    let mut known: HashMap<String, usize> = HashMap::new();
    let anchors = (0..tree.node_count())
        .filter(|id| tree.name(*id) == "a" && tree.raw_attribute(*id, "href").is_some());
    for id in anchors.take(LOOKED_AT) {
        let Some(url) = tree.attribute(id, "href").and_then(|href| target(addresses, &href)) else {
            continue;
        };
        let Some(place) =
            place(tree, content, id).filter(|place| *place != Place::Site || addresses.is_same_site(&url))
        else {
            continue;
        };
        let title = title(tree, id, limits);
        if is_unwanted(&url, &title) {
            continue;
        }
        match known.get(url.as_str()).and_then(|at| found.get_mut(*at)) {
            Some((before, link)) => {
                *before = place.min(*before);
                // A heading is more informative than `Read more`.
                if says_more(&title, &link.title) {
                    link.title = title;
                }
                if link.description.is_empty() {
                    link.description = description(tree, &measure, id, &link.title, limits);
                }
            }
            None => {
                let description = description(tree, &measure, id, &title, limits);
                known.insert(url.as_str().to_owned(), found.len());
                let kind = kind(&url);
                found.push((place, RelatedLink { url: url.into(), title, description, kind }));
            }
        }
    }
    found.retain(|(_, link)| !link.title.is_empty() && !is_generic(&link.title));
    found.sort_by_key(|(place, _)| *place);
    found.into_iter().map(|(_, link)| link).take(limits.links).collect()
}

fn target(addresses: &Addresses, href: &str) -> Option<Url> {
    if href.trim_start().starts_with('#') {
        return None;
    }
    addresses.absolute(href).filter(|url| !addresses.is_own(url)).map(without_fragment)
}

/// Where a link is; `None` in menus, footers and the like.
fn place(tree: &Tree<'_>, content: &Content, id: Id) -> Option<Place> {
    if tree.is_within(id, content.root) && !content.measure.is_dropped(id) {
        return Some(Place::Content);
    }
    let unwanted = ClassHints::NAVIGATION
        .union(ClassHints::SHARING)
        .union(ClassHints::LEGAL)
        .union(ClassHints::ACCOUNT)
        .union(ClassHints::CONSENT);
    let unwanted = unwanted
        .union(ClassHints::PROMOTION)
        .union(ClassHints::COMMENTS)
        .union(ClassHints::ABOUT)
        .union(ClassHints::PROFILE);
    // A button of the content is not text, but its link is useful.
    let mut related =
        tree.is_within(id, content.root) && ClassHints::of(tree, id).contains(ClassHints::BUTTON);
    for above in std::iter::once(id).chain(tree.ancestors(id)).take_while(|above| *above > 0) {
        let signs = ClassHints::of(tree, above);
        related |= signs.contains(ClassHints::RELATED);
        let is_frame =
            matches!(tree.name(above), "nav" | "footer" | "menu" | "noscript" | "template" | "dialog");
        let is_head = tree.name(above) == "header" && !related;
        if is_frame || is_head || (signs.contains(unwanted) && !related && tree.name(above) != "body") {
            return None;
        }
    }
    Some(if related { Place::Related } else { Place::Site })
}

fn title(tree: &Tree<'_>, id: Id, limits: &PageLimits) -> String {
    let most = limits.title_chars;
    let heading = tree.range(id).find(|below| matches!(tree.name(*below), "h1" | "h2" | "h3" | "h4" | "h5"));
    let text = line(&tree.plain(heading.unwrap_or(id), most * 4), most);
    if !text.is_empty() {
        return text;
    }
    let picture = tree.range(id).find(|below| tree.name(*below) == "img");
    let named = [(id, "aria-label"), (id, "title"), (picture.unwrap_or(id), "alt")];
    named
        .iter()
        .filter_map(|(id, name)| tree.attribute(*id, name))
        .map(|text| line(&text, most))
        .find(|text| !text.is_empty())
        .unwrap_or_default()
}

/// The description of a link: the text of its card, item or paragraph besides its title.
fn description(tree: &Tree<'_>, measure: &Measure, id: Id, title: &str, limits: &PageLimits) -> String {
    let most = limits.description_chars;
    let own = line(&tree.plain(id, most * 4), most);
    if own.len() > title.len() + MORE {
        return without(&own, title);
    }
    let surrounds = tree.ancestors(id).take(LEVELS).take_while(|above| *above > 0).find(|above| {
        measure.text(tree, *above) > measure.text(tree, id) + MORE_AROUND && html::is_block(tree.name(*above))
    });
    let Some(block) = surrounds.filter(|block| measure.text(tree, *block) < BLOCK && one_link(tree, *block))
    else {
        let said = tree.attribute(id, "title").map(|text| line(&text, most)).unwrap_or_default();
        return if says_more(&said, title) { said } else { String::new() };
    };
    without(&line(&tree.plain(block, most * 4), most), title)
}

/// Whether the links of a block have only a few targets.
fn one_link(tree: &Tree<'_>, block: Id) -> bool {
    tree.range(block).filter(|below| tree.name(*below) == "a").take(LINKS).count() < LINKS
}

fn without(text: &str, title: &str) -> String {
    text.strip_prefix(title)
        .unwrap_or(text)
        .trim_start_matches([' ', ':', '-', '–', '—', '|', '·', '.', ','])
        .to_owned()
}

fn says_more(text: &str, than: &str) -> bool {
    is_generic(than) && !is_generic(text)
        || (text.len() > than.len() && than.chars().count() < SHORT && !is_generic(text))
}

/// Link texts that do not describe the target.
fn is_generic(title: &str) -> bool {
    PagePhrase::Link.has(&fold_phrase(title)) || title.chars().all(|c| !c.is_alphabetic())
}

/// Logins, carts, terms, and sharing buttons.
fn is_unwanted(url: &Url, title: &str) -> bool {
    const PATHS: [&str; 22] = [
        "login",
        "log-in",
        "signin",
        "sign-in",
        "signup",
        "sign-up",
        "register",
        "logout",
        "account",
        "my-account",
        "cart",
        "checkout",
        "basket",
        "wishlist",
        "privacy",
        "privacy-policy",
        "terms",
        "terms-of-service",
        "terms-of-use",
        "legal",
        "imprint",
        "impressum",
    ];
    let host = url.host_str().unwrap_or_default();
    let shares = ["sharer", "/share", "intent/tweet", "/intent/", "sharearticle", "submit?", "/pin/create"];
    let is_network = [
        "facebook.",
        "twitter.",
        "x.com",
        "linkedin.",
        "pinterest.",
        "reddit.",
        "whatsapp.",
        "t.me",
        "telegram.",
    ]
    .iter()
    .any(|name| host.contains(name));
    let full = url.as_str().to_ascii_lowercase();
    let last = url.path().trim_end_matches('/').rsplit('/').next().unwrap_or_default().to_ascii_lowercase();
    let last = last.split('.').next().unwrap_or_default();
    PATHS.contains(&last)
        || PagePhrase::SiteLink.has(&fold_phrase(title))
        || is_network && shares.iter().any(|part| full.contains(part))
}
