//! The element that holds the main content: from the body on, down into the one part that holds most of what
//! lies there.

use super::measure::Measure;
use super::signs::Signs;
use crate::PageKind;
use crate::html::{Id, Tree};

/// Share of the weight that a child must hold to be gone into.
const DESCENT: f64 = 0.8;
/// Share of the page's weight that an element must hold to be believed when it says that it is the content.
const BELIEVED: f64 = 0.2;

/// How much more an element may weigh for the sake of the heading.
const GROWN: f64 = 1.3;

/// The element that holds the main content.
pub(crate) fn choose(tree: &Tree<'_>, measure: &Measure, kind: PageKind) -> Id {
    let mut root = 0;
    let steps: &[fn(&Tree<'_>, Id) -> bool] = match kind {
        PageKind::Article => &[is_main, is_article, is_article_body],
        PageKind::Forum | PageKind::Listing => &[is_main],
        PageKind::Product | PageKind::Documentation => &[is_main, is_article],
        PageKind::Other => &[is_main, is_article],
    };
    for step in steps {
        root = believed(tree, measure, root, step).unwrap_or(root);
    }
    let root = descend(tree, measure, root);
    match kind {
        PageKind::Article | PageKind::Forum => root,
        _ => with_heading(tree, measure, root),
    }
}

/// The heaviest element of a kind below, if it is heavy enough and the others of its kind are not.
fn believed(
    tree: &Tree<'_>,
    measure: &Measure,
    root: Id,
    test: impl Fn(&Tree<'_>, Id) -> bool,
) -> Option<Id> {
    let all = measure.weight(tree, root);
    let found = tree.range(root).skip(1).filter(|id| !measure.is_out(*id) && test(tree, *id));
    let best =
        found.max_by(|a, b| measure.weight(tree, *a).total_cmp(&measure.weight(tree, *b)).then(b.cmp(a)))?;
    (measure.weight(tree, best) >= BELIEVED * all).then_some(best)
}

fn is_main(tree: &Tree<'_>, id: Id) -> bool {
    tree.name(id) == "main" || tree.raw_attribute(id, "role") == Some("main")
}

fn is_article(tree: &Tree<'_>, id: Id) -> bool {
    tree.name(id) == "article"
}

fn is_article_body(tree: &Tree<'_>, id: Id) -> bool {
    tree.raw_attribute(id, "itemprop") == Some("articleBody")
        || (matches!(tree.name(id), "div" | "section") && Signs::of(tree, id).has(Signs::CONTENT))
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

fn descend(tree: &Tree<'_>, measure: &Measure, root: Id) -> Id {
    let mut at = root;
    loop {
        let heavier = |a: &Id, b: &Id| measure.weight(tree, *a).total_cmp(&measure.weight(tree, *b));
        let heaviest = tree.children(at).filter(|child| is_container(tree.name(*child))).max_by(heavier);
        match heaviest {
            Some(child)
                if measure.weight(tree, child) >= DESCENT * measure.weight(tree, at)
                    && measure.text(tree, child) > 0 =>
            {
                at = child
            }
            _ => return at,
        }
    }
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

/// The element with its page's main heading, if that is close: what is said about a thing stands around its name.
fn with_heading(tree: &Tree<'_>, measure: &Measure, root: Id) -> Id {
    let headings = || {
        tree.range(0)
            .filter(|id| tree.name(*id) == "h1" && !measure.is_out(*id) && measure.text(tree, *id) > 0)
    };
    if headings().any(|id| tree.is_within(id, root)) {
        return root;
    }
    let Some(heading) = headings().next() else { return root };
    let both = tree.ancestors(root).find(|above| tree.is_within(heading, *above)).unwrap_or(0);
    let grown = measure.weight(tree, both) / measure.weight(tree, root).max(1.0);
    if grown < GROWN { both } else { root }
}
