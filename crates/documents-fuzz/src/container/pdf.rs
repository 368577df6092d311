//! PDFs: their objects, including those of object streams, with inflated streams.
//!
//! A packed file has a correct cross-reference table, so that mutations reach further than the repair of a
//! damaged table.

use std::io::{Read as _, Write as _};

use super::{INFLATED, Part, find};

/// Name of the part with the entries of the trailer.
const TRAILER: &str = "trailer";

/// The objects and the trailer; `None` for encrypted files.
pub(super) fn unpack(bytes: &[u8]) -> Option<Vec<Part>> {
    if find(bytes, b"/Encrypt", 0).is_some() {
        return None;
    }
    let mut parts = Vec::new();
    let mut at = 0;
    while let Some(word) = find(bytes, b" obj", at) {
        let end = find(bytes, b"endobj", word).unwrap_or(bytes.len());
        let body = bytes.get(word + 4..end).unwrap_or_default();
        if let Some(number) = number_before(bytes, word) {
            let part = object(number, body);
            if is(&part.head, b"/ObjStm") {
                parts.extend(inner_objects(&part));
            } else if !is(&part.head, b"/XRef") {
                parts.push(part);
            }
        }
        at = end.max(word + 4);
    }
    let mut trailer = Vec::new();
    for name in [&b"/Root"[..], b"/Info"] {
        let start = bytes.windows(name.len()).rposition(|window| window == name)?;
        let end = find(bytes, b"R", start + name.len())?;
        if end - start < 24 {
            trailer.extend_from_slice(bytes.get(start..=end)?);
        }
        if name == b"/Root" && find(bytes, b"/Info", 0).is_none() {
            break;
        }
    }
    parts.push(Part { name: TRAILER.to_owned(), head: trailer, ..Part::default() });
    Some(parts)
}

/// The object number of `7 0` before ` obj`.
fn number_before(bytes: &[u8], word: usize) -> Option<u32> {
    let before = bytes.get(word.saturating_sub(16)..word)?;
    let text = String::from_utf8_lossy(before);
    let mut words = text.split_whitespace().rev();
    words.next().filter(|generation| generation.bytes().all(|byte| byte.is_ascii_digit()))?;
    let number = words.next()?;
    let digits = number.rfind(|c: char| !c.is_ascii_digit()).map_or(0, |at| at + 1);
    number.get(digits..)?.parse().ok()
}

fn is(head: &[u8], name: &[u8]) -> bool {
    find(head, name, 0).is_some()
}

fn object(number: u32, body: &[u8]) -> Part {
    let plain = || Part { name: number.to_string(), head: body.trim_ascii().to_vec(), ..Part::default() };
    let Some(start) = find(body, b"stream", 0) else { return plain() };
    let end = body.windows(9).rposition(|window| window == b"endstream").unwrap_or(body.len());
    let head = body.get(..start).unwrap_or_default().trim_ascii().to_vec();
    let mut from = start + 6;
    from += usize::from(body.get(from) == Some(&b'\r'));
    from += usize::from(body.get(from) == Some(&b'\n'));
    let stored = body.get(from..end).unwrap_or_default();
    let stored = stored.strip_suffix(b"\n").unwrap_or(stored);
    let filters = head.windows(6).filter(|window| *window == b"Decode").count();
    if is(&head, b"/FlateDecode") && filters == 1 {
        let mut content = Vec::new();
        // A damaged stream is kept as far as it can be inflated.
        flate2::read::ZlibDecoder::new(stored).take(INFLATED).read_to_end(&mut content).ok();
        if !content.is_empty() {
            return Part { name: number.to_string(), head, content, packed: true };
        }
    }
    Part { name: number.to_string(), head, content: stored.to_vec(), packed: false }
}

/// The objects within an object stream (ISO 32000-1, 7.5.7).
fn inner_objects(stream: &Part) -> Vec<Part> {
    let Some(first) = entry(&stream.head, b"/First") else { return Vec::new() };
    let table = String::from_utf8_lossy(stream.content.get(..first).unwrap_or_default()).into_owned();
    let numbers: Vec<usize> = table.split_whitespace().filter_map(|word| word.parse().ok()).collect();
    let mut parts = Vec::new();
    for (index, pair) in numbers.chunks_exact(2).enumerate() {
        let end = numbers.get(index * 2 + 3).map_or(stream.content.len(), |next| first + next);
        let body = stream.content.get(first + pair[1]..end).unwrap_or_default().trim_ascii();
        parts.push(Part { name: pair[0].to_string(), head: body.to_vec(), ..Part::default() });
    }
    parts
}

fn entry(head: &[u8], name: &[u8]) -> Option<usize> {
    let at = find(head, name, 0)? + name.len();
    let text = String::from_utf8_lossy(head.get(at..(at + 12).min(head.len()))?).into_owned();
    text.split(|c: char| !c.is_ascii_digit()).find(|word| !word.is_empty())?.parse().ok()
}

/// Composes a file of objects.
pub(super) fn pack(parts: &[Part]) -> Vec<u8> {
    let mut bytes = b"%PDF-1.7\n".to_vec();
    let mut places = Vec::new();
    let mut trailer = Vec::new();
    for part in parts {
        if part.name == TRAILER {
            trailer.extend_from_slice(&part.head);
            continue;
        }
        places.push((part.name.parse::<u32>().unwrap_or(0), bytes.len()));
        bytes.extend(format!("{} 0 obj\n", part.name).into_bytes());
        if part.content.is_empty() && !is(&part.head, b"/Length") {
            bytes.extend_from_slice(&part.head);
        } else {
            let stored = if part.packed { deflated(&part.content) } else { part.content.clone() };
            bytes.extend(with_length(&part.head, stored.len()));
            bytes.extend_from_slice(b"\nstream\n");
            bytes.extend(stored);
            bytes.extend_from_slice(b"\nendstream");
        }
        bytes.extend_from_slice(b"\nendobj\n");
    }
    let start = bytes.len();
    bytes.extend_from_slice(b"xref\n0 1\n0000000000 65535 f \n");
    for (number, place) in &places {
        bytes.extend(format!("{number} 1\n{place:010} 00000 n \n").into_bytes());
    }
    let size = places.iter().map(|(number, _)| number.saturating_add(1)).max().unwrap_or(1);
    bytes.extend(format!("trailer\n<</Size {size} ").into_bytes());
    bytes.extend(trailer);
    bytes.extend(format!(">>\nstartxref\n{start}\n%%EOF\n").into_bytes());
    bytes
}

/// A dictionary with the correct length in it.
fn with_length(head: &[u8], length: usize) -> Vec<u8> {
    let Some(at) = find(head, b"/Length ", 0) else { return head.to_vec() };
    let digits =
        head.get(at + 8..).unwrap_or_default().iter().take_while(|byte| byte.is_ascii_digit()).count();
    let after = head.get(at + 8 + digits..).unwrap_or_default();
    // A length that refers to another object is left alone.
    if after.starts_with(b" 0 R") {
        return head.to_vec();
    }
    [head.get(..at + 8).unwrap_or_default(), length.to_string().as_bytes(), after].concat()
}

fn deflated(content: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::fast());
    // Writing to memory does not fail.
    encoder.write_all(content).and_then(|()| encoder.finish()).unwrap_or_default()
}
