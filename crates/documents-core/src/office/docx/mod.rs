//! Word documents, in both editions of Office Open XML.
//! Source: ECMA-376 parts 1 and 4, section 17 (WordprocessingML).

mod body;
mod notes;
mod numbering;
mod paragraph;
mod run;
mod styles;
mod table;

use document::{Document, Format, ParseError};

use super::write::Writer;
use crate::package::Package;
use crate::xml;
use body::Body;
use numbering::Numbering;
use styles::Styles;

pub(super) use run::hyperlink;

/// Parses a DOCX file.
pub(super) fn read(package: &Package<'_>) -> Result<Document, ParseError> {
    let limits = &package.limits;
    let main = package.main_part("word/document.xml")?;
    let damaged = || ParseError::Damaged("it has no main text".to_owned());
    let text = package.part(&main)?.ok_or_else(damaged)?;
    let tree = xml::tree(&text, limits)?;
    let relations = package.relations(&main)?;
    let styles = match package.related(&relations, "styles")? {
        Some(styles) => Styles::read(&styles, limits),
        None => Styles::default(),
    };
    let numbering = match package.related(&relations, "numbering")? {
        Some(numbering) => Numbering::read(&numbering, limits),
        None => Numbering::default(),
    };
    let root = tree.root().and_then(|root| root.child("w:body")).ok_or_else(damaged)?;
    let mut body = Body::new(package, relations.clone(), &styles, numbering);
    let mut blocks = body.blocks(root);
    body.end(&mut blocks);
    body.notes(&relations, &mut blocks)?;

    let mut writer = Writer::new(Format::Docx, limits);
    writer.write(&blocks);
    let fields = std::mem::take(&mut body.fields);
    let document = writer.builder().document_mut();
    document.fields = fields;
    let truncated = document.metadata.truncated || tree.cut;
    document.metadata = package.metadata()?;
    document.metadata.truncated = truncated;
    if document.metadata.language.is_none() {
        document.metadata.language = styles.language().map(str::to_owned);
    }
    writer.finish()
}
