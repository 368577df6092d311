//! The document tree.

use std::borrow::Cow;
use std::ops::Range;

use super::attributes::{Attribute, value};
use super::entities::decode_value;

/// Index of a node in document order.
pub type Id = usize;

/// A node with the end of its subtree.
#[derive(Debug)]
pub(crate) struct Node<'a> {
    pub(crate) parent: Id,
    /// The first node after its subtree.
    pub(crate) end: Id,
    pub(crate) kind: Kind<'a>,
}

/// The type of a node.
#[derive(Debug)]
pub(crate) enum Kind<'a> {
    Element {
        name: &'static str,
        attributes: Vec<Attribute<'a>>,
    },
    /// Text with its character references replaced.
    Text(Cow<'a, str>),
    /// Content of a raw text element.
    Raw(&'a str),
}

/// Nodes in document order. The first is the root and is named `html`.
#[derive(Debug)]
pub struct Tree<'a> {
    pub(crate) nodes: Vec<Node<'a>>,
    /// Whether the limit of nodes truncated it.
    pub(crate) truncated: bool,
}

impl<'a> Tree<'a> {
    /// Whether the limit of nodes truncated it.
    #[must_use]
    pub fn is_truncated(&self) -> bool {
        self.truncated
    }

    /// The number of nodes, with the root.
    #[must_use]
    pub fn node_count(&self) -> usize {
        self.nodes.len()
    }

    /// The element's name; empty for texts.
    #[must_use]
    pub fn name(&self, id: Id) -> &'static str {
        match self.nodes.get(id).map(|node| &node.kind) {
            Some(Kind::Element { name, .. }) => name,
            _ => "",
        }
    }

    /// The node's parent; the root's is itself.
    #[must_use]
    pub fn parent(&self, id: Id) -> Id {
        self.nodes.get(id).map_or(0, |node| node.parent)
    }

    /// The first node after the node's subtree.
    #[must_use]
    pub fn end(&self, id: Id) -> Id {
        self.nodes.get(id).map_or(id + 1, |node| node.end)
    }

    /// The range of the node's subtree.
    #[must_use]
    pub fn range(&self, id: Id) -> Range<Id> {
        id..self.end(id)
    }

    /// The child nodes.
    pub fn children(&self, id: Id) -> impl Iterator<Item = Id> + '_ {
        let end = self.end(id);
        let first = Some(id + 1).filter(|first| *first < end);
        std::iter::successors(first, move |child| Some(self.end(*child)).filter(|next| *next < end))
    }

    /// The node's ancestors, nearest first, without itself.
    pub fn ancestors(&self, id: Id) -> impl Iterator<Item = Id> + '_ {
        let up = |id: Id| (id > 0).then(|| self.parent(id));
        std::iter::successors(up(id), move |id| up(*id))
    }

    /// The raw value of an attribute.
    #[must_use]
    pub fn raw_attribute(&self, id: Id, name: &str) -> Option<&'a str> {
        match self.nodes.get(id).map(|node| &node.kind) {
            Some(Kind::Element { attributes, .. }) => value(attributes, name),
            _ => None,
        }
    }

    /// An attribute with its character references replaced.
    #[must_use]
    pub fn attribute(&self, id: Id, name: &str) -> Option<Cow<'a, str>> {
        self.raw_attribute(id, name).map(decode_value)
    }

    /// The text of a text node; `None` for others.
    #[must_use]
    pub fn text(&self, id: Id) -> Option<&str> {
        match self.nodes.get(id).map(|node| &node.kind) {
            Some(Kind::Text(text)) => Some(text),
            _ => None,
        }
    }

    /// The content of a raw text element.
    #[must_use]
    pub fn raw(&self, id: Id) -> Option<&'a str> {
        match self.nodes.get(id + 1).filter(|child| child.parent == id).map(|child| &child.kind) {
            Some(Kind::Raw(text)) => Some(text),
            _ => None,
        }
    }

    /// Whether the node is the element or its descendant.
    #[must_use]
    pub fn is_within(&self, id: Id, element: Id) -> bool {
        self.range(element).contains(&id)
    }

    /// The text of the subtree, at most `most` bytes, white space collapsed.
    #[must_use]
    pub fn plain(&self, id: Id, most: usize) -> String {
        let mut out = String::new();
        let mut ends: Vec<Id> = Vec::new();
        for node in self.range(id) {
            while ends.last().is_some_and(|end| *end <= node) {
                ends.pop();
                push_collapsed(&mut out, " ");
            }
            let name = self.name(node);
            if let Some(text) = self.text(node) {
                push_collapsed(&mut out, text);
            } else if super::is_block(name) || name == "br" {
                push_collapsed(&mut out, " ");
                ends.push(self.end(node));
            }
            if out.len() >= most {
                break;
            }
        }
        out.truncate(out.trim_end().len());
        out
    }
}

/// Appends text with collapsed white space, without a leading space.
pub(crate) fn push_collapsed(out: &mut String, text: &str) {
    for character in text.chars() {
        if !character.is_whitespace() {
            out.push(character);
        } else if !out.is_empty() && !out.ends_with(' ') {
            out.push(' ');
        }
    }
}
