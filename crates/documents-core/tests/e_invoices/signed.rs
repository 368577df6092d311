//! Invoices within a signature (`.p7m`).

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use document::{Format, ParseError};
use document_samples::invoices::FATTURA_PA;
use document_samples::pdf::pdf_with_files;
use documents_core::{Limits, parse, sniff};

use crate::read;

const SIGNED_DATA: &[u8] = b"\x06\x09\x2a\x86\x48\x86\xf7\x0d\x01\x07\x02";
const DATA: &[u8] = b"\x06\x09\x2a\x86\x48\x86\xf7\x0d\x01\x07\x01";

/// A value of definite length.
fn der(tag: u8, content: &[u8]) -> Vec<u8> {
    let mut value = vec![tag];
    match u8::try_from(content.len()) {
        Ok(length) if length < 128 => value.push(length),
        _ => {
            value.push(0x84);
            value.extend(u32::try_from(content.len()).unwrap().to_be_bytes());
        }
    }
    value.extend(content);
    value
}

/// A constructed value of indefinite length.
fn ber(tag: u8, content: &[u8]) -> Vec<u8> {
    [&[tag, 0x80], content, &[0, 0]].concat()
}

type Encoding = fn(u8, &[u8]) -> Vec<u8>;

/// Signed data around a content, with something like certificates and signatures behind it.
fn signed_around(constructed: Encoding, content: &[u8]) -> Vec<u8> {
    with_content(constructed, &constructed(0xa0, content))
}

fn with_content(constructed: Encoding, explicit: &[u8]) -> Vec<u8> {
    let inner = constructed(0x30, &[DATA, explicit].concat());
    let digests = der(0x31, &der(0x30, b"\x06\x01\x2a"));
    let rest = [constructed(0xa0, &der(0x04, &[7; 900])), der(0x31, &der(0x30, b"\x02\x01\x01"))].concat();
    let signed = constructed(0x30, &[&der(0x02, &[1]), &digests[..], &inner, &rest].concat());
    constructed(0x30, &[SIGNED_DATA, &constructed(0xa0, &signed)].concat())
}

fn signed(content: &[u8]) -> Vec<u8> {
    signed_around(der, &der(0x04, content))
}

/// The same in pieces of indefinite length, as many signing programs write it.
fn signed_in_pieces(content: &[u8]) -> Vec<u8> {
    let pieces: Vec<u8> = content.chunks(500).flat_map(|piece| der(0x04, piece)).collect();
    signed_around(ber, &ber(0x24, &pieces))
}

fn wrapped(bytes: &[u8]) -> String {
    let digits = BASE64_STANDARD.encode(bytes);
    let lines = digits.as_bytes().chunks(64).map(|line| std::str::from_utf8(line).unwrap());
    lines.collect::<Vec<_>>().join("\r\n")
}

#[test]
fn an_invoice_is_read_from_each_encoding_of_its_signature() {
    let plain = read(FATTURA_PA.as_bytes(), "IT01.xml");
    assert!(plain.text.contains("Invoice number: "), "{}", plain.text);
    let der = signed(FATTURA_PA.as_bytes());
    let pem = format!("-----BEGIN PKCS7-----\n{}\n-----END PKCS7-----\n", wrapped(&der));
    let trailing = [&der[..], b"\r\n"].concat();
    for bytes in [
        der.clone(),
        signed_in_pieces(FATTURA_PA.as_bytes()),
        wrapped(&der).into_bytes(),
        pem.into_bytes(),
        signed(&der),
        trailing,
    ] {
        assert_eq!(sniff(&bytes[..bytes.len().min(8_192)], "IT01.xml.p7m"), "application/pkcs7-mime");
        let document = read(&bytes, "IT01.xml.p7m");
        assert_eq!((document.format, &document.text), (Format::Xml, &plain.text));
    }
}

#[test]
fn signed_pages_are_read_and_so_are_signed_files_in_an_archive() {
    let pages = pdf_with_files(&["Invoice HL-2031"], &[]);
    assert_eq!(read(&signed(&pages), "a.pdf.p7m").format, Format::Pdf);
    let archive = document_samples::archive(&[("IT01.xml.p7m", &signed(FATTURA_PA.as_bytes()))], true);
    assert!(read(&archive, "a.zip").text.starts_with("# IT01.xml.p7m\n\n## "));
}

#[test]
fn a_signature_without_a_file_and_damaged_ones_are_refused() {
    let failure = |bytes: &[u8]| parse(bytes, "a.p7m", &Limits::default()).unwrap_err();
    assert!(matches!(failure(&with_content(der, b"")), ParseError::Unsupported(_)));
    assert!(matches!(failure(&signed(b"")), ParseError::Unsupported(_)));
    let whole = signed(FATTURA_PA.as_bytes());
    for length in [20, 40, 200] {
        assert!(matches!(failure(&whole[..length]), ParseError::Damaged(_)), "{length}");
    }
    let broken = format!("{}=====?", wrapped(&whole));
    assert!(matches!(failure(broken.as_bytes()), ParseError::Damaged(_)));
    // What the signed file is decides, too.
    assert!(matches!(failure(&signed(b"\x7fELF rubbish")), ParseError::Unsupported(_)));
}

#[test]
fn depth_is_bounded() {
    let mut many = FATTURA_PA.as_bytes().to_vec();
    for _ in 0..4 {
        many = signed(&many);
    }
    assert!(parse(&many, "a.p7m", &Limits::default()).is_ok());
    assert!(matches!(parse(&signed(&many), "a.p7m", &Limits::default()), Err(ParseError::Limit(_))));
    // Sequences that never end, within the signature and within its content.
    let open = [&signed_in_pieces(b"x")[..2], SIGNED_DATA, b"\xa0\x80\x30\x80", &b"\x30\x80".repeat(100_000)]
        .concat();
    let pieces = signed_around(ber, &b"\x24\x80".repeat(100_000));
    for bytes in [open, pieces] {
        assert!(parse(&bytes, "a.p7m", &Limits::default()).is_err());
    }
}
