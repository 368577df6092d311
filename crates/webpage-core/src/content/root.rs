//! The element that holds the main content: from the body on, down into the one part that holds most of what
//! lies there.

use super::class_hints::ClassHints;
use super::measure::Measure;
use crate::PageKind;
use crate::html::{Id, Tree};

/// Share of the weight that a child must hold to be gone into.
const DESCENT: f64 = 0.9;
/// The same on pages of many messages or cards, which weigh so much that a menu beside them weighs little.
const DESCENT_OF_MANY: f64 = 0.8;
/// Share of the page's weight that an element must hold to be believed when it says that it is the content.
const BELIEVED: f64 = 0.2;

/// Share of all text that the main part of a page of many parts must hold to be believed.
const OTHERS: f64 = 0.3;

/// Characters of a message that is looked for.
const MESSAGE: u32 = 80;

/// Characters of text that make an element another of the same sort.
const TWIN: u32 = 20;

/// Share of all text, that in links too, that a child must hold to be gone into: cards of a list are links all over.
const SHOWN: f64 = 0.6;

/// How much more an element may weigh for the sake of the heading.
const GROWN: f64 = 1.3;

/// A test of elements that say that they are the content, and the share of all text that such a one must hold.
type ContentTest = (fn(&Tree<'_>, Id) -> bool, f64);

/// The element that holds the main content.
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

/// The heaviest element of a kind below, if it is heavy enough and the others of its kind are not.
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

/// Whether an element has a sibling of the same name and class with a text of its own: one message of several, however long.
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

/// Elements that can hold a page's whole content.
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

/// The element with the message that stands before it apart from the others: the question of the answers.
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
    if around <= measure.text(tree, message) + measure.text(tree, root) / 4 { both } else { root }
}

/// The element with its page's main heading, if that is close: what is said about a thing stands around its name.
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
