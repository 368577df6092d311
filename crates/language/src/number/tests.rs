//! Tests of the module above.

use super::*;

fn parse(text: &str, decimal: Option<char>) -> Option<f64> {
    super::parse(text, |readings| pick_by_separator(readings, decimal))
}

const POINT: Option<char> = Some('.');
const COMMA: Option<char> = Some(',');

#[test]
fn one_number_is_read_in_every_printed_form() {
    for (text, number) in [
        ("1,234.50 €", 1234.5),
        ("1.234,50 €", 1234.5),
        ("1 234,50", 1234.5),
        ("1'234.50", 1234.5),
        ("1\u{202f}234,50", 1234.5),
        ("RM1,234.50", 1234.5),
        ("$ 9.00", 9.0),
        ("12,34,567.00", 1_234_567.0),
        ("-5", -5.0),
        ("−5,5", -5.5),
        ("(1,234.50)", -1234.5),
        ("12.50-", -12.5),
        ("-$5.00", -5.0),
        ("19 %", 19.0),
        ("1.5 million", 1_500_000.0),
        ("2 Mio. EUR", 2_000_000.0),
        (".50", 0.5),
        ("1e3", 1000.0),
        ("approx. 12 kg", 12.0),
        ("1,234", 1234.0),
        ("1.234", 1.234),
        ("0.005", 0.005),
        ("1,234,567", 1_234_567.0),
        ("٣٤", 34.0),
        ("１２", 12.0),
        ("007", 7.0),
        ("USD 3k", 3000.0),
        ("$2.5M", 2_500_000.0),
        ("€1.2bn", 1_200_000_000.0),
        ("5 m", 5.0),
        ("5m", 5.0),
        ("1.250,- €", 1250.0),
        ("12.-", 12.0),
    ] {
        assert_eq!(parse(text, POINT), Some(number), "{text}");
    }
    assert_eq!(parse("1.234", COMMA), Some(1234.0));
    assert_eq!(parse("1,234", COMMA), Some(1.234));
}

#[test]
fn none_or_several_numbers_are_no_number() {
    for text in ["", "abc", "12 of 30", "3-4", "12.05.2020", "1e999", "-", "1.2.3", "A12", "∞", "."] {
        assert_eq!(parse(text, POINT), None, "{text}");
    }
    assert_eq!(parse(&"9".repeat(500), POINT), None);
}

#[test]
fn what_spaces_part_may_be_one_number_or_several() {
    let text = "57 633.57 36,113.49 and 1 234 567,50";
    let mut found = Vec::new();
    scan(text, 0..text.len(), |m| found.push((text[m.range.clone()].to_owned(), m.is_set_apart)));
    let found: Vec<(&str, bool)> = found.iter().map(|(text, apart)| (text.as_str(), *apart)).collect();
    assert_eq!(
        found,
        [
            ("57 633.57", false),
            ("57", true),
            ("633.57", true),
            ("36,113.49", false),
            ("1 234 567,50", false),
            ("1", true),
            ("234", true),
            ("567,50", true),
        ]
    );
}

#[test]
fn mentions_stand_where_they_say() {
    let text = "Total: RM 1,234.50 on 12.05.2020 (é) -5 A7";
    let mut found = Vec::new();
    scan(text, 0..text.len(), |m| found.push((text[m.range.clone()].to_owned(), m.part, m.negative)));
    assert_eq!(
        found,
        [
            ("1,234.50".to_owned(), false, Some(false)),
            ("12".to_owned(), true, Some(false)),
            ("05".to_owned(), true, Some(false)),
            ("2020".to_owned(), true, Some(false)),
            ("-5".to_owned(), false, Some(true)),
        ]
    );
}
