//! The tree.

use std::borrow::Cow;
use std::ops::Range;

use super::entities::decoded;
use super::lexer::Attribute;

/// Place of a node in document order.
pub(crate) type Id = usize;

/// A node and where what is below it ends.
#[derive(Debug)]
pub(crate) struct Node<'a> {
    pub(crate) parent: Id,
    /// The first node that is not below this one.
    pub(crate) end: Id,
    pub(crate) kind: Kind<'a>,
}

/// What a node is.
#[derive(Debug)]
pub(crate) enum Kind<'a> {
    Element {
        name: &'static str,
        attributes: Vec<Attribute<'a>>,
    },
    /// Text with its character references replaced.
    Text(Cow<'a, str>),
    /// Content of an element that holds no HTML.
    Raw(&'a str),
}

/// Nodes in document order; the first is the root and is named `html`.
#[derive(Debug)]
pub(crate) struct Tree<'a> {
    pub(crate) nodes: Vec<Node<'a>>,
    /// Whether a limit cut it.
    pub(crate) truncated: bool,
}

impl<'a> Tree<'a> {
    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// The element's name; nothing for texts.
    pub(crate) fn name(&self, id: Id) -> &'static str {
        match self.nodes.get(id).map(|node| &node.kind) {
            Some(Kind::Element { name, .. }) => name,
            _ => "",
        }
    }

    pub(crate) fn parent(&self, id: Id) -> Id {
        self.nodes.get(id).map_or(0, |node| node.parent)
    }

    pub(crate) fn end(&self, id: Id) -> Id {
        self.nodes.get(id).map_or(id + 1, |node| node.end)
    }

    /// The node and all below it.
    pub(crate) fn range(&self, id: Id) -> Range<Id> {
        id..self.end(id)
    }

    /// The nodes directly below.
    pub(crate) fn children(&self, id: Id) -> impl Iterator<Item = Id> + '_ {
        let end = self.end(id);
        let first = Some(id + 1).filter(|first| *first < end);
        std::iter::successors(first, move |child| Some(self.end(*child)).filter(|next| *next < end))
    }

    /// The node's ancestors, the nearest first, without itself.
    pub(crate) fn ancestors(&self, id: Id) -> impl Iterator<Item = Id> + '_ {
        let up = |id: Id| (id > 0).then(|| self.parent(id));
        std::iter::successors(up(id), move |id| up(*id))
    }

    /// An attribute as it is written.
    pub(crate) fn raw_attribute(&self, id: Id, name: &str) -> Option<&'a str> {
        match self.nodes.get(id).map(|node| &node.kind) {
            Some(Kind::Element { attributes, .. }) => {
                attributes.iter().find(|(known, _)| *known == name).map(|(_, value)| *value)
            }
            _ => None,
        }
    }

    /// An attribute with its character references replaced.
    pub(crate) fn attribute(&self, id: Id, name: &str) -> Option<Cow<'a, str>> {
        self.raw_attribute(id, name).map(decoded)
    }

    /// The text of a node that is one.
    pub(crate) fn text(&self, id: Id) -> Option<&str> {
        match self.nodes.get(id).map(|node| &node.kind) {
            Some(Kind::Text(text)) => Some(text),
            _ => None,
        }
    }

    /// The content of an element that holds no HTML.
    pub(crate) fn raw(&self, id: Id) -> Option<&'a str> {
        match self.nodes.get(id + 1).filter(|child| child.parent == id).map(|child| &child.kind) {
            Some(Kind::Raw(text)) => Some(text),
            _ => None,
        }
    }

    /// Whether the node is in the element.
    pub(crate) fn is_within(&self, id: Id, element: Id) -> bool {
        self.range(element).contains(&id)
    }

    /// All text below, at most so many bytes of it, white space collapsed.
    pub(crate) fn plain(&self, id: Id, most: usize) -> String {
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

/// Adds text with each run of white space as one space, none at the beginning.
pub(crate) fn push_collapsed(out: &mut String, text: &str) {
    for character in text.chars() {
        if !character.is_whitespace() {
            out.push(character);
        } else if !out.is_empty() && !out.ends_with(' ') {
            out.push(' ');
        }
    }
}
