//! Detects the kind and the encoding of a feed.

use encoding_rs::{Encoding, UTF_8};
use utilities_core::search::RawHit;

use super::{json, xml};

/// The entries of a feed: RSS 0.9 to 2.0, RSS 1.0, Atom or JSON Feed; `None` for other content. A truncated
/// feed gives the entries before its end.
pub(super) fn feed(bytes: &[u8], content_type: Option<&str>) -> Option<Vec<RawHit>> {
    let text = text(bytes, content_type);
    let text = text.trim_start_matches('\u{feff}').trim_start();
    match text.chars().next()? {
        '<' => xml::entries(text),
        '{' => json::entries(text),
        _ => None,
    }
}

/// Precedence of the encoding: the byte order mark (see `decode`), the content type, the document (RFC 7303,
/// section 3).
fn text<'a>(bytes: &'a [u8], content_type: Option<&str>) -> std::borrow::Cow<'a, str> {
    let of_answer = content_type.and_then(|kind| label(kind, "charset="));
    // Bytes that hold an XML declaration.
    let head = String::from_utf8_lossy(bytes.get(..bytes.len().min(200)).unwrap_or_default());
    let head = head.split("?>").next().filter(|head| head.trim_start().starts_with("<?xml"));
    let of_document = || head.and_then(|head| label(head, "encoding="));
    let encoding = of_answer.or_else(of_document).unwrap_or(UTF_8);
    encoding.decode(bytes).0
}

fn label(text: &str, name: &str) -> Option<&'static Encoding> {
    let lower = text.to_ascii_lowercase();
    let (_, after) = lower.split_once(name)?;
    let label = after.trim_start_matches(['"', '\'']);
    let end = label.find(|c: char| !(c.is_ascii_alphanumeric() || "-_:.".contains(c))).unwrap_or(label.len());
    Encoding::for_label(label.get(..end)?.as_bytes())
}
