//! Paths of elements.
//!
//! Steps are canonical names, separated by `/`. A step may have a condition, `[path=text]` or `[path!=text]`,
//! on a descendant or an attribute. The last step may be an attribute, `@name`. The text `$` is the currency of
//! the invoice; an amount without a currency is in that one.

use std::collections::HashSet;

use super::mapping::Syntax;
use crate::xml::Node;

/// Finds elements, and remembers which were found.
#[derive(Debug)]
pub(super) struct Finder {
    aliases: &'static [(&'static str, &'static str)],
    /// Elements whose text was written, by index.
    used: HashSet<u32>,
    pub(super) currency: String,
}

/// A value that was found: the text of an element, or of its attribute.
#[derive(Clone, Copy, Debug)]
pub(super) struct FoundValue<'t> {
    pub(super) node: Node<'t>,
    attribute: Option<&'t str>,
}

impl FoundValue<'_> {
    pub(super) fn text(&self) -> String {
        let whole = self.attribute.map_or_else(|| self.node.text(), str::to_owned);
        whole.split_whitespace().collect::<Vec<_>>().join(" ")
    }
}

/// A step of a path with its condition.
struct Step<'p> {
    name: &'p str,
    condition: Option<Condition<'p>>,
}

struct Condition<'p> {
    path: &'p str,
    is_equal: bool,
    text: &'p str,
}

impl Finder {
    pub(super) fn new(syntax: &Syntax) -> Self {
        Self { aliases: syntax.aliases, used: HashSet::new(), currency: String::new() }
    }

    /// Whether the text of an element was found.
    pub(super) fn is_used(&self, node: Node<'_>) -> bool {
        self.used.contains(&node.index())
    }

    /// The values of a path that are not empty.
    pub(super) fn values<'t>(&mut self, from: Node<'t>, path: &str) -> Vec<FoundValue<'t>> {
        let (path, attribute) = match path.rsplit_once('@').filter(|(_, name)| !name.contains(']')) {
            Some((path, name)) => (path.trim_end_matches('/'), Some(name)),
            None => (path, None),
        };
        let mut found = Vec::new();
        for node in self.elements(from, path) {
            let attribute = match attribute {
                Some(name) => match node.attribute(name) {
                    Some(text) => Some(text),
                    None => continue,
                },
                None => None,
            };
            let value = FoundValue { node, attribute };
            if value.text().is_empty() {
                continue;
            }
            if attribute.is_none() {
                self.mark(node);
            }
            found.push(value);
        }
        found
    }

    /// Remembers an element with those in it, whose text is part of its own. The tree has a bounded depth.
    fn mark(&mut self, node: Node<'_>) {
        self.used.insert(node.index());
        node.children().for_each(|child| self.mark(child));
    }

    /// The elements of a path, in document order.
    pub(super) fn elements<'t>(&mut self, from: Node<'t>, path: &str) -> Vec<Node<'t>> {
        let mut nodes = vec![from];
        for step in steps(path) {
            let children = nodes.iter().flat_map(|node| node.children());
            let named: Vec<Node<'t>> = children.filter(|node| self.name(*node) == step.name).collect();
            nodes = match &step.condition {
                None => named,
                Some(condition) => named.into_iter().filter(|node| self.holds(*node, condition)).collect(),
            };
        }
        nodes
    }

    /// The name of an element in the mapping.
    pub(super) fn name<'t>(&self, node: Node<'t>) -> &'t str {
        let name = node.name();
        self.aliases.iter().find(|(old, _)| *old == name).map_or(name, |(_, new)| new)
    }

    fn holds(&mut self, node: Node<'_>, condition: &Condition<'_>) -> bool {
        let expected = if condition.text == "$" { self.currency.clone() } else { condition.text.to_owned() };
        let Some(name) = condition.path.strip_prefix('@') else {
            let elements = self.elements(node, condition.path);
            let equal = elements.iter().any(|element| element.text().trim() == expected);
            if equal == condition.is_equal {
                // What a condition says is in the name of the term.
                self.used.extend(elements.iter().map(|element| element.index()));
            }
            return equal == condition.is_equal;
        };
        let equal = match node.attribute(name) {
            Some(text) => text.trim() == expected,
            None => condition.text == "$",
        };
        equal == condition.is_equal
    }
}

/// The steps of a path; slashes within a condition separate none.
fn steps(path: &str) -> impl Iterator<Item = Step<'_>> {
    let mut inside = false;
    let parts = path.split(move |c: char| {
        inside = (inside || c == '[') && c != ']';
        c == '/' && !inside
    });
    parts.filter(|part| !part.is_empty()).map(step)
}

fn step(text: &str) -> Step<'_> {
    let Some((name, condition)) = text.split_once('[') else { return Step { name: text, condition: None } };
    let condition = condition.trim_end_matches(']');
    let (path, text) = condition.split_once('=').unwrap_or((condition, ""));
    let (path, is_equal) = path.strip_suffix('!').map_or((path, true), |path| (path, false));
    Step { name, condition: Some(Condition { path, is_equal, text }) }
}
