//! The type of a file by its content.

/// Content types by the bytes they begin with.
const MAGIC: &[(&[u8], &str)] = &[
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF87a", "image/gif"),
    (b"GIF89a", "image/gif"),
    (b"BM", "image/bmp"),
    (b"II*\0", "image/tiff"),
    (b"MM\0*", "image/tiff"),
    (b"\x1f\x8b", "application/gzip"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "application/x-ole-storage"),
    (b"{\\rtf", "application/rtf"),
    (b"\x7fELF", "application/x-elf"),
    (b"MZ", "application/x-msdownload"),
    (b"OggS", "audio/ogg"),
    (b"ID3", "audio/mpeg"),
    (b"7z\xbc\xaf\x27\x1c", "application/x-7z-compressed"),
    (b"Rar!\x1a\x07", "application/vnd.rar"),
];

/// The content type of a file, judged by its first bytes (8 KiB suffice). The name decides only
/// between kinds of text, which look alike.
#[must_use]
pub fn sniff(prefix: &[u8], name: &str) -> &'static str {
    if is_pdf(prefix) {
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
    if prefix.starts_with(b"PK\x03\x04") || prefix.starts_with(b"PK\x05\x06") {
        return zip_kind(prefix);
    }
    text_kind(prefix, name)
}

/// A PDF's header may follow some bytes of rubbish.
pub(crate) fn is_pdf(bytes: &[u8]) -> bool {
    let head = bytes.get(..1_024.min(bytes.len())).unwrap_or_default();
    head.windows(5).any(|window| window == b"%PDF-")
}

/// `BM` and `MZ` are also how a text may begin.
fn only_letters(magic: &[u8], prefix: &[u8]) -> bool {
    magic.len() == 2 && magic.iter().all(u8::is_ascii_alphabetic) && !is_binary(prefix)
}

fn zip_kind(prefix: &[u8]) -> &'static str {
    let contains = |needle: &[u8]| prefix.windows(needle.len()).any(|window| window == needle);
    if contains(b"mimetypeapplication/epub+zip") {
        "application/epub+zip"
    } else if contains(b"mimetypeapplication/vnd.oasis.opendocument.text") {
        "application/vnd.oasis.opendocument.text"
    } else if contains(b"mimetypeapplication/vnd.oasis.opendocument.spreadsheet") {
        "application/vnd.oasis.opendocument.spreadsheet"
    } else if contains(b"mimetypeapplication/vnd.oasis.opendocument.presentation") {
        "application/vnd.oasis.opendocument.presentation"
    } else if contains(b"word/") {
        "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
    } else if contains(b"ppt/") {
        "application/vnd.openxmlformats-officedocument.presentationml.presentation"
    } else if contains(b"xl/") {
        "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
    } else {
        "application/zip"
    }
}

/// Whether the bytes are no text in any encoding that is read here.
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
    if prefix.is_empty() || is_binary(prefix) {
        return "application/octet-stream";
    }
    let head = String::from_utf8_lossy(prefix.get(..prefix.len().min(2_048)).unwrap_or_default());
    let head = head.trim_start_matches('\u{feff}').trim_start().to_ascii_lowercase();
    let extension =
        name.rsplit_once('.').map(|(_, extension)| extension.to_ascii_lowercase()).unwrap_or_default();
    if looks_like_html(&head) {
        return "text/html";
    }
    match extension.as_str() {
        "svg" if head.contains("<svg") => "image/svg+xml",
        "html" | "htm" | "xhtml" if head.contains('<') => "text/html",
        _ if head.starts_with("<?xml") => "application/xml",
        "json" if head.starts_with(['{', '[']) => "application/json",
        "md" | "markdown" => "text/markdown",
        "csv" => "text/csv",
        "tsv" => "text/tab-separated-values",
        _ => "text/plain",
    }
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
            (
                b"PK\x03\x04....word/document.xml",
                "a.zip",
                "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
            ),
            (b"\0\x01\x02", "a.txt", "application/octet-stream"),
            (b"", "a.txt", "application/octet-stream"),
            (b"\xff\xfea\0b\0", "a.txt", "text/plain"),
        ] {
            assert_eq!(sniff(bytes, name), kind, "{name} {bytes:?}");
        }
    }
}
