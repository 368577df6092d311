//! Selects the root element of the main content: a descent from the body into the one child that holds most
//! of the text.

use html::{Id, Tree};

use super::class_hints::ClassHints;
use super::measure::Measure;
use crate::PageKind;

/// Minimum share of the weight of a child into which the descent goes on. Chosen by hand.
const DESCENT: f64 = 0.9;
/// The same for pages of many messages or cards. They weigh so much that a menu beside them weighs little.
/// Chosen by hand.
const DESCENT_OF_MANY: f64 = 0.8;
/// Minimum share of the page's weight of an element that declares itself the content. Chosen by hand.
const BELIEVED: f64 = 0.2;

/// Minimum share of all text of the main part on a page of many parts. Chosen by hand.
const OTHERS: f64 = 0.3;

/// Minimum characters of a message. Chosen by hand.
const MESSAGE: u32 = 80;

/// Minimum characters of a similar sibling. Chosen by hand.
const TWIN: u32 = 20;

/// Minimum share of all text, including that in links, of a child for the descent: the cards of a listing
/// consist of links. Chosen by hand.
const SHOWN: f64 = 0.6;

/// Maximum growth in weight when the root is widened to include the heading. Chosen by hand.
const GROWN: f64 = 1.3;

/// A test for elements that declare themselves the content, and the minimum share of all text of such an
/// element.
type ContentTest = (fn(&Tree<'_>, Id) -> bool, f64);

/// Selects the root element of the main content.
pub(crate) fn choose(tree: &Tree<'_>, measure: &Measure, kind: PageKind) -> Id {
    let mut root = 0;
    let steps: &[ContentTest] = match kind {
        PageKind::Article => &[(is_main, 0.0), (is_article, 0.0), (is_article_body, 0.0)],
        PageKind::Forum => &[(is_main, 0.0)],
        PageKind::Listing => &[(is_main, OTHERS)],
        PageKind::Documentation => &[(is_main, 0.0), (is_article, 0.0)],
        PageKind::Product | PageKind::Other => &[(is_main, OTHERS), (is_article, SHOWN)],
    };
    for (test, shown) in steps {
        root = find_believed(tree, measure, root, test, *shown).unwrap_or(root);
    }
    let share = match kind {
        PageKind::Forum | PageKind::Listing => DESCENT_OF_MANY,
        _ => DESCENT,
    };
    let root = descend(tree, measure, root, share);
    match kind {
        PageKind::Article => root,
        PageKind::Forum => with_first_message(tree, measure, root),
        _ => with_heading(tree, measure, root),
    }
}

/// The heaviest descendant that satisfies a test, if it is heavy enough and no other such element is.
fn find_believed(
    tree: &Tree<'_>,
    measure: &Measure,
    root: Id,
    test: impl Fn(&Tree<'_>, Id) -> bool,
    shown: f64,
) -> Option<Id> {
    let all = measure.weight(tree, root);
    let found = tree.range(root).skip(1).filter(|id| !measure.is_dropped(*id) && test(tree, *id));
    let best =
        found.max_by(|a, b| measure.weight(tree, *a).total_cmp(&measure.weight(tree, *b)).then(b.cmp(a)))?;
    let shown = f64::from(measure.text(tree, best)) >= shown * f64::from(measure.text(tree, root));
    (shown && measure.weight(tree, best) >= BELIEVED * all).then_some(best)
}

fn is_main(tree: &Tree<'_>, id: Id) -> bool {
    tree.name(id) == "main" || tree.raw_attribute(id, "role") == Some("main")
}

fn is_article(tree: &Tree<'_>, id: Id) -> bool {
    tree.name(id) == "article"
}

fn is_article_body(tree: &Tree<'_>, id: Id) -> bool {
    tree.raw_attribute(id, "itemprop") == Some("articleBody")
        || (matches!(tree.name(id), "div" | "section")
            && ClassHints::of(tree, id).contains(ClassHints::CONTENT))
            && tree.raw_attribute(id, "class").is_some_and(|class| {
                [
                    "entry-content",
                    "post-content",
                    "article-body",
                    "article-content",
                    "story-body",
                    "articlebody",
                    "post-body",
                ]
                .iter()
                .any(|name| class.to_ascii_lowercase().replace('_', "-").contains(name))
            })
}

fn descend(tree: &Tree<'_>, measure: &Measure, root: Id, share: f64) -> Id {
    let mut at = root;
    loop {
        let heavier = |a: &Id, b: &Id| measure.weight(tree, *a).total_cmp(&measure.weight(tree, *b));
        let heaviest = tree.children(at).filter(|child| is_container(tree.name(*child))).max_by(heavier);
        match heaviest {
            Some(child)
                if measure.weight(tree, child) >= share * measure.weight(tree, at)
                    && f64::from(measure.text(tree, child)) > SHOWN * f64::from(measure.text(tree, at))
                    && !has_similar_sibling(tree, measure, at, child) =>
            {
                at = child
            }
            _ => return at,
        }
    }
}

/// Whether an element has a sibling of the same name and class with text of its own. It is then one message
/// of several, however long.
fn has_similar_sibling(tree: &Tree<'_>, measure: &Measure, parent: Id, id: Id) -> bool {
    let Some(class) = tree.raw_attribute(id, "class").filter(|class| !class.trim().is_empty()) else {
        return false;
    };
    let first = |class: &str| class.split_ascii_whitespace().next().map(str::to_owned);
    let own = first(class);
    tree.children(parent).any(|other| {
        other != id
            && tree.name(other) == tree.name(id)
            && measure.text(tree, other) > TWIN
            && tree.raw_attribute(other, "class").is_some_and(|class| first(class) == own)
    })
}

/// Elements that can contain a page's whole content.
fn is_container(name: &str) -> bool {
    matches!(
        name,
        "body"
            | "div"
            | "main"
            | "article"
            | "section"
            | "center"
            | "form"
            | "fieldset"
            | "other"
            | "td"
            | "tr"
            | "tbody"
            | "table"
            | "font"
            | "span"
            | "details"
            | "frameset"
            | "a"
    )
}

/// Widens the element to include the first message, which may stand apart from the others: the question
/// before its answers.
fn with_first_message(tree: &Tree<'_>, measure: &Measure, root: Id) -> Id {
    let is_message = |id: Id| {
        matches!(tree.name(id), "div" | "article" | "section" | "li" | "td" | "table")
            && !measure.is_dropped(id)
            && measure.text(tree, id) >= MESSAGE
            && measure.link_density(tree, id) < 0.5
            && ClassHints::of(tree, id).contains(ClassHints::POST)
    };
    let Some(message) = (1..root).find(|id| tree.end(*id) <= root && is_message(*id)) else { return root };
    let both = tree.ancestors(root).find(|above| tree.is_within(message, *above)).unwrap_or(0);
    let around = measure.text(tree, both) - measure.text(tree, root) - measure.text(tree, message);
    // A quarter of the messages is their frame. Chosen by hand.
    if around <= measure.text(tree, message) + measure.text(tree, root) / 4 { both } else { root }
}

/// Widens the element to include the page's main heading, if that is near: the description of a thing is
/// around its name.
fn with_heading(tree: &Tree<'_>, measure: &Measure, root: Id) -> Id {
    let headings = || {
        tree.range(0)
            .filter(|id| tree.name(*id) == "h1" && !measure.is_dropped(*id) && measure.text(tree, *id) > 0)
    };
    if headings().any(|id| tree.is_within(id, root)) {
        return root;
    }
    let Some(heading) = headings().next() else { return root };
    let both = tree.ancestors(root).find(|above| tree.is_within(heading, *above)).unwrap_or(0);
    let grown = measure.weight(tree, both) / measure.weight(tree, root).max(1.0);
    if grown < GROWN { both } else { root }
}
