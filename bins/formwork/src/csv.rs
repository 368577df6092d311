//! Tables as comma-separated values (RFC 4180), for programs and for people who open them in a spreadsheet.

use forms_core::table::Cell;

/// Byte order mark. Spreadsheets need it to read the text as UTF-8.
pub(crate) const MARK: &str = "\u{feff}";

/// Characters that start a formula, and their full-width forms, which some spreadsheets treat alike.
const FORMULA: [char; 4] = ['=', '@', '\u{ff1d}', '\u{ff20}'];
/// Characters that start a formula or a number.
const SIGN: [char; 4] = ['+', '-', '\u{ff0b}', '\u{ff0d}'];
/// Characters besides digits that numbers and telephone numbers contain.
const IN_NUMBERS: &str = ".,'’()/- \u{a0}\u{202f}\u{2009}%€$£¥";

/// Writes comma-separated values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CsvWriter {
    /// Whether a text that a spreadsheet would run as a formula gets an apostrophe in front.
    pub escapes_formulas: bool,
}

impl CsvWriter {
    /// A row of texts.
    pub(crate) fn texts(self, texts: &[String]) -> String {
        line(texts.iter().map(|text| self.text(text)))
    }

    /// A row of cells.
    pub(crate) fn row(self, cells: &[Cell]) -> String {
        line(cells.iter().map(|cell| match cell {
            Cell::Empty => String::new(),
            Cell::Text(text) => self.text(text),
            Cell::Number(number) => number.to_string(),
            Cell::Boolean(yes) => yes.to_string(),
            Cell::Date(day) => day.clone(),
        }))
    }

    /// Replaces NUL, because many readers stop at it.
    fn text(self, text: &str) -> String {
        let text = text.replace('\0', "\u{fffd}");
        quoted(if self.escapes_formulas && is_formula(&text) { format!("'{text}") } else { text })
    }
}

fn line(cells: impl Iterator<Item = String>) -> String {
    let mut line = cells.collect::<Vec<_>>().join(",");
    line.push_str("\r\n");
    line
}

fn quoted(text: String) -> String {
    if text.contains([',', '"', '\r', '\n', ';', '\t']) || text.starts_with(' ') || text.ends_with(' ') {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text
    }
}

/// Whether a spreadsheet would run the text as a formula. Control characters at the start do not hide a
/// formula, because some spreadsheets skip them (OWASP, "CSV Injection"). A sign in front of a number or a
/// telephone number starts none.
fn is_formula(text: &str) -> bool {
    let text = text.trim_start_matches(['\t', '\r', '\n']);
    text.starts_with(FORMULA) || text.strip_prefix(SIGN).is_some_and(|rest| !is_number(rest))
}

/// Whether the text is a number, a telephone number, or an amount with a currency code (ISO 4217), without
/// its sign.
fn is_number(text: &str) -> bool {
    let text = text.trim_end();
    let is_code = |code: &str| code.len() == 3 && code.bytes().all(|byte| byte.is_ascii_uppercase());
    let amount = text.rsplit_once([' ', '\u{a0}', '\u{202f}']).filter(|(_, code)| is_code(code));
    let digits = amount.map_or(text, |(amount, _)| amount);
    digits.chars().all(|c| c.is_ascii_digit() || IN_NUMBERS.contains(c))
        || digits.parse::<f64>().is_ok_and(f64::is_finite)
}

#[cfg(test)]
mod tests {
    use serde_json::Number;

    use super::*;

    const SAFE: CsvWriter = CsvWriter { escapes_formulas: true };

    fn text(text: &str) -> Cell {
        Cell::Text(text.to_owned())
    }

    #[test]
    fn a_text_that_a_spreadsheet_would_run_gets_an_apostrophe() {
        for formula in [
            "=1+1",
            "@SUM(A1)",
            "+A1",
            "-A1",
            "-1+cmd|' /C calc'!A0",
            "+1+SUM(A1)",
            "- item",
            "--a",
            "\t=1",
            "\r\n@a",
            "\n+a",
            "＝1",
            "＋a",
            "－a",
            "＠a",
            "-12 A1",
            "+B 2",
            "-inf",
            "+1;2",
            "-1&A1",
            "-1*2",
            "+EUR",
        ] {
            let written = SAFE.row(&[text(formula)]);
            assert!(written.trim_start_matches('"').starts_with('\''), "{written}");
            let open = CsvWriter { escapes_formulas: false }.row(&[text(formula)]);
            assert!(!open.trim_start_matches('"').starts_with('\''), "{open}");
        }
        assert_eq!(SAFE.texts(&["=cmd()".to_owned(), "a".to_owned()]), "'=cmd(),a\r\n");
    }

    #[test]
    fn numbers_telephone_numbers_and_texts_are_written_as_they_are() {
        for plain in [
            "+49 170 1234567",
            "+1 (555) 123-4567",
            "+44/20/7946",
            "-5",
            "-1.5e-7",
            "+3.5",
            "-1.234.50 €",
            "-12.50 EUR",
            "-7 %",
            "-",
            "+",
            "a=1",
            "'=1",
            "1-1",
            "2026-01-01",
            "−5",
            "",
        ] {
            assert_eq!(SAFE.row(&[text(plain)]), format!("{plain}\r\n"));
        }
        for tabbed in ["\ta", "\na"] {
            assert_eq!(SAFE.row(&[text(tabbed)]), format!("\"{tabbed}\"\r\n"));
        }
        let number = |number: f64| Cell::Number(Number::from_f64(number).unwrap());
        assert_eq!(SAFE.row(&[number(-1.5), Cell::Boolean(true), Cell::Empty]), "-1.5,true,\r\n");
    }

    #[test]
    fn what_is_written_is_read_back_by_others_as_it_was() {
        let texts =
            ["a,b", "say \"no\"", "two\r\nlines", "\"", " padded ", "a;b", "naïve 漢字 😀", "+1,5", ""];
        let cells: Vec<Cell> = texts.iter().map(|one| text(one)).collect();
        let written = SAFE.row(&cells) + &SAFE.row(&cells);
        let mut reader = ::csv::ReaderBuilder::new().has_headers(false).from_reader(written.as_bytes());
        for record in reader.records() {
            assert_eq!(record.unwrap().iter().collect::<Vec<_>>(), texts);
        }
    }
}
