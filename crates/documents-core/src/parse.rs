//! From bytes to a document, by what the bytes are.

use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::container::Container;
use crate::encoding::{declared_encoding, decode, normalised, wide_without_mark};
use crate::nested::Nesting;
use crate::office::Package;
use crate::sniff::{has_wide_bom, is_binary, kind, kind_of};
use crate::{
    Document, Limits, ParseError, archive, doc, html, json, mail, office, pdf, plain, ppt, sheets,
    table_text, xml_text,
};

/// Reads `bytes` as what they are; `name` decides only between kinds of text.
///
/// # Errors
/// As [`ParseError`] says. Never panics: a parser's panic is a damaged document.
pub fn parse(bytes: &[u8], name: &str, limits: &Limits) -> Result<Document, ParseError> {
    if bytes.is_empty() {
        return Err(ParseError::Empty);
    }
    let mut nesting = Nesting::new(limits);
    let guarded = catch_unwind(AssertUnwindSafe(|| {
        let mut document = parse_within(bytes, name, limits, &mut nesting)?;
        document.metadata.truncated |= nesting.cut;
        Ok(document)
    }));
    guarded.unwrap_or_else(|_| Err(contradiction()))
}

/// The text of `bytes` alone, in reading order: nothing is dropped and no marks of structure are added. The
/// pages of a PDF are parted by a form feed, the cells of a table's row by a tab.
///
/// # Errors
/// As [`parse`].
pub fn raw_text(bytes: &[u8], name: &str, limits: &Limits) -> Result<String, ParseError> {
    if bytes.is_empty() || kind_of(bytes, name, limits) != "application/pdf" {
        return parse(bytes, name, limits).map(|document| document.plain_text());
    }
    let guarded = catch_unwind(AssertUnwindSafe(|| pdf::raw_text(bytes, limits)));
    guarded.unwrap_or_else(|_| Err(contradiction()))
}

fn contradiction() -> ParseError {
    ParseError::Damaged("its structure contradicts itself".to_owned())
}

/// Reads the bytes of one kind.
type Reader = fn(&[u8], &Limits) -> Result<Document, ParseError>;

/// Who reads a kind that is not text.
fn reader(kind: &str) -> Option<Reader> {
    Some(match kind {
        "application/pdf" => pdf::parse_pdf,
        "application/rtf" => office::parse_rtf,
        kind::XLS => sheets::parse_xls,
        kind::DOC => doc::parse_doc,
        kind::PPT => ppt::parse_ppt,
        _ => return None,
    })
}

/// Reads a package of parts.
type PackageReader = fn(&Package<'_>, &Limits) -> Result<Document, ParseError>;

fn package_reader(kind: &str) -> Option<PackageReader> {
    Some(match kind {
        kind::DOCX => office::parse_docx,
        kind::PPTX => office::parse_pptx,
        kind::ODT => office::parse_odt,
        kind::ODP => office::parse_odp,
        kind::EPUB => office::parse_epub,
        kind::XLSX => sheets::parse_xlsx,
        kind::XLSB => sheets::parse_xlsb,
        kind::ODS => sheets::parse_ods,
        _ => return None,
    })
}

/// Reads the bytes of a kind that holds other documents.
type OuterReader = fn(&[u8], &Limits, &mut Nesting) -> Result<Document, ParseError>;

fn outer_reader(kind: &str) -> Option<OuterReader> {
    Some(match kind {
        kind::EML => mail::parse_eml,
        kind::MSG => mail::parse_msg,
        kind::ZIP => archive::parse_zip,
        _ => return None,
    })
}

/// Reads a document, which may lie within another.
pub(crate) fn parse_within(
    bytes: &[u8],
    name: &str,
    limits: &Limits,
    nesting: &mut Nesting,
) -> Result<Document, ParseError> {
    let kind = kind_of(bytes, name, limits);
    if let Some(read) = reader(kind) {
        return read(bytes, limits).and_then(with_text);
    }
    if let Some(read) = package_reader(kind) {
        let package = Package::new(Container::open(bytes, limits)?, limits);
        let document = read(&package, limits);
        nesting.charge(package.spent());
        return document.and_then(with_text);
    }
    if let Some(read) = outer_reader(kind) {
        return read(bytes, limits, nesting).and_then(with_text);
    }
    match kind {
        kind::ENCRYPTED => Err(ParseError::Encrypted),
        _ if is_text(kind) => parse_as_text(bytes, kind, limits),
        _ => Err(ParseError::Unsupported(kind.to_owned())),
    }
}

/// A document that holds no text is told so.
fn with_text(document: Document) -> Result<Document, ParseError> {
    if document.text.is_empty() { Err(ParseError::NoText) } else { Ok(document) }
}

fn is_text(kind: &str) -> bool {
    kind.starts_with("text/") || matches!(kind, "application/json" | "application/xml" | "image/svg+xml")
}

fn parse_as_text(bytes: &[u8], kind: &str, limits: &Limits) -> Result<Document, ParseError> {
    let declared = match kind {
        "text/html" => html::declared_charset(bytes),
        "application/xml" | "image/svg+xml" => declared_encoding(bytes),
        _ => None,
    };
    let wide = wide_without_mark(bytes);
    if wide.is_none() && !has_wide_bom(bytes) && is_binary(bytes) {
        return Err(ParseError::Unsupported("application/octet-stream".to_owned()));
    }
    let text = normalised(&decode(bytes, wide.or(declared.as_deref())));
    if text.trim().is_empty() {
        return Err(ParseError::Empty);
    }
    Ok(match kind {
        "text/html" => html::parse_html(&text, limits),
        "text/markdown" => plain::parse_markdown(&text, limits),
        "text/csv" | "text/tab-separated-values" => table_text::parse_csv(&text, limits),
        "application/json" => json::parse_json(&text, limits),
        "application/xml" => xml_text::parse_xml(&text, limits),
        "image/svg+xml" => xml_text::parse_svg(&text, limits),
        _ => plain::parse_text(&text, limits),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BlockKind, Format};

    fn read(bytes: &[u8], name: &str) -> Result<Document, ParseError> {
        parse(bytes, name, &Limits::default())
    }

    #[test]
    fn text_stays_as_it_is_but_for_its_line_ends() {
        let document = read("A  b\r\n\tc\r\n\r\nd \u{1f600}".as_bytes(), "x.txt").unwrap();
        assert_eq!(document.text, "A  b\n\tc\n\nd \u{1f600}");
        let ranges: Vec<_> = document.blocks.iter().map(|block| (block.start, block.end)).collect();
        assert_eq!(ranges, [(0, 8), (9, 12)]);
    }

    #[test]
    fn legacy_encodings_are_told() {
        let windows = "Stra\u{df}e und \u{c4}pfel f\u{fc}r M\u{fc}nchen";
        let (bytes, _, _) = encoding_rs::WINDOWS_1252.encode(windows);
        assert_eq!(read(&bytes, "x.txt").unwrap().text, windows);
        let utf16: Vec<u8> =
            [0xff, 0xfe].into_iter().chain("h\u{e9}".encode_utf16().flat_map(u16::to_le_bytes)).collect();
        assert_eq!(read(&utf16, "x.txt").unwrap().text, "h\u{e9}");
    }

    #[test]
    fn markdown_keeps_its_text_and_tells_its_blocks() {
        let text = "# T\u{e4}tle\n\ntext\n\n- a\n  - b\n\n| x | y |\n|---|---|\n| 1 | 2 |";
        let document = read(text.as_bytes(), "x.md").unwrap();
        assert_eq!((document.text.as_str(), document.format), (text, Format::Markdown));
        assert_eq!(document.blocks[0].kind, BlockKind::Heading { level: 1 });
        let BlockKind::Table { cells } = &document.blocks.last().unwrap().kind else { panic!("a table") };
        let at = |start: usize, end: usize| text.chars().skip(start).take(end - start).collect::<String>();
        let cells: Vec<_> =
            cells.iter().map(|cell| (cell.row, cell.column, at(cell.start, cell.end))).collect();
        assert_eq!(cells[3], (1, 1, "2".to_owned()));
    }

    #[test]
    fn what_cannot_be_read_is_named() {
        assert!(matches!(read(b"", "x.txt"), Err(ParseError::Empty)));
        assert!(matches!(read(b" \n ", "x.txt"), Err(ParseError::Empty)));
        assert!(
            matches!(read(b"\x89PNG\r\n\x1a\n", "x.txt"), Err(ParseError::Unsupported(kind)) if kind == "image/png")
        );
        assert!(matches!(read(b"abc\0def", "x.txt"), Err(ParseError::Unsupported(_))));
        assert!(matches!(read(b"%PDF-1.4\nrubbish", "x.pdf"), Err(ParseError::Damaged(_))));
    }

    #[test]
    fn a_document_survives_json() {
        let document = read(b"<table><tr><td>a<td>b</table><p>x", "x.html").unwrap();
        let json = serde_json::to_string(&document).unwrap();
        assert_eq!(serde_json::from_str::<Document>(&json).unwrap(), document);
    }
}
