//! OpenDocument texts and presentations.
//! Source: OpenDocument 1.3 part 3 (OASIS).

mod lists;
mod object;
mod slides;
mod styles;
mod table;
mod text;

use document::{BlockKind, Document, Format, ParseError};

use super::write::Writer;
use crate::package::Package;
use crate::xml::{self, Tree};
use styles::Styles;
use text::Reader;

/// Parses an ODT or ODP file.
pub(super) fn read(package: &Package<'_>, format: Format) -> Result<Document, ParseError> {
    let manifest = package.part("META-INF/manifest.xml")?.unwrap_or_default();
    if manifest.contains("encryption-data") {
        return Err(ParseError::Encrypted);
    }
    let damaged = || ParseError::Damaged("it has no content".to_owned());
    let content = package.part("content.xml")?.ok_or_else(damaged)?;
    let tree = xml::tree(&content, &package.limits)?;
    let common = package.part("styles.xml")?;
    let common = common.as_deref().and_then(|text| xml::tree(text, &package.limits).ok());
    let styles = Styles::read(common.iter().chain([&tree]).filter_map(Tree::root));
    let body = tree.root().and_then(|root| root.child("office:body")).ok_or_else(damaged)?;

    let mut writer = Writer::new(format, &package.limits);
    let mut reader = Reader::new(package, &styles);
    if let Some(text) = body.child("office:text") {
        let mut blocks = reader.blocks(text);
        blocks.append(&mut reader.notes());
        writer.write(&blocks);
    } else if let Some(slides) = body.child("office:presentation").or_else(|| body.child("office:drawing")) {
        slides::write(slides, &mut reader, common.as_ref().and_then(Tree::root), &mut writer);
    }
    let pages = writer.builder().document_mut().pages.len();
    let cut = tree.cut || reader.cut;
    let document = writer.builder().document_mut();
    let truncated = document.metadata.truncated || cut;
    document.metadata = package.opendocument_metadata()?;
    document.metadata.truncated = truncated;
    if pages > 0 {
        document.metadata.page_count = u32::try_from(pages).ok();
    }
    if document.metadata.title.is_none() {
        document.metadata.title = title(document);
    }
    writer.finish()
}

/// The text of the first block if it is a heading of the first level.
fn title(document: &Document) -> Option<String> {
    let first = document.blocks.first().filter(|block| block.kind == BlockKind::Heading { level: 1 })?;
    Some(document.text.chars().skip(first.start).take(first.end - first.start).collect())
}
