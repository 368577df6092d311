//! Slides: their shapes in drawing order, the title first, and the speaker's notes.

use std::collections::HashSet;
use std::rc::Rc;

use document::ParseError;

use super::super::drawing;
use super::super::flow::{FlowBlock, FlowCell, Inline};
use super::layout::{Layout, Layouts, Placeholder, placeholder};
use super::text::{self, InheritedLayout};
use crate::package::{Package, Relations};
use crate::xml::{self, Node};

/// A slide that is being parsed.
pub(super) struct Slide<'p> {
    package: &'p Package<'p>,
    relations: Relations,
    layout: Rc<Layout>,
    title: Option<Inline>,
    blocks: Vec<FlowBlock>,
    running: &'p mut RunningTexts,
}

/// Headers and footers found so far.
pub(super) type RunningTexts = HashSet<String>;

impl<'p> Slide<'p> {
    /// The blocks of a slide. An unreadable slide is empty.
    pub(super) fn read(
        package: &'p Package<'p>,
        part: &str,
        layouts: &mut Layouts,
        running: &'p mut RunningTexts,
    ) -> Result<Vec<FlowBlock>, ParseError> {
        let Some(content) = package.part(part)? else { return Ok(Vec::new()) };
        let Ok(tree) = xml::tree(&content, &package.limits) else { return Ok(Vec::new()) };
        let relations = package.relations(part)?;
        let notes = notes(package, &relations)?;
        let layout = layouts.of(package, part, 0)?;
        let mut slide = Self { package, relations, layout, title: None, blocks: Vec::new(), running };
        if let Some(shapes) = tree.root().and_then(|root| root.path(&["p:cSld", "p:spTree"])) {
            slide.shapes(shapes);
        }
        let mut blocks: Vec<FlowBlock> =
            slide.title.map(|text| FlowBlock::Heading { level: 1, text }).into_iter().collect();
        blocks.append(&mut slide.blocks);
        blocks.extend(notes);
        Ok(blocks)
    }

    fn shapes(&mut self, parent: Node<'_>) {
        for node in parent.children() {
            match node.name() {
                "p:sp" => self.shape(node),
                "p:grpSp" => self.shapes(node),
                "p:graphicFrame" => self.frame(node),
                "p:pic" => {
                    let picture = node.path(&["p:nvPicPr", "p:cNvPr"]).and_then(drawing::description_or_name);
                    self.blocks.extend(picture.map(|text| FlowBlock::Figure(Inline::plain(text))));
                }
                "mc:AlternateContent" => {
                    if let Some(chosen) = node.child("mc:Choice").or_else(|| node.child("mc:Fallback")) {
                        self.shapes(chosen);
                    }
                }
                _ => {}
            }
        }
    }

    fn shape(&mut self, shape: Node<'_>) {
        let place = placeholder(shape);
        let Some(body) = shape.child("p:txBody") else { return };
        match place.as_ref().map(|place| place.kind.as_str()) {
            Some("sldNum" | "dt") => {}
            // A running header or footer is kept only at its first occurrence.
            Some("ftr" | "hdr") => {
                let text = self.joined(body);
                let is_new = |text: &Inline| self.running.insert(text.text().to_owned());
                self.blocks.extend(text.filter(is_new).map(FlowBlock::Paragraph));
            }
            Some("title" | "ctrTitle") if self.title.is_none() => self.title = self.joined(body),
            _ => {
                let inherited = InheritedLayout { layout: &self.layout, place };
                self.blocks.extend(text::blocks(body, &inherited, &self.relations));
            }
        }
    }

    fn joined(&self, body: Node<'_>) -> Option<Inline> {
        let mut all = Inline::default();
        for paragraph in body.all("a:p") {
            all.join(" ", &text::inline(paragraph, &self.relations));
        }
        Some(all).filter(|text| !text.is_blank())
    }

    /// A table, chart or diagram.
    fn frame(&mut self, frame: Node<'_>) {
        let data = frame.path(&["a:graphic", "a:graphicData"]);
        for node in data.into_iter().flat_map(Node::children) {
            match node.name() {
                "a:tbl" => {
                    let table = self.table(node);
                    self.blocks.push(table);
                }
                "c:chart" | "dgm:relIds" => {
                    self.blocks.extend(drawing::related_part(self.package, &self.relations, node));
                }
                _ => {}
            }
        }
    }

    fn table(&self, table: Node<'_>) -> FlowBlock {
        let look = table.child("a:tblPr").and_then(|node| node.attribute("firstRow"));
        let has_header = matches!(look, Some("1" | "true"));
        let rows = table.all("a:tr").enumerate();
        FlowBlock::Table(
            rows.map(|(row, node)| {
                node.all("a:tc").map(|cell| self.cell(cell, has_header && row == 0)).collect()
            })
            .collect(),
        )
    }

    fn cell(&self, cell: Node<'_>, header: bool) -> FlowCell {
        if ["hMerge", "vMerge"].iter().any(|name| matches!(cell.attribute(name), Some("1" | "true"))) {
            return FlowCell::covered();
        }
        let span = |name: &str| {
            cell.attribute(name).and_then(|span| span.parse().ok()).unwrap_or(1_u32).clamp(1, 1_000)
        };
        let inherited = InheritedLayout { layout: &Layout::default(), place: None };
        let content = cell.child("a:txBody").map(|body| text::blocks(body, &inherited, &self.relations));
        FlowCell {
            content: content.unwrap_or_default(),
            row_span: span("rowSpan"),
            column_span: span("gridSpan"),
            header,
        }
    }
}

/// The speaker's notes of a slide.
fn notes(package: &Package<'_>, relations: &Relations) -> Result<Vec<FlowBlock>, ParseError> {
    let Some(content) = package.related(relations, "notesSlide")? else { return Ok(Vec::new()) };
    let Ok(tree) = xml::tree(&content, &package.limits) else { return Ok(Vec::new()) };
    let shapes = tree.root().into_iter().flat_map(Node::descendants).filter(|node| node.name() == "p:sp");
    let is_body = |place: &Placeholder| place.kind == "body";
    let bodies = shapes.filter(|shape| placeholder(*shape).as_ref().is_some_and(is_body));
    let paragraphs = bodies.filter_map(|shape| shape.child("p:txBody")).flat_map(drawing::paragraphs);
    Ok(paragraphs
        .enumerate()
        .map(|(index, paragraph)| {
            let mut text = Inline::plain(if index == 0 { "Notes: " } else { "" });
            text.join("", &paragraph);
            FlowBlock::Paragraph(text)
        })
        .collect())
}
