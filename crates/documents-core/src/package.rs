//! Packages of Office Open XML and OpenDocument: parts, metadata, and the relationships between parts.
//! Sources: ECMA-376 part 2 (Open Packaging Conventions), OpenDocument 1.3 part 2.

use std::collections::HashMap;

use document::{Metadata, ParseError};

use crate::Limits;
use crate::container::Container;
use crate::xml::{self, Node};

/// An open package.
#[derive(Debug)]
pub(crate) struct Package<'a> {
    container: Container<'a>,
    pub(crate) limits: Limits,
}

/// A relationship of a part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Relation {
    /// The last segment of its type's URL, which is the same in both editions of the standard.
    pub(crate) kind: String,
    /// A part's name, or an external URL.
    pub(crate) target: String,
    pub(crate) external: bool,
}

impl Relation {
    /// Whether it has this type and an internal target.
    pub(crate) fn is_inner(&self, kind: &str) -> bool {
        !self.external && self.kind == kind
    }
}

/// The relationships of a part by their ids.
pub(crate) type Relations = HashMap<String, Relation>;

impl<'a> Package<'a> {
    pub(crate) fn new(container: Container<'a>, limits: &Limits) -> Self {
        Self { container, limits: *limits }
    }

    /// A part's XML; `None` when it is missing or unreadable. Exceeding the limits is an error.
    pub(crate) fn part(&self, name: &str) -> Result<Option<String>, ParseError> {
        Ok(self.content(name)?.map(text_of))
    }

    /// A part's bytes; `None` when it is missing or unreadable. Exceeding the limits is an error.
    pub(crate) fn content(&self, name: &str) -> Result<Option<Vec<u8>>, ParseError> {
        match self.container.read(name) {
            Ok(content) => Ok(content),
            Err(ParseError::Damaged(_)) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Bytes inflated so far.
    pub(crate) fn spent(&self) -> usize {
        self.container.spent()
    }

    /// The names of its parts.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.container.names()
    }

    /// The relationships of a part; those of the package itself for an empty name.
    pub(crate) fn relations(&self, part: &str) -> Result<Relations, ParseError> {
        let (folder, file) = part.rsplit_once('/').unwrap_or(("", part));
        let separator = if folder.is_empty() { "" } else { "/" };
        let Some(text) = self.part(&format!("{folder}{separator}_rels/{file}.rels"))? else {
            return Ok(Relations::new());
        };
        let Ok(tree) = xml::tree(&text, &self.limits) else { return Ok(Relations::new()) };
        let relations = tree.root().into_iter().flat_map(|root| root.all("Relationship"));
        Ok(relations.filter_map(|node| relation(node, folder)).collect())
    }

    /// The main part of the package, or `usual` when no relationship names it.
    pub(crate) fn main_part(&self, usual: &str) -> Result<String, ParseError> {
        let relations = self.relations("")?;
        let main = relations.into_values().find(|relation| relation.kind == "officeDocument");
        let named = main.map(|relation| relation.target).filter(|name| self.container.contains(name));
        Ok(named.unwrap_or_else(|| usual.to_owned()))
    }

    /// The first related part of a type.
    pub(crate) fn related(&self, relations: &Relations, kind: &str) -> Result<Option<String>, ParseError> {
        let related = relations.values().filter(|relation| relation.kind == kind && !relation.external);
        match related.map(|relation| &relation.target).min() {
            Some(target) => self.part(target),
            None => Ok(None),
        }
    }

    /// The metadata of the package.
    pub(crate) fn metadata(&self) -> Result<Metadata, ParseError> {
        let relations = self.relations("")?;
        let mut metadata = Metadata::default();
        let core = match self.related(&relations, "core-properties")? {
            Some(core) => Some(core),
            None => self.part("docProps/core.xml")?,
        };
        if let Some(text) = core
            && let Ok(tree) = xml::tree(&text, &self.limits)
            && let Some(root) = tree.root()
        {
            let value = |name: &str| {
                root.child(name).map(|node| node.text().trim().to_owned()).filter(|text| !text.is_empty())
            };
            metadata.title = value("dc:title");
            metadata.author = value("dc:creator");
            metadata.created = value("dcterms:created");
            metadata.modified = value("dcterms:modified");
            metadata.language = value("dc:language");
        }
        if let Some(text) = self.related(&relations, "extended-properties")?
            && let Ok(tree) = xml::tree(&text, &self.limits)
            && let Some(root) = tree.root()
        {
            metadata.page_count = root.child("Pages").and_then(|node| node.text().trim().parse().ok());
        }
        Ok(metadata)
    }

    /// The metadata of an OpenDocument self.
    pub(crate) fn opendocument_metadata(&self) -> Result<Metadata, ParseError> {
        let mut metadata = Metadata::default();
        let Some(text) = self.part("meta.xml")? else { return Ok(metadata) };
        let Ok(tree) = xml::tree(&text, &self.limits) else { return Ok(metadata) };
        let Some(meta) = tree.root().and_then(|root| root.child("office:meta")) else { return Ok(metadata) };
        let value = |name: &str| {
            let text = meta.child(name).map(|node| node.text().trim().to_owned());
            text.filter(|text| !text.is_empty())
        };
        metadata.title = value("dc:title");
        metadata.author = value("meta:initial-creator").or_else(|| value("dc:creator"));
        metadata.created = value("meta:creation-date");
        metadata.modified = value("dc:date");
        metadata.language = value("dc:language");
        let pages = meta.child("meta:document-statistic").and_then(|node| node.attribute("meta:page-count"));
        metadata.page_count = pages.and_then(|pages| pages.parse().ok());
        Ok(metadata)
    }
}

fn text_of(content: Vec<u8>) -> String {
    match String::from_utf8(content) {
        Ok(text) => text,
        Err(other) => xml::text(other.as_bytes()).into_owned(),
    }
}

fn relation(node: Node<'_>, folder: &str) -> Option<(String, Relation)> {
    let target = node.attribute("Target")?;
    let external = node.attribute("TargetMode").is_some_and(|mode| mode.eq_ignore_ascii_case("external"));
    let target = if external { target.to_owned() } else { resolved(target, folder) };
    let kind = node.attribute("Type")?.rsplit('/').next()?.to_owned();
    Some((node.attribute("Id")?.to_owned(), Relation { kind, target, external }))
}

/// The absolute name of a part that another part of `folder` refers to.
pub(crate) fn resolved(target: &str, folder: &str) -> String {
    let mut steps: Vec<&str> = if target.starts_with('/') { Vec::new() } else { folder.split('/').collect() };
    for step in target.split('/') {
        match step {
            "" | "." => {}
            ".." => {
                steps.pop();
            }
            step => steps.push(step),
        }
    }
    steps.retain(|step| !step.is_empty());
    steps.join("/")
}
