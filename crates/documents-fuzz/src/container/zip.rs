//! ZIP files.

use std::io::{Read as _, Write as _};

use super::{INFLATED, Part, find};

/// The entries of the central directory.
pub(super) fn unpack(bytes: &[u8]) -> Option<Vec<Part>> {
    let mut parts = Vec::new();
    let mut at = find(bytes, b"PK\x01\x02", 0)?;
    while bytes.get(at..at + 4)? == b"PK\x01\x02" {
        let number =
            |at: usize| Some(usize::from(u16::from_le_bytes(bytes.get(at..at + 2)?.try_into().ok()?)));
        let long = |at: usize| Some(u32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?) as usize);
        let (method, size, name) = (number(at + 10)?, long(at + 20)?, number(at + 28)?);
        let local = long(at + 42)?;
        let start = local.checked_add(30 + number(local + 26)? + number(local + 28)?)?;
        let stored = bytes.get(start..start.checked_add(size)?)?;
        let mut content = Vec::new();
        if method == 8 {
            flate2::read::DeflateDecoder::new(stored).take(INFLATED).read_to_end(&mut content).ok()?;
        } else {
            content.extend_from_slice(stored);
        }
        let path = String::from_utf8_lossy(bytes.get(at + 46..at + 46 + name)?).into_owned();
        parts.push(Part { name: path, head: Vec::new(), content, packed: method == 8 });
        at += 46 + name + number(at + 30)? + number(at + 32)?;
        if at + 4 > bytes.len() {
            break;
        }
    }
    Some(parts)
}

/// An archive of parts, deflated when marked as packed.
pub(crate) fn pack(parts: &[Part]) -> Vec<u8> {
    let (mut bytes, mut directory) = (Vec::new(), Vec::new());
    for part in parts {
        let stored = if part.packed { deflated(&part.content) } else { part.content.clone() };
        let name = part.name.as_bytes();
        let name = name.get(..name.len().min(usize::from(u16::MAX))).unwrap_or_default();
        let mut common = vec![20, 0, 0, 0, if part.packed { 8 } else { 0 }, 0, 0, 0, 0, 0];
        common.extend(crc32(&part.content).to_le_bytes());
        common.extend(four(stored.len()));
        common.extend(four(part.content.len()));
        common.extend(two(name.len()));
        common.extend([0, 0]);
        directory.extend(b"PK\x01\x02\x14\x00");
        directory.extend(&common);
        directory.extend([0; 10]);
        directory.extend(four(bytes.len()));
        directory.extend(name);
        bytes.extend(b"PK\x03\x04");
        bytes.extend(&common);
        bytes.extend(name);
        bytes.extend(&stored);
    }
    let (start, size) = (bytes.len(), directory.len());
    bytes.extend(directory);
    bytes.extend(b"PK\x05\x06\0\0\0\0");
    bytes.extend(two(parts.len()));
    bytes.extend(two(parts.len()));
    bytes.extend(four(size));
    bytes.extend(four(start));
    bytes.extend([0, 0]);
    bytes
}

fn two(number: usize) -> [u8; 2] {
    u16::try_from(number).unwrap_or(u16::MAX).to_le_bytes()
}

fn four(number: usize) -> [u8; 4] {
    u32::try_from(number).unwrap_or(u32::MAX).to_le_bytes()
}

fn crc32(bytes: &[u8]) -> u32 {
    let mut crc = flate2::Crc::new();
    crc.update(bytes);
    crc.sum()
}

fn deflated(content: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::fast());
    // Writing to memory does not fail.
    encoder.write_all(content).and_then(|()| encoder.finish()).unwrap_or_default()
}
