//! Text of OpenDocument: paragraphs, headings, lists, notes and frames.

use super::super::flow::{FlowBlock, Inline, flattened};
use super::super::role::Role;
use super::lists::Counters;
use super::styles::Styles;
use super::{object, table};
use crate::package::Package;
use crate::xml::Node;

/// Parses blocks, and keeps the state that spans several of them.
pub(super) struct Reader<'p> {
    pub(super) package: &'p Package<'p>,
    pub(super) styles: &'p Styles,
    counters: Counters,
    notes: Vec<FlowBlock>,
    marks: usize,
    /// Whether a limit truncated the content.
    pub(super) cut: bool,
    /// Bytes that repeated cells and rows may still add.
    pub(super) room: usize,
}

/// Maximum bytes that repeated cells and rows add. Protects memory.
const ROOM: usize = 8 << 20;

/// An open list: its style and its depth.
#[derive(Clone, Copy)]
struct List<'t> {
    style: Option<&'t str>,
    depth: usize,
}

/// The content of a paragraph.
#[derive(Debug, Default)]
struct Line {
    text: Inline,
    /// The blocks anchored in it.
    boxes: Vec<FlowBlock>,
    /// Whether its last character is white space.
    spaced: bool,
}

/// Maximum spaces of one space element. Protects memory.
const SPACES: usize = 200;

impl<'p> Reader<'p> {
    pub(super) fn new(package: &'p Package<'p>, styles: &'p Styles) -> Self {
        Self {
            package,
            styles,
            counters: Counters::default(),
            notes: Vec::new(),
            marks: 0,
            cut: false,
            room: ROOM,
        }
    }

    /// The notes parsed so far; they are removed from the state.
    pub(super) fn notes(&mut self) -> Vec<FlowBlock> {
        std::mem::take(&mut self.notes)
    }

    /// The blocks within an element.
    pub(super) fn blocks(&mut self, parent: Node<'_>) -> Vec<FlowBlock> {
        let mut blocks = Vec::new();
        for node in parent.children() {
            self.block(node, &mut blocks);
        }
        blocks
    }

    pub(super) fn block(&mut self, node: Node<'_>, blocks: &mut Vec<FlowBlock>) {
        match node.name() {
            "text:p" | "text:h" => self.paragraph(node, None, blocks),
            "text:list" => self.list(node, None, blocks),
            "table:table" => {
                let table = table::read(node, self);
                blocks.push(table);
            }
            "text:section" => {
                if node.attribute("text:display") != Some("none") {
                    blocks.append(&mut self.blocks(node));
                }
            }
            "text:tracked-changes" | "office:annotation" | "text:sequence-decls" | "office:forms" => {}
            "draw:frame" | "draw:g" | "draw:custom-shape" | "draw:rect" | "draw:a" | "draw:ellipse"
            | "draw:line" | "draw:connector" | "draw:text-box" => self.read_frame(node, blocks),
            "" => {}
            _ => blocks.append(&mut self.blocks(node)),
        }
    }

    /// A paragraph or heading; `item` is the list whose item begins with it.
    fn paragraph(&mut self, node: Node<'_>, item: Option<(List<'_>, String)>, blocks: &mut Vec<FlowBlock>) {
        let style = node.attribute("text:style-name");
        if self.styles.is_hidden(style, false) {
            return;
        }
        let mut line = Line { spaced: true, ..Line::default() };
        self.inline(node, &mut line);
        let role = match node.attribute("text:outline-level").and_then(|level| level.parse::<u8>().ok()) {
            Some(level) if node.name() == "text:h" => Role::Heading(level.clamp(1, 6)),
            _ if node.name() == "text:h" => Role::Heading(1),
            _ => self.styles.role(style),
        };
        let text = line.text;
        if !text.is_blank() {
            match (role, item) {
                (Role::Heading(level), item) => {
                    let mut heading = Inline::plain(item.map(|(_, label)| label).unwrap_or_default());
                    heading.join(" ", &text);
                    blocks.push(FlowBlock::Heading { level, text: heading });
                }
                (_, Some((list, label))) => blocks.push(FlowBlock::Item {
                    depth: u8::try_from(list.depth).unwrap_or(u8::MAX),
                    ordered: !label.is_empty(),
                    label,
                    text,
                }),
                (Role::Quote, None) => blocks.push(FlowBlock::Quote(text)),
                (Role::Code, None) => match blocks.last_mut() {
                    Some(FlowBlock::Code(before)) => before.join("\n", &text),
                    _ => blocks.push(FlowBlock::Code(text)),
                },
                (Role::Text, None) => blocks.push(FlowBlock::Paragraph(text)),
            }
        }
        blocks.append(&mut line.boxes);
    }

    fn list(&mut self, node: Node<'_>, outer: Option<List<'_>>, blocks: &mut Vec<FlowBlock>) {
        let style = node.attribute("text:style-name").or(outer.and_then(|outer| outer.style));
        let list = List { style, depth: outer.map_or(0, |outer| outer.depth + 1) };
        let goes_on = node.attribute("text:continue-numbering") == Some("true")
            || node.attribute("text:continue-list").is_some();
        if outer.is_none() && !goes_on {
            self.counters.restart(style.unwrap_or_default());
        }
        for item in node.children() {
            match item.name() {
                "text:list-item" => self.item(item, list, true, blocks),
                "text:list-header" => self.item(item, list, false, blocks),
                _ => {}
            }
        }
    }

    fn item(&mut self, item: Node<'_>, list: List<'_>, counted: bool, blocks: &mut Vec<FlowBlock>) {
        let mut begun = !counted;
        for node in item.children() {
            match node.name() {
                "text:list" => self.list(node, Some(list), blocks),
                "text:p" | "text:h" => {
                    let start = item.attribute("text:start-value").and_then(|start| start.parse().ok());
                    let name = list.style.unwrap_or_default();
                    let label = (!begun).then(|| self.counters.next(self.styles, name, list.depth, start));
                    begun = true;
                    self.paragraph(node, label.map(|label| (list, label)), blocks);
                }
                _ => self.block(node, blocks),
            }
        }
    }

    fn inline(&mut self, parent: Node<'_>, line: &mut Line) {
        for node in parent.children() {
            if let Some(text) = node.as_text() {
                line.push_collapsed(text);
                continue;
            }
            match node.name() {
                "text:s" => {
                    let count =
                        node.attribute("text:c").and_then(|count| count.parse().ok()).unwrap_or(1_usize);
                    line.push_preserved(&" ".repeat(count.min(SPACES)));
                }
                "text:tab" => line.push_preserved("\t"),
                "text:line-break" => line.push_preserved("\n"),
                "text:span" => {
                    if !self.styles.is_hidden(node.attribute("text:style-name"), true) {
                        self.inline(node, line);
                    }
                }
                "text:a" => {
                    let start = line.text.len();
                    self.inline(node, line);
                    line.text.link(start, node.attribute("xlink:href").unwrap_or_default());
                }
                "text:note" => self.note(node, line),
                "text:ruby" => {
                    if let Some(base) = node.child("text:ruby-base") {
                        self.inline(base, line);
                    }
                }
                "text:hidden-text" | "text:hidden-paragraph" => {
                    if node.attribute("text:is-hidden") == Some("false") {
                        line.push_preserved(node.attribute("text:string-value").unwrap_or_default());
                        self.inline(node, line);
                    }
                }
                "office:annotation" | "text:tracked-changes" | "text:script" => {}
                "draw:frame" | "draw:g" | "draw:custom-shape" | "draw:rect" | "draw:ellipse"
                | "draw:line" | "draw:a" => {
                    if let Some(formula) = object::formula(self.package, node) {
                        line.push_preserved(&formula);
                    } else {
                        self.read_frame(node, &mut line.boxes);
                    }
                }
                _ => self.inline(node, line),
            }
        }
    }

    fn note(&mut self, node: Node<'_>, line: &mut Line) {
        self.marks += 1;
        let label = self.marks.to_string();
        line.push_preserved(&format!("[^{label}]"));
        if let Some(body) = node.child("text:note-body") {
            let text = flattened(&self.blocks(body));
            self.notes.push(FlowBlock::Footnote { label, text });
        }
    }

    /// A frame, shape or group: its text, its table, or the description of its picture.
    pub(super) fn read_frame(&mut self, node: Node<'_>, blocks: &mut Vec<FlowBlock>) {
        let described = ["svg:desc", "svg:title"].iter().find_map(|name| {
            let text = node.child(name).map(Node::text)?;
            Some(text.trim().to_owned()).filter(|text| !text.is_empty())
        });
        let mut pictured = false;
        for child in node.children() {
            match child.name() {
                "draw:text-box" => blocks.append(&mut self.blocks(child)),
                "draw:image" if node.child("table:table").is_none() => {
                    if !pictured && node.child("draw:object").is_none() {
                        pictured = true;
                        blocks.extend(described.clone().map(|text| FlowBlock::Figure(Inline::plain(text))));
                    }
                }
                "draw:object" => {
                    // A chart has no embedded objects, so the recursion ends.
                    let read =
                        |chart: Node<'_>| table::read(chart, &mut Reader::new(self.package, self.styles));
                    blocks.extend(object::table(self.package, child, read));
                }
                "svg:desc" | "svg:title" | "draw:image" => {}
                _ => self.block(child, blocks),
            }
        }
    }
}

impl Line {
    /// Appends text with collapsed white space.
    fn push_collapsed(&mut self, text: &str) {
        for c in text.chars() {
            let space = matches!(c, ' ' | '\t' | '\n' | '\r');
            if !(space && self.spaced) {
                self.text.push(if space { ' ' } else { c }.encode_utf8(&mut [0; 4]));
            }
            self.spaced = space;
        }
    }

    /// Appends text unchanged.
    fn push_preserved(&mut self, text: &str) {
        self.text.push(text);
        self.spaced = false;
    }
}
