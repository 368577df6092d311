//! Invoices embedded in PDFs.

use document::DocumentPart;
use document_samples::invoices::{CII, UBL};
use document_samples::pdf::{FIRST_OBJECT, compressed_stream, file_specification, pdf, pdf_with_files};
use documents_core::{Limits, parse, parse_recognised};

use crate::{assert_lines, headings, read};

const PAGE: &[&str] = &["Harbour Light Chandlers GmbH", "Invoice number: HL-2031", "Total: 153.00 EUR"];

#[test]
fn the_invoice_follows_the_pages_and_is_listed() {
    let document = read(&pdf_with_files(PAGE, &[("factur-x.xml", CII.as_bytes())]), "a.pdf");
    assert_lines(&document, &["Invoice number: HL-2031", "Seller VAT identifier: DE123456788"]);
    assert_eq!(headings(&document)[..2], ["factur-x.xml", "Invoice"]);
    let [attachment] = document.attachments.as_slice() else { panic!("{:?}", document.attachments) };
    assert_eq!((attachment.name.as_str(), attachment.end), ("factur-x.xml", document.text.chars().count()));
    assert!(document.pages.iter().all(|page| page.end <= attachment.start));
    let [page, invoice] = <[DocumentPart; 2]>::try_from(document.parts()).unwrap();
    assert_eq!(page.document.text, PAGE.join("\n"));
    assert!(
        invoice.document.text.starts_with("# factur-x.xml\n\n## Invoice\n\n"),
        "{}",
        invoice.document.text
    );
    assert!(!document.metadata.truncated);
}

#[test]
fn names_of_files_do_not_matter_and_other_files_are_left_out() {
    let files: &[(&str, &[u8])] =
        &[("notes.txt", b"secret"), ("a.xml", b"<a>secret</a>"), ("2031.XML", UBL.as_bytes())];
    let document = read(&pdf_with_files(PAGE, files), "a.pdf");
    let names: Vec<&str> = document.attachments.iter().map(|one| one.name.as_str()).collect();
    assert_eq!(names, ["2031.XML"]);
    assert!(!document.text.contains("secret"));
}

#[test]
fn a_scan_with_an_invoice_still_needs_ocr() {
    let stream = compressed_stream("", CII.as_bytes());
    let specification = file_specification("factur-x.xml", FIRST_OBJECT);
    let scan = String::from_utf8(pdf(&[], "", &[])).unwrap();
    let content = "q 612 0 0 792 0 0 cm BI /W 1 /H 1 /CS /G /BPC 8 ID x EI Q";
    let at = scan.find("stream\nBT").unwrap();
    assert!(at > 0 && content.len() < 80);
    let page = format!("/AF[{} 0 R]", FIRST_OBJECT + 1);
    let bytes = pdf(&["\u{1}"], &page, &[stream, specification]);
    // The content of the page is replaced by a picture of the same length.
    let start = bytes.windows(9).position(|part| part == b"stream\nBT").unwrap() + 7;
    let end = bytes.windows(12).position(|part| part == b"ET\nendstream").unwrap() + 2;
    let mut scan = bytes.clone();
    scan.splice(start..end, format!("{content:<width$}", width = end - start).into_bytes());
    for document in [
        parse(&scan, "a.pdf", &Limits::default()).unwrap(),
        parse_recognised(&scan, "a.pdf", &[], &Limits::default()).unwrap(),
    ] {
        assert_eq!(document.pages_needing_ocr(), [1]);
        assert_eq!(document.attachments.len(), 1);
        assert_eq!(document.parts()[0].document.pages_needing_ocr(), [1]);
    }
}

#[test]
fn a_damaged_invoice_leaves_the_pages() {
    let broken = &CII.as_bytes()[..CII.len() / 2];
    for content in
        [broken, b"", b"\xff\xfe\x00<", b"<?xml version='1.0' encoding='nonsense'?><x>CrossIndustryInvoice"]
    {
        let document = read(&pdf_with_files(PAGE, &[("factur-x.xml", content)]), "a.pdf");
        assert_eq!(document.text, PAGE.join("\n"));
        assert!(document.attachments.is_empty());
    }
}

#[test]
fn a_decompression_bomb_is_left_out() {
    let bomb = format!("{}<!--{}-->", CII, " ".repeat(64 << 20));
    let document = read(&pdf_with_files(PAGE, &[("factur-x.xml", bomb.as_bytes())]), "a.pdf");
    assert_eq!((document.text, document.attachments.len()), (PAGE.join("\n"), 0));
}

#[test]
fn a_circle_of_names_ends() {
    let (stream, specification) =
        (compressed_stream("", CII.as_bytes()), file_specification("factur-x.xml", FIRST_OBJECT));
    let node = FIRST_OBJECT + 2;
    let tree = format!(
        "<</Kids[{node} 0 R {node} 0 R {node} 0 R]/Names[(a) {} 0 R (a) {node} 0 R (b) 7 (c)]>>",
        FIRST_OBJECT + 1
    );
    let catalog = format!("/Names<</EmbeddedFiles {node} 0 R>>/AF 7");
    let bytes = pdf(PAGE, &catalog, &[stream, specification, tree.into_bytes()]);
    assert_eq!(read(&bytes, "a.pdf").attachments.len(), 1);
}

#[test]
fn of_thousands_of_files_some_are_read() {
    let name = |index: usize| format!("{index}.xml");
    let names: Vec<String> = (0..2_000).map(name).collect();
    let files: Vec<(&str, &[u8])> = names.iter().map(|name| (name.as_str(), CII.as_bytes())).collect();
    let document = read(&pdf_with_files(PAGE, &files), "a.pdf");
    assert_eq!(document.attachments.len(), 20);
}

#[test]
fn the_text_is_bounded() {
    let limits = Limits { text_bytes: 300, ..Limits::default() };
    let document =
        parse(&pdf_with_files(PAGE, &[("factur-x.xml", CII.as_bytes())]), "a.pdf", &limits).unwrap();
    assert!(document.text.len() <= 300 && document.metadata.truncated);
}

#[cfg(feature = "mail")]
#[test]
fn an_invoice_in_a_pdf_in_an_archive_keeps_its_place() {
    let invoice = pdf_with_files(PAGE, &[("factur-x.xml", CII.as_bytes())]);
    let archive =
        document_samples::archive(&[("invoice.pdf", &invoice), ("note.txt", b"Paid in cash")], true);
    let document = read(&archive, "a.zip");
    let [page, invoice] = <[DocumentPart; 2]>::try_from(document.parts()).unwrap();
    assert_eq!(invoice.name.as_deref(), Some("invoice.pdf#factur-x.xml"));
    assert!(page.document.text.ends_with("# note.txt\n\nPaid in cash"), "{}", page.document.text);
    assert!(!page.document.text.contains("Seller VAT identifier"));
}
