//! Multipart messages.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::{Part, find};

/// The header of the message and its parts, decoded from base64.
pub(super) fn unpack(bytes: &[u8]) -> Option<Vec<Part>> {
    let (head, body) = halves(bytes)?;
    let boundary = boundary(head)?;
    let mark = format!("--{boundary}").into_bytes();
    let mut parts = vec![Part { name: "head".to_owned(), head: head.to_vec(), ..Part::default() }];
    let mut at = find(body, &mark, 0)? + mark.len();
    while let Some(end) = find(body, &mark, at) {
        let section = body.get(at..end)?.trim_ascii_start();
        let (head, content) = halves(section).unwrap_or((section, &[]));
        let compact: Vec<u8> = content.iter().copied().filter(|byte| !byte.is_ascii_whitespace()).collect();
        let decoded = find(head, b"base64", 0).and_then(|_| STANDARD.decode(&compact).ok());
        let packed = decoded.is_some();
        let content = decoded.unwrap_or_else(|| content.strip_suffix(b"\n").unwrap_or(content).to_vec());
        parts.push(Part { name: parts.len().to_string(), head: head.to_vec(), content, packed });
        at = end + mark.len();
    }
    Some(parts)
}

fn halves(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let (at, length) = match (find(bytes, b"\r\n\r\n", 0), find(bytes, b"\n\n", 0)) {
        (Some(wide), Some(narrow)) if narrow < wide => (narrow, 2),
        (Some(wide), _) => (wide, 4),
        (None, narrow) => (narrow?, 2),
    };
    Some((bytes.get(..at)?, bytes.get(at + length..)?))
}

fn boundary(head: &[u8]) -> Option<String> {
    let at = find(head, b"boundary=", 0)? + 9;
    let text = String::from_utf8_lossy(head.get(at..)?).into_owned();
    let text = text.trim_start_matches('"');
    let end = text.find(|c: char| matches!(c, '"' | ';') || c.is_whitespace()).unwrap_or(text.len());
    text.get(..end).filter(|boundary| !boundary.is_empty()).map(str::to_owned)
}

/// Composes a message of parts.
pub(super) fn pack(parts: &[Part]) -> Vec<u8> {
    let Some((first, rest)) = parts.split_first() else { return Vec::new() };
    let boundary = boundary(&first.head).unwrap_or_else(|| "none".to_owned());
    let mut bytes = first.head.clone();
    bytes.extend_from_slice(b"\n\n");
    for part in rest {
        bytes.extend(format!("--{boundary}\n").into_bytes());
        bytes.extend_from_slice(&part.head);
        bytes.extend_from_slice(b"\n\n");
        if part.packed {
            for line in STANDARD.encode(&part.content).as_bytes().chunks(76) {
                bytes.extend_from_slice(line);
                bytes.push(b'\n');
            }
        } else {
            bytes.extend_from_slice(&part.content);
            bytes.push(b'\n');
        }
    }
    bytes.extend(format!("--{boundary}--\n").into_bytes());
    bytes
}
