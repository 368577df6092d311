//! Character references.

use std::borrow::Cow;

use html5ever::data::{C1_REPLACEMENTS, NAMED_ENTITIES};

/// Characters of the longest entity name, `CounterClockwiseContourIntegral;`. Source: HTML, 13.5.
const LONGEST: usize = 32;

/// Text with its character references replaced; unknown ones stay.
pub(crate) fn decoded(text: &str) -> Cow<'_, str> {
    let Some(first) = memchr::memchr(b'&', text.as_bytes()) else { return Cow::Borrowed(text) };
    let mut out = String::with_capacity(text.len());
    let (before, mut rest) = text.split_at(first);
    out.push_str(before);
    while let Some(after) = rest.strip_prefix('&') {
        let used = numeric(after, &mut out).or_else(|| named(after, &mut out));
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
    let length = digits.bytes().take(16).take_while(|byte| char::from(*byte).is_digit(base)).count();
    let number =
        u32::from_str_radix(digits.get(..length)?, base).unwrap_or(if length > 0 { u32::MAX } else { 0 });
    if length == 0 {
        return None;
    }
    out.push(character(number));
    Some(before + length + usize::from(digits.as_bytes().get(length) == Some(&b';')))
}

/// The character of a code point. A code of a control character means Windows-1252.
fn character(number: u32) -> char {
    let replaced =
        number.checked_sub(0x80).and_then(|place| C1_REPLACEMENTS.get(place as usize)).copied().flatten();
    let character = replaced.or_else(|| char::from_u32(number)).unwrap_or('\u{fffd}');
    if character == '\0' { '\u{fffd}' } else { character }
}

/// Parses `amp;`, and the legacy names without the semicolon; returns the number of bytes consumed.
fn named(after: &str, out: &mut String) -> Option<usize> {
    let length = after.bytes().take(LONGEST).take_while(u8::is_ascii_alphanumeric).count();
    let closed = after.as_bytes().get(length) == Some(&b';');
    let most = length + usize::from(closed);
    (2..=most).rev().find_map(|end| {
        let (first, second) = *NAMED_ENTITIES.get(after.get(..end)?)?;
        // The table also has prefixes of names, which have no character.
        let first = char::from_u32(first).filter(|character| *character != '\0')?;
        out.push(first);
        out.extend(char::from_u32(second).filter(|character| *character != '\0'));
        Some(end)
    })
}

#[cfg(test)]
mod tests {
    use super::decoded;

    #[test]
    fn references_are_replaced_and_what_is_none_stays() {
        assert_eq!(decoded("a &amp; b &lt;c&gt; &eacute;&#233;&#xE9;"), "a & b <c> ééé");
        assert_eq!(decoded("R&D, AT&T; &unknown; & &#; &#x;"), "R&D, AT&T; &unknown; & &#; &#x;");
        assert_eq!(decoded("&copy 2020 &notin; &#128; &#0; &#99999999999;"), "© 2020 ∉ € \u{fffd} \u{fffd}");
        assert_eq!(decoded("&"), "&");
    }
}
