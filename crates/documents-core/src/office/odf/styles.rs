//! Styles of OpenDocument: roles of paragraphs, hidden text, and list numbering.

use std::collections::HashMap;

use super::super::role::{Role, by_name};
use crate::xml::Node;

/// Maximum length of an inheritance chain. Protects time: styles may inherit from each other.
const CHAIN: usize = 12;
/// Levels of a list, those of LibreOffice.
const LEVELS: usize = 10;

#[derive(Clone, Debug, Default)]
struct Style {
    parent: Option<String>,
    outline: Option<u8>,
    hidden: Option<bool>,
}

/// A level of a list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Level {
    /// Number format; empty for bullets.
    pub(super) format: String,
    pub(super) prefix: String,
    pub(super) suffix: String,
    pub(super) start: u32,
    /// Number of levels whose numbers the label shows.
    pub(super) shown: usize,
}

/// The styles of a document, by name.
#[derive(Debug, Default)]
pub(super) struct Styles {
    paragraphs: HashMap<String, Style>,
    texts: HashMap<String, Style>,
    lists: HashMap<String, Vec<Level>>,
}

impl Styles {
    /// Reads the styles of both parts of a document. When both define a style, the later one counts.
    pub(super) fn read<'t>(roots: impl Iterator<Item = Node<'t>>) -> Self {
        let mut styles = Self::default();
        for root in roots {
            for group in ["office:styles", "office:automatic-styles"] {
                for node in root.child(group).into_iter().flat_map(Node::children) {
                    styles.add(node);
                }
            }
        }
        styles
    }

    fn add(&mut self, node: Node<'_>) {
        let Some(name) = node.attribute("style:name").map(str::to_owned) else { return };
        match (node.name(), node.attribute("style:family")) {
            ("style:style", Some("paragraph")) => {
                self.paragraphs.insert(name, style(node));
            }
            ("style:style", Some("text")) => {
                self.texts.insert(name, style(node));
            }
            ("text:list-style", _) => {
                self.lists.insert(name, levels(node));
            }
            _ => {}
        }
    }

    /// A style and its ancestors, with their names.
    fn chain<'s>(
        styles: &'s HashMap<String, Style>,
        name: &'s str,
    ) -> impl Iterator<Item = (&'s str, Option<&'s Style>)> {
        let next = |(_, style): &(&'s str, Option<&'s Style>)| {
            let parent = (*style)?.parent.as_deref()?;
            Some((parent, styles.get(parent)))
        };
        std::iter::successors(Some((name, styles.get(name))), next).take(CHAIN)
    }

    /// The role of a paragraph with the style.
    pub(super) fn role(&self, name: Option<&str>) -> Role {
        let Some(name) = name else { return Role::Text };
        for (name, style) in Self::chain(&self.paragraphs, name) {
            if let Some(level) = style.and_then(|style| style.outline) {
                return if level == 0 { Role::Text } else { Role::Heading(level.min(6)) };
            }
            if let Some(role) = by_name(&name.replace("_20_", " ")) {
                return role;
            }
        }
        Role::Text
    }

    /// Whether a paragraph or, for `text`, a text span is hidden.
    pub(super) fn is_hidden(&self, name: Option<&str>, text: bool) -> bool {
        let Some(name) = name else { return false };
        let styles = if text { &self.texts } else { &self.paragraphs };
        Self::chain(styles, name).find_map(|(_, style)| style?.hidden).unwrap_or(false)
    }

    /// A level, from 0, of a list style.
    pub(super) fn level(&self, list: Option<&str>, level: usize) -> Option<&Level> {
        self.lists.get(list?)?.get(level)
    }
}

fn style(node: Node<'_>) -> Style {
    let text = node.child("style:text-properties");
    Style {
        parent: node.attribute("style:parent-style-name").map(str::to_owned),
        outline: node.attribute("style:default-outline-level").and_then(|level| level.parse().ok()),
        hidden: text.and_then(|node| node.attribute("text:display")).map(|display| display == "none"),
    }
}

fn levels(node: Node<'_>) -> Vec<Level> {
    let mut levels = vec![Level::default(); LEVELS];
    for level in node.children() {
        let number = level.attribute("text:level").and_then(|number| number.parse::<usize>().ok());
        let place = number.and_then(|number| levels.get_mut(number.checked_sub(1)?));
        if let Some(place) = place.filter(|_| level.name() == "text:list-level-style-number") {
            *place = numbered(level);
        }
    }
    levels
}

fn numbered(node: Node<'_>) -> Level {
    let value = |name: &str| node.attribute(name).unwrap_or_default().to_owned();
    let number = |name: &str| node.attribute(name).and_then(|value| value.parse::<u32>().ok()).unwrap_or(1);
    Level {
        format: value("style:num-format"),
        prefix: value("style:num-prefix"),
        suffix: value("style:num-suffix"),
        start: number("text:start-value"),
        shown: number("text:display-levels").clamp(1, 10) as usize,
    }
}
