//! Locates the files of a ZIP container.

use crate::ParseError;
use crate::encoding::decode;

/// A file within a container.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    pub(super) name: String,
    pub(super) method: u16,
    pub(super) encrypted: bool,
    /// Stored bytes; `None` when only the end of the stream shows it.
    pub(super) stored: Option<usize>,
    /// Offset of its local header, or of its data when that is known.
    pub(super) place: DataOffset,
}

/// What an offset points to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DataOffset {
    /// A local header; the data begins after it.
    Header(usize),
    /// The data itself.
    Data(usize),
}

const CENTRAL: &[u8] = b"PK\x01\x02";
const LOCAL: &[u8] = b"PK\x03\x04";
const END: &[u8] = b"PK\x05\x06";
const END_64: &[u8] = b"PK\x06\x06";
const LOCATOR_64: &[u8] = b"PK\x06\x07";
const END_LENGTH: usize = 22;
const LOCAL_LENGTH: usize = 30;
const CENTRAL_LENGTH: usize = 46;
/// Maximum bytes of a name. Protects memory.
const NAME: usize = 1_024;
/// Maximum length of the comment after the end of the directory.
const COMMENT: usize = 65_535;

/// The files of the container, from its directory or, when that is lost, from the local headers.
pub(super) fn entries(bytes: &[u8], most: usize) -> Result<Vec<Entry>, ParseError> {
    if let Some(end) = find_end(bytes) {
        let entries = central(bytes, end, most)?;
        if !entries.is_empty() {
            return Ok(entries);
        }
        if bytes.get(..LOCAL.len()) != Some(LOCAL) {
            return Ok(entries);
        }
    }
    let entries = scan_local_headers(bytes, most)?;
    if entries.is_empty() {
        return Err(ParseError::Damaged("it is no ZIP container".to_owned()));
    }
    Ok(entries)
}

/// The end record of the directory: its declared offset and size, and the actual offset of its end.
#[derive(Clone, Copy)]
struct End {
    offset: usize,
    size: usize,
    at: usize,
}

fn find_end(bytes: &[u8]) -> Option<End> {
    let from = bytes.len().saturating_sub(END_LENGTH + COMMENT);
    let tail = bytes.get(from..)?;
    let at = from + tail.windows(END.len()).rposition(|window| window == END)?;
    let (size, offset) = (u32_at(bytes, at + 12)?, u32_at(bytes, at + 16)?);
    let wide = at.checked_sub(20).filter(|_| size == u32::MAX || offset == u32::MAX);
    if let Some(locator) = wide.filter(|locator| bytes.get(*locator..*locator + 4) == Some(LOCATOR_64)) {
        let end = usize::try_from(u64_at(bytes, locator + 8)?).ok()?;
        if bytes.get(end..end.checked_add(4)?) == Some(END_64) {
            let size = usize::try_from(u64_at(bytes, end + 40)?).ok()?;
            let offset = usize::try_from(u64_at(bytes, end + 48)?).ok()?;
            return Some(End { offset, size, at: end });
        }
    }
    Some(End { offset: offset as usize, size: size as usize, at })
}

/// The directory's entries. A prefix before the container (a program, for example) shifts all offsets alike.
fn central(bytes: &[u8], end: End, most: usize) -> Result<Vec<Entry>, ParseError> {
    let Some(start) = end.at.checked_sub(end.size) else { return Ok(Vec::new()) };
    let shift = start.saturating_sub(end.offset);
    let mut entries = Vec::new();
    let mut at = start;
    while let Some((entry, next)) = central_entry(bytes, at, shift) {
        if entries.len() >= most {
            return Err(ParseError::Limit("files within it"));
        }
        entries.push(entry);
        at = next;
    }
    Ok(entries)
}

fn central_entry(bytes: &[u8], at: usize, shift: usize) -> Option<(Entry, usize)> {
    if bytes.get(at..at.checked_add(4)?) != Some(CENTRAL) {
        return None;
    }
    let flags = u16_at(bytes, at + 8)?;
    let name_length = usize::from(u16_at(bytes, at + 28)?);
    let extra_length = usize::from(u16_at(bytes, at + 30)?);
    let comment_length = usize::from(u16_at(bytes, at + 32)?);
    let name_at = at + CENTRAL_LENGTH;
    let extra_at = name_at + name_length;
    let extra = bytes.get(extra_at..extra_at + extra_length)?;
    let (mut stored, mut offset) = (u64::from(u32_at(bytes, at + 20)?), u64::from(u32_at(bytes, at + 42)?));
    read_zip64_sizes(extra, u32_at(bytes, at + 24)?, &mut stored, &mut offset);
    let entry = Entry {
        name: name(bytes.get(name_at..extra_at)?, flags),
        method: u16_at(bytes, at + 10)?,
        encrypted: flags & 1 != 0,
        stored: usize::try_from(stored).ok(),
        place: DataOffset::Header(usize::try_from(offset).ok()?.checked_add(shift)?),
    };
    Some((entry, extra_at + extra_length + comment_length))
}

/// Reads the 64-bit sizes of the extra field when the 32-bit ones refer to them.
fn read_zip64_sizes(extra: &[u8], inflated: u32, stored: &mut u64, offset: &mut u64) {
    const WIDE: u64 = u32::MAX as u64;
    let mut at = 0;
    while let (Some(kind), Some(length)) = (u16_at(extra, at), u16_at(extra, at + 2)) {
        if kind == 1 {
            let mut value_at = at + 4 + if inflated == u32::MAX { 8 } else { 0 };
            for value in [stored, offset] {
                if *value == WIDE {
                    *value = u64_at(extra, value_at).unwrap_or(WIDE);
                    value_at += 8;
                }
            }
            return;
        }
        at += 4 + usize::from(length);
    }
}

/// The files by their local headers, for a truncated container.
fn scan_local_headers(bytes: &[u8], most: usize) -> Result<Vec<Entry>, ParseError> {
    let mut entries = Vec::new();
    let mut at = 0;
    while let Some(found) = bytes.get(at..).and_then(|rest| find(rest, LOCAL)) {
        at += found;
        let Some((entry, next)) = local_entry(bytes, at) else { break };
        if entries.len() >= most {
            return Err(ParseError::Limit("files within it"));
        }
        entries.push(entry);
        at = next;
    }
    Ok(entries)
}

fn find(bytes: &[u8], needle: &[u8]) -> Option<usize> {
    bytes.windows(needle.len()).position(|window| window == needle)
}

fn local_entry(bytes: &[u8], at: usize) -> Option<(Entry, usize)> {
    let flags = u16_at(bytes, at + 6)?;
    let data = data_at(bytes, at)?;
    let streamed = flags & 8 != 0;
    let stored = (!streamed).then_some(u32_at(bytes, at + 18)? as usize);
    let name_at = at + LOCAL_LENGTH;
    let name_length = usize::from(u16_at(bytes, at + 26)?);
    let entry = Entry {
        name: name(bytes.get(name_at..name_at + name_length)?, flags),
        method: u16_at(bytes, at + 8)?,
        encrypted: flags & 1 != 0,
        stored,
        place: DataOffset::Data(data),
    };
    Some((entry, data.saturating_add(stored.unwrap_or(0))))
}

/// Offset of the data after a local header.
pub(super) fn data_at(bytes: &[u8], header: usize) -> Option<usize> {
    if bytes.get(header..header.checked_add(4)?) != Some(LOCAL) {
        return None;
    }
    let name = usize::from(u16_at(bytes, header + 26)?);
    let extra = usize::from(u16_at(bytes, header + 28)?);
    Some(header + LOCAL_LENGTH + name + extra)
}

/// A name as text, with `/` as separator and none in front.
fn name(raw: &[u8], flags: u16) -> String {
    const UTF_8: u16 = 1 << 11;
    let raw = raw.get(..raw.len().min(NAME)).unwrap_or_default();
    let text = if flags & UTF_8 != 0 { String::from_utf8_lossy(raw) } else { decode(raw, None) };
    text.replace('\\', "/").trim_start_matches('/').to_owned()
}

fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    bytes.get(at..at.checked_add(2)?)?.try_into().ok().map(u16::from_le_bytes)
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    bytes.get(at..at.checked_add(4)?)?.try_into().ok().map(u32::from_le_bytes)
}

fn u64_at(bytes: &[u8], at: usize) -> Option<u64> {
    bytes.get(at..at.checked_add(8)?)?.try_into().ok().map(u64::from_le_bytes)
}
