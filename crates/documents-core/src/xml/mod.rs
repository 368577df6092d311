//! XML as a tree, with limits: no entities except the five of XML, `nbsp` and numeric references, bounded
//! depth and number of elements, nothing fetched.
//!
//! Names are identified by namespace, not by the prefix that a producer chooses: `w:p` is a paragraph of
//! WordprocessingML in the transitional and in the strict edition alike. `names.rs` lists the prefixes.

mod build;
mod names;

use std::borrow::Cow;

pub(crate) use build::{text, tree};

/// A document as elements and texts, in document order.
#[derive(Debug)]
pub(crate) struct Tree<'a> {
    nodes: Vec<StoredNode<'a>>,
    attributes: Vec<(u32, Cow<'a, str>)>,
    names: Vec<String>,
    /// Whether a limit or damage truncated it.
    pub(crate) cut: bool,
}

#[derive(Debug)]
enum Content<'a> {
    Element { name: u32, attributes: std::ops::Range<u32> },
    Text(Cow<'a, str>),
}

#[derive(Debug)]
struct StoredNode<'a> {
    content: Content<'a>,
    /// The index after the last of its descendants.
    after: u32,
}

/// An element or a text of a tree.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node<'t> {
    tree: &'t Tree<'t>,
    at: u32,
}

impl<'a> Tree<'a> {
    /// The outermost element.
    pub(crate) fn root(&self) -> Option<Node<'_>> {
        let node = Node { tree: self, at: 0 };
        (!self.nodes.is_empty()).then_some(node)
    }
}

impl<'t> Node<'t> {
    fn stored(self) -> Option<&'t StoredNode<'t>> {
        self.tree.nodes.get(self.at as usize)
    }

    /// Its position among the nodes of the tree, in document order.
    pub(crate) fn index(self) -> u32 {
        self.at
    }

    /// The element's name with its canonical prefix; empty for a text.
    pub(crate) fn name(self) -> &'t str {
        match self.stored().map(|stored| &stored.content) {
            Some(Content::Element { name, .. }) => {
                self.tree.names.get(*name as usize).map_or("", String::as_str)
            }
            _ => "",
        }
    }

    /// The text; `None` for elements.
    pub(crate) fn as_text(self) -> Option<&'t str> {
        match &self.stored()?.content {
            Content::Text(text) => Some(text),
            Content::Element { .. } => None,
        }
    }

    /// An attribute by its name with canonical prefix.
    pub(crate) fn attribute(self, name: &str) -> Option<&'t str> {
        let Content::Element { attributes, .. } = &self.stored()?.content else { return None };
        let attributes = self.tree.attributes.get(attributes.start as usize..attributes.end as usize)?;
        let named = |id: u32| self.tree.names.get(id as usize).is_some_and(|known| known == name);
        attributes.iter().find(|(id, _)| named(*id)).map(|(_, value)| value.as_ref())
    }

    /// Its child elements and texts.
    pub(crate) fn children(self) -> Children<'t> {
        let end = self.stored().map_or(self.at, |stored| stored.after);
        Children { tree: self.tree, at: self.at + 1, end }
    }

    /// Its child elements with this name.
    pub(crate) fn all(self, name: &'t str) -> impl Iterator<Item = Node<'t>> {
        self.children().filter(move |child| child.name() == name)
    }

    /// Its first child element with this name.
    pub(crate) fn child(self, name: &str) -> Option<Node<'t>> {
        self.children().find(|child| child.name() == name)
    }

    /// The element at the end of a path of first child elements.
    pub(crate) fn path(self, names: &[&str]) -> Option<Node<'t>> {
        names.iter().try_fold(self, |node, name| node.child(name))
    }

    /// All descendants, in document order.
    pub(crate) fn descendants(self) -> impl Iterator<Item = Node<'t>> {
        let end = self.stored().map_or(self.at, |stored| stored.after);
        (self.at + 1..end).map(move |at| Node { tree: self.tree, at })
    }

    /// Its first descendant with this name.
    pub(crate) fn find(self, name: &str) -> Option<Node<'t>> {
        self.descendants().find(|node| node.name() == name)
    }

    /// All text of its descendants.
    pub(crate) fn text(self) -> String {
        self.descendants().filter_map(Node::as_text).collect()
    }
}

/// Iterates over the child elements and texts.
#[derive(Clone, Debug)]
pub(crate) struct Children<'t> {
    tree: &'t Tree<'t>,
    at: u32,
    end: u32,
}

impl<'t> Iterator for Children<'t> {
    type Item = Node<'t>;

    fn next(&mut self) -> Option<Node<'t>> {
        if self.at >= self.end {
            return None;
        }
        let node = Node { tree: self.tree, at: self.at };
        self.at = node.stored().map_or(self.end, |stored| stored.after.max(self.at + 1));
        Some(node)
    }
}

#[cfg(test)]
mod tests;
