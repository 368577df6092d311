//! Workbooks of Excel 2007 and later in binary records ([MS-XLSB]).

use std::collections::HashMap;

use document::{Document, Format, ParseError};

use super::package::workbook;
use super::value::{NumberKind, boolean, error, format_number, kind_by_format_code, kind_by_format_id};
use super::xls::rk;
use super::{SHEETS, Sheet, SheetBudget};
use crate::Limits;
use crate::ole::{u16_at, u32_at};
use crate::package::Package;

/// Record types ([MS-XLSB] 2.3).
mod kind {
    pub(super) const ROW: u16 = 0;
    pub(super) const RK: u16 = 2;
    pub(super) const ERROR: u16 = 3;
    pub(super) const BOOLEAN: u16 = 4;
    pub(super) const REAL: u16 = 5;
    pub(super) const TEXT: u16 = 6;
    pub(super) const SHARED: u16 = 7;
    pub(super) const FORMULA_TEXT: u16 = 8;
    pub(super) const FORMULA_REAL: u16 = 9;
    pub(super) const FORMULA_BOOLEAN: u16 = 10;
    pub(super) const FORMULA_ERROR: u16 = 11;
    pub(super) const STRING: u16 = 19;
    pub(super) const FORMAT: u16 = 44;
    pub(super) const XF: u16 = 47;
    pub(super) const RICH: u16 = 62;
    pub(super) const BOOK: u16 = 153;
    pub(super) const SHEET: u16 = 156;
    pub(super) const MERGE: u16 = 176;
    pub(super) const CELL_XFS: u16 = 617;
    pub(super) const CELL_XFS_END: u16 = 618;
}

pub(crate) fn parse_xlsb(package: &Package<'_>, limits: &Limits) -> Result<Document, ParseError> {
    let book = Book::read(package, limits)?;
    workbook(Format::Xlsb, package, &book.sheets, limits, |part, sheet, room| {
        let Some(records) = package.content(part)? else { return Ok(false) };
        book.read_sheet(&records, sheet, room);
        Ok(true)
    })
}

#[derive(Debug, Default)]
struct Book {
    sheets: Vec<(String, String)>,
    strings: Vec<String>,
    shown: Vec<NumberKind>,
    is_1904: bool,
}

impl Book {
    fn read(package: &Package<'_>, limits: &Limits) -> Result<Self, ParseError> {
        let missing = || ParseError::Damaged("it holds no workbook".to_owned());
        let workbook = package.content("xl/workbook.bin")?.ok_or_else(missing)?;
        let places = package.relations("xl/workbook.bin")?;
        let mut book = Self::default();
        for (kind, data) in Records(&workbook) {
            match kind {
                kind::BOOK => book.is_1904 = data.first().is_some_and(|flags| flags & 1 == 1),
                kind::SHEET if book.sheets.len() < SHEETS => {
                    let Some((id, length)) = text_at(data, 8) else { continue };
                    let Some((name, _)) = text_at(data, 8 + length) else { continue };
                    let hidden = u32_at(data, 0) == Some(2);
                    if let Some(place) = places.get(&id).filter(|place| !hidden && place.kind != "chartsheet")
                    {
                        book.sheets.push((name, place.target.clone()));
                    }
                }
                _ => {}
            }
        }
        if book.sheets.is_empty() {
            return Err(ParseError::Damaged("it lists no sheets".to_owned()));
        }
        if let Some(strings) = package.content("xl/sharedStrings.bin")? {
            let texts = Records(&strings).filter(|(kind, _)| *kind == kind::STRING);
            book.strings =
                texts.take(limits.nodes).map(|(_, data)| text_at(data, 1).unwrap_or_default().0).collect();
        }
        if let Some(styles) = package.content("xl/styles.bin")? {
            book.read_styles(&styles);
        }
        Ok(book)
    }

    fn read_styles(&mut self, styles: &[u8]) {
        let mut codes: HashMap<u16, NumberKind> = HashMap::new();
        let mut in_cells = false;
        for (kind, data) in Records(styles) {
            match kind {
                kind::FORMAT => {
                    if let (Some(id), Some((code, _))) = (u16_at(data, 0), text_at(data, 2)) {
                        codes.insert(id, kind_by_format_code(&code));
                    }
                }
                kind::CELL_XFS => in_cells = true,
                kind::CELL_XFS_END => in_cells = false,
                kind::XF if in_cells => {
                    let id = u16_at(data, 2).unwrap_or(0);
                    self.shown.push(codes.get(&id).copied().unwrap_or_else(|| kind_by_format_id(id)));
                }
                _ => {}
            }
        }
    }

    /// Reads a sheet's cells.
    fn read_sheet(&self, records: &[u8], sheet: &mut Sheet, room: &mut SheetBudget) {
        let mut row = 0;
        for (kind, data) in Records(records) {
            match kind {
                kind::ROW => row = u32_at(data, 0).unwrap_or(row),
                kind::MERGE => {
                    let at = |offset| u32_at(data, offset).unwrap_or(0);
                    sheet.merge((at(0), at(8)), (at(4), at(12)));
                }
                _ => {
                    let Some(text) = self.cell(kind, data) else { continue };
                    if room.add(sheet, (row, u32_at(data, 0).unwrap_or(0)), text) {
                        return;
                    }
                }
            }
        }
    }

    /// The text of a cell: its column, its format in three bytes, a byte of flags, its value.
    fn cell(&self, kind: u16, data: &[u8]) -> Option<String> {
        let value = data.get(8..)?;
        let number = |number: f64| {
            let format = (u32_at(data, 4).unwrap_or(0) & 0x00ff_ffff) as usize;
            format_number(number, self.shown.get(format).copied().unwrap_or_default(), self.is_1904)
        };
        Some(match kind {
            kind::RK => number(rk(u32_at(value, 0)?)),
            kind::REAL | kind::FORMULA_REAL => number(f64::from_le_bytes(value.get(..8)?.try_into().ok()?)),
            kind::BOOLEAN | kind::FORMULA_BOOLEAN => boolean(*value.first()? != 0).to_owned(),
            kind::ERROR | kind::FORMULA_ERROR => error(*value.first()?).to_owned(),
            kind::TEXT | kind::FORMULA_TEXT => text_at(data, 8)?.0,
            kind::RICH => text_at(data, 9)?.0,
            kind::SHARED => self.strings.get(u32_at(value, 0)? as usize)?.clone(),
            _ => return None,
        })
    }
}

/// Iterates over records: type and data.
struct Records<'a>(&'a [u8]);

impl Records<'_> {
    /// A number in groups of seven bits.
    fn number(&mut self, most: usize) -> Option<usize> {
        let mut number = 0;
        for place in 0..most {
            let (byte, rest) = self.0.split_first()?;
            self.0 = rest;
            number |= usize::from(byte & 0x7f) << (7 * place);
            if byte & 0x80 == 0 {
                break;
            }
        }
        Some(number)
    }
}

impl<'a> Iterator for Records<'a> {
    type Item = (u16, &'a [u8]);

    fn next(&mut self) -> Option<Self::Item> {
        let kind = u16::try_from(self.number(2)?).ok()?;
        let length = self.number(4)?;
        let (data, rest) = self.0.split_at(length.min(self.0.len()));
        self.0 = rest;
        Some((kind, data))
    }
}

/// A string with its length in characters, and the number of bytes consumed.
fn text_at(data: &[u8], offset: usize) -> Option<(String, usize)> {
    let length = u32_at(data, offset)?;
    // The highest length marks a missing string.
    let bytes = if length == u32::MAX { 0 } else { (length as usize).checked_mul(2)? };
    let units = data.get(offset + 4..(offset + 4).checked_add(bytes)?)?.chunks_exact(2);
    let units = units.filter_map(|two| u16_at(two, 0));
    Some((char::decode_utf16(units).map(|unit| unit.unwrap_or('\u{fffd}')).collect(), 4 + bytes))
}
