//! Character references.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::LazyLock;

use encoding_rs::WINDOWS_1252;
use entities::ENTITIES;

/// Characters of the longest name, `CounterClockwiseContourIntegral`. Source: HTML, 13.5.
const LONGEST: usize = 31;

/// Characters of the longest name that needs no semicolon, such as `yacute`. Source: HTML, 13.5.
const LONGEST_OPEN: usize = 6;

/// Characters by name. Most names end in a semicolon; the old ones are present without it too.
static NAMED: LazyLock<HashMap<&str, &str>> = LazyLock::new(|| {
    let named = ENTITIES.iter().filter_map(|known| Some((known.entity.strip_prefix('&')?, known.characters)));
    named.collect()
});

/// Where a text stands: an attribute's value has stricter rules (HTML, 13.2.5.73).
#[derive(Clone, Copy, PartialEq)]
enum Place {
    Content,
    Attribute,
}

/// Text with its character references replaced; unknown ones stay.
#[must_use]
pub fn decode_text(text: &str) -> Cow<'_, str> {
    decode(text, Place::Content)
}

/// The value of an attribute with its character references replaced; unknown ones stay, and so does a name
/// without a semicolon before `=`, a letter or a digit, as in `?a=1&copy=2`.
#[must_use]
pub fn decode_value(value: &str) -> Cow<'_, str> {
    decode(value, Place::Attribute)
}

fn decode(text: &str, place: Place) -> Cow<'_, str> {
    let Some(first) = memchr::memchr(b'&', text.as_bytes()) else { return Cow::Borrowed(text) };
    let mut out = String::with_capacity(text.len());
    let (before, mut rest) = text.split_at(first);
    out.push_str(before);
    while let Some(after) = rest.strip_prefix('&') {
        let used = numeric(after, &mut out).or_else(|| named(after, place, &mut out));
        let after = match used {
            Some(used) => after.get(used..).unwrap_or_default(),
            None => {
                out.push('&');
                after
            }
        };
        let next = memchr::memchr(b'&', after.as_bytes()).unwrap_or(after.len());
        let (text, following) = after.split_at(next);
        out.push_str(text);
        rest = following;
    }
    Cow::Owned(out)
}

/// Parses `#38;` or `#x26;`; returns the number of bytes consumed.
fn numeric(after: &str, out: &mut String) -> Option<usize> {
    let digits = after.strip_prefix('#')?;
    let (digits, base, before) = match digits.strip_prefix(['x', 'X']) {
        Some(digits) => (digits, 16, 2),
        None => (digits, 10, 1),
    };
    let length = digits.bytes().take_while(|byte| char::from(*byte).is_digit(base)).count();
    if length == 0 {
        return None;
    }
    // Beyond 32 bits, there is no character.
    let number = u32::from_str_radix(digits.get(..length)?, base).unwrap_or(u32::MAX);
    out.push(character(number));
    Some(before + length + usize::from(digits.as_bytes().get(length) == Some(&b';')))
}

/// The character of a code point. A code of a control character means Windows-1252.
fn character(number: u32) -> char {
    match u8::try_from(number) {
        Ok(0) => char::REPLACEMENT_CHARACTER,
        Ok(byte @ 0x80..=0x9f) => {
            let decoded = WINDOWS_1252.decode_without_bom_handling(&[byte]).0.chars().next();
            decoded.unwrap_or(char::REPLACEMENT_CHARACTER)
        }
        _ => char::from_u32(number).unwrap_or(char::REPLACEMENT_CHARACTER),
    }
}

/// Parses `amp;`, and the old names without the semicolon; returns the number of bytes consumed.
fn named(after: &str, place: Place, out: &mut String) -> Option<usize> {
    let bytes = after.as_bytes();
    let length = bytes.iter().take(LONGEST + 1).take_while(|byte| byte.is_ascii_alphanumeric()).count();
    let closed = (bytes.get(length) == Some(&b';')).then_some(length + 1);
    let open = (2..=length.min(LONGEST_OPEN)).rev();
    let (end, characters) =
        closed.into_iter().chain(open).find_map(|end| Some((end, *NAMED.get(after.get(..end)?)?)))?;
    let goes_on = bytes.get(end).is_some_and(|next| *next == b'=' || next.is_ascii_alphanumeric());
    if place == Place::Attribute && goes_on && closed != Some(end) {
        return None;
    }
    out.push_str(characters);
    Some(end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_are_replaced_and_what_is_none_stays() {
        for (html, text) in [
            ("a &amp; b &lt;c&gt; &eacute;&#233;&#xE9;", "a & b <c> ééé"),
            ("R&D, AT&T; &unknown; & &#; &#x;", "R&D, AT&T; &unknown; & &#; &#x;"),
            ("&copy 2020 &notin; &#128; &#0; &#99999999999;", "© 2020 ∉ € \u{fffd} \u{fffd}"),
            ("&notit; &#129; &#xd800; &#00000000000000000065;", "¬it; \u{81} \u{fffd} A"),
            ("&", "&"),
        ] {
            assert_eq!(decode_text(html), text, "{html}");
        }
    }

    #[test]
    fn a_name_without_semicolon_is_no_reference_within_an_address() {
        assert_eq!(decode_value("?a=1&copy=2&amp;b&lt;c&copy;=&reg"), "?a=1&copy=2&b<c©=®");
        assert_eq!(decode_value("?a&notit&yen"), "?a&notit¥");
        assert_eq!(decode_text("?a=1&copy=2"), "?a=1©=2");
    }

    #[test]
    fn no_name_is_longer_than_its_bound() {
        let longest = |closed: bool| {
            let names = NAMED.keys().filter(move |name| name.ends_with(';') == closed);
            names.map(|name| name.trim_end_matches(';').len()).max()
        };
        assert_eq!((longest(true), longest(false)), (Some(LONGEST), Some(LONGEST_OPEN)));
        assert_eq!(NAMED.len(), 2_231);
    }
}
