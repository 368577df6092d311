//! Paragraphs: headings, list items, quotations, code and running text.

use super::super::flow::{FlowBlock, Inline};
use super::super::role::{Role, by_outline};
use super::body::Body;
use super::styles::{ListPlace, is_set, list_place};
use crate::xml::Node;

/// The content of a paragraph.
#[derive(Debug, Default)]
pub(super) struct Line {
    pub(super) text: Inline,
    /// Descriptions of its pictures.
    pub(super) figures: Vec<Inline>,
    /// Content of text boxes and charts that are anchored in it.
    pub(super) boxes: Vec<FlowBlock>,
}

impl Body<'_> {
    /// Parses a paragraph and what is anchored in it.
    pub(super) fn paragraph(&mut self, node: Node<'_>, blocks: &mut Vec<FlowBlock>) {
        let properties = node.child("w:pPr");
        let mut line = Line { text: std::mem::take(&mut self.pending_text), ..Line::default() };
        self.resume_links(&line.text);
        self.runs(node, &mut line);
        self.pause_links(&mut line.text);
        if properties.and_then(|node| node.path(&["w:rPr", "w:del"])).is_some() {
            self.pending_text = line.text;
        } else {
            // A paragraph without text still counts in its list.
            let blank = line.text.is_blank();
            let block = self.block(properties, line.text);
            if !blank {
                add(blocks, block);
            }
        }
        blocks.extend(line.figures.into_iter().map(FlowBlock::Figure));
        blocks.append(&mut line.boxes);
    }

    fn block(&mut self, properties: Option<Node<'_>>, text: Inline) -> FlowBlock {
        let value = |name: &str| {
            properties.and_then(|node| node.child(name)).and_then(|node| node.attribute("w:val"))
        };
        let style = value("w:pStyle");
        let role = match value("w:outlineLvl").and_then(|level| level.parse::<u8>().ok()) {
            Some(level) => by_outline(level),
            None => self.styles.role(style),
        };
        let place = self.list_place(properties, style);
        let label = place
            .list
            .as_deref()
            .filter(|list| *list != "0")
            .and_then(|list| self.numbering.next(list, usize::from(place.level.unwrap_or(0))));
        match (role, label) {
            (Role::Heading(level), label) => {
                let mut heading = Inline::plain(label.map(|label| label.text).unwrap_or_default());
                heading.join(" ", &text);
                FlowBlock::Heading { level, text: heading }
            }
            (Role::Text, Some(label)) => FlowBlock::Item {
                depth: place.level.unwrap_or(0),
                ordered: label.ordered,
                label: label.text,
                text,
            },
            (Role::Quote, _) => FlowBlock::Quote(text),
            (Role::Code, _) => FlowBlock::Code(text),
            (Role::Text, None) => FlowBlock::Paragraph(text),
        }
    }

    /// The list position: the paragraph's own, else that of its style.
    fn list_place(&self, properties: Option<Node<'_>>, style: Option<&str>) -> ListPlace {
        let own = properties.and_then(|node| node.child("w:numPr")).map(list_place).unwrap_or_default();
        let by_style = self.styles.place(style);
        ListPlace { list: own.list.or(by_style.list), level: own.level.or(by_style.level) }
    }
}

/// Adds a block; adjacent lines of code are merged.
fn add(blocks: &mut Vec<FlowBlock>, block: FlowBlock) {
    if let (Some(FlowBlock::Code(before)), FlowBlock::Code(text)) = (blocks.last_mut(), &block) {
        before.join("\n", text);
        return;
    }
    blocks.push(block);
}

/// Whether a run is hidden.
pub(super) fn is_hidden(body: &Body<'_>, run: Node<'_>) -> bool {
    let Some(properties) = run.child("w:rPr") else { return false };
    match properties.child("w:vanish") {
        Some(vanish) => is_set(vanish),
        None => {
            let style = properties.child("w:rStyle").and_then(|style| style.attribute("w:val"));
            style.is_some() && body.styles.is_hidden(style)
        }
    }
}
