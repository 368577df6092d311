//! Workbooks of Excel 5 to 2003: the records of [MS-XLS] in a compound file.
//!
//! Declared sizes are not trusted: cells are collected as they occur, within the limits.

mod records;
mod strings;

use std::collections::HashMap;

use document::{Document, Format, ParseError};

use super::value::{NumberKind, boolean, error, format_number, kind_by_format_code, kind_by_format_id};
use super::{SHEETS, Sheet, SheetBudget, write};
use crate::Limits;
use crate::builder::Builder;
use crate::ole::{Compound, u16_at, u32_at};
use records::{Record, Records, kind};
use strings::{Text, shared_strings};

pub(crate) fn parse_xls(bytes: &[u8], limits: &Limits) -> Result<Document, ParseError> {
    let file = Compound::open(bytes)?;
    let stream = file.root_stream("Workbook").or_else(|| file.root_stream("Book"));
    let stream = stream.ok_or_else(|| ParseError::Damaged("it holds no workbook".to_owned()))?;
    let book = Book::read(&stream, limits)?;
    let mut builder = Builder::new(Format::Xls, limits);
    let mut room = SheetBudget::new(limits);
    for (name, place) in &book.sheets {
        let mut sheet = Sheet::named(name);
        book.read_sheet(stream.get(*place..).unwrap_or_default(), &mut sheet, &mut room);
        write(&mut builder, sheet, limits);
    }
    if room.cut {
        builder.truncate();
    }
    builder.document_mut().metadata.page_count = u32::try_from(book.sheets.len()).ok();
    crate::ole_properties::read(&file, &mut builder.document_mut().metadata);
    Ok(builder.finish())
}

/// Data that all sheets of a workbook share.
#[derive(Debug, Default)]
struct Book {
    text: Text,
    /// Names, and the offsets of their records.
    sheets: Vec<(String, usize)>,
    strings: Vec<String>,
    /// Kind of each cell format.
    shown: Vec<NumberKind>,
    is_1904: bool,
}

impl Book {
    fn read(stream: &[u8], limits: &Limits) -> Result<Self, ParseError> {
        let mut book = Self::default();
        let mut formats: HashMap<u16, NumberKind> = HashMap::new();
        let mut records = Records::new(stream);
        while let Some(record) = records.next() {
            match record.kind {
                kind::BOF => book.text.wide = u16_at(record.data, 0) == Some(0x0600),
                kind::FILEPASS => return Err(ParseError::Encrypted),
                kind::CODEPAGE => book.text.codepage = u16_at(record.data, 0).unwrap_or(1_252),
                kind::DATE1904 => book.is_1904 = u16_at(record.data, 0) == Some(1),
                kind::BOUNDSHEET if book.sheets.len() < SHEETS => book.add_sheet(record.data),
                kind::FORMAT => {
                    let (head, body) = record.data.split_at(2.min(record.data.len()));
                    let code = if book.text.wide { book.text.long(body) } else { book.text.short(body) };
                    formats.insert(u16_at(head, 0).unwrap_or(0), kind_by_format_code(&code));
                }
                kind::XF => {
                    let number = u16_at(record.data, 2).unwrap_or(0);
                    let own = formats.get(&number);
                    book.shown.push(own.map_or_else(|| kind_by_format_id(number), |shown| *shown));
                }
                kind::SST => {
                    let mut parts = vec![record.data];
                    parts.extend(records.continued());
                    book.strings = shared_strings(&parts, limits);
                }
                kind::EOF => break,
                _ => {}
            }
        }
        // A workbook of one sheet may have no sheet list.
        if book.sheets.is_empty() {
            book.sheets.push((String::new(), 0));
        }
        Ok(book)
    }

    fn add_sheet(&mut self, data: &[u8]) {
        let place = u32_at(data, 0).unwrap_or(0) as usize;
        // Only worksheets, without the very hidden ones, which only a program can show.
        if data.get(5) == Some(&0) && data.get(4).is_some_and(|state| state & 3 != 2) {
            let name = self.text.short(data.get(6..).unwrap_or_default());
            self.sheets.push((name, place));
        }
    }

    /// Reads a sheet's cells.
    fn read_sheet(&self, stream: &[u8], sheet: &mut Sheet, room: &mut SheetBudget) {
        let mut depth = 0_usize;
        let mut formula = (0, 0);
        for record in Records::new(stream) {
            // Sheets may share their records, so their total is bounded.
            if !room.step() {
                return;
            }
            match record.kind {
                kind::BOF => depth += 1,
                // Charts within the sheet have nested records.
                kind::EOF if depth <= 1 => return,
                kind::EOF => depth -= 1,
                _ if depth > 1 => {}
                kind::MERGED => add_merges(record.data, sheet),
                kind::MULRK => {
                    let row = u32::from(u16_at(record.data, 0).unwrap_or(0));
                    let first = u32::from(u16_at(record.data, 2).unwrap_or(0));
                    let values = record.data.get(4..).unwrap_or_default().chunks_exact(6);
                    for (column, value) in (first..).zip(values) {
                        let number = self.number(rk(u32_at(value, 2).unwrap_or(0)), u16_at(value, 0));
                        if room.add(sheet, (row, column), number) {
                            return;
                        }
                    }
                }
                kind::STRING => {
                    if room.add(sheet, formula, self.text.long(record.data)) {
                        return;
                    }
                }
                _ => {
                    let Some(text) = self.cell(&record) else { continue };
                    let at = |offset| u32::from(u16_at(record.data, offset).unwrap_or(0));
                    formula = (at(0), at(2));
                    if room.add(sheet, formula, text) {
                        return;
                    }
                }
            }
        }
        // The records are truncated.
        room.cut = true;
    }

    /// The text of a record with one cell.
    fn cell(&self, record: &Record<'_>) -> Option<String> {
        let data = record.data;
        let format = u16_at(data, 4);
        let body = data.get(6..)?;
        Some(match record.kind {
            kind::LABELSST => self.strings.get(u32_at(body, 0)? as usize)?.clone(),
            kind::LABEL | kind::RSTRING => self.text.long(body),
            kind::NUMBER => self.number(float_at(body)?, format),
            kind::RK => self.number(rk(u32_at(body, 0)?), format),
            kind::BOOLERR => truth_or_error(*body.first()?, *body.get(1)? != 0),
            kind::FORMULA => match (body.get(6..8)?, body.first()?) {
                // A string result follows in a record of its own.
                ([0xff, 0xff], 0 | 3) => String::new(),
                ([0xff, 0xff], result) => truth_or_error(*body.get(2)?, *result == 2),
                _ => self.number(float_at(body)?, format),
            },
            _ => return None,
        })
    }

    fn number(&self, number: f64, format: Option<u16>) -> String {
        let shown = format.and_then(|format| self.shown.get(usize::from(format)));
        format_number(number, shown.copied().unwrap_or_default(), self.is_1904)
    }
}

fn add_merges(data: &[u8], sheet: &mut Sheet) {
    for region in data.get(2..).unwrap_or_default().chunks_exact(8) {
        let at = |offset| u32::from(u16_at(region, offset).unwrap_or(0));
        sheet.merge((at(0), at(4)), (at(2), at(6)));
    }
}

fn float_at(bytes: &[u8]) -> Option<f64> {
    bytes.get(..8)?.try_into().ok().map(f64::from_le_bytes)
}

/// A number in 30 bits: the upper part of a binary fraction, or an integer; optionally in hundredths.
pub(super) fn rk(packed: u32) -> f64 {
    let number = if packed & 2 == 0 {
        f64::from_bits(u64::from(packed & 0xffff_fffc) << 32)
    } else {
        f64::from(packed.cast_signed() >> 2)
    };
    if packed & 1 == 0 { number } else { number / 100.0 }
}

fn truth_or_error(code: u8, is_error: bool) -> String {
    if is_error { error(code) } else { boolean(code != 0) }.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packed_numbers_have_four_shapes() {
        assert_eq!(rk(0x3ff0_0000), 1.0);
        assert_eq!(rk(0x3ff0_0001), 0.01);
        assert_eq!(rk((123 << 2) | 2), 123.0);
        assert_eq!(rk((123 << 2) | 3), 1.23);
        assert_eq!(rk(((-5_i32) << 2).cast_unsigned() | 2), -5.0);
    }
}
