//! Blocks of a Word document: its main text, table cells, text boxes and notes.

use std::collections::HashMap;

use document::{FieldKind, FormField};

use super::super::flow::{FlowBlock, Inline};
use super::numbering::Numbering;
use super::styles::{Styles, is_set};
use crate::package::{Package, Relations};
use crate::xml::Node;

/// Maximum form fields, and maximum bytes of a value. Protects memory.
const FIELDS: usize = 10_000;
const VALUE: usize = 64 << 10;

/// An open field: its instruction, then its result.
#[derive(Debug, Default)]
pub(super) struct FieldState {
    pub(super) instruction: String,
    /// Whether the result has begun.
    pub(super) result: bool,
    /// Target of its result as a link, and the start of the link in the paragraph.
    pub(super) url: Option<String>,
    pub(super) start: usize,
}

/// Parses blocks, and keeps the state that spans several of them.
pub(super) struct Body<'p> {
    pub(super) package: &'p Package<'p>,
    /// Relations of the current part.
    pub(super) relations: Relations,
    pub(super) styles: &'p Styles,
    pub(super) numbering: Numbering,
    /// Open fields, outermost first.
    pub(super) open_fields: Vec<FieldState>,
    /// Text of a paragraph whose paragraph mark was deleted.
    pub(super) pending_text: Inline,
    /// Notes by kind (endnote or not) and id, with their index in the order of their marks.
    pub(super) note_order: HashMap<(bool, String), usize>,
    pub(super) fields: Vec<FormField>,
    /// Whether a note is being parsed.
    pub(super) in_note: bool,
}

impl<'p> Body<'p> {
    pub(super) fn new(
        package: &'p Package<'p>,
        relations: Relations,
        styles: &'p Styles,
        numbering: Numbering,
    ) -> Self {
        Self {
            package,
            relations,
            styles,
            numbering,
            open_fields: Vec::new(),
            pending_text: Inline::default(),
            note_order: HashMap::new(),
            fields: Vec::new(),
            in_note: false,
        }
    }

    /// The blocks within an element.
    pub(super) fn blocks(&mut self, parent: Node<'_>) -> Vec<FlowBlock> {
        let mut blocks = Vec::new();
        self.add_blocks(parent, &mut blocks);
        blocks
    }

    fn add_blocks(&mut self, parent: Node<'_>, blocks: &mut Vec<FlowBlock>) {
        for node in parent.children() {
            match node.name() {
                "w:p" => self.paragraph(node, blocks),
                "w:tbl" => {
                    let table = self.table(node);
                    blocks.push(table);
                }
                "w:sdt" => {
                    self.content_control(node);
                    if let Some(content) = node.child("w:sdtContent") {
                        self.add_blocks(content, blocks);
                    }
                }
                "w:ins" | "w:moveTo" | "w:customXml" | "w:smartTag" | "w:sdtContent" | "w:altChunk" => {
                    self.add_blocks(node, blocks);
                }
                "mc:AlternateContent" => {
                    if let Some(chosen) = node.child("mc:Choice").or_else(|| node.child("mc:Fallback")) {
                        self.add_blocks(chosen, blocks);
                    }
                }
                "m:oMathPara" | "m:oMath" => {
                    blocks.push(FlowBlock::Paragraph(Inline::plain(super::super::math::text(node))));
                }
                _ => {}
            }
        }
    }

    /// Writes what is left at the end of the text.
    pub(super) fn end(&mut self, blocks: &mut Vec<FlowBlock>) {
        let carried = std::mem::take(&mut self.pending_text);
        if !carried.is_blank() {
            blocks.push(FlowBlock::Paragraph(carried));
        }
    }

    /// Adds a legacy form field, and returns its display text if it has no text of its own.
    pub(super) fn form_field(&mut self, form: Node<'_>) -> String {
        let Some((kind, value)) = field_display(form) else { return String::new() };
        let text = match (kind, value.as_str()) {
            (FieldKind::Checkbox, "true") => "[x]".to_owned(),
            (FieldKind::Checkbox, _) => "[ ]".to_owned(),
            _ => value.clone(),
        };
        let name =
            form.child("w:name").and_then(|node| node.attribute("w:val")).filter(|name| !name.is_empty());
        if let Some(name) = name.filter(|_| self.fields.len() < FIELDS) {
            let value = Some(value).filter(|value| !value.is_empty());
            self.fields.push(FormField {
                name: name.to_owned(),
                label: None,
                value,
                kind,
                page: None,
                rect: None,
            });
        }
        text
    }

    /// Adds a content control as a form field.
    pub(super) fn content_control(&mut self, node: Node<'_>) {
        let Some(properties) = node.child("w:sdtPr").filter(|_| self.fields.len() < FIELDS) else { return };
        let value = |name: &str| properties.child(name).and_then(|node| node.attribute("w:val"));
        let (Some(name), label) = (value("w:tag").or_else(|| value("w:alias")), value("w:alias")) else {
            return;
        };
        if name.is_empty() {
            return;
        }
        let has = |name: &str| properties.child(name).is_some();
        let kind = if has("w14:checkbox") {
            FieldKind::Checkbox
        } else if has("w:comboBox") || has("w:dropDownList") {
            FieldKind::Choice
        } else if has("w:text") || has("w:date") || has("w:richText") {
            FieldKind::Text
        } else {
            return;
        };
        let value = match kind {
            FieldKind::Checkbox => Some(is_checked(node).unwrap_or(false).to_string()),
            _ if properties.child("w:showingPlcHdr").is_some_and(is_set) => None,
            _ => node.child("w:sdtContent").map(text_of).filter(|text| !text.is_empty()),
        };
        self.fields.push(FormField {
            name: name.to_owned(),
            label: label.map(str::to_owned),
            value,
            kind,
            page: None,
            rect: None,
        });
    }
}

/// The display text of a legacy form field without text of its own: a check box, or the selected list entry.
fn field_display(form: Node<'_>) -> Option<(FieldKind, String)> {
    let value = |node: Node<'_>, name: &str| {
        node.child(name).and_then(|node| node.attribute("w:val")).map(str::to_owned)
    };
    if let Some(list) = form.child("w:ddList") {
        let chosen = value(list, "w:result").or_else(|| value(list, "w:default"));
        let chosen = chosen.and_then(|place| place.parse().ok()).unwrap_or(0);
        let entry = list.all("w:listEntry").nth(chosen).and_then(|entry| entry.attribute("w:val"));
        return Some((FieldKind::Choice, entry.unwrap_or_default().to_owned()));
    }
    let tick = form.child("w:checkBox")?;
    let state = tick.child("w:checked").or_else(|| tick.child("w:default"));
    Some((FieldKind::Checkbox, state.is_some_and(is_set).to_string()))
}

/// Whether a check box content control is ticked; `None` for other controls.
pub(super) fn is_checked(control: Node<'_>) -> Option<bool> {
    let checked = control.path(&["w:sdtPr", "w14:checkbox"])?.child("w14:checked");
    let value = checked.and_then(|node| node.attribute("w14:val"));
    Some(matches!(value, Some("1" | "true" | "on")))
}

/// The text of an element, paragraphs separated by a space.
fn text_of(node: Node<'_>) -> String {
    let mut text = String::new();
    for node in node.descendants() {
        match node.name() {
            "w:p" if !text.is_empty() => text.push(' '),
            "w:t" => text.push_str(&node.text()),
            _ if text.len() > VALUE => break,
            _ => {}
        }
    }
    text.trim().to_owned()
}
