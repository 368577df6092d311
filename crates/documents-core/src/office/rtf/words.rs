//! Effects of the control words.

use super::reader::{Field, Reader, mark};
use super::state::{Destination, GroupEnd, destination, is_text_destination};

impl Reader<'_> {
    pub(super) fn word(&mut self, word: &str, number: Option<i32>) {
        let optional = std::mem::take(&mut self.state.optional);
        if self.state.destination == Destination::Skip {
            return;
        }
        if self.begin_destination(word, optional) || self.is_date(word, number) {
            return;
        }
        match self.state.destination {
            Destination::Text | Destination::Label | Destination::Instruction => {
                if !self.character(word) && !self.structure(word, number) {
                    self.property(word, number);
                }
            }
            _ => self.property(word, number),
        }
    }

    /// Handles words that begin a destination.
    fn begin_destination(&mut self, word: &str, optional: bool) -> bool {
        match (word, self.state.destination) {
            ("ud", Destination::TwoForms) => self.state.destination = Destination::Text,
            ("title", Destination::Info) => self.state.destination = Destination::Title,
            ("author", Destination::Info) => self.state.destination = Destination::Author,
            ("creatim", Destination::Info) => self.state.destination = Destination::Created,
            ("revtim", Destination::Info) => self.state.destination = Destination::Modified,
            (_, Destination::Info) => return false,
            ("field", _) => {
                self.fields.push(Field::default());
                self.state.ends = Some(GroupEnd::Field);
            }
            ("fldrslt", _) => {
                if let Some(field) = self.fields.last_mut() {
                    field.start = self.open.text.len();
                    self.state.ends = Some(GroupEnd::FieldResult);
                }
            }
            ("footnote", _) => {
                self.marks += 1;
                let mark = mark(self.marks);
                self.push(mark.text());
                self.push_text(GroupEnd::Note);
                self.reset_paragraph();
            }
            ("shptxt" | "dptxbxtext", _) => {
                self.push_text(GroupEnd::Frame);
                self.reset_paragraph();
            }
            _ => match destination(word) {
                Some(destination) => self.state.destination = destination,
                None if optional && !is_text_destination(word) => self.state.destination = Destination::Skip,
                None => return false,
            },
        }
        true
    }

    fn is_date(&mut self, word: &str, number: Option<i32>) -> bool {
        if word == "nofpages" {
            self.metadata.page_count = number.and_then(|count| u32::try_from(count).ok());
            return true;
        }
        if !matches!(self.state.destination, Destination::Created | Destination::Modified) {
            return false;
        }
        let place = ["yr", "mo", "dy", "hr", "min"].iter().position(|known| *known == word);
        if let (Some(place), Some(number)) = (place.and_then(|place| self.date.get_mut(place)), number) {
            *place = number.clamp(0, 9_999);
        }
        true
    }

    /// Words that stand for a character.
    fn character(&mut self, word: &str) -> bool {
        let text = match word {
            "tab" => "\t",
            "line" | "lbr" => "\n",
            "emdash" => "\u{2014}",
            "endash" => "\u{2013}",
            "lquote" => "\u{2018}",
            "rquote" => "\u{2019}",
            "ldblquote" => "\u{201c}",
            "rdblquote" => "\u{201d}",
            "bullet" => "\u{2022}",
            "emspace" | "enspace" | "qmspace" => " ",
            _ => return false,
        };
        self.push(text);
        true
    }

    /// Words that end paragraphs, cells and rows.
    fn structure(&mut self, word: &str, number: Option<i32>) -> bool {
        if self.state.destination != Destination::Text {
            return false;
        }
        let open = &mut self.open;
        if matches!(word, "par" | "cell" | "nestcell" | "row" | "sect") {
            self.paragraphs += 1;
        }
        match word {
            "par" | "sect" | "page" => {
                if open.text.is_blank() {
                    open.properties = self.state.paragraph;
                }
                open.end_paragraph(false, &self.styles);
            }
            "cell" => {
                open.end_paragraph(true, &self.styles);
                if !open.table.end_cell(self.limits.cells) {
                    self.metadata.truncated = true;
                }
            }
            // Nested cells are parts of the outer cell.
            "nestcell" => open.end_paragraph(true, &self.styles),
            "row" => open.table.end_row(),
            "trowd" => open.table.define(),
            "trhdr" => open.table.header(),
            "clmrg" => open.table.next_shape().goes_on = true,
            "clvmrg" => open.table.next_shape().goes_down = true,
            "cellx" => open.table.end_definition(number.unwrap_or(0)),
            _ => return false,
        }
        true
    }

    fn property(&mut self, word: &str, number: Option<i32>) {
        let on = number != Some(0);
        let paragraph = &mut self.state.paragraph;
        match word {
            "pard" => self.reset_paragraph(),
            "intbl" => paragraph.in_table = on,
            "s" => paragraph.style = number,
            "ls" => paragraph.list = number.unwrap_or(0),
            "ilvl" => paragraph.level = number.and_then(|level| u8::try_from(level).ok()).unwrap_or(0).min(8),
            "outlinelevel" => paragraph.outline = number.and_then(|level| u8::try_from(level).ok()),
            "plain" => {
                self.state.hidden = false;
            }
            "v" => self.state.hidden = on,
            "deleted" => self.state.deleted = on,
            "f" => self.state.font = number.unwrap_or(-1),
            "fcharset" => self.set_charset(number.unwrap_or(0)),
            "ansicpg" => self.set_code_page(number.unwrap_or(1_252)),
            "mac" => self.set_code_page(10_000),
            _ => {}
        }
    }
}
