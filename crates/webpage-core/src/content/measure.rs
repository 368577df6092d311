//! Amounts of text: prefix sums in document order, so that the amount of any element is one subtraction.

use html::{Id, Tree};

/// Part of the text in links that does not count as content. Chosen by hand.
const LINKED: f64 = 0.7;

/// Which nodes are removed, and the amounts of the remaining text.
#[derive(Debug)]
pub(crate) struct Measure {
    /// Whether a node is removed with its descendants.
    pub(crate) dropped: Vec<bool>,
    text: Vec<u32>,
    linked: Vec<u32>,
}

impl Measure {
    pub(crate) fn new(tree: &Tree<'_>) -> Self {
        let mut measure =
            Self { dropped: vec![false; tree.node_count()], text: Vec::new(), linked: Vec::new() };
        measure.count(tree);
        measure
    }

    /// Removes a node with its descendants.
    pub(crate) fn leave_out(&mut self, tree: &Tree<'_>, id: Id) {
        if let Some(nodes) = self.dropped.get_mut(tree.range(id)) {
            nodes.fill(true);
        }
    }

    /// Removes all nodes that satisfy a test; descendants of removed nodes are not tested.
    pub(super) fn leave_out_each(&mut self, tree: &Tree<'_>, test: impl Fn(&Self, Id) -> bool) {
        let mut id = 1;
        while id < tree.node_count() {
            if self.is_dropped(id) || test(self, id) {
                self.leave_out(tree, id);
                id = tree.end(id);
            } else {
                id += 1;
            }
        }
    }

    pub(crate) fn is_dropped(&self, id: Id) -> bool {
        self.dropped.get(id).copied().unwrap_or(true)
    }

    /// Recomputes the amounts of the remaining text.
    pub(crate) fn count(&mut self, tree: &Tree<'_>) {
        let (mut text, mut linked, mut link_end) = (0_u32, 0_u32, 0);
        self.text.clear();
        self.linked.clear();
        for id in 0..tree.node_count() {
            self.text.push(text);
            self.linked.push(linked);
            if self.is_dropped(id) {
                continue;
            }
            if tree.name(id) == "a"
                && tree.raw_attribute(id, "href").is_some_and(|href| !href.starts_with('#'))
            {
                link_end = link_end.max(tree.end(id));
            }
            if let Some(content) = tree.text(id) {
                let length = shown_length(content);
                text = text.saturating_add(length);
                if id < link_end {
                    linked = linked.saturating_add(length);
                }
            }
        }
        self.text.push(text);
        self.linked.push(linked);
    }

    /// Characters of text in the subtree, without white space.
    pub(crate) fn text(&self, tree: &Tree<'_>, id: Id) -> u32 {
        span(&self.text, id, tree.end(id))
    }

    /// Characters of it in links.
    pub(crate) fn linked(&self, tree: &Tree<'_>, id: Id) -> u32 {
        span(&self.linked, id, tree.end(id))
    }

    /// The share of text in links; 0 without text.
    pub(crate) fn link_density(&self, tree: &Tree<'_>, id: Id) -> f64 {
        f64::from(self.linked(tree, id)) / f64::from(self.text(tree, id).max(1))
    }

    /// Weight as content: text in links counts less than other text, by [`LINKED`].
    pub(crate) fn weight(&self, tree: &Tree<'_>, id: Id) -> f64 {
        let linked = f64::from(self.linked(tree, id));
        f64::from(self.text(tree, id)) - linked * LINKED
    }
}

fn span(sums: &[u32], begin: Id, end: Id) -> u32 {
    let at = |id: Id| sums.get(id).or(sums.last()).copied().unwrap_or_default();
    at(end).saturating_sub(at(begin))
}

/// Characters without white space. A letter of a script without spaces counts as two.
fn shown_length(text: &str) -> u32 {
    let length = text
        .chars()
        .filter(|c| !c.is_whitespace())
        .map(|c| 1 + u32::from(('\u{2e80}'..'\u{e000}').contains(&c)));
    length.fold(0, u32::saturating_add)
}
