//! Detects boilerplate anywhere on a page, by element names and by the class names of authors.

use std::collections::HashMap;

use html::{Id, Tree};

use super::choices::Choices;
use super::class_hints::ClassHints;
use super::disclosures::Disclosures;
use super::measure::Measure;
use crate::PageKind;

/// An element with more than this share of a page's text is never removed because of its name.
/// Chosen by hand.
const MOST: f64 = 0.4;
/// Elements of one class that together have more than this share of the text are kept too. Chosen by hand.
const TOGETHER: f64 = 0.3;
/// So few elements of a class are not kept together. Chosen by hand.
const FEW: u32 = 2;
/// Minimum mean characters of such elements. Chosen by hand.
const EACH: f64 = 200.0;
/// Maximum characters of a search form, a login or a cart. A longer element with such a name is its result.
/// Chosen by hand.
const FORM: u32 = 600;
/// Maximum characters of a review summary, which belongs to the description of the product. Chosen by hand.
const REVIEW: u32 = 150;
/// A cookie notice, or a footer of the page, with at least this share of its text contains the page.
/// Chosen by hand.
const CONSENT: f64 = 0.9;
const FOOTER: f64 = 0.7;
/// A button or a form with at least so many characters is content. Chosen by hand.
const BUTTON: u32 = 60;
const FORM_ELEMENT: u32 = 400;
/// More characters than these are content, whatever else names say: in an element named like content, and
/// around the main heading. Chosen by hand.
const NAMED_CONTENT: u32 = 400;
const HEADED_CONTENT: u32 = 300;
/// Minimum characters of a question or a name that opens its answer. Chosen by hand.
const TOGGLE: u32 = 10;

/// Nodes of a header or a form that are examined. Protects time.
const LOOKED_AT: usize = 1_000;

/// Maximum nodes before the heading of a chapter. Protects time.
const CHAPTER: usize = 5;

/// Maximum levels between comments and the message that they comment on. Protects time.
const MESSAGE_DEPTH: usize = 12;

/// Facts about a page that the rules need.
struct PageContext<'t, 'h> {
    tree: &'t Tree<'h>,
    kind: PageKind,
    opened: &'t Disclosures<'h>,
    choices: Choices,
    /// Visible main headings, in document order.
    headings: Vec<Id>,
    /// Characters of all text.
    all: f64,
}

/// Marks the boilerplate as removed.
pub(super) fn leave_out<'h>(
    tree: &Tree<'h>,
    measure: &mut Measure,
    opened: &Disclosures<'h>,
    kind: PageKind,
) {
    let heading_level =
        |id: &Id| tree.name(*id) == "h1" && !measure.is_dropped(*id) && measure.text(tree, *id) > 0;
    let headings = (0..tree.node_count()).filter(heading_level).collect();
    let all = f64::from(measure.text(tree, 0).max(1));
    let page = PageContext { tree, kind, opened, choices: Choices::of(tree), headings, all };
    measure.leave_out_each(tree, |measure, id| page.is_around(measure, id));
    measure.count(tree);
    let named = page.elements_named_so(measure);
    for id in page.filter_believed(measure, named) {
        measure.leave_out(tree, id);
    }
    measure.count(tree);
}

impl PageContext<'_, '_> {
    fn share(&self, measure: &Measure, id: Id) -> f64 {
        f64::from(measure.text(self.tree, id)) / self.all
    }

    fn has_main_heading(&self, id: Id) -> bool {
        let next = self.headings.partition_point(|heading| *heading < id);
        self.headings.get(next).is_some_and(|heading| self.tree.is_within(*heading, id))
    }

    fn is_around(&self, measure: &Measure, id: Id) -> bool {
        if is_always_kept(self.tree.name(id)) {
            return false;
        }
        let (share, signs) = (self.share(measure, id), ClassHints::of(self.tree, id));
        signs.contains(ClassHints::CONSENT) && share < CONSENT && !is_chapter(self.tree, id)
            || signs.contains(ClassHints::FILTER) && self.choices.are_all(self.tree, measure, id)
            || share < MOST && is_boilerplate_element(self, measure, id)
            || share < FOOTER && self.is_page_footer(id)
    }

    /// A footer of the page, whatever its text; but not an unclosed one, or one that contains the page.
    fn is_page_footer(&self, id: Id) -> bool {
        let within =
            |names: &[&str]| self.tree.ancestors(id).any(|above| names.contains(&self.tree.name(above)));
        self.tree.name(id) == "footer"
            && !within(&["main", "article", "blockquote", "figure"])
            && !self.has_main_heading(id)
    }

    fn is_named_so(&self, measure: &Measure, id: Id) -> bool {
        !is_always_kept(self.tree.name(id))
            && self.share(measure, id) < MOST
            && is_named_so(self, measure, id)
    }

    /// The outermost elements whose class names mark them as boilerplate.
    fn elements_named_so(&self, measure: &Measure) -> Vec<Id> {
        let mut named = Vec::new();
        let mut id = 1;
        while id < self.tree.node_count() {
            let is_out = measure.is_dropped(id);
            let is_named = !is_out && self.is_named_so(measure, id);
            named.extend(is_named.then_some(id));
            id = if is_out || is_named { self.tree.end(id) } else { id + 1 };
        }
        named
    }

    /// Filters the elements whose class names are credible. Those that share their classes with others and
    /// together hold much of the page's prose are kept, for they make up the page.
    fn filter_believed(&self, measure: &Measure, mut named: Vec<Id>) -> Vec<Id> {
        let all = measure.weight(self.tree, 0).max(1.0);
        let class = |id: Id| self.tree.raw_attribute(id, "class").unwrap_or_default();
        let mut together: HashMap<&str, (u32, f64)> = HashMap::new();
        for id in &named {
            let (count, weight) = together.entry(class(*id)).or_default();
            (*count, *weight) = (*count + 1, *weight + measure.weight(self.tree, *id));
        }
        let is_much = |class: &str| {
            together.get(class).is_some_and(|(count, weight)| {
                *count > FEW && *weight >= TOGETHER * all && *weight >= EACH * f64::from(*count)
            })
        };
        let is_control =
            |id: Id| ClassHints::of(self.tree, id).contains(ClassHints::ACCOUNT.union(ClassHints::SHARING));
        named.retain(|id| class(*id).is_empty() || is_control(*id) || !is_much(class(*id)));
        named
    }
}

/// Text nodes, and elements that contain the page.
fn is_always_kept(name: &str) -> bool {
    matches!(name, "" | "html" | "body" | "main" | "img")
}

/// Elements that HTML defines for boilerplate.
fn is_boilerplate_element(page: &PageContext<'_, '_>, measure: &Measure, id: Id) -> bool {
    let tree = page.tree;
    let within = |names: &[&str]| tree.ancestors(id).any(|above| names.contains(&tree.name(above)));
    match tree.name(id) {
        "nav" | "search" | "menu" => true,
        "footer" => !within(&["blockquote", "figure"]),
        "aside" => !is_note(tree, id),
        "button" => measure.text(tree, id) < BUTTON && !is_heading_of_opened(tree, measure, id),
        "header" => {
            let has_menu =
                || tree.range(id).take(LOOKED_AT).any(|below| matches!(tree.name(below), "nav" | "search"));
            !page.has_main_heading(id) && (!within(&["main", "article", "section"]) || has_menu())
        }
        "form" => {
            measure.text(tree, id) < FORM_ELEMENT && (!within(&["table"]) || asks_for_password(tree, id))
        }
        _ => matches!(
            tree.raw_attribute(id, "role"),
            Some("banner" | "contentinfo" | "complementary" | "search")
        ),
    }
}

/// Whether comments belong to a question or an answer with enough text of its own. They comment on it and are
/// not messages themselves. Enough is twice as much as the comments. Chosen by hand.
fn is_about_answer(tree: &Tree<'_>, measure: &Measure, comments: Id) -> bool {
    let is_answer = |id: &Id| {
        let class = tree.raw_attribute(*id, "class").unwrap_or_default();
        class.split_ascii_whitespace().any(|name| matches!(name, "answer" | "question"))
            || tree
                .raw_attribute(*id, "itemtype")
                .is_some_and(|kind| kind.ends_with("/Answer") || kind.ends_with("/Question"))
    };
    let message = tree.ancestors(comments).take(MESSAGE_DEPTH).find(is_answer);
    message.is_some_and(|message| measure.text(tree, message) >= 2 * measure.text(tree, comments))
}

/// Whether an element is named like its own heading: a chapter of a text, which may be about anything.
fn is_chapter(tree: &Tree<'_>, id: Id) -> bool {
    let Some(name) = tree.raw_attribute(id, "id").filter(|_| tree.name(id) == "section") else {
        return false;
    };
    let mut first = tree.range(id).skip(1).take(CHAPTER);
    let heading = first.find(|below| html::heading_level(tree.name(*below)).is_some());
    heading.is_some_and(|heading| {
        crate::text::comparison_key(&tree.plain(heading, 100)) == crate::text::comparison_key(name)
    })
}

/// Whether a form is a login.
fn asks_for_password(tree: &Tree<'_>, form: Id) -> bool {
    tree.range(form)
        .take(LOOKED_AT)
        .any(|id| tree.name(id) == "input" && tree.raw_attribute(id, "type") == Some("password"))
}

/// The toggle of a disclosure: a question or a name that opens its answer.
fn is_heading_of_opened(tree: &Tree<'_>, measure: &Measure, id: Id) -> bool {
    let opens = ["aria-expanded", "aria-controls"].iter().any(|name| tree.raw_attribute(id, name).is_some());
    opens && measure.text(tree, id) >= TOGGLE || html::heading_level(tree.name(tree.parent(id))).is_some()
}

/// Notes and warnings of a manual, which are content although marked as asides.
fn is_note(tree: &Tree<'_>, id: Id) -> bool {
    let class = tree.raw_attribute(id, "class").unwrap_or_default().to_ascii_lowercase();
    ["note", "tip", "warn", "admonition", "callout", "info", "caution", "hint"]
        .iter()
        .any(|word| class.contains(word))
}

/// Whether the class names of an element mark it as boilerplate.
fn is_named_so(page: &PageContext<'_, '_>, measure: &Measure, id: Id) -> bool {
    let tree = page.tree;
    if tree.raw_attribute(id, "class").is_none()
        && tree.raw_attribute(id, "id").is_none()
        && tree.raw_attribute(id, "role").is_none()
    {
        return false;
    }
    let signs = ClassHints::of(tree, id);
    let mut bad = ClassHints::NAVIGATION
        .union(ClassHints::SHARING)
        .union(ClassHints::RELATED)
        .union(ClassHints::PROMOTION)
        .union(ClassHints::LEGAL);
    if measure.text(tree, id) < FORM {
        bad = bad.union(ClassHints::ACCOUNT);
    }
    if !page.opened.has(tree, measure, id) {
        bad = bad.union(ClassHints::HIDDEN);
    }
    bad = match page.kind {
        PageKind::Forum if signs.contains(ClassHints::COMMENTS) && is_about_answer(tree, measure, id) => {
            bad.union(ClassHints::PROFILE).union(ClassHints::COMMENTS)
        }
        PageKind::Forum => bad.union(ClassHints::PROFILE),
        _ => bad.union(ClassHints::COMMENTS),
    };
    if page.kind == PageKind::Product && measure.text(tree, id) > REVIEW {
        bad = bad.union(ClassHints::REVIEWS);
    }
    if page.kind == PageKind::Article {
        bad = bad.union(ClassHints::ABOUT);
    }
    let is_text = matches!(
        tree.name(id),
        "p" | "pre" | "code" | "td" | "h1" | "table" | "tr" | "tbody" | "blockquote" | "em" | "b" | "strong"
    );
    let text = measure.text(tree, id);
    let is_content = signs.contains(ClassHints::CONTENT) && text > NAMED_CONTENT
        || text > HEADED_CONTENT && page.has_main_heading(id);
    signs.contains(bad) && !is_text && !is_content
}
