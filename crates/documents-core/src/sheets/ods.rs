//! OpenDocument spreadsheets: cells have the displayed text, which the file stores beside each value.

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use super::{SHEETS, Sheet, SheetBudget, write};
use crate::builder::Builder;
use crate::model::{Document, Format};
use crate::office::{Package, metadata_of};
use crate::xml_text::{attribute_value, attributes, reference};
use crate::{Limits, ParseError};

/// Maximum rows or columns of a sheet; larger counts are invalid. Excel and LibreOffice have as many rows.
const EDGE: u32 = 1 << 20;
/// Maximum copies of a repeated value. Protects memory.
const REPEATS: u32 = 1_000;

pub(crate) fn parse_ods(package: &Package<'_>, limits: &Limits) -> Result<Document, ParseError> {
    let missing = || ParseError::Damaged("it holds no content".to_owned());
    let content = package.part("content.xml")?.ok_or_else(missing)?;
    let mut document = read_content(&content, limits);
    let (sheets, truncated) = (document.metadata.page_count, document.metadata.truncated);
    document.metadata = metadata_of(package).unwrap_or_default();
    (document.metadata.page_count, document.metadata.truncated) = (sheets, truncated);
    Ok(document)
}

fn read_content(content: &str, limits: &Limits) -> Document {
    let mut state = State::new(limits);
    let mut reader = Reader::from_str(content);
    reader.config_mut().check_end_names = false;
    for _ in 0..limits.nodes {
        match reader.read_event() {
            Ok(Event::Start(tag)) => state.start(&tag, false, limits),
            Ok(Event::Empty(tag)) => state.start(&tag, true, limits),
            Ok(Event::End(tag)) => state.end(tag.local_name().as_ref(), limits),
            Ok(Event::Text(text)) => state.text(&text.xml10_content()),
            Ok(Event::CData(text)) => state.text(&text.xml10_content()),
            Ok(Event::GeneralRef(name)) => state.text(&reference(&name)),
            Ok(Event::Eof) => return state.finish(limits),
            Ok(_) => {}
            Err(_) => break,
        }
    }
    state.room.cut = true;
    state.finish(limits)
}

struct State {
    builder: Builder,
    room: SheetBudget,
    sheets: u32,
    sheet: Option<Sheet>,
    row: u32,
    rows: u32,
    column: u32,
    cell: Option<OdsCell>,
    /// Nesting depth of notes and drawings, which are not part of the value.
    aside: usize,
}

/// The open cell.
struct OdsCell {
    text: String,
    paragraphs: usize,
    columns: u32,
    span: (u32, u32),
    /// The value to write when there is no displayed text, or a date that is not in ISO order.
    value: Option<String>,
}

impl State {
    fn new(limits: &Limits) -> Self {
        Self {
            builder: Builder::new(Format::Ods, limits),
            room: SheetBudget::new(limits),
            sheets: 0,
            sheet: None,
            row: 0,
            rows: 1,
            column: 0,
            cell: None,
            aside: 0,
        }
    }

    fn start(&mut self, tag: &BytesStart<'_>, empty: bool, limits: &Limits) {
        let name = tag.local_name();
        let name = name.as_ref();
        if matches!(name, "annotation" | "shapes" | "tracked-changes") {
            self.aside += usize::from(!empty);
            return;
        }
        if self.aside > 0 {
            return;
        }
        match name {
            "table" if self.sheet.is_none() && (self.sheets as usize) < SHEETS => {
                self.sheets += 1;
                self.row = 0;
                self.sheet = Some(Sheet::named(&attribute(tag, "name").unwrap_or_default()));
            }
            "table-row" => {
                self.rows = count(tag, "number-rows-repeated");
                self.column = 0;
            }
            "table-cell" | "covered-table-cell" => {
                let date = attribute(tag, "date-value")
                    .map(|date| date.trim_end_matches("T00:00:00").replace('T', " "));
                self.cell = Some(OdsCell {
                    text: String::new(),
                    paragraphs: 0,
                    columns: count(tag, "number-columns-repeated"),
                    span: (count(tag, "number-rows-spanned"), count(tag, "number-columns-spanned")),
                    value: date.or_else(|| attribute(tag, "string-value")),
                });
            }
            "p" | "line-break" | "h" => {
                self.text(if self.cell.as_ref().is_some_and(|cell| cell.paragraphs > 0) { "\n" } else { "" })
            }
            "s" => self.text(&" ".repeat(count(tag, "c").min(100) as usize)),
            "tab" => self.text(" "),
            _ => {}
        }
        if name == "p"
            && let Some(cell) = &mut self.cell
        {
            cell.paragraphs += 1;
        }
        if empty {
            self.end(name, limits);
        }
    }

    fn end(&mut self, name: &str, limits: &Limits) {
        if matches!(name, "annotation" | "shapes" | "tracked-changes") {
            self.aside = self.aside.saturating_sub(1);
            return;
        }
        if self.aside > 0 {
            return;
        }
        match name {
            "table" => {
                if let Some(sheet) = self.sheet.take() {
                    write(&mut self.builder, sheet, limits);
                }
            }
            "table-row" => self.end_row(),
            "table-cell" | "covered-table-cell" => self.end_cell(),
            _ => {}
        }
    }

    fn text(&mut self, text: &str) {
        if self.aside == 0
            && let Some(cell) = &mut self.cell
            && cell.text.len() <= self.room.bytes
        {
            cell.text.push_str(text);
        }
    }

    fn end_cell(&mut self) {
        let (Some(cell), Some(sheet)) = (self.cell.take(), &mut self.sheet) else { return };
        let text = match cell.value {
            Some(value) if cell.text.trim().is_empty() || value.starts_with(|c: char| c.is_ascii_digit()) => {
                value
            }
            _ => cell.text,
        };
        if !text.trim().is_empty() {
            for column in self.column..self.column.saturating_add(cell.columns.min(REPEATS)) {
                if self.room.add(sheet, (self.row, column), text.clone()) {
                    break;
                }
            }
            if cell.span != (1, 1) {
                let end =
                    (self.row.saturating_add(cell.span.0 - 1), self.column.saturating_add(cell.span.1 - 1));
                sheet.merge((self.row, self.column), end);
            }
        }
        self.column = self.column.saturating_add(cell.columns);
    }

    /// Writes the copies of a repeated row with values; empty ones are only counted.
    fn end_row(&mut self) {
        let Some(sheet) = &mut self.sheet else { return };
        let first = sheet.cells.partition_point(|(row, ..)| *row < self.row);
        let cells: Vec<_> = sheet.cells.get(first..).unwrap_or_default().to_vec();
        if !cells.is_empty() {
            'rows: for row in 1..self.rows.min(REPEATS) {
                for (_, column, text) in &cells {
                    if self.room.add(sheet, (self.row.saturating_add(row), *column), text.clone()) {
                        break 'rows;
                    }
                }
            }
        }
        self.row = self.row.saturating_add(self.rows);
    }

    fn finish(mut self, limits: &Limits) -> Document {
        if let Some(sheet) = self.sheet.take() {
            write(&mut self.builder, sheet, limits);
        }
        if self.room.cut {
            self.builder.truncate();
        }
        self.builder.document_mut().metadata.page_count = Some(self.sheets);
        self.builder.finish()
    }
}

fn attribute(tag: &BytesStart<'_>, name: &str) -> Option<String> {
    let found = attributes(tag).find(|attribute| attribute.key.local_name().as_ref() == name)?;
    Some(attribute_value(&found))
}

fn count(tag: &BytesStart<'_>, name: &str) -> u32 {
    attribute(tag, name).and_then(|value| value.trim().parse().ok()).unwrap_or(1).clamp(1, EDGE)
}
