//! Formats cell values as text: numbers with all their digits, dates as ISO 8601.

use crate::ole_properties::civil;

/// Spreadsheets have 15 significant decimal digits; further ones are noise of calculations.
const DIGITS: usize = 15;
/// Sizes of numbers that are written without an exponent. Chosen by hand; no measurement recorded.
const PLAIN: std::ops::Range<f64> = 1e-7..1e21;
/// The epochs 1899-12-30 and 1904-01-01, in days from 1970-01-01.
const EPOCH_1900: i64 = -25_569;
const EPOCH_1904: i64 = -24_107;
/// The first day after the supported range: 10000-01-01.
const LAST_DAY: f64 = 2_958_466.0;

/// What a number means according to its format.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) enum NumberKind {
    #[default]
    Number,
    Date,
    Duration,
}

/// A number according to its format: the number itself, or the date or time that it represents.
pub(super) fn format_number(number: f64, shown: NumberKind, is_1904: bool) -> String {
    match shown {
        NumberKind::Duration if number.abs() < LAST_DAY => duration(number),
        NumberKind::Date if (0.0..LAST_DAY).contains(&number) => date(number, is_1904),
        _ => float(number),
    }
}

/// A number without the noise of binary fractions.
pub(super) fn float(number: f64) -> String {
    let rounded = format!("{number:.*e}", DIGITS - 1).parse().unwrap_or(number);
    let size = rounded.abs();
    if size != 0.0 && !PLAIN.contains(&size) { format!("{rounded:e}") } else { format!("{rounded}") }
}

/// A number in text form according to its format; other text stays unchanged.
pub(super) fn format_written(text: &str, shown: NumberKind, is_1904: bool) -> String {
    match text.trim().parse::<f64>() {
        Ok(number) if number.is_finite() => format_number(number, shown, is_1904),
        _ => text.trim().to_owned(),
    }
}

pub(super) fn boolean(value: bool) -> &'static str {
    if value { "TRUE" } else { "FALSE" }
}

/// The name of an error by its code in binary workbooks.
pub(super) fn error(code: u8) -> &'static str {
    match code {
        0x00 => "#NULL!",
        0x07 => "#DIV/0!",
        0x0f => "#VALUE!",
        0x17 => "#REF!",
        0x1d => "#NAME?",
        0x24 => "#NUM!",
        0x2a => "#N/A",
        _ => "#ERROR!",
    }
}

fn duration(number: f64) -> String {
    let seconds = (number * 86_400.0).round();
    let (sign, seconds) = (if seconds < 0.0 { "-" } else { "" }, seconds.abs());
    let (hours, rest) = ((seconds / 3_600.0).floor(), seconds % 3_600.0);
    format!("{sign}{hours:02}:{:02}:{:02}", (rest / 60.0).floor(), rest % 60.0)
}

#[allow(clippy::cast_possible_truncation, reason = "the callers keep to the days of the calendar")]
fn date(number: f64, is_1904: bool) -> String {
    let seconds = (number * 86_400.0).round() as i64;
    let (day, second) = (seconds.div_euclid(86_400), seconds.rem_euclid(86_400));
    let clock = format!("{:02}:{:02}:{:02}", second / 3_600, second / 60 % 60, second % 60);
    if number < 1.0 && day == 0 {
        return clock;
    }
    let (year, month, date) = match (is_1904, day) {
        (true, day) => civil(EPOCH_1904 + day),
        // Spreadsheets treat 1900 as a leap year.
        (false, 60) => (1900, 2, 29),
        (false, day) => civil(EPOCH_1900 + day + i64::from(day < 60)),
    };
    let date = format!("{year:04}-{month:02}-{date:02}");
    if second == 0 { date } else { format!("{date} {clock}") }
}

/// Built-in date and time formats (ECMA-376 part 1, 18.8.30).
pub(super) fn kind_by_format_id(number: u16) -> NumberKind {
    match number {
        14..=22 | 27..=36 | 45 | 47 | 50..=58 => NumberKind::Date,
        46 => NumberKind::Duration,
        _ => NumberKind::Number,
    }
}

/// The kind of a format code, by the unquoted letters of its first section.
pub(super) fn kind_by_format_code(code: &str) -> NumberKind {
    let mut letters = code.chars();
    let mut found = NumberKind::Number;
    while let Some(letter) = letters.next() {
        match letter.to_ascii_lowercase() {
            ';' => break,
            '"' => {
                letters.by_ref().find(|one| *one == '"');
            }
            '\\' | '_' | '*' => {
                letters.next();
            }
            '[' => {
                let inside: String = letters.by_ref().take_while(|one| *one != ']').collect();
                if !inside.is_empty() && inside.chars().all(|one| "hmsHMS".contains(one)) {
                    return NumberKind::Duration;
                }
            }
            'g' if letters.as_str().to_ascii_lowercase().starts_with("eneral") => break,
            'y' | 'm' | 'd' | 'h' | 's' => found = NumberKind::Date,
            _ => {}
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_tell_dates_from_numbers() {
        for (code, shown) in [
            ("General", NumberKind::Number),
            ("0.00", NumberKind::Number),
            ("dd/mm/yyyy", NumberKind::Date),
            ("#,##0 \"days\"", NumberKind::Number),
            ("[Red]0.0", NumberKind::Number),
            ("[h]:mm", NumberKind::Duration),
            ("0;\\d", NumberKind::Number),
            ("h:mm AM/PM", NumberKind::Date),
        ] {
            assert_eq!(kind_by_format_code(code), shown, "{code}");
        }
    }

    #[test]
    fn numbers_show_what_was_typed() {
        for (number, text) in [
            (1.0, "1"),
            (-0.5, "-0.5"),
            (0.1 + 0.2, "0.3"),
            (1_234_567.891, "1234567.891"),
            (1e300, "1e300"),
            (1.5e-9, "1.5e-9"),
            (123_456_789_012_345.0, "123456789012345"),
            (0.0, "0"),
        ] {
            assert_eq!(float(number), text);
        }
        assert_eq!(format_written("0.30000000000000004", NumberKind::Number, false), "0.3");
        assert_eq!(format_written("12.0", NumberKind::Number, false), "12");
        assert_eq!(format_written("n/a", NumberKind::Number, false), "n/a");
    }

    #[test]
    fn dates_times_and_durations_are_told_apart() {
        assert_eq!(format_number(45_943.0, NumberKind::Date, false), "2025-10-13");
        assert_eq!(format_number(45_943.5, NumberKind::Date, false), "2025-10-13 12:00:00");
        assert_eq!(format_number(0.75, NumberKind::Date, false), "18:00:00");
        assert_eq!(format_number(1.5, NumberKind::Duration, false), "36:00:00");
        assert_eq!(format_number(1.0, NumberKind::Date, false), "1900-01-01");
        assert_eq!(format_number(0.0, NumberKind::Date, true), "00:00:00");
        assert_eq!(format_number(366.0, NumberKind::Date, true), "1905-01-01");
        assert_eq!(format_number(-3.0, NumberKind::Date, false), "-3");
    }
}
