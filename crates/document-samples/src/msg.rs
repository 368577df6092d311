//! Outlook messages.

use crate::{numbers, utf16};

/// A property table: a header of `head` bytes, then id, type and value of each.
#[must_use]
pub fn properties(head: usize, values: &[(u16, u16, u64)]) -> Vec<u8> {
    let mut bytes = vec![0; head];
    for (id, kind, value) in values {
        bytes.extend(kind.to_le_bytes());
        bytes.extend(id.to_le_bytes());
        bytes.extend([6, 0, 0, 0]);
        bytes.extend(value.to_le_bytes());
    }
    bytes
}

/// The streams of a message with two attachments, a page and an older message. `body` is the stream of its
/// text.
#[must_use]
pub fn streams(body: (&'static str, Vec<u8>)) -> Vec<(&'static str, Vec<u8>)> {
    vec![
        ("__properties_version1.0", properties(32, &[(0x0039, 0x40, 133_537_572_000_000_000)])),
        ("__substg1.0_0037001F", utf16("The offer")),
        ("__substg1.0_0C1A001F", utf16("Ada")),
        ("__substg1.0_5D01001F", utf16("ada@example.org")),
        ("__substg1.0_0E04001F", utf16("Bob; Carl")),
        body,
        ("__recip_version1.0_#00000000/__properties_version1.0", properties(8, &[(0x0c15, 3, 1)])),
        ("__recip_version1.0_#00000000/__substg1.0_3001001F", utf16("Bob")),
        ("__recip_version1.0_#00000000/__substg1.0_39FE001F", utf16("bob@example.org")),
        ("__recip_version1.0_#00000001/__properties_version1.0", properties(8, &[(0x0c15, 3, 2)])),
        ("__recip_version1.0_#00000001/__substg1.0_3001001F", utf16("Carl")),
        ("__attach_version1.0_#00000000/__properties_version1.0", properties(8, &[])),
        ("__attach_version1.0_#00000000/__substg1.0_3707001F", utf16("terms.html")),
        ("__attach_version1.0_#00000000/__substg1.0_37010102", b"<html><p>net 30 days</p></html>".to_vec()),
        ("__attach_version1.0_#00000001/__properties_version1.0", properties(8, &[])),
        ("__attach_version1.0_#00000001/__substg1.0_3001001F", utf16("Forwarded")),
        ("__attach_version1.0_#00000001/__substg1.0_3701000D/__properties_version1.0", properties(24, &[])),
        ("__attach_version1.0_#00000001/__substg1.0_3701000D/__substg1.0_0037001F", utf16("Older")),
        ("__attach_version1.0_#00000001/__substg1.0_3701000D/__substg1.0_1000001F", utf16("older body")),
    ]
}

/// Rich text as a body stream in the compressed format, but of literals only.
#[must_use]
pub fn uncompressed_rtf(rich: &[u8]) -> Vec<u8> {
    // A control byte of zero precedes each eight literals.
    let packed: Vec<u8> = rich.chunks(8).flat_map(|eight| [&[0], eight].concat()).collect();
    let lengths = [packed.len() + 12, rich.len()].map(|length| u32::try_from(length).unwrap());
    [numbers(&lengths), b"LZFu\0\0\0\0".to_vec(), packed].concat()
}
