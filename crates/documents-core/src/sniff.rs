//! Detects the content type of a file by its bytes.

mod mail;
mod zip;

use crate::container::kind_of_container;
use crate::encoding::{decode, wide_without_mark};
use crate::{Limits, cms, json, kind, ole};

/// Content types by signature.
const MAGIC: &[(&[u8], &str)] = &[
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF87a", "image/gif"),
    (b"GIF89a", "image/gif"),
    (b"BM", "image/bmp"),
    (b"II*\0", "image/tiff"),
    (b"MM\0*", "image/tiff"),
    (b"II+\0", "image/tiff"),
    (b"MM\0+", "image/tiff"),
    (b"\x1f\x8b", "application/gzip"),
    (b"{\\rtf", "application/rtf"),
    (b"\x7fELF", "application/x-elf"),
    (b"MZ", "application/x-msdownload"),
    (b"OggS", "audio/ogg"),
    (b"ID3", "audio/mpeg"),
    (b"7z\xbc\xaf\x27\x1c", "application/x-7z-compressed"),
    (b"Rar!\x1a\x07", "application/vnd.rar"),
];

/// The content type of a file by its first bytes (8 KiB suffice). The name only distinguishes text formats,
/// which look alike.
#[must_use]
pub fn sniff(prefix: &[u8], name: &str) -> &'static str {
    if cms::is_signed(prefix) {
        return kind::SIGNED;
    }
    if is_pdf(prefix) && !is_zip(prefix) {
        return "application/pdf";
    }
    if let Some((_, kind)) =
        MAGIC.iter().find(|(magic, _)| prefix.starts_with(magic) && !only_letters(magic, prefix))
    {
        return kind;
    }
    if prefix.starts_with(b"RIFF") {
        return match prefix.get(8..12) {
            Some(b"WEBP") => "image/webp",
            Some(b"WAVE") => "audio/wav",
            _ => "application/octet-stream",
        };
    }
    if let Some(kind) = by_brand(prefix) {
        return kind;
    }
    if is_zip(prefix) {
        return zip::kind_of(prefix);
    }
    if prefix.starts_with(ole::MAGIC) {
        return match ole::kind(prefix) {
            kind::OLE => ole_by_name(name),
            kind => kind,
        };
    }
    text_kind(prefix, name)
}

/// Images in the ISO media container (ISO/IEC 14496-12, section 4.3), by their major brand.
fn by_brand(prefix: &[u8]) -> Option<&'static str> {
    match (prefix.get(4..8)?, prefix.get(8..12)?) {
        (b"ftyp", b"avif" | b"avis") => Some("image/avif"),
        (b"ftyp", b"heic" | b"heix" | b"mif1" | b"msf1" | b"hevc") => Some("image/heic"),
        _ => None,
    }
}

/// The type of a compound file whose directory is beyond the prefix, by its name.
fn ole_by_name(name: &str) -> &'static str {
    match extension(name).as_str() {
        "doc" | "dot" => kind::DOC,
        "xls" | "xlt" => kind::XLS,
        "ppt" | "pps" | "pot" => kind::PPT,
        "msg" => kind::MSG,
        _ => kind::OLE,
    }
}

fn extension(name: &str) -> String {
    name.rsplit_once('.').map(|(_, extension)| extension.to_ascii_lowercase()).unwrap_or_default()
}

/// The content type of a whole file: that of its beginning, except for containers, whose directory is
/// elsewhere.
pub(crate) fn kind_of(bytes: &[u8], name: &str, limits: &Limits) -> &'static str {
    if is_zip(bytes) {
        // The type declarations are short.
        let limits = Limits { entry_bytes: 1 << 20, inflated_bytes: 2 << 20, ..*limits };
        return kind_of_container(bytes, &limits);
    }
    if bytes.starts_with(ole::MAGIC) {
        return ole::kind(bytes);
    }
    sniff(bytes.get(..bytes.len().min(8_192)).unwrap_or_default(), name)
}

fn is_zip(bytes: &[u8]) -> bool {
    bytes.starts_with(b"PK\x03\x04") || bytes.starts_with(b"PK\x05\x06")
}

/// A PDF's header may follow some bytes of garbage: it lies within the first 1,024 bytes (PDF Reference 1.7,
/// H.3, note 13).
pub(crate) fn is_pdf(bytes: &[u8]) -> bool {
    let head = bytes.get(..1_024.min(bytes.len())).unwrap_or_default();
    head.windows(5).any(|window| window == b"%PDF-")
}

/// Whether a signature of letters only, such as `BM` and `MZ`, may be the beginning of a text.
fn only_letters(magic: &[u8], prefix: &[u8]) -> bool {
    magic.len() == 2 && magic.iter().all(u8::is_ascii_alphabetic) && !is_binary(prefix)
}

/// Whether the bytes are no text in any supported encoding. One of fifty bytes may be a control character.
/// Chosen by hand; no measurement recorded.
pub(crate) fn is_binary(prefix: &[u8]) -> bool {
    if has_wide_bom(prefix) {
        return false;
    }
    let odd = prefix.iter().filter(|byte| matches!(byte, 0..=8 | 14..=26 | 28..=31)).count();
    prefix.contains(&0) || odd * 50 > prefix.len()
}

pub(crate) fn has_wide_bom(prefix: &[u8]) -> bool {
    prefix.starts_with(b"\xff\xfe") || prefix.starts_with(b"\xfe\xff")
}

fn text_kind(prefix: &[u8], name: &str) -> &'static str {
    let wide = wide_without_mark(prefix);
    // A message may contain any bytes after its header.
    if mail::looks_like_mail(&String::from_utf8_lossy(prefix), false) {
        return kind::EML;
    }
    if prefix.is_empty() || (wide.is_none() && is_binary(prefix)) {
        return "application/octet-stream";
    }
    let text = decode(prefix, wide);
    let text = text.trim_start_matches('\u{feff}').trim_start();
    let head: String = text.chars().take(2_048).flat_map(char::to_lowercase).collect();
    let extension = extension(name);
    let extension = extension.as_str();
    if looks_like_html(&head) {
        return "text/html";
    }
    if mail::looks_like_mail(text, extension == "eml") {
        return kind::EML;
    }
    if let Some(kind) = flat_office(&head) {
        return kind;
    }
    if is_drawing(&head) {
        return "image/svg+xml";
    }
    // A character truncated by the prefix is no evidence.
    if json::begins_json(text.trim_end_matches('\u{fffd}')) {
        return "application/json";
    }
    match extension {
        "html" | "htm" | "xhtml" if head.contains('<') => "text/html",
        _ if head.starts_with("<?xml") => "application/xml",
        "xml" | "rss" | "atom" | "xsd" | "xsl" if head.starts_with('<') => "application/xml",
        "json" if head.starts_with(['{', '[', '"']) => "application/json",
        "md" | "markdown" => "text/markdown",
        "csv" => "text/csv",
        "tsv" | "tab" => "text/tab-separated-values",
        _ => "text/plain",
    }
}

/// Flat XML documents of office programs, by their root element. They consist of markup and encoded images,
/// from which only a dedicated parser could extract text.
const FLAT: &[(&str, &str)] = &[
    ("<w:worddocument", "application/vnd.ms-wordml"),
    ("<pkg:package", "application/vnd.ms-office.flat-opc"),
    ("<office:document ", "application/vnd.oasis.opendocument.flat"),
    ("<visiodocument", "application/vnd.visio"),
];

fn flat_office(head: &str) -> Option<&'static str> {
    if !head.starts_with('<') {
        return None;
    }
    FLAT.iter().find(|(element, _)| head.contains(element)).map(|(_, kind)| *kind)
}

/// Whether the root element is `svg`.
fn is_drawing(head: &str) -> bool {
    let mut rest = head;
    while let Some(inside) = rest.strip_prefix("<?").or_else(|| rest.strip_prefix("<!")) {
        let declares = inside.split('>').next().is_some_and(|declaration| declaration.contains('['));
        let end = match (inside.starts_with("--"), inside.starts_with("doctype") && declares) {
            (true, _) => "-->",
            (false, true) => "]>",
            (false, false) => ">",
        };
        let Some((_, after)) = inside.split_once(end) else { return false };
        rest = after.trim_start();
    }
    rest.starts_with("<svg") && rest.as_bytes().get(4).is_some_and(|byte| !byte.is_ascii_alphanumeric())
}

fn looks_like_html(head: &str) -> bool {
    let after_comment =
        head.strip_prefix("<!--").and_then(|rest| rest.split_once("-->")).map(|(_, rest)| rest.trim_start());
    let head = after_comment.unwrap_or(head);
    ["<!doctype html", "<html", "<head", "<body", "<title"].iter().any(|tag| head.starts_with(tag))
        || (head.starts_with("<?xml") && head.contains("<html"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn content_decides_over_the_name() {
        for (bytes, name, kind) in [
            (&b"%PDF-1.7 x"[..], "a.txt", "application/pdf"),
            (b"rubbish\n%PDF-1.4", "a", "application/pdf"),
            (b"\x89PNG\r\n\x1a\n", "a.pdf", "image/png"),
            (b"BMW sells cars", "a.txt", "text/plain"),
            (b"BM\0\0\0\0", "a.txt", "image/bmp"),
            (b"<!DOCTYPE html><p>", "a.txt", "text/html"),
            (b"a,b\n1,2", "a.csv", "text/csv"),
            (b"# Title", "a.md", "text/markdown"),
            (b"{\"a\": [1, 2", "a", "application/json"),
            (b"[1] a note", "a.txt", "text/plain"),
            (b"[link](x)", "a.txt", "text/plain"),
            (b"<?xml version='1.0'?><!-- x --><svg width='1'>", "a.xml", "image/svg+xml"),
            (b"<!DOCTYPE svg [<!ENTITY a 'b'>]><svg width='1'>", "a", "image/svg+xml"),
            (b"<svga>", "a.xml", "application/xml"),
            (b"<?xml version='1.0'?><note/>", "a", "application/xml"),
            (b"Received: from x\nFrom: a@b.c\nTo: d@e.f\n\nhello", "a", "message/rfc822"),
            (b"From: me\nTo: you\n\na memo", "a.txt", "text/plain"),
            (b"From: me\nTo: you\n\na message", "a.eml", "message/rfc822"),
            (b"a\0b\0c\0,\0d\0\n\0", "a.csv", "text/csv"),
            (b"\0\x01\x02", "a.txt", "application/octet-stream"),
            (b"", "a.txt", "application/octet-stream"),
            (b"\xff\xfea\0b\0", "a.txt", "text/plain"),
        ] {
            assert_eq!(sniff(bytes, name), kind, "{name} {bytes:?}");
        }
    }
}
