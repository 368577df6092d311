//! EPUB books: the chapters in spine order, each parsed as HTML. Source: EPUB 3.3 (W3C), sections 4
//! (container) and 5 (package document).

use std::collections::HashMap;

use document::{Document, Format, Metadata, ParseError};

use crate::builder::Builder;
use crate::html;
use crate::package::{Package, resolved};
use crate::xml::{self, Node};

/// A file of the book.
struct Item {
    path: String,
    kind: String,
}

/// Parses an EPUB file.
pub(super) fn read(package: &Package<'_>) -> Result<Document, ParseError> {
    let limits = &package.limits;
    if package.part("META-INF/encryption.xml")?.is_some_and(|text| locks_chapters(&text)) {
        return Err(ParseError::Encrypted);
    }
    let damaged = || ParseError::Damaged("it has no list of its chapters".to_owned());
    let main = main_file(package)?.ok_or_else(damaged)?;
    let text = package.part(&main)?.ok_or_else(damaged)?;
    let tree = xml::tree(&text, limits)?;
    let root = tree.root().ok_or_else(damaged)?;
    let folder = main.rsplit_once('/').map_or("", |(folder, _)| folder);
    let items = manifest(root, folder);

    let mut builder = Builder::new(Format::Epub, limits);
    let spine = root.child("spine").into_iter().flat_map(|spine| spine.all("itemref"));
    for (index, item) in spine.filter_map(|node| items.get(node.attribute("idref")?)).enumerate() {
        if index >= limits.pages || builder.is_full() {
            builder.truncate();
            break;
        }
        if item.kind.contains("html") || item.kind.is_empty() {
            let chapter = package.part(&item.path)?.unwrap_or_default();
            builder.append(html::parse_html(&crate::encoding::normalised(&chapter), limits));
        }
    }
    let document = builder.document_mut();
    let truncated = document.metadata.truncated || tree.cut;
    document.metadata = metadata(root);
    document.metadata.truncated = truncated;
    let document = builder.finish();
    if document.text.trim().is_empty() { Err(ParseError::NoText) } else { Ok(document) }
}

/// The cover image, as the manifest of EPUB 2 or 3 names it.
pub(crate) fn cover(package: &Package<'_>) -> Option<Vec<u8>> {
    let main = main_file(package).ok()??;
    let text = package.part(&main).ok()??;
    let tree = xml::tree(&text, &package.limits).ok()?;
    let root = tree.root()?;
    let folder = main.rsplit_once('/').map_or("", |(folder, _)| folder);
    let items = || root.child("manifest").into_iter().flat_map(|manifest| manifest.all("item"));
    let is_cover = |node: &Node<'_>| {
        node.attribute("properties").is_some_and(|all| all.split_whitespace().any(|one| one == "cover-image"))
    };
    let named = || {
        let metadata = root.child("metadata")?;
        let meta = metadata.descendants().find(|node| node.attribute("name") == Some("cover"))?;
        let id = meta.attribute("content")?;
        items().find(|node| node.attribute("id") == Some(id))
    };
    let href = items().find(is_cover).or_else(named)?.attribute("href")?;
    package.content(&resolved(&unescaped(href), folder)).ok()?
}

/// Whether more than fonts is encrypted.
fn locks_chapters(text: &str) -> bool {
    let text = text.to_ascii_lowercase();
    [".xhtml", ".html", ".htm\""].iter().any(|ending| text.contains(ending))
}

/// The package document: the one that the container names, or the only one.
fn main_file(package: &Package<'_>) -> Result<Option<String>, ParseError> {
    if let Some(text) = package.part("META-INF/container.xml")?
        && let Ok(tree) = xml::tree(&text, &package.limits)
    {
        let file =
            tree.root().and_then(|root| root.find("rootfile")).and_then(|node| node.attribute("full-path"));
        if let Some(path) = file {
            return Ok(Some(resolved(path, "")));
        }
    }
    Ok(package.names().find(|name| name.ends_with(".opf")).map(str::to_owned))
}

fn manifest(root: Node<'_>, folder: &str) -> HashMap<String, Item> {
    let items = root.child("manifest").into_iter().flat_map(|manifest| manifest.all("item"));
    let item = |node: Node<'_>| {
        let path = resolved(&unescaped(node.attribute("href")?.split('#').next()?), folder);
        let kind = node.attribute("media-type").unwrap_or_default().to_ascii_lowercase();
        Some((node.attribute("id")?.to_owned(), Item { path, kind }))
    };
    items.filter_map(item).collect()
}

/// Decodes percent-encoded characters of a path (`%20`).
fn unescaped(path: &str) -> String {
    let mut bytes = Vec::with_capacity(path.len());
    let mut rest = path.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        let code = after.get(..2).filter(|_| *first == b'%').and_then(|code| std::str::from_utf8(code).ok());
        match code.and_then(|code| u8::from_str_radix(code, 16).ok()) {
            Some(byte) => {
                bytes.push(byte);
                rest = after.get(2..).unwrap_or_default();
            }
            None => {
                bytes.push(*first);
                rest = after;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn metadata(root: Node<'_>) -> Metadata {
    let meta = root.child("metadata");
    let value = |name: &str| {
        let text = meta.and_then(|meta| meta.find(name)).map(|node| node.text().trim().to_owned());
        text.filter(|text| !text.is_empty())
    };
    let modified = meta
        .into_iter()
        .flat_map(Node::descendants)
        .find(|node| node.name() == "meta" && node.attribute("property") == Some("dcterms:modified"));
    Metadata {
        title: value("dc:title"),
        author: value("dc:creator"),
        created: value("dc:date"),
        modified: modified.map(|node| node.text().trim().to_owned()),
        language: value("dc:language"),
        ..Metadata::default()
    }
}
