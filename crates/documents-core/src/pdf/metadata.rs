//! Metadata of a PDF.

use document::Metadata;
use hayro_syntax::Pdf;
use hayro_syntax::object::{DateTime, Dict, String as PdfString};

/// Maximum characters of a title, name or language. Protects memory.
const MAX_LENGTH: usize = 1_000;

/// Characters of PDFDocEncoding from 0x18 and from 0x80 that differ from Latin-1 (ISO 32000-1, D.2).
const ACCENTS: [char; 8] =
    ['\u{2d8}', '\u{2c7}', '\u{2c6}', '\u{2d9}', '\u{2dd}', '\u{2db}', '\u{2da}', '\u{2dc}'];
const MARKS: [char; 31] = [
    '\u{2022}', '\u{2020}', '\u{2021}', '\u{2026}', '\u{2014}', '\u{2013}', '\u{192}', '\u{2044}',
    '\u{2039}', '\u{203a}', '\u{2212}', '\u{2030}', '\u{201e}', '\u{201c}', '\u{201d}', '\u{2018}',
    '\u{2019}', '\u{201a}', '\u{2122}', '\u{fb01}', '\u{fb02}', '\u{141}', '\u{152}', '\u{160}', '\u{178}',
    '\u{17d}', '\u{131}', '\u{142}', '\u{153}', '\u{161}', '\u{17e}',
];

/// Reads the metadata.
pub(super) fn read(pdf: &Pdf, into: &mut Metadata) {
    let text = |bytes: &Option<Box<[u8]>>| bytes.as_deref().and_then(short_text);
    let found = pdf.metadata();
    into.title = text(&found.title);
    into.author = text(&found.author);
    into.created = found.creation_date.as_ref().and_then(rfc3339);
    into.modified = found.modification_date.as_ref().and_then(rfc3339);
    into.page_count = u32::try_from(pdf.pages().len()).ok();
    let catalog = pdf.xref().get::<Dict<'_>>(pdf.xref().root_id());
    let language = catalog.and_then(|catalog| catalog.get::<PdfString<'_>>("Lang"));
    into.language = language.and_then(|language| short_text(language.as_bytes()));
}

fn short_text(bytes: &[u8]) -> Option<String> {
    let text: String = text_string(bytes).chars().take(MAX_LENGTH).collect();
    Some(text.trim().to_owned()).filter(|text| !text.is_empty())
}

/// Decodes a text string: UTF-16 or UTF-8 by its byte order mark, else PDFDocEncoding.
pub(super) fn text_string(bytes: &[u8]) -> String {
    let text = match bytes {
        [0xFE, 0xFF, ..] | [0xFF, 0xFE, ..] | [0xEF, 0xBB, 0xBF, ..] => {
            crate::encoding::decode(bytes, None).into_owned()
        }
        _ => bytes.iter().copied().map(character).collect(),
    };
    text.replace('\0', "")
}

fn character(byte: u8) -> char {
    let special = match byte {
        0x18..=0x1f => ACCENTS.get(usize::from(byte - 0x18)).copied(),
        0x80..=0x9e => MARKS.get(usize::from(byte - 0x80)).copied(),
        0xa0 => Some('\u{20ac}'),
        _ => None,
    };
    special.unwrap_or(char::from(byte))
}

fn rfc3339(date: &DateTime) -> Option<String> {
    let valid = (1..=12).contains(&date.month)
        && (1..=31).contains(&date.day)
        && date.hour < 24
        && date.minute < 60
        && date.second < 60;
    let (hour, minute) = (date.utc_offset_hour, date.utc_offset_minute);
    let zone = match (hour, minute) {
        (0, 0) => "Z".to_owned(),
        _ => format!("{}{:02}:{minute:02}", if hour < 0 { '-' } else { '+' }, hour.unsigned_abs()),
    };
    valid.then(|| {
        format!(
            "{:04}-{:02}-{:02}T{:02}:{:02}:{:02}{zone}",
            date.year, date.month, date.day, date.hour, date.minute, date.second
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_strings_are_utf_16_by_their_mark_and_else_of_their_own_encoding() {
        assert_eq!(text_string(b"\xfe\xff\x00A\x20\x13\x00B"), "A\u{2013}B");
        assert_eq!(text_string(b"A\x85B \x8dC\x8e \xe4"), "A\u{2013}B \u{201c}C\u{201d} \u{e4}");
    }
}
