//! A feed of any kind: what it is, and in which encoding.

use encoding_rs::{Encoding, UTF_8};
use utilities_core::search::RawHit;

use super::{json, xml};

/// Entries of a feed that are read.
pub(super) const MOST_ENTRIES: usize = 200;
/// Bytes of a field that are kept.
pub(super) const MOST_FIELD: usize = 32 << 10;

/// The entries of a feed: RSS 0.9 to 2.0, RSS 1.0, Atom or JSON Feed. `None` for what is none of them. Of one that
/// breaks off, the entries before are read.
pub(super) fn feed(bytes: &[u8], content_type: Option<&str>) -> Option<Vec<RawHit>> {
    let text = text(bytes, content_type);
    let text = text.trim_start_matches('\u{feff}').trim_start();
    match text.chars().next()? {
        '<' => xml::entries(text),
        '{' => json::entries(text),
        _ => None,
    }
}

/// A mark of byte order goes first (which `decode` sees to), then what the answer says, then what the document says
/// (RFC 7303, section 3).
fn text<'a>(bytes: &'a [u8], content_type: Option<&str>) -> std::borrow::Cow<'a, str> {
    let of_answer = content_type.and_then(|kind| label(kind, "charset="));
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

/// Adds text up to the bound of a field.
pub(super) fn push(field: &mut String, text: &str) {
    let room = MOST_FIELD.saturating_sub(field.len());
    if text.len() <= room {
        field.push_str(text);
        return;
    }
    let end = (0..=room).rev().find(|end| text.is_char_boundary(*end)).unwrap_or(0);
    field.push_str(text.get(..end).unwrap_or_default());
}

/// Plain text as HTML, which all fields of a feed are taken for.
pub(super) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}
