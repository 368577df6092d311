//! Decodes bytes to text as browsers do: byte order mark, then HTTP, then the page's declaration, else
//! detection by statistics.

use std::borrow::Cow;

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, REPLACEMENT, UTF_8, UTF_16BE, UTF_16LE, X_USER_DEFINED};

/// Bytes within which a page must declare its encoding. The HTML standard says 1,024; real pages often need
/// more.
const HEAD: usize = 4_096;

/// Decodes a page. `content_type` is the HTTP header; `domain` is the top-level domain of the host, which
/// hints at a language.
pub(crate) fn decode<'a>(bytes: &'a [u8], content_type: Option<&str>, domain: Option<&str>) -> Cow<'a, str> {
    if let Some((encoding, mark)) = Encoding::for_bom(bytes) {
        return encoding.decode_without_bom_handling(bytes.get(mark..).unwrap_or_default()).0;
    }
    let from_http = content_type.and_then(charset).and_then(Encoding::for_label);
    // Text that is valid UTF-8 hardly ever has another encoding, whatever it declares.
    if !from_http.is_some_and(|named| named == UTF_16LE || named == UTF_16BE)
        && let Ok(text) = std::str::from_utf8(bytes)
    {
        return Cow::Borrowed(text);
    }
    let named = from_http.or_else(|| declared(bytes));
    // Impossible labels: a declaration readable as single bytes cannot be in a two-byte encoding, and
    // user-defined ones are no encoding.
    let named = named.filter(|named| *named != REPLACEMENT && *named != X_USER_DEFINED);
    let encoding = match named {
        Some(named) if named != UTF_8 => named,
        // Mostly valid UTF-8 with a few broken bytes is decoded as UTF-8.
        Some(_) if mostly_utf8(bytes) => UTF_8,
        _ => guess(bytes, domain),
    };
    encoding.decode_without_bom_handling(bytes).0
}

fn guess(bytes: &[u8], domain: Option<&str>) -> &'static Encoding {
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Allow);
    detector.feed(bytes, true);
    let hint =
        domain.filter(|label| !label.is_empty() && label.bytes().all(|byte| byte.is_ascii_lowercase()));
    detector.guess(hint.map(str::as_bytes), Utf8Detection::Allow)
}

fn mostly_utf8(bytes: &[u8]) -> bool {
    let (mut broken, mut whole) = (0_usize, 0_usize);
    for chunk in bytes.utf8_chunks() {
        broken += usize::from(!chunk.invalid().is_empty());
        whole += chunk.valid().chars().filter(|c| !c.is_ascii()).count();
    }
    broken <= whole
}

/// The charset of a `Content-Type`.
fn charset(content_type: &str) -> Option<&[u8]> {
    let lower = content_type.to_ascii_lowercase();
    let at = lower.find("charset=")? + "charset=".len();
    let label = content_type.get(at..)?.split(';').next()?.trim().trim_matches(['"', '\'']);
    Some(label.as_bytes())
}

/// The encoding declared by `<meta>` or in an XML declaration.
fn declared(bytes: &[u8]) -> Option<&'static Encoding> {
    let head = String::from_utf8_lossy(bytes.get(..bytes.len().min(HEAD))?).to_ascii_lowercase();
    let label = |after: &str| {
        let label = after.trim_start_matches(['"', '\'', ' ', '=']);
        let end =
            label.find(|c: char| !c.is_ascii_alphanumeric() && !"-_:.".contains(c)).unwrap_or(label.len());
        Encoding::for_label(label.get(..end)?.as_bytes())
    };
    let declared = head.match_indices("charset").find_map(|(at, word)| label(head.get(at + word.len()..)?));
    let xml = || {
        head.strip_prefix("<?xml").and_then(|rest| label(rest.split("?>").next()?.split("encoding").nth(1)?))
    };
    let named = declared.or_else(xml)?;
    // A declaration that can be read as single bytes is not in a two-byte encoding.
    Some(if named == UTF_16LE || named == UTF_16BE { UTF_8 } else { named })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn http_the_page_and_statistics_are_asked_in_turn() {
        let cyrillic = b"<meta charset=windows-1251><p>\xcf\xf0\xe8\xe2\xe5\xf2";
        assert!(decode(cyrillic, None, None).ends_with("Привет"));
        assert!(decode(b"<p>caf\xe9", Some("text/html; charset=\"ISO-8859-1\""), None).ends_with("café"));
        assert!(decode("<meta charset=latin1>é".as_bytes(), None, None).ends_with('é'));
        assert!(decode(b"\xff\xfea\0b\0", Some("text/html; charset=utf-8"), None).ends_with("ab"));
        let japanese = b"<title>\x93\xfa\x96\x7b\x8c\xea\x82\xcc\x83y\x81[\x83W</title>";
        assert!(decode(japanese, None, Some("jp")).contains("日本語"));
    }

    #[test]
    fn a_false_label_hurts_nothing() {
        for label in ["utf-16", "replacement", "x-user-defined", "iso-2022-kr", "nonsense", ""] {
            let page = format!("<meta charset=\"{label}\"><p>text \u{e9}");
            assert!(decode(page.as_bytes(), None, None).contains("text"), "{label}");
        }
        let mut broken = "<meta charset=utf-8>Größe und Maß, schön".to_owned().into_bytes();
        broken.push(0xff);
        assert!(decode(&broken, None, None).contains("Größe"));
    }
}
