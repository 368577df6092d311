//! PowerPoint presentations: a page for each slide, in presentation order. Source: ECMA-376 part 1, section
//! 19 (PresentationML).

mod layout;
mod slide;
mod text;

use document::{Document, Format, ParseError};

use super::write::Writer;
use crate::package::Package;
use crate::xml;
use layout::Layouts;
use slide::{RunningTexts, Slide};

/// English Metric Units in a point.
const UNITS: f32 = 12_700.0;

/// Parses a PPTX file.
pub(super) fn read(package: &Package<'_>) -> Result<Document, ParseError> {
    let main = package.main_part("ppt/presentation.xml")?;
    let damaged = || ParseError::Damaged("it has no list of slides".to_owned());
    let text = package.part(&main)?.ok_or_else(damaged)?;
    let tree = xml::tree(&text, &package.limits)?;
    let root = tree.root().ok_or_else(damaged)?;
    let relations = package.relations(&main)?;
    let length = |name: &str| {
        let size = root.child("p:sldSz").and_then(|node| node.attribute(name));
        size.and_then(|size| size.parse::<f32>().ok()).map_or(0.0, |units| units / UNITS)
    };
    let size = (length("cx"), length("cy"));

    let mut writer = Writer::new(Format::Pptx, &package.limits);
    let mut layouts = Layouts::default();
    let mut running = RunningTexts::new();
    let ids = root.child("p:sldIdLst").into_iter().flat_map(|list| list.all("p:sldId"));
    let mut count = 0;
    for part in ids.filter_map(|id| relations.get(id.attribute("r:id")?)) {
        count += 1;
        if count as usize > package.limits.pages || writer.is_full() {
            writer.builder().truncate();
            break;
        }
        let blocks = Slide::read(package, &part.target, &mut layouts, &mut running)?;
        writer.page(count, size, &blocks);
    }
    let document = writer.builder().document_mut();
    let truncated = document.metadata.truncated || tree.cut;
    document.metadata = package.metadata()?;
    document.metadata.page_count = Some(count);
    document.metadata.truncated = truncated;
    writer.finish()
}
