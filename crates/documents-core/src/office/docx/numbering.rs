//! Lists: their levels, and the numbers of their items in document order. Source: ECMA-376 part 1, 17.9.

use std::collections::{HashMap, HashSet};

use super::super::number_format::formatted;
use crate::Limits;
use crate::xml::{self, Node};

/// Levels of a list (ECMA-376 part 1, 17.9.1: at most nine `lvl`).
const LEVELS: usize = 9;

#[derive(Clone, Debug)]
struct Level {
    format: String,
    /// The label template; `%1` to `%9` stand for the numbers of the levels.
    text: String,
    start: u32,
    decimal_only: bool,
}

impl Default for Level {
    fn default() -> Self {
        Self { format: "decimal".to_owned(), text: String::new(), start: 1, decimal_only: false }
    }
}

#[derive(Debug, Default)]
struct List {
    /// The abstract definition. Lists that share it share its counters.
    definition: String,
    /// Levels that restart with this list, and their first numbers.
    restarts: HashMap<usize, u32>,
    own_levels: HashMap<usize, Level>,
}

/// The lists of a document, and their counters.
#[derive(Debug, Default)]
pub(super) struct Numbering {
    definitions: HashMap<String, Vec<Level>>,
    lists: HashMap<String, List>,
    counters: HashMap<String, [Option<u32>; LEVELS]>,
    begun: HashSet<String>,
}

/// An item's label.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Label {
    pub(super) ordered: bool,
    pub(super) text: String,
}

impl Numbering {
    pub(super) fn read(text: &str, limits: &Limits) -> Self {
        let mut numbering = Self::default();
        let Ok(tree) = xml::tree(text, limits) else { return numbering };
        let Some(root) = tree.root() else { return numbering };
        let mut linked: HashMap<String, String> = HashMap::new();
        for node in root.all("w:abstractNum") {
            let Some(id) = node.attribute("w:abstractNumId") else { continue };
            let style = |name: &str| node.child(name).and_then(|node| node.attribute("w:val"));
            if let Some(style) = style("w:styleLink") {
                linked.insert(style.to_owned(), id.to_owned());
            }
            let mut levels = vec![Level::default(); LEVELS];
            for level in node.all("w:lvl") {
                if let Some(place) = level_number(level).and_then(|number| levels.get_mut(number)) {
                    *place = read_level(level);
                }
            }
            numbering.definitions.insert(id.to_owned(), levels);
        }
        let borrowed = root.all("w:abstractNum").filter_map(|node| {
            let style = node.child("w:numStyleLink")?.attribute("w:val")?;
            Some((node.attribute("w:abstractNumId")?.to_owned(), linked.get(style)?.clone()))
        });
        let borrowed: HashMap<String, String> = borrowed.collect();
        for node in root.all("w:num") {
            let id = node.attribute("w:numId");
            let definition = node.child("w:abstractNumId").and_then(|node| node.attribute("w:val"));
            if let (Some(id), Some(definition)) = (id, definition) {
                let definition = borrowed.get(definition).map_or(definition, String::as_str);
                numbering.lists.insert(id.to_owned(), read_list(node, definition));
            }
        }
        numbering
    }

    /// Counts an item of a list and returns its label; `None` when the list is unknown.
    pub(super) fn next(&mut self, list: &str, level: usize) -> Option<Label> {
        let level = level.min(LEVELS - 1);
        let known = self.lists.get(list)?;
        let levels = self.definitions.get(&known.definition)?;
        let counters = self.counters.entry(known.definition.clone()).or_default();
        if self.begun.insert(list.to_owned()) {
            for (restarted, start) in &known.restarts {
                if let Some(counter) = counters.get_mut(*restarted) {
                    *counter = start.checked_sub(1);
                }
            }
        }
        let definition = |at: usize| known.own_levels.get(&at).or_else(|| levels.get(at));
        let start = |at: usize| definition(at).map_or(1, |level| level.start);
        for (at, counter) in counters.iter_mut().enumerate() {
            match at.cmp(&level) {
                std::cmp::Ordering::Less => *counter = counter.or(Some(start(at))),
                std::cmp::Ordering::Equal => {
                    *counter = Some(counter.map_or(start(at), |count| count.saturating_add(1)))
                }
                std::cmp::Ordering::Greater => *counter = None,
            }
        }
        let own = definition(level)?;
        if own.format == "bullet" {
            return Some(Label { ordered: false, text: String::new() });
        }
        let number = |at: usize| {
            let format = if own.decimal_only {
                "decimal"
            } else {
                definition(at).map_or("decimal", |level| &level.format)
            };
            formatted(counters.get(at).copied().flatten().unwrap_or_default(), format)
        };
        let text = label(&own.text, number);
        Some(Label { ordered: !text.is_empty(), text })
    }
}

/// The label template with the numbers filled in.
fn label(text: &str, number: impl Fn(usize) -> String) -> String {
    let mut label = String::new();
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        let level = (c == '%').then(|| chars.clone().next()).flatten().and_then(|digit| digit.to_digit(10));
        match level.and_then(|level| (level as usize).checked_sub(1)) {
            Some(level) => {
                chars.next();
                label.push_str(&number(level));
            }
            None => label.push(c),
        }
    }
    label.trim().to_owned()
}

fn level_number(node: Node<'_>) -> Option<usize> {
    node.attribute("w:ilvl")?.parse().ok()
}

fn read_level(node: Node<'_>) -> Level {
    let value = |name: &str| node.child(name).and_then(|node| node.attribute("w:val"));
    Level {
        format: value("w:numFmt").unwrap_or("decimal").to_owned(),
        text: value("w:lvlText").unwrap_or_default().to_owned(),
        start: value("w:start").and_then(|start| start.parse().ok()).unwrap_or(1),
        decimal_only: node.child("w:isLgl").is_some_and(super::styles::is_set),
    }
}

fn read_list(node: Node<'_>, definition: &str) -> List {
    let mut list = List { definition: definition.to_owned(), ..List::default() };
    for change in node.all("w:lvlOverride") {
        let Some(level) = level_number(change) else { continue };
        if let Some(own) = change.child("w:lvl") {
            list.own_levels.insert(level, read_level(own));
        }
        let start = change.child("w:startOverride").and_then(|node| node.attribute("w:val"));
        if let Some(start) = start.and_then(|start| start.parse().ok()) {
            list.restarts.insert(level, start);
        }
    }
    list
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_count_and_start_anew_below_the_next() {
        let xml = r#"<w:numbering xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">
            <w:abstractNum w:abstractNumId="0">
            <w:lvl w:ilvl="0"><w:numFmt w:val="decimal"/><w:lvlText w:val="%1."/></w:lvl>
            <w:lvl w:ilvl="1"><w:numFmt w:val="lowerLetter"/><w:lvlText w:val="%1.%2)"/></w:lvl></w:abstractNum>
            <w:num w:numId="7"><w:abstractNumId w:val="0"/></w:num>
            <w:num w:numId="8"><w:abstractNumId w:val="0"/>
            <w:lvlOverride w:ilvl="0"><w:startOverride w:val="5"/></w:lvlOverride></w:num></w:numbering>"#;
        let mut numbering = Numbering::read(xml, &Limits::default());
        let items = [("7", 0), ("7", 1), ("7", 1), ("7", 0), ("7", 1), ("8", 0), ("8", 0)];
        let labels: Vec<String> =
            items.iter().map(|(list, level)| numbering.next(list, *level).unwrap().text).collect();
        assert_eq!(labels, ["1.", "1.a)", "1.b)", "2.", "2.a)", "5.", "6."]);
        assert_eq!(numbering.next("9", 0), None);
    }
}
