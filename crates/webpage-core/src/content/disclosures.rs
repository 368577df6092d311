//! Parts of a page that are hidden until a control opens them: answers below their questions, panels behind
//! tabs. They are content, unlike permanently hidden elements.

use std::collections::HashSet;

use html::{Id, Tree};

use super::measure::Measure;

/// Minimum share of text in links at which a disclosure is a menu. Chosen by hand.
const LINKS: f64 = 0.6;
/// Maximum ids that are collected. Protects memory.
const NAMES: usize = 5_000;

/// The ids of the elements that controls of the page open.
pub(super) struct Disclosures<'h> {
    names: HashSet<&'h str>,
}

impl<'h> Disclosures<'h> {
    pub(super) fn of(tree: &Tree<'h>) -> Self {
        let named = (0..tree.node_count()).filter_map(|id| {
            let controls = tree.raw_attribute(id, "aria-controls");
            controls.or_else(|| of_toggle(tree, id)).map(|name| name.trim().trim_start_matches('#'))
        });
        Self { names: named.filter(|name| !name.is_empty()).take(NAMES).collect() }
    }

    /// Whether an element is a disclosure and not a menu.
    pub(super) fn has(&self, tree: &Tree<'_>, measure: &Measure, id: Id) -> bool {
        let is_opened = tree.raw_attribute(id, "role") == Some("tabpanel")
            || tree.raw_attribute(id, "id").is_some_and(|name| self.names.contains(name));
        is_opened && measure.link_density(tree, id) < LINKS
    }
}

/// The id that a tab, or a Bootstrap control, refers to.
fn of_toggle<'h>(tree: &Tree<'h>, id: Id) -> Option<&'h str> {
    let toggles = ["data-toggle", "data-bs-toggle"].iter().any(|name| {
        tree.raw_attribute(id, name).is_some_and(|kind| matches!(kind, "collapse" | "tab" | "pill"))
    });
    if !toggles && tree.raw_attribute(id, "role") != Some("tab") {
        return None;
    }
    ["data-target", "data-bs-target", "href"]
        .iter()
        .find_map(|name| tree.raw_attribute(id, name).filter(|target| target.starts_with('#')))
}
