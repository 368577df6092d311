//! Text runs: characters, fields, links, note marks, pictures and text boxes.

use super::super::flow::{FlowBlock, Inline};
use super::super::{drawing, math, symbols};
use super::body::{Body, FieldState, is_checked};
use super::paragraph::{Line, is_hidden};
use super::styles::address;
use crate::xml::Node;

/// Maximum nesting of fields. Protects memory.
const FIELDS: usize = 50;

impl Body<'_> {
    /// Parses the content of a paragraph, link, revision or run.
    pub(super) fn runs(&mut self, parent: Node<'_>, line: &mut Line) {
        for node in parent.children() {
            if !self.text_of_run(node, line) {
                self.part_of_paragraph(node, line);
            }
        }
    }

    fn part_of_paragraph(&mut self, node: Node<'_>, line: &mut Line) {
        match node.name() {
            "w:r" if is_hidden(self, node) => {}
            "w:r" | "w:ins" | "w:moveTo" | "w:smartTag" | "w:customXml" | "w:dir" | "w:bdo" => {
                self.runs(node, line);
            }
            "w:hyperlink" => {
                let start = line.text.len();
                self.runs(node, line);
                if let Some(url) = address(&self.relations, node.attribute("r:id")) {
                    line.text.link(start, url);
                }
            }
            "w:fldSimple" => {
                let start = line.text.len();
                self.runs(node, line);
                if let Some(url) = node.attribute("w:instr").and_then(hyperlink) {
                    line.text.link(start, &url);
                }
            }
            "w:sdt" => {
                self.content_control(node);
                match (is_checked(node), node.child("w:sdtContent")) {
                    (Some(true), _) => line.text.push("[x]"),
                    (Some(false), _) => line.text.push("[ ]"),
                    (None, Some(content)) => self.runs(content, line),
                    (None, None) => {}
                }
            }
            "w:ruby" => {
                if let Some(base) = node.child("w:rubyBase") {
                    self.runs(base, line);
                }
            }
            "m:oMath" | "m:oMathPara" => line.text.push(&math::text(node)),
            "w:drawing" | "w:pict" | "w:object" => self.drawing(node, line),
            "mc:AlternateContent" => self.alternative(node, line),
            _ => {}
        }
    }

    /// Parses elements that stand for characters; returns whether the node is one.
    fn text_of_run(&mut self, node: Node<'_>, line: &mut Line) -> bool {
        match node.name() {
            "w:t" if self.in_inner_instruction() => {}
            "w:t" => node.descendants().filter_map(Node::as_text).for_each(|text| line.text.push(text)),
            "w:tab" | "w:ptab" => line.text.push("\t"),
            "w:br" | "w:cr" => line.text.push("\n"),
            "w:noBreakHyphen" => line.text.push("\u{2011}"),
            "w:sym" => {
                if let Some(symbol) = symbols::character(node.attribute("w:font"), node.attribute("w:char")) {
                    line.text.push(symbol.encode_utf8(&mut [0; 4]));
                }
            }
            "w:fldChar" => self.field_mark(node, line),
            "w:instrText" => {
                if let Some(field) =
                    self.open_fields.last_mut().filter(|field| field.instruction.len() < 4_096)
                {
                    field.instruction.push_str(&node.text());
                }
            }
            "w:footnoteReference" => self.note_mark(false, node, line),
            "w:endnoteReference" => self.note_mark(true, node, line),
            _ => return false,
        }
        true
    }

    /// Parses the first of several alternatives that has content.
    fn alternative(&mut self, node: Node<'_>, line: &mut Line) {
        let before = (line.text.len(), line.figures.len(), line.boxes.len());
        for form in node.children().filter(|form| matches!(form.name(), "mc:Choice" | "mc:Fallback")) {
            self.runs(form, line);
            if before != (line.text.len(), line.figures.len(), line.boxes.len()) {
                return;
            }
        }
    }

    fn in_inner_instruction(&self) -> bool {
        self.open_fields.len() > 1 && self.open_fields.iter().rev().skip(1).any(|field| !field.result)
    }

    fn field_mark(&mut self, node: Node<'_>, line: &mut Line) {
        match node.attribute("w:fldCharType") {
            Some("begin") => {
                if self.open_fields.len() < FIELDS {
                    self.open_fields.push(FieldState::default());
                }
                if let Some(form) = node.child("w:ffData") {
                    line.text.push(&self.form_field(form));
                }
            }
            Some("separate") => {
                if let Some(field) = self.open_fields.last_mut() {
                    field.result = true;
                    field.url = hyperlink(&field.instruction);
                    field.start = line.text.len();
                }
            }
            Some("end") => {
                if let Some(field) = self.open_fields.pop()
                    && let Some(url) = field.url
                {
                    line.text.link(field.start, &url);
                }
            }
            _ => {}
        }
    }

    /// Continues links of an earlier paragraph at the start of this one.
    pub(super) fn resume_links(&mut self, text: &Inline) {
        for field in &mut self.open_fields {
            field.start = text.len();
            // An instruction does not continue: an unseparated field hides only its own paragraph.
            field.result = true;
        }
    }

    /// Ends open links with the paragraph; they continue in the next one.
    pub(super) fn pause_links(&mut self, text: &mut Inline) {
        for field in &self.open_fields {
            if let Some(url) = &field.url {
                text.link(field.start, url);
            }
        }
    }

    fn note_mark(&mut self, endnote: bool, node: Node<'_>, line: &mut Line) {
        if self.in_note {
            return;
        }
        if let Some(id) = node.attribute("w:id") {
            let next = self.note_order.len();
            let place = *self.note_order.entry((endnote, id.to_owned())).or_insert(next);
            line.text.push(&format!("[^{}]", place + 1));
        }
    }

    /// A picture becomes its description; text boxes, charts and diagrams become their text.
    fn drawing(&mut self, node: Node<'_>, line: &mut Line) {
        let mut content = Vec::new();
        self.collect_drawing(node, line, &mut content);
        line.boxes.append(&mut content);
    }

    fn collect_drawing(&mut self, parent: Node<'_>, line: &mut Line, content: &mut Vec<FlowBlock>) {
        for node in parent.children() {
            match node.name() {
                "wp:docPr" | "pic:cNvPr" | "wps:cNvPr" => {
                    // The inner name of a picture repeats the outer one.
                    let known = parent.name() == "pic:nvPicPr";
                    if let Some(text) = drawing::description(node).filter(|_| !known) {
                        line.figures.push(Inline::plain(text));
                    }
                }
                "v:shape" | "v:rect" | "v:image" => {
                    if let Some(text) = node.attribute("alt").map(str::trim).filter(|text| !text.is_empty()) {
                        line.figures.push(Inline::plain(text));
                    }
                    self.collect_drawing(node, line, content);
                }
                // Text that is drawn as a shape.
                "v:textpath" => {
                    let text = node.attribute("string").unwrap_or_default();
                    if !text.trim().is_empty() {
                        content.push(FlowBlock::Paragraph(Inline::plain(text)));
                    }
                }
                "w:txbxContent" => {
                    let mut inner = self.blocks(node);
                    content.append(&mut inner);
                }
                "c:chart" | "dgm:relIds" => {
                    content.extend(drawing::related_part(self.package, &self.relations, node));
                }
                "mc:AlternateContent" => {
                    let chosen = node.child("mc:Choice").or_else(|| node.child("mc:Fallback"));
                    if let Some(chosen) = chosen {
                        self.collect_drawing(chosen, line, content);
                    }
                }
                _ => self.collect_drawing(node, line, content),
            }
        }
    }
}

/// The URL in the instruction of a `HYPERLINK` field.
pub(in crate::office) fn hyperlink(instruction: &str) -> Option<String> {
    let rest = instruction.trim().strip_prefix("HYPERLINK")?.trim_start();
    let quoted = rest.strip_prefix('"').and_then(|rest| rest.split('"').next());
    let address = quoted.or_else(|| rest.split_whitespace().next().filter(|word| !word.starts_with('\\')))?;
    (!address.is_empty()).then(|| address.to_owned())
}
