//! Character references.

use std::borrow::Cow;

use html5ever::data::{C1_REPLACEMENTS, NAMED_ENTITIES};

/// Characters of the longest name, `CounterClockwiseContourIntegral;`.
const LONGEST: usize = 32;

/// Text with its character references replaced; those that mean nothing stay.
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

/// Reads `#38;` or `#x26;`; gives the bytes it took.
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

/// The character of a number; Windows-1252 is meant where the number is that of a control character.
fn character(number: u32) -> char {
    let replaced =
        number.checked_sub(0x80).and_then(|place| C1_REPLACEMENTS.get(place as usize)).copied().flatten();
    let character = replaced.or_else(|| char::from_u32(number)).unwrap_or('\u{fffd}');
    if character == '\0' { '\u{fffd}' } else { character }
}

/// Reads `amp;`, and the old names without the semicolon; gives the bytes it took.
fn named(after: &str, out: &mut String) -> Option<usize> {
    let length = after.bytes().take(LONGEST).take_while(u8::is_ascii_alphanumeric).count();
    let closed = after.as_bytes().get(length) == Some(&b';');
    let most = length + usize::from(closed);
    (2..=most).rev().find_map(|end| {
        let (first, second) = *NAMED_ENTITIES.get(after.get(..end)?)?;
        // The table also has the beginnings of names, which stand for nothing.
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
