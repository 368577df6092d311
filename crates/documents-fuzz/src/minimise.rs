//! Minimises a case that reproduces a finding: removes parts, then ranges of bytes, as long as the finding
//! remains.

use crate::container::{Container, Part};

/// Minimises a case with at most `most` calls of `shows`.
pub(crate) fn minimise(
    container: Container,
    case: &[u8],
    most: usize,
    mut shows: impl FnMut(&[u8]) -> bool,
) -> Vec<u8> {
    let mut left = most;
    let mut best = case.to_vec();
    if let Some(parts) = container.unpack(case)
        && container.pack(&parts).is_some_and(|again| shows(&again))
    {
        let smaller = fewer_parts(container, parts, &mut left, &mut shows);
        best = container.pack(&smaller).unwrap_or(best);
        return best;
    }
    best = fewer_bytes(best, &mut left, &mut shows);
    best
}

fn fewer_parts(
    container: Container,
    mut parts: Vec<Part>,
    left: &mut usize,
    shows: &mut impl FnMut(&[u8]) -> bool,
) -> Vec<Part> {
    let mut shows_parts = |parts: &[Part]| container.pack(parts).is_some_and(|bytes| shows(&bytes));
    for index in (0..parts.len()).rev() {
        let mut fewer = parts.clone();
        fewer.remove(index);
        *left = left.saturating_sub(1);
        if !fewer.is_empty() && *left > 0 && shows_parts(&fewer) {
            parts = fewer;
        }
    }
    for index in 0..parts.len() {
        let Some(part) = parts.get(index).cloned() else { break };
        let rest = parts.clone();
        let with = |content: &[u8]| {
            let mut parts = rest.clone();
            if let Some(part) = parts.get_mut(index) {
                part.content = content.to_vec();
            }
            parts
        };
        let smaller = fewer_bytes(part.content, left, &mut |bytes| shows_parts(&with(bytes)));
        parts = with(&smaller);
    }
    parts
}

/// Removes ranges of decreasing length.
fn fewer_bytes(mut bytes: Vec<u8>, left: &mut usize, shows: &mut impl FnMut(&[u8]) -> bool) -> Vec<u8> {
    let mut length = bytes.len() / 2;
    while length > 0 {
        let mut at = 0;
        while at < bytes.len() {
            if *left == 0 {
                return bytes;
            }
            *left -= 1;
            let mut fewer = bytes.clone();
            fewer.drain(at..fewer.len().min(at + length));
            if shows(&fewer) {
                bytes = fewer;
            } else {
                at += length;
            }
        }
        length /= 2;
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::container::zip;

    #[test]
    fn what_shows_nothing_is_left_out() {
        let case = [b"a long beginning ".as_slice(), b"FAULT", b" and an end"].concat();
        let shows = |bytes: &[u8]| bytes.windows(5).any(|window| window == b"FAULT");
        assert_eq!(minimise(Container::Plain, &case, 1_000, shows), b"FAULT");
        let part = |name: &str, content: &[u8]| Part {
            name: name.to_owned(),
            content: content.to_vec(),
            packed: true,
            ..Part::default()
        };
        let case = zip::pack(&[part("a", b"nothing"), part("b", &case)]);
        let inside = |bytes: &[u8]| {
            Container::Zip.unpack(bytes).is_some_and(|parts| parts.iter().any(|part| shows(&part.content)))
        };
        assert_eq!(minimise(Container::Zip, &case, 1_000, inside), zip::pack(&[part("b", b"FAULT")]));
    }
}
