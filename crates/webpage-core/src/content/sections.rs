//! Removes sections whose heading shows that they are about other pages.

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
    const WHOLE: &[&str] = &[
        "explore more",
        "featured articles",
        "featured posts",
        "featured products",
        "latest articles",
        "latest news",
        "latest posts",
        "latest stories",
        "linked",
        "more stories",
        "most popular",
        "most read",
        "popular articles",
        "popular posts",
        "popular products",
        "recent articles",
        "recent posts",
        "recommended",
        "recommended articles",
        "recommended products",
        "sponsored",
        "trending",
        "trending now",
        "trending topics",
    ];
    WHOLE.contains(&crate::text::comparison_key(heading).as_str())
}

/// Headings of product reviews.
fn is_of_buyers(heading: &str) -> bool {
    const WORDS: [&str; 19] = [
        "seller feedback",
        "what our clients say",
        "testimonials",
        "customer reviews",
        "customer review",
        "reviews",
        "ratings reviews",
        "ratings and reviews",
        "reviews ratings",
        "product reviews",
        "user reviews",
        "verified reviews",
        "what customers say",
        "what our customers say",
        "questions answers",
        "questions and answers",
        "customer questions answers",
        "avis clients",
        "kundenbewertungen",
    ];
    let words = crate::text::comparison_key(heading);
    let words = words.trim_end_matches(|c: char| c.is_ascii_digit() || c == ' ');
    WORDS.contains(&words)
}

/// Headings of sections about other pages.
pub(super) fn is_about_others(heading: &str) -> bool {
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
        "read more",
        "read next",
        "see also",
        "you may also like",
        "you might also like",
        "recommended for you",
        "recently viewed",
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
        "ask a question",
        "compare with similar items",
        "complete the look",
        "continue reading",
        "explore related questions",
        "frequently bought together",
        "goes well with",
        "hot network questions",
        "in this article",
        "in this section",
        "keep exploring",
        "keep reading",
        "more like this",
        "more to explore",
        "on this page",
        "pairs well with",
        "people also ask",
        "posting rules",
        "recently viewed items",
        "recently viewed products",
        "recommended reading",
        "recommended videos",
        "related blogs",
        "related items",
        "related links",
        "related news",
        "related reading",
        "related resources",
        "related searches",
        "related videos",
        "shop the look",
        "similar items",
        "similar topics",
        "sponsored products",
        "stay connected",
        "stay in touch",
        "stay updated",
        "suggested topics",
        "table of contents",
        "up next",
        "what others are reading",
        "what to read next",
        "who's online",
        "who is online",
        "you might like",
        "your recently viewed items",
        "your recently viewed products",
        "produits similaires",
        "vous aimerez aussi",
        "ähnliche produkte",
        "ähnliche artikel",
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
        "customers also",
        "others also",
        "customers who",
        "sign up for",
        "subscribe to",
        "join our",
        "leave a ",
        "you must log in",
        "you must be logged in",
        "start asking to get",
        "did you find what",
        "was this ",
        "did this page",
        "is this page useful",
        "rate this ",
        "help us improve",
    ];
    WHOLE.contains(&lower.as_str()) || begins.iter().any(|begin| lower.starts_with(begin))
}
