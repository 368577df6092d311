//! Slides of OpenDocument presentations.

use std::collections::HashMap;

use super::super::flow::{FlowBlock, Inline, flattened};
use super::super::write::Writer;
use super::text::Reader;
use crate::xml::Node;

/// Writes a page for each slide. `common` has the master pages and their sizes.
pub(super) fn write(
    slides: Node<'_>,
    reader: &mut Reader<'_>,
    common: Option<Node<'_>>,
    writer: &mut Writer,
) {
    let sizes = common.map(sizes).unwrap_or_default();
    let most = reader.package.limits.pages;
    for (index, slide) in slides.all("draw:page").enumerate() {
        if index >= most || writer.is_full() {
            writer.builder().truncate();
            break;
        }
        let size = slide.attribute("draw:master-page-name").and_then(|master| sizes.get(master).copied());
        let mut blocks = blocks(slide, reader);
        blocks.append(&mut reader.notes());
        let number = u32::try_from(index + 1).unwrap_or(u32::MAX);
        writer.page(number, size.unwrap_or_default(), &blocks);
    }
}

fn blocks(slide: Node<'_>, reader: &mut Reader<'_>) -> Vec<FlowBlock> {
    let (mut title, mut blocks, mut notes) = (None, Vec::new(), Vec::new());
    for node in slide.children() {
        match (node.name(), node.attribute("presentation:class")) {
            (_, Some("footer" | "date-time" | "page-number" | "header")) => {}
            (_, Some("title")) if title.is_none() => {
                let mut inner = Vec::new();
                reader.read_frame(node, &mut inner);
                title = Some(flattened(&inner)).filter(|text| !text.is_blank());
            }
            ("presentation:notes", _) => {
                for frame in node
                    .all("draw:frame")
                    .filter(|frame| frame.attribute("presentation:class") == Some("notes"))
                {
                    reader.read_frame(frame, &mut notes);
                }
            }
            _ => reader.block(node, &mut blocks),
        }
    }
    let mut all: Vec<FlowBlock> =
        title.map(|text| FlowBlock::Heading { level: 1, text }).into_iter().collect();
    all.append(&mut blocks);
    let notes = flattened(&notes);
    if !notes.is_blank() {
        let mut text = Inline::plain("Notes: ");
        text.join("", &notes);
        all.push(FlowBlock::Paragraph(text));
    }
    all
}

/// The page size of each master, in points.
fn sizes(common: Node<'_>) -> HashMap<&str, (f32, f32)> {
    let layouts = common
        .child("office:automatic-styles")
        .into_iter()
        .flat_map(|styles| styles.all("style:page-layout"));
    let layouts: HashMap<&str, (f32, f32)> =
        layouts.filter_map(|layout| Some((layout.attribute("style:name")?, size(layout)?))).collect();
    let masters =
        common.child("office:master-styles").into_iter().flat_map(|styles| styles.all("style:master-page"));
    let of_master = |master: Node<'_>| layouts.get(master.attribute("style:page-layout-name")?).copied();
    masters.filter_map(|master| Some((master.attribute("style:name")?, of_master(master)?))).collect()
}

fn size(layout: Node<'_>) -> Option<(f32, f32)> {
    let properties = layout.child("style:page-layout-properties")?;
    Some((points(properties.attribute("fo:page-width")?)?, points(properties.attribute("fo:page-height")?)?))
}

/// A length such as `28cm` in points.
fn points(length: &str) -> Option<f32> {
    let digits = length.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let value: f32 = digits.parse().ok()?;
    let unit = match length.get(digits.len()..)? {
        // Points: 72 to an inch, which has 96 pixels (CSS 2.2, 4.3.2).
        "cm" => 72.0 / 2.54,
        "mm" => 7.2 / 2.54,
        "in" => 72.0,
        "pc" => 12.0,
        "px" => 0.75,
        _ => 1.0,
    };
    Some(value * unit)
}
