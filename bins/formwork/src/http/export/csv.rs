//! Tables as comma-separated values (RFC 4180), for programs and for people who open them in a spreadsheet.

use forms_core::table::Cell;

/// Tells spreadsheets that the text is UTF-8; they take it for something else without.
pub(super) const MARK: &str = "\u{feff}";

/// A line of the column's names.
pub(super) fn header(names: &[String]) -> String {
    line(names.iter().map(|name| quoted(&harmless(name))))
}

/// A line of cells.
pub(super) fn row(cells: &[Cell]) -> String {
    line(cells.iter().map(|cell| match cell {
        Cell::Empty => String::new(),
        Cell::Text(text) => quoted(&harmless(text)),
        Cell::Number(number) => number.to_string(),
        Cell::Boolean(yes) => yes.to_string(),
        Cell::Date(day) => day.clone(),
    }))
}

fn line(cells: impl Iterator<Item = String>) -> String {
    let mut line = cells.collect::<Vec<_>>().join(",");
    line.push_str("\r\n");
    line
}

fn quoted(text: &str) -> String {
    if text.contains([',', '"', '\r', '\n', ';', '\t']) || text.starts_with(' ') || text.ends_with(' ') {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}

/// A text that no spreadsheet takes for a formula: those that begin like one get an apostrophe before them.
/// The characters are those of OWASP's "CSV Injection". NUL, at which many readers end, is replaced.
fn harmless(text: &str) -> String {
    let text = text.replace('\0', "\u{fffd}");
    let formula = ['=', '+', '-', '@', '\t', '\r', '\n', '\u{ff1d}', '\u{ff0b}', '\u{ff0d}', '\u{ff20}'];
    if text.starts_with(formula) { format!("'{text}") } else { text }
}

#[cfg(test)]
mod tests {
    use serde_json::Number;

    use super::*;

    #[test]
    fn texts_that_begin_like_formulas_are_made_harmless_and_numbers_stay_numbers() {
        let text = |text: &str| Cell::Text(text.to_owned());
        for formula in ["=1+1", "+1", "-1", "@a", "\ta", "\ra", "\na", "＝1", "＋1", "－1", "＠a"] {
            let written = row(&[text(formula)]);
            assert!(written.trim_start_matches('"').starts_with('\''), "{written}");
        }
        for plain in ["a=1", "'=1", "1-1", ""] {
            assert_eq!(row(&[text(plain)]), format!("{plain}\r\n"));
        }
        let number = |number: f64| Cell::Number(Number::from_f64(number).unwrap());
        assert_eq!(row(&[number(-1.5), Cell::Boolean(true), Cell::Empty]), "-1.5,true,\r\n");
        assert_eq!(header(&["=cmd()".to_owned(), "a".to_owned()]), "'=cmd(),a\r\n");
    }

    #[test]
    fn what_is_written_is_read_back_by_others_as_it_was() {
        let texts = ["a,b", "say \"no\"", "two\r\nlines", "\"", " padded ", "a;b", "naïve 漢字 😀", ""];
        let cells: Vec<Cell> = texts.iter().map(|text| Cell::Text((*text).to_owned())).collect();
        let written = row(&cells) + &row(&cells);
        let mut reader = ::csv::ReaderBuilder::new().has_headers(false).from_reader(written.as_bytes());
        for record in reader.records() {
            assert_eq!(record.unwrap().iter().collect::<Vec<_>>(), texts);
        }
    }
}
