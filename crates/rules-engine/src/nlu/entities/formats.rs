//! Finds entities by their format: e-mail addresses, URLs, phone numbers, quotations.

use std::ops::Range;

use crate::nlu::tokens::message::Message;

/// Kind of an entity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EntityKind {
    Email,
    Url,
    Phone,
    Quoted,
}

/// The entities of a message with their byte ranges.
pub(crate) fn find_entities(text: &Message<'_>) -> Vec<(EntityKind, Range<usize>)> {
    let end = text.tokens.last().map_or(0, |word| word.end);
    // Include the closing quotation mark.
    let raw = text.raw.get(..text.raw.floor_char_boundary(end + 4)).unwrap_or_default();
    let mut found = Vec::new();
    let mut at = 0;
    for part in raw.split(|c: char| {
        c.is_whitespace() || matches!(c, ',' | ';' | '<' | '>' | '"' | '“' | '”' | '„' | '«' | '»')
    }) {
        let range = at..at + part.len();
        at = range.end + raw.get(range.end..).and_then(|rest| rest.chars().next()).map_or(0, char::len_utf8);
        let cut = part.trim_end_matches(['.', '!', '?', ')', ':', '\'', '’']);
        let head = cut.trim_start_matches(['(', '\'', '‘']);
        let start = range.start + (cut.len() - head.len());
        let range = start..start + head.len();
        if is_email(head) {
            found.push((EntityKind::Email, range));
        } else if is_url(head) {
            found.push((EntityKind::Url, range));
        }
    }
    phones(raw, &mut found);
    find_quoted(raw, &mut found);
    found
}

fn is_email(part: &str) -> bool {
    let Some((local, domain)) = part.rsplit_once('@') else { return false };
    !local.is_empty() && domain.len() <= 250 && is_host(domain)
}

fn is_host(domain: &str) -> bool {
    let last = domain.rsplit('.').next().unwrap_or_default();
    let label = |label: &str| !label.is_empty() && label.chars().all(|c| c.is_alphanumeric() || c == '-');
    domain.contains('.')
        && domain.split('.').all(label)
        && last.len() >= 2
        && last.chars().all(char::is_alphabetic)
}

fn is_url(part: &str) -> bool {
    let lower: String = part.chars().take(8).flat_map(char::to_lowercase).collect();
    if lower.starts_with("http://") || lower.starts_with("https://") {
        return part.len() > 10;
    }
    let host = part.split(['/', '?', '#']).next().unwrap_or_default();
    // Without a scheme, only "www." or a common top-level domain counts: other dots may be typos.
    let known =
        ["com", "org", "net", "de", "io", "fr", "es", "uk", "eu", "info", "dev", "app", "co", "ch", "at"];
    let ending = host.rsplit('.').next().unwrap_or_default();
    is_host(host)
        && (lower.starts_with("www.") || known.contains(&ending) && host.chars().all(|c| !c.is_uppercase()))
}

/// Phone numbers: 7 to 16 digits, usually in groups.
fn phones(raw: &str, found: &mut Vec<(EntityKind, Range<usize>)>) {
    let bytes = raw.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        let byte = bytes.get(at).copied().unwrap_or(0);
        let before = at.checked_sub(1).and_then(|before| bytes.get(before)).copied().unwrap_or(b' ');
        if !(byte.is_ascii_digit() || matches!(byte, b'+' | b'('))
            || before.is_ascii_alphanumeric()
            || before == b'$'
            // "K-2026-778" is an issued code.
            || before == b'-' && at.checked_sub(2).and_then(|at| bytes.get(at)).is_some_and(u8::is_ascii_alphanumeric)
        {
            at += 1;
            continue;
        }
        let mut end = at;
        let (mut digits, mut groups, mut longest, mut points) = (0, 0, 0, 0);
        let mut run = 0;
        let mut last = at;
        while let Some(&byte) = bytes.get(end) {
            match byte {
                b'0'..=b'9' => {
                    digits += 1;
                    groups += usize::from(run == 0);
                    run += 1;
                    longest = longest.max(run);
                    last = end + 1;
                }
                b'+' if end == at => run = 0,
                b'(' | b')' | b' ' | b'-' | b'/' => run = 0,
                b'.' => {
                    points += 1;
                    run = 0;
                }
                _ => break,
            }
            end += 1;
        }
        let international = byte == b'+';
        let slice = raw.get(at..last).unwrap_or_default();
        let is_date = groups == 3 && digits <= 8 && !slice.starts_with('0') && !international
            || groups == 3 && digits == 8 && slice.len() == 10;
        let is_time = raw.get(last..).is_some_and(|rest| rest.starts_with(':'));
        let one_run = groups == 1 && !(9..=15).contains(&digits) && !international && !slice.starts_with('0');
        if (7..=16).contains(&digits) && !is_date && !is_time && !one_run && points < 5 {
            found.push((EntityKind::Phone, at..last));
        }
        at = end.max(at + 1);
    }
}

/// Text between quotation marks, at most 200 bytes.
fn find_quoted(raw: &str, found: &mut Vec<(EntityKind, Range<usize>)>) {
    let mut open: Option<(usize, char)> = None;
    for (at, c) in raw.char_indices() {
        match (open, c) {
            (None, '"' | '“' | '„' | '«' | '”') => open = Some((at + c.len_utf8(), c)),
            (Some((start, _)), '"' | '“' | '”' | '»') => {
                if at > start && at - start <= 200 {
                    found.push((EntityKind::Quoted, start..at));
                }
                open = None;
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_and_numbers_are_told_by_their_shape() {
        for (text, shape, wanted) in [
            ("mail me at jo.doe+x@example.co.uk, thanks", EntityKind::Email, "jo.doe+x@example.co.uk"),
            ("see https://example.com/a?b=1.", EntityKind::Url, "https://example.com/a?b=1"),
            ("it's example.com", EntityKind::Url, "example.com"),
            ("call 925-373-0306 now", EntityKind::Phone, "925-373-0306"),
            ("+49 170 1234567", EntityKind::Phone, "+49 170 1234567"),
            ("(415) 555-0101", EntityKind::Phone, "(415) 555-0101"),
            ("the film “La La Land” please", EntityKind::Quoted, "La La Land"),
        ] {
            let words = Message::new(text);
            let found: Vec<_> = find_entities(&words).into_iter().filter(|(s, _)| *s == shape).collect();
            assert_eq!(found.first().map(|(_, range)| &text[range.clone()]), Some(wanted), "{text}");
        }
        for text in
            ["on 12/03/2024", "2024-03-12", "1,470 bucks", "at 19:15", "$1500000", "I'm ok.Thanks", "3 4 5"]
        {
            assert_eq!(find_entities(&Message::new(text)), [], "{text}");
        }
    }
}
