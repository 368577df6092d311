//! Bytes to text.

use document::ParseError;
use documents_core::{Limits, parse};

const GERMAN: &str =
    "Stra\u{df}e und \u{c4}pfel f\u{fc}r M\u{fc}nchen, \u{201e}sch\u{f6}n\u{201c} \u{2013} 5 \u{20ac}";

fn text(bytes: &[u8], name: &str) -> String {
    parse(bytes, name, &Limits::default()).unwrap().text
}

fn utf16(text: &str, unit: fn(u16) -> [u8; 2]) -> Vec<u8> {
    std::iter::once(0xfeff).chain(text.encode_utf16()).flat_map(unit).collect()
}

#[test]
fn windows_1252_without_a_label_is_told() {
    let (bytes, _, _) = encoding_rs::WINDOWS_1252.encode(GERMAN);
    assert_eq!(text(&bytes, "x.txt"), GERMAN);
}

#[test]
fn utf_16_is_read_by_its_mark_in_either_order_in_every_format_of_text() {
    for unit in [u16::to_le_bytes, u16::to_be_bytes] {
        assert_eq!(text(&utf16(GERMAN, unit), "x.txt"), GERMAN);
        let table = text(&utf16("a,b\n\u{fc},2", unit), "x.csv");
        assert!(table.contains('\u{fc}') && !table.contains('\u{feff}'), "{table}");
    }
}

#[test]
fn a_mark_of_utf_8_is_no_character() {
    assert_eq!(text("\u{feff}h\u{e9}".as_bytes(), "x.txt"), "h\u{e9}");
}

#[test]
fn a_declared_charset_is_believed_where_the_bytes_allow_it() {
    let html = format!(
        "<html><head><meta charset=\"windows-1251\"></head><p>{}",
        "\u{41f}\u{440}\u{438}\u{432}\u{435}\u{442}"
    );
    let (bytes, _, _) = encoding_rs::WINDOWS_1251.encode(&html);
    assert_eq!(text(&bytes, "x.html"), "\u{41f}\u{440}\u{438}\u{432}\u{435}\u{442}");
}

#[test]
fn a_charset_that_lies_about_utf_8_is_not_believed() {
    let html = "<html><head><meta charset=\"iso-8859-1\"></head><p>h\u{e9}llo \u{1f600}";
    assert_eq!(text(html.as_bytes(), "x.html"), "h\u{e9}llo \u{1f600}");
}

#[test]
fn a_charset_that_claims_utf_8_for_other_bytes_is_not_believed() {
    let html = "<html><head><meta http-equiv=content-type content='text/html; charset=utf-8'></head><p>Caf\u{e9} M\u{fc}ller";
    let (bytes, _, _) = encoding_rs::WINDOWS_1252.encode(html);
    assert_eq!(text(&bytes, "x.html"), "Caf\u{e9} M\u{fc}ller");
}

#[test]
fn bytes_that_are_no_text_are_refused_whatever_their_name() {
    for name in ["x.txt", "x.csv", "x.md", "x.html"] {
        let error = parse(b"abc\0\x01\x02\x03def", name, &Limits::default()).unwrap_err();
        assert!(matches!(error, ParseError::Unsupported(_)), "{name}: {error:?}");
    }
}

#[test]
fn line_ends_of_every_system_are_one() {
    assert_eq!(text(b"a\r\nb\rc\nd", "x.txt"), "a\nb\nc\nd");
}

#[test]
fn wide_text_without_a_mark_is_told_by_its_zeros() {
    let text = "Total: 12,50 \u{20ac}\nThank you for the order, M\u{fc}ller";
    let little: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let big: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
    for bytes in [little, big] {
        let document = documents_core::parse(&bytes, "x.txt", &documents_core::Limits::default()).unwrap();
        assert_eq!(document.text, text);
    }
}
