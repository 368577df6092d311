//! Parses bytes to a tree.

use std::borrow::Cow;

use document::ParseError;
use quick_xml::events::{BytesRef, BytesStart, Event};
use quick_xml::{Reader, XmlVersion};

use super::names::{Names, Scopes};
use super::{Content, StoredNode, Tree};
use crate::Limits;
use crate::encoding::decode;

/// Decodes an XML document by its declared encoding.
pub(crate) fn text(bytes: &[u8]) -> Cow<'_, str> {
    let head = bytes.get(..bytes.len().min(200)).unwrap_or_default();
    let declared = String::from_utf8_lossy(head).split_once("encoding=").and_then(|(_, rest)| {
        let quote = rest.chars().next()?;
        rest.get(1..)?.split(quote).next().map(str::to_owned)
    });
    decode(bytes, declared.as_deref())
}

/// Parses XML as far as it is well-formed and within the limits; omissions are marked.
///
/// # Errors
/// [`ParseError::Damaged`] when it has no element at all.
pub(crate) fn tree<'a>(text: &'a str, limits: &Limits) -> Result<Tree<'a>, ParseError> {
    let tree = build(text.trim_start_matches('\u{feff}').trim_start(), limits);
    if tree.nodes.is_empty() {
        return Err(ParseError::Damaged("a part of it is no XML".to_owned()));
    }
    Ok(tree)
}

fn build<'a>(text: &'a str, limits: &Limits) -> Tree<'a> {
    let mut reader = Reader::from_str(text);
    let config = reader.config_mut();
    config.check_end_names = false;
    config.allow_unmatched_ends = true;
    config.allow_dangling_amp = true;
    let mut growing = TreeBuilder::new(limits);
    loop {
        let event = reader.read_event();
        let goes_on = match event {
            Ok(Event::Start(tag)) => growing.start(&tag),
            Ok(Event::Empty(tag)) => growing.start(&tag) && growing.end(),
            Ok(Event::End(_)) => growing.end(),
            Ok(Event::Text(text)) => growing.text(text.xml10_content()),
            Ok(Event::CData(text)) => growing.text(text.xml10_content()),
            Ok(Event::GeneralRef(reference)) => growing.reference(&reference),
            Ok(Event::Eof) => break,
            Ok(_) => true,
            Err(_) => {
                growing.cut = true;
                break;
            }
        };
        if !goes_on {
            break;
        }
    }
    growing.finish()
}

struct TreeBuilder<'a> {
    nodes: Vec<StoredNode<'a>>,
    attributes: Vec<(u32, Cow<'a, str>)>,
    names: Names,
    scopes: Scopes,
    /// Indices of the open elements.
    open: Vec<u32>,
    /// Number of open elements beyond the maximum depth.
    too_deep: usize,
    cut: bool,
    most: usize,
    depth: usize,
}

impl<'a> TreeBuilder<'a> {
    fn new(limits: &Limits) -> Self {
        Self {
            nodes: Vec::new(),
            attributes: Vec::new(),
            names: Names::default(),
            scopes: Scopes::default(),
            open: Vec::new(),
            too_deep: 0,
            cut: false,
            most: limits.nodes.min(u32::MAX as usize / 2),
            depth: limits.depth,
        }
    }

    fn start(&mut self, tag: &BytesStart<'a>) -> bool {
        if self.open.len() >= self.depth {
            self.too_deep += 1;
            self.cut = true;
            return true;
        }
        if self.nodes.len() + self.attributes.len() >= self.most {
            self.cut = true;
            return false;
        }
        let depth = self.open.len();
        self.declare(tag, depth);
        let name = tag.name();
        let number = self.name(name.as_ref(), true);
        let first = self.attributes.len();
        self.attributes(tag);
        let range = place(first)..place(self.attributes.len());
        self.open.push(place(self.nodes.len()));
        self.nodes
            .push(StoredNode { content: Content::Element { name: number, attributes: range }, after: 0 });
        true
    }

    fn declare(&mut self, tag: &BytesStart<'_>, depth: usize) {
        if !tag.attributes_raw().contains("xmlns") {
            return;
        }
        for attribute in tag.attributes().with_checks(false).flatten() {
            let key = attribute.key.as_ref();
            if let Some(prefix) = key.strip_prefix("xmlns") {
                let address = attribute.value.as_ref();
                self.scopes.declare(depth, prefix.trim_start_matches(':'), address);
            }
        }
    }

    fn attributes(&mut self, tag: &BytesStart<'a>) {
        for attribute in tag.attributes().with_checks(false).flatten() {
            let key = attribute.key.as_ref();
            if key.starts_with("xmlns") || self.nodes.len() + self.attributes.len() >= self.most {
                continue;
            }
            let value = attribute.normalized_value(XmlVersion::Implicit1_0);
            let value = value.map_or_else(|_| attribute.value.to_string(), Cow::into_owned);
            let number = self.name(key, false);
            self.attributes.push((number, Cow::Owned(value)));
        }
    }

    /// The number of a name; attributes without a prefix are in no namespace.
    fn name(&mut self, raw: &str, element: bool) -> u32 {
        let (prefix, local) = raw.split_once(':').unwrap_or(("", raw));
        let usual = if prefix.is_empty() && !element { "" } else { self.scopes.resolve(prefix) };
        self.names.number(usual, local)
    }

    fn end(&mut self) -> bool {
        if self.too_deep > 0 {
            self.too_deep -= 1;
        } else if let Some(open) = self.open.pop() {
            let after = place(self.nodes.len());
            if let Some(stored) = self.nodes.get_mut(open as usize) {
                stored.after = after;
            }
            self.scopes.leave(self.open.len());
            return !self.open.is_empty();
        }
        true
    }

    fn text(&mut self, text: Cow<'a, str>) -> bool {
        if self.open.is_empty() || self.too_deep > 0 || text.is_empty() {
            return true;
        }
        if self.nodes.len() + self.attributes.len() >= self.most {
            self.cut = true;
            return false;
        }
        let after = place(self.nodes.len() + 1);
        self.nodes.push(StoredNode { content: Content::Text(text), after });
        true
    }

    /// Resolves the five entities of XML and numeric references; all others become nothing.
    fn reference(&mut self, reference: &BytesRef<'a>) -> bool {
        let name = reference.xml10_content();
        let text = match name.as_ref() {
            "amp" => Some('&'),
            "lt" => Some('<'),
            "gt" => Some('>'),
            "quot" => Some('"'),
            "apos" => Some('\''),
            "nbsp" => Some('\u{a0}'),
            _ => reference.resolve_char_ref().ok().flatten(),
        };
        let Some(text) = text else { return true };
        // Joined to the text before it, so that a text with many references stays one node.
        let before = self
            .nodes
            .len()
            .checked_sub(1)
            .filter(|at| self.open.last().is_some_and(|open| place(*at) > *open));
        if self.too_deep == 0
            && let Some(StoredNode { content: Content::Text(known), after }) =
                before.and_then(|at| self.nodes.get_mut(at))
            && *after > 0
        {
            known.to_mut().push(text);
            return true;
        }
        self.text(Cow::Owned(text.to_string()))
    }

    fn finish(mut self) -> Tree<'a> {
        let after = place(self.nodes.len());
        self.cut |= !self.open.is_empty();
        for open in self.open {
            if let Some(stored) = self.nodes.get_mut(open as usize) {
                stored.after = after;
            }
        }
        Tree { nodes: self.nodes, attributes: self.attributes, names: self.names.names, cut: self.cut }
    }
}

/// Indices fit into 32 bits, since their number is bounded far below.
fn place(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}
