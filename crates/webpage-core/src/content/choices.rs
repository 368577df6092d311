//! Check boxes and radio buttons.

use html::{Id, Tree};

use super::measure::Measure;

/// Maximum characters of a choice. Chosen by hand.
const CHOICE: u32 = 40;

/// For each node, the number of check boxes and radio buttons before it.
pub(super) struct Choices(Vec<u32>);

impl Choices {
    pub(super) fn of(tree: &Tree<'_>) -> Self {
        let mut before = 0;
        let counts = (0..=tree.node_count()).map(|id| {
            let is_choice = tree.name(id) == "input"
                && matches!(tree.raw_attribute(id, "type"), Some("checkbox" | "radio"));
            before += u32::from(is_choice);
            before - u32::from(is_choice)
        });
        Self(counts.collect())
    }

    /// Whether an element consists mostly of choices, such as filters of a list or options of a product.
    pub(super) fn are_all(&self, tree: &Tree<'_>, measure: &Measure, id: Id) -> bool {
        let at = |id: Id| self.0.get(id).copied().unwrap_or_default();
        let count = at(tree.end(id)) - at(id);
        measure.text(tree, id) < count * CHOICE || measure.link_density(tree, id) > 0.5
    }
}
