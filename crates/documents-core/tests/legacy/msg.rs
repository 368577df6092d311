//! Outlook messages.

use document::Format;
use document_samples::msg::{properties, streams, uncompressed_rtf};
use document_samples::{compound, utf16};

use crate::support::{read, survives_damage};

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
    let rich = b"{\\rtf1\\ansi\\fromhtml1 {\\*\\htmltag64 <p>}\\htmlrtf {\\htmlrtf0 from rich \\'e9\\u8364?{\\*\\htmltag72 </p>}}";
    let document = read(&compound(&streams(("__substg1.0_10090102", uncompressed_rtf(rich)))), "x.msg");
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
