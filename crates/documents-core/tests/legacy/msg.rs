//! Outlook messages.

use documents_core::Format;

use crate::support::{compound, read, survives_damage, utf16};

/// A table of properties: a head of some bytes, then number, type and value of each.
fn properties(head: usize, values: &[(u16, u16, u64)]) -> Vec<u8> {
    let mut bytes = vec![0; head];
    for (id, kind, value) in values {
        bytes.extend(kind.to_le_bytes());
        bytes.extend(id.to_le_bytes());
        bytes.extend([6, 0, 0, 0]);
        bytes.extend(value.to_le_bytes());
    }
    bytes
}

fn streams(body: (&'static str, Vec<u8>)) -> Vec<(&'static str, Vec<u8>)> {
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

const HEAD: &str = "From: Ada <ada@example.org>\nTo: Bob <bob@example.org>\nCc: Carl\nDate: 2024-03-01T09:00:00Z\nSubject: The offer";

#[test]
fn head_body_attachments_and_inner_messages_are_read() {
    let bytes = compound(&streams(("__substg1.0_1000001F", utf16("Dear Bob,\r\n\r\nsee below.\0"))));
    let document = read(&bytes, "x");
    assert_eq!(document.format, Format::Msg);
    assert_eq!(
        document.text,
        format!(
            "{HEAD}\n\nDear Bob,\n\nsee below.\n\n# terms.html\n\nnet 30 days\n\n# Forwarded\n\nSubject: Older\n\nolder body"
        )
    );
}

#[test]
fn bodies_in_html_or_compressed_rich_text_are_read() {
    let html = b"<html><body><p>a <b>page</b></p></body></html>".to_vec();
    let document = read(&compound(&streams(("__substg1.0_10130102", html))), "x.msg");
    assert!(document.text.starts_with(&format!("{HEAD}\n\na page\n\n# terms")), "{}", document.text);
    // Literals alone: a control byte of zero before each eight of them.
    let rich = b"{\\rtf1\\ansi\\fromhtml1 {\\*\\htmltag64 <p>}\\htmlrtf {\\htmlrtf0 from rich \\'e9\\u8364?{\\*\\htmltag72 </p>}}";
    let mut packed: Vec<u8> = Vec::new();
    for eight in rich.chunks(8) {
        packed.push(0);
        packed.extend(eight);
    }
    let mut stream = u32::try_from(packed.len() + 12).unwrap().to_le_bytes().to_vec();
    stream.extend(u32::try_from(rich.len()).unwrap().to_le_bytes());
    stream.extend(b"LZFu\0\0\0\0");
    stream.extend(packed);
    let document = read(&compound(&streams(("__substg1.0_10090102", stream))), "x.msg");
    assert!(document.text.contains("from rich \u{e9}\u{20ac}"), "{}", document.text);
}

#[test]
fn text_in_a_code_page_is_decoded() {
    let bytes = compound(&[
        ("__properties_version1.0", properties(32, &[(0x3ffd, 3, 1_251)])),
        ("__substg1.0_0037001E", vec![0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2]),
    ]);
    assert_eq!(read(&bytes, "x.msg").text, "Subject: \u{41f}\u{440}\u{438}\u{432}\u{435}\u{442}");
}

#[test]
fn damage_never_panics() {
    let bytes = compound(&streams(("__substg1.0_1000001F", utf16("x"))));
    survives_damage(&bytes, "x.msg", 61);
}
