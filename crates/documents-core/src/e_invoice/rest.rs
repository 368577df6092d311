//! Elements that no business term is mapped to.

use std::collections::HashMap;

use document::BlockKind;

use super::path::Finder;
use super::write::heading;
use crate::builder::Builder;
use crate::xml::Node;

/// Lines at most: those of an invoice with a thousand lines and ten elements each. Protects memory.
const MAX_LINES: usize = 10_000;
/// Characters of a name and of a value at most. Chosen by hand; no measurement is recorded.
const MAX_NAME: usize = 60;
const MAX_VALUE: usize = 2_000;

/// Writes the texts that no term was found for, each after the path of its element: `InvoiceLine 2 / Note: text`.
/// Contents of embedded files are left out.
pub(super) fn remaining(builder: &mut Builder, root: Node<'_>, finder: &Finder) {
    let mut walk = Walk { finder, path: Vec::new(), lines: Vec::new(), is_cut: false };
    walk.children(root);
    if walk.lines.is_empty() {
        return;
    }
    heading(builder, "Other elements");
    builder.block(BlockKind::Paragraph, "", &walk.lines.join("\n"));
    if walk.is_cut {
        builder.truncate();
    }
}

struct Walk<'t, 'f> {
    finder: &'f Finder,
    /// The names of the open elements, with the number of those that have siblings of their name.
    path: Vec<(&'t str, Option<usize>)>,
    lines: Vec<String>,
    is_cut: bool,
}

impl<'t> Walk<'t, '_> {
    /// Recurses to the depth of the tree, which is bounded.
    fn children(&mut self, element: Node<'t>) {
        let children = || element.children().filter(|child| child.as_text().is_none());
        let mut counts: HashMap<&str, usize> = HashMap::new();
        for child in children() {
            *counts.entry(local_name(child)).or_default() += 1;
        }
        let mut places: HashMap<&str, usize> = HashMap::new();
        for child in children() {
            if self.lines.len() >= MAX_LINES {
                self.is_cut = true;
                return;
            }
            let name = local_name(child);
            let place = places.entry(name).or_default();
            *place += 1;
            let place = Some(*place).filter(|_| counts.get(name).is_some_and(|count| *count > 1));
            self.path.push((name, place));
            self.own_text(child);
            self.children(child);
            self.path.pop();
        }
    }

    fn own_text(&mut self, element: Node<'_>) {
        if self.finder.is_used(element) || element.attribute("mimeCode").is_some() {
            return;
        }
        let text: String = element.children().filter_map(Node::as_text).collect();
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        if !text.is_empty() {
            self.is_cut |= text.chars().nth(MAX_VALUE).is_some();
            let value: String = text.chars().take(MAX_VALUE).collect();
            self.lines.push(format!("{}: {value}", self.label()));
        }
    }

    fn label(&self) -> String {
        let step = |(name, place): &(&str, Option<usize>)| {
            let name: String = name.chars().take(MAX_NAME).collect();
            place.map_or(name.clone(), |place| format!("{name} {place}"))
        };
        self.path.iter().map(step).collect::<Vec<_>>().join(" / ")
    }
}

fn local_name(element: Node<'_>) -> &str {
    let name = element.name();
    name.split_once(':').map_or(name, |(_, local)| local)
}
