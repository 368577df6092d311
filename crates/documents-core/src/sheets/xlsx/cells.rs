//! Reads the cells of a sheet in one pass over its part.

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use super::book::{Book, attribute, unescaped};
use crate::sheets::value::{NumberKind, boolean, format_written};
use crate::sheets::{Sheet, SheetBudget};
use crate::xml_text::{attributes, reference};

/// Reads the cells of a part into a sheet; returns whether it reached the end of the part.
pub(super) fn read(xml: &str, book: &Book, sheet: &mut Sheet, room: &mut SheetBudget) -> bool {
    let mut reader = Reader::from_str(xml);
    let mut cells = Cells { book, row: 0, column: 0, open: None, in_text: false, phonetic: false };
    loop {
        match reader.read_event() {
            Ok(Event::Start(tag)) => cells.start(&tag, false, sheet),
            Ok(Event::Empty(tag)) => cells.start(&tag, true, sheet),
            Ok(Event::Text(text)) if cells.in_text => cells.text(&text.xml10_content()),
            Ok(Event::CData(text)) if cells.in_text => cells.text(&text.xml10_content()),
            Ok(Event::GeneralRef(name)) if cells.in_text => cells.text(&reference(&name)),
            Ok(Event::End(tag)) => {
                if cells.end(tag.local_name().as_ref(), sheet, room) {
                    return false;
                }
            }
            Ok(Event::Eof) => return true,
            Err(_) => return false,
            Ok(_) => {}
        }
    }
}

struct Cells<'b> {
    book: &'b Book,
    row: u32,
    column: u32,
    open: Option<XlsxCell>,
    in_text: bool,
    phonetic: bool,
}

/// The open cell.
struct XlsxCell {
    kind: Kind,
    shown: NumberKind,
    text: String,
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Number,
    Shared,
    Text,
    Boolean,
}

impl Cells<'_> {
    fn start(&mut self, tag: &BytesStart<'_>, empty: bool, sheet: &mut Sheet) {
        match tag.local_name().as_ref() {
            "row" => {
                if let Some(number) = attribute(tag, "r").and_then(|number| number.trim().parse::<u32>().ok())
                {
                    self.row = number.saturating_sub(1);
                }
                self.column = 0;
                if empty {
                    self.row = self.row.saturating_add(1);
                }
            }
            "c" => {
                self.begin_cell(tag);
                if empty {
                    self.open = None;
                    self.column = self.column.saturating_add(1);
                }
            }
            "v" | "t" => self.in_text = !empty && !self.phonetic && self.open.is_some(),
            "rPh" => self.phonetic = !empty,
            "mergeCell" => {
                let region = attribute(tag, "ref").unwrap_or_default();
                if let Some((first, last)) = region.split_once(':')
                    && let (Some(start), Some(end)) = (place(first), place(last))
                {
                    sheet.merge(start, end);
                }
            }
            _ => {}
        }
    }

    fn begin_cell(&mut self, tag: &BytesStart<'_>) {
        let (mut kind, mut shown) = (Kind::Number, NumberKind::Number);
        for attribute in attributes(tag) {
            let value: &str = &attribute.value;
            match attribute.key.as_ref() {
                "r" => {
                    if let Some((row, column)) = place(value) {
                        (self.row, self.column) = (row, column);
                    }
                }
                "s" => {
                    let style = value.parse::<usize>().ok().and_then(|style| self.book.shown.get(style));
                    shown = style.copied().unwrap_or_default();
                }
                "t" => {
                    kind = match value {
                        "s" => Kind::Shared,
                        "b" => Kind::Boolean,
                        "n" => Kind::Number,
                        _ => Kind::Text,
                    }
                }
                _ => {}
            }
        }
        self.open = Some(XlsxCell { kind, shown, text: String::new() });
    }

    fn text(&mut self, text: &str) {
        if let Some(open) = &mut self.open {
            open.text.push_str(text);
        }
    }

    /// Handles an end tag; returns whether the limit is reached.
    fn end(&mut self, name: &str, sheet: &mut Sheet, room: &mut SheetBudget) -> bool {
        match name {
            "v" | "t" => self.in_text = false,
            "rPh" => self.phonetic = false,
            "row" => {
                self.row = self.row.saturating_add(1);
                self.column = 0;
            }
            "c" => {
                let place = (self.row, self.column);
                self.column = self.column.saturating_add(1);
                if let Some(open) = self.open.take() {
                    return room.add(sheet, place, self.value(open));
                }
            }
            _ => {}
        }
        false
    }

    fn value(&self, open: XlsxCell) -> String {
        match open.kind {
            Kind::Shared => {
                let index = open.text.trim().parse::<usize>().ok();
                index.and_then(|index| self.book.strings.get(index)).cloned().unwrap_or_default()
            }
            Kind::Text => unescaped(open.text),
            Kind::Boolean => boolean(matches!(open.text.trim(), "1" | "true")).to_owned(),
            Kind::Number => format_written(&open.text, open.shown, self.book.is_1904),
        }
    }
}

/// Row and column (from 0) of a reference such as `B12`.
fn place(reference: &str) -> Option<(u32, u32)> {
    let reference = reference.trim();
    let letters = reference.bytes().take_while(|byte| byte.is_ascii_alphabetic()).count();
    let (letters, digits) = reference.split_at_checked(letters)?;
    // The last column is XFD.
    if letters.is_empty() || letters.len() > 3 {
        return None;
    }
    let column = letters
        .bytes()
        .fold(0, |column, letter| column * 26 + u32::from(letter.to_ascii_uppercase() - b'A' + 1));
    let row: u32 = digits.parse().ok()?;
    Some((row.checked_sub(1)?, column - 1))
}

#[cfg(test)]
mod tests {
    use super::place;

    #[test]
    fn references_are_rows_and_columns() {
        assert_eq!(place("A1"), Some((0, 0)));
        assert_eq!(place("XFD1048576"), Some((1_048_575, 16_383)));
        assert_eq!(place("ab10"), Some((9, 27)));
        for broken in ["", "1", "A", "A0", "AAAA1", "A-1", "\u{e4}1", "A99999999999"] {
            assert_eq!(place(broken), None, "{broken}");
        }
    }
}
