//! Builds tables as a workbook (Office Open XML) in memory, within bounds.

use std::collections::HashSet;

use forms_core::table::{Cell, Row, Table};
use rust_xlsxwriter::{ExcelDateTime, Format, Workbook, Worksheet, XlsxError};
use serde_json::Number;
use shared_core::{DomainError, ErrorKind};

/// Maximum number of rows of a sheet in the format.
const MAX_ROWS: u32 = 1_048_576;
/// Maximum number of columns of a sheet in the format.
const MAX_COLUMNS: usize = 16_384;
/// Maximum number of characters of a cell in the format.
const MAX_TEXT: usize = 32_767;
/// Maximum number of characters of a sheet's name in the format.
const MAX_NAME: usize = 31;
/// Maximum number of sheets; more would not be usable.
const MAX_SHEETS: usize = 200;
/// Maximum number of cells of a workbook. It is held in memory while it is built.
const MAX_CELLS: usize = 500_000;
const MAX_BYTES: usize = 32 << 20;
/// Width of the first column, which has identifiers.
const ID_WIDTH: f64 = 38.0;
/// The largest integer that cells, whose numbers are doubles, hold exactly: 2⁵³.
const MAX_EXACT: i64 = 1 << 53;

/// Why a workbook could not be built.
#[derive(Debug, thiserror::Error)]
pub(super) enum WorkbookError {
    /// A limit is exceeded.
    #[error(
        "a workbook may have {MAX_CELLS} cells with {} MiB of text, and on each sheet {MAX_ROWS} rows and \
         {MAX_COLUMNS} columns: use the format csv or jsonl, or ask for less",
        MAX_BYTES >> 20
    )]
    TooLarge,
    /// The file could not be written.
    #[error("the workbook could not be written")]
    Writing(#[from] XlsxError),
    /// The writing thread ended.
    #[error("the workbook could not be written")]
    Thread(#[from] tokio::task::JoinError),
}

impl DomainError for WorkbookError {
    fn kind(&self) -> ErrorKind {
        match self {
            Self::TooLarge => ErrorKind::TooLarge,
            Self::Writing(_) | Self::Thread(_) => ErrorKind::Internal,
        }
    }

    fn code(&self) -> &'static str {
        match self {
            Self::TooLarge => "export_too_large",
            Self::Writing(_) | Self::Thread(_) => "internal",
        }
    }
}

/// The media type.
pub(super) const MEDIA: &str = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

/// A workbook under construction.
pub(super) struct WorkbookWriter {
    sheets: Vec<(Worksheet, u32)>,
    day: Format,
    cells: usize,
    bytes: usize,
}

impl WorkbookWriter {
    /// A workbook with a sheet for each table. The first row of a sheet names the columns.
    pub(super) fn new(tables: &[Table]) -> Result<Self, WorkbookError> {
        if tables.len() > MAX_SHEETS || tables.iter().any(|table| table.columns.len() > MAX_COLUMNS) {
            return Err(WorkbookError::TooLarge);
        }
        let day = Format::new().set_num_format("yyyy-mm-dd");
        let mut book = Self { sheets: Vec::new(), day, cells: 0, bytes: 0 };
        let (mut names, bold) = (HashSet::new(), Format::new().set_bold());
        for table in tables {
            let sheet = book.headed(table, &mut names, &bold)?;
            book.sheets.push((sheet, 1));
        }
        Ok(book)
    }

    fn headed(
        &mut self,
        table: &Table,
        names: &mut HashSet<String>,
        bold: &Format,
    ) -> Result<Worksheet, WorkbookError> {
        let mut sheet = Worksheet::new();
        sheet.set_name(sheet_name(&table.name, names))?.set_freeze_panes(1, 0)?;
        for (name, column) in table.columns.iter().zip(0_u16..) {
            let name = fitting(name);
            self.count(name.len())?;
            sheet.set_column_width(column, if column == 0 { ID_WIDTH } else { width(&name) })?;
            sheet.write_string_with_format(0, column, name, bold)?;
        }
        Ok(sheet)
    }

    /// Appends rows.
    pub(super) fn add(&mut self, rows: Vec<Row>) -> Result<(), WorkbookError> {
        for row in rows {
            for (cell, column) in row.cells.into_iter().zip(0_u16..) {
                if let Cell::Text(text) | Cell::Date(text) = &cell {
                    self.count(text.len())?;
                } else if cell != Cell::Empty {
                    self.count(0)?;
                }
                let Some((sheet, next)) = self.sheets.get_mut(row.table) else { continue };
                if *next >= MAX_ROWS {
                    return Err(WorkbookError::TooLarge);
                }
                write(sheet, (*next, column), cell, &self.day)?;
            }
            if let Some((_, next)) = self.sheets.get_mut(row.table) {
                *next += 1;
            }
        }
        Ok(())
    }

    fn count(&mut self, bytes: usize) -> Result<(), WorkbookError> {
        self.cells += 1;
        self.bytes += bytes;
        if self.cells > MAX_CELLS || self.bytes > MAX_BYTES { Err(WorkbookError::TooLarge) } else { Ok(()) }
    }

    /// Writes the file. This takes a while, so call it on a blocking thread.
    pub(super) fn save(self) -> Result<Vec<u8>, XlsxError> {
        let mut workbook = Workbook::new();
        for (sheet, _) in self.sheets {
            workbook.push_worksheet(sheet);
        }
        workbook.save_to_buffer()
    }
}

/// Writes a cell. A text is never interpreted as a formula, an address or a number.
fn write(
    sheet: &mut Worksheet,
    (row, column): (u32, u16),
    cell: Cell,
    day: &Format,
) -> Result<(), XlsxError> {
    match cell {
        Cell::Empty => return Ok(()),
        Cell::Boolean(yes) => sheet.write_boolean(row, column, yes)?,
        Cell::Number(number) => match exact(&number) {
            Some(number) => sheet.write_number(row, column, number)?,
            None => sheet.write_string(row, column, number.to_string())?,
        },
        Cell::Date(text) => match date(&text) {
            Some(date) => sheet.write_datetime_with_format(row, column, date, day)?,
            None => sheet.write_string(row, column, text)?,
        },
        Cell::Text(text) => sheet.write_string(row, column, fitting(&text))?,
    };
    Ok(())
}

/// The number, if a cell holds it exactly.
fn exact(number: &Number) -> Option<f64> {
    let whole = number.is_i64() || number.is_u64();
    let fits = |whole: i64| (-MAX_EXACT..=MAX_EXACT).contains(&whole);
    if whole && !number.as_i64().is_some_and(fits) { None } else { number.as_f64() }
}

/// The date, if the calendar of workbooks, which begins in 1900, has it.
fn date(text: &str) -> Option<ExcelDateTime> {
    let mut parts = text.split('-');
    let (year, month, day) = (parts.next()?, parts.next()?, parts.next()?);
    ExcelDateTime::from_ymd(year.parse().ok()?, month.parse().ok()?, day.parse().ok()?).ok()
}

/// The text, cut to the size of a cell with a note of its length.
fn fitting(text: &str) -> String {
    let length = text.encode_utf16().count();
    if length <= MAX_TEXT {
        return text.to_owned();
    }
    let note = format!("… [cut: {length} characters]");
    let room = MAX_TEXT - note.encode_utf16().count();
    let mut used = 0;
    let kept: String = text
        .chars()
        .take_while(|c| {
            used += c.len_utf16();
            used <= room
        })
        .collect();
    kept + &note
}

/// A width that fits the column's name.
fn width(name: &str) -> f64 {
    let characters = u32::try_from(name.chars().count()).unwrap_or(u32::MAX);
    f64::from(characters.clamp(8, 40)) + 2.0
}

/// A valid sheet name that is unique in the workbook, ignoring case.
fn sheet_name(name: &str, taken: &mut HashSet<String>) -> String {
    let allowed = |c: char| if "[]:*?/\\'".contains(c) || c.is_control() { '_' } else { c };
    let name: String = name.chars().map(allowed).collect();
    // Some spreadsheets reserve that sheet name.
    let reserved = name.to_lowercase() == "history";
    for number in 1.. {
        let suffix = if number == 1 && !reserved { String::new() } else { format!(" ({number})") };
        let mut room = MAX_NAME - suffix.len();
        let kept = |c: &char| match room.checked_sub(c.len_utf16()) {
            Some(left) => {
                room = left;
                true
            }
            None => false,
        };
        let candidate = name.chars().take_while(kept).collect::<String>() + &suffix;
        if taken.insert(candidate.to_lowercase()) {
            return candidate;
        }
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_sheets_are_those_that_spreadsheets_take_and_differ_by_more_than_case() {
        let mut taken = HashSet::new();
        let mut named = |name: &str| sheet_name(name, &mut taken);
        assert_eq!(named("a[1]:*?/\\'b\n"), "a_1_______b_");
        assert_eq!([named("Lines"), named("lines"), named("LINES")], ["Lines", "lines (2)", "LINES (3)"]);
        assert_eq!(named("History"), "History (1)");
        let long = "x".repeat(40);
        assert_eq!(named(&long), "x".repeat(31));
        assert_eq!(named(&long), format!("{} (2)", "x".repeat(27)));
        assert_eq!(named(&"😀".repeat(20)), "😀".repeat(15));
    }

    #[test]
    fn a_text_that_no_cell_holds_is_cut_and_says_how_long_it_was() {
        let most = "é".repeat(MAX_TEXT);
        assert_eq!(fitting(&most), most);
        let cut = fitting(&"😀".repeat(20_000));
        assert!(cut.ends_with("😀… [cut: 40000 characters]") && cut.encode_utf16().count() <= MAX_TEXT);
    }

    #[test]
    fn numbers_that_cells_do_not_hold_exactly_and_days_that_they_do_not_have_are_texts() {
        let number = |text: &str| exact(&text.parse().unwrap());
        assert_eq!(number("9007199254740992"), Some(9_007_199_254_740_992.0));
        assert_eq!((number("9007199254740993"), number("-9007199254740993")), (None, None));
        assert_eq!((number("18446744073709551615"), number("0.1")), (None, Some(0.1)));
        for (text, has) in
            [("2026-03-04", true), ("9999-12-31", true), ("1899-12-30", false), ("2026-02-30", false)]
        {
            assert_eq!(date(text).is_some(), has, "{text}");
        }
    }
}
