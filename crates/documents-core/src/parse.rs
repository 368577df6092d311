//! Parses bytes of any format to a document.

use std::panic::{AssertUnwindSafe, catch_unwind};

use document::{Document, PageNumbers, ParseError, RecognisedPage, Rect};

use crate::builder::without_nul;
use crate::container::Container;
use crate::encoding::{declared_charset, declared_encoding, decode, normalised, wide_without_mark};
use crate::nested::Nesting;
use crate::package::Package;
use crate::readers::{outer_reader, package_reader, reader};
use crate::sniff::{has_wide_bom, is_binary, kind_of};
use crate::{Limits, e_invoice, json, kind, plain, table_text, xml_text};

/// Detects the format of `bytes` and parses them; `name` only distinguishes text formats.
///
/// # Errors
/// As [`ParseError`] says. Never panics: a parser's panic is reported as a damaged document.
pub fn parse(bytes: &[u8], name: &str, limits: &Limits) -> Result<Document, ParseError> {
    if bytes.is_empty() {
        return Err(ParseError::Empty);
    }
    let mut nesting = Nesting::new(limits, parse_within);
    let guarded = catch_unwind(AssertUnwindSafe(|| {
        let mut document = parse_within(bytes, name, limits, &mut nesting)?;
        document.metadata.truncated |= nesting.cut;
        clean(&mut document);
        Ok(document)
    }));
    guarded.unwrap_or_else(|_| Err(contradiction()))
}

/// Parses `bytes` as [`parse`] does, with the OCR results of `pages`, which replace the text of those pages.
///
/// # Errors
/// As [`parse`].
pub fn parse_recognised(
    bytes: &[u8],
    name: &str,
    pages: &[RecognisedPage],
    limits: &Limits,
) -> Result<Document, ParseError> {
    let kind = kind_of(bytes, name, limits);
    let guarded = catch_unwind(AssertUnwindSafe(|| read_recognised(bytes, kind, pages, limits)));
    match guarded {
        Ok(Some(result)) => result.map(|mut document| {
            clean(&mut document);
            document
        }),
        Ok(None) => parse(bytes, name, limits),
        Err(_) => Err(contradiction()),
    }
}

/// The raw text of `bytes` in reading order: nothing is dropped and no markup is added. A form feed separates
/// the pages of a PDF, a tab the cells of a table's row.
///
/// # Errors
/// As [`parse`].
pub fn raw_text(bytes: &[u8], name: &str, limits: &Limits) -> Result<String, ParseError> {
    match kind_of(bytes, name, limits) {
        #[cfg(feature = "pdf")]
        "application/pdf" => {
            let guarded = catch_unwind(AssertUnwindSafe(|| crate::pdf::raw_text(bytes, limits)));
            guarded.unwrap_or_else(|_| Err(contradiction()))
        }
        _ => parse(bytes, name, limits).map(|document| document.plain_text()),
    }
}

/// Removes what files may declare but consumers reject: NUL in metadata, which databases reject, and infinite
/// coordinates, which JSON cannot represent.
fn clean(document: &mut Document) {
    let Document { metadata, fields, links, blocks, spans, attachments, .. } = document;
    let places = blocks.iter_mut().map(|block| &mut block.rect);
    for place in places.chain(fields.iter_mut().map(|field| &mut field.rect)) {
        *place = place.filter(is_finite);
    }
    spans.retain(|span| is_finite(&span.rect));
    let about = [&mut metadata.title, &mut metadata.author, &mut metadata.created, &mut metadata.modified];
    let named = fields.iter_mut().flat_map(|field| [&mut field.label, &mut field.value]);
    for text in about.into_iter().chain([&mut metadata.language]).chain(named).flatten() {
        *text = without_nul(text).into_owned();
    }
    let names = fields.iter_mut().map(|field| &mut field.name);
    let attached = attachments.iter_mut().map(|attachment| &mut attachment.name);
    for text in names.chain(links.iter_mut().map(|link| &mut link.url)).chain(attached) {
        *text = without_nul(text).into_owned();
    }
}

fn is_finite(rect: &Rect) -> bool {
    [rect.x0, rect.y0, rect.x1, rect.y1].iter().all(|number| number.is_finite())
}

fn contradiction() -> ParseError {
    ParseError::Damaged("its structure contradicts itself".to_owned())
}

/// Parses a document, which may be nested in another.
fn parse_within(
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
        #[cfg(feature = "render")]
        kind if crate::render::is_decoded_kind(kind) => {
            crate::render::parse_picture(bytes, kind, limits).and_then(with_text)
        }
        kind::ENCRYPTED => Err(ParseError::Encrypted),
        _ if is_text(kind) => parse_as_text(bytes, kind, limits).and_then(with_text),
        _ => Err(kind::unsupported(kind)),
    }
}

/// A document without text becomes an error that says whether OCR could help.
fn with_text(document: Document) -> Result<Document, ParseError> {
    if !document.text.is_empty() {
        return Ok(document);
    }
    let pages = document.pages_needing_ocr();
    Err(if pages.is_empty() { ParseError::NoText } else { ParseError::NeedsOcr(PageNumbers(pages)) })
}

/// A PDF or an image with its OCR results; `None` for other formats.
#[cfg(feature = "pdf")]
fn read_recognised(
    bytes: &[u8],
    kind: &str,
    pages: &[RecognisedPage],
    limits: &Limits,
) -> Option<Result<Document, ParseError>> {
    match kind {
        "application/pdf" => Some(crate::pdf::parse_recognised(bytes, pages, limits)),
        #[cfg(feature = "render")]
        kind if crate::render::is_decoded_kind(kind) => {
            let read = pages.iter().find(|page| page.number == 1)?;
            Some(crate::render::parse_picture(bytes, kind, limits).and_then(|bare| {
                let page = bare.pages.first().copied().unwrap_or_default();
                with_text(crate::pdf::lay_out_picture(bare, read, (page.width, page.height), limits))
            }))
        }
        _ => None,
    }
}

/// Recognised words need the layout analysis of PDFs.
#[cfg(not(feature = "pdf"))]
fn read_recognised(
    _: &[u8],
    _: &str,
    _: &[RecognisedPage],
    _: &Limits,
) -> Option<Result<Document, ParseError>> {
    None
}

fn is_text(kind: &str) -> bool {
    if kind == "text/html" {
        return cfg!(feature = "web");
    }
    kind.starts_with("text/") || matches!(kind, "application/json" | "application/xml" | "image/svg+xml")
}

fn parse_as_text(bytes: &[u8], kind: &str, limits: &Limits) -> Result<Document, ParseError> {
    let declared = match kind {
        "text/html" => declared_charset(bytes),
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
        #[cfg(feature = "web")]
        "text/html" => crate::html::parse_html(&text, limits),
        "text/markdown" => plain::parse_markdown(&text, limits),
        "text/csv" | "text/tab-separated-values" => table_text::parse_csv(&text, limits),
        "application/json" => json::parse_json(&text, limits),
        "application/xml" => {
            e_invoice::parse_invoice(&text, limits).unwrap_or_else(|| xml_text::parse_xml(&text, limits))
        }
        "image/svg+xml" => xml_text::parse_svg(&text, limits),
        _ => plain::parse_text(&text, limits),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use document::{BlockKind, Format};

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
            matches!(read(b"\x1f\x8b\x08\0", "x.txt"), Err(ParseError::Unsupported(kind)) if kind == "application/gzip")
        );
        assert!(matches!(read(b"\x89PNG\r\n\x1a\n", "x.txt"), Err(ParseError::Damaged(_))));
        assert!(matches!(read(b"abc\0def", "x.txt"), Err(ParseError::Unsupported(_))));
        assert!(matches!(read(b"%PDF-1.4\nrubbish", "x.pdf"), Err(ParseError::Damaged(_))));
    }

    #[test]
    fn a_page_without_text_is_told_so() {
        assert!(matches!(read(b"<html><script>x()</script></html>", "x.html"), Err(ParseError::NoText)));
        assert!(matches!(read(b"<?xml version='1.0'?><a><!-- b --></a>", "x.xml"), Err(ParseError::NoText)));
    }

    #[test]
    fn places_without_end_are_left_out() {
        let mut document = read(b"some text", "x.txt").unwrap();
        let rect = |x1: f64| Rect { x0: 0.0, y0: 0.0, x1, y1: 9.0 };
        document.blocks[0].rect = Some(rect(f64::INFINITY));
        document.spans =
            [f64::NAN, 5.0].map(|x1| document::Span { start: 0, end: 4, page: 1, rect: rect(x1) }).to_vec();
        clean(&mut document);
        assert_eq!(document.blocks[0].rect, None);
        assert_eq!(document.spans.iter().map(|span| span.rect.x1).collect::<Vec<_>>(), [5.0]);
    }

    #[test]
    fn nul_is_nowhere_in_a_document() {
        let rtf = br"{\rtf1{\info{\title a\'00b}}c\'00d\u0?e\par}";
        let document = read(rtf, "x.rtf").unwrap();
        assert!(!document.text.contains('\0') && document.text.contains('c'), "{:?}", document.text);
        let title = document.metadata.title.unwrap();
        assert!(!title.contains('\0') && title.contains('b'), "{title:?}");
    }

    #[test]
    fn a_document_survives_json() {
        let document = read(b"<table><tr><td>a<td>b</table><p>x", "x.html").unwrap();
        let json = serde_json::to_string(&document).unwrap();
        assert_eq!(serde_json::from_str::<Document>(&json).unwrap(), document);
    }
}
