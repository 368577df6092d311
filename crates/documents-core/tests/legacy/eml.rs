//! Internet messages.

use document::{Format, ParseError};

use crate::support::{cells, headings, read, survives_damage, try_read, zip};

const HEAD: &str = "From: =?utf-8?Q?J=C3=BCrgen?= <j@example.org>\r\nTo: a@example.org, Bea <b@example.org>\r\nCc: c@example.org\r\nDate: Fri, 1 Mar 2024 10:00:00 +0100\r\nSubject: The\r\n order\r\nMIME-Version: 1.0\r\n";

fn mixed(parts: &[&str]) -> Vec<u8> {
    let parts: String = parts.iter().map(|part| format!("--edge\r\n{part}\r\n")).collect();
    format!("{HEAD}Content-Type: multipart/mixed; boundary=edge\r\n\r\n{parts}--edge--\r\n").into_bytes()
}

#[test]
fn head_body_and_attachments_are_read_in_order() {
    let bytes = mixed(&[
        "Content-Type: text/plain; charset=iso-8859-1\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\nGr=FC=DFe,\r\n\r\nwir liefern.",
        "Content-Type: text/csv; name=list.csv\r\nContent-Disposition: attachment; filename=list.csv\r\nContent-Transfer-Encoding: base64\r\n\r\nYSxiCjEsMgo=",
        "Content-Type: image/png\r\nContent-Disposition: attachment; filename=logo.png\r\n\r\nxx",
    ]);
    let document = read(&bytes, "mail");
    assert_eq!(document.format, Format::Eml);
    assert_eq!(
        document.text,
        "From: J\u{fc}rgen <j@example.org>\nTo: a@example.org, Bea <b@example.org>\nCc: c@example.org\nDate: 2024-03-01T10:00:00+01:00\nSubject: The order\n\nGr\u{fc}\u{df}e,\n\nwir liefern.\n\n# list.csv\n\n| a | b |\n| --- | --- |\n| 1 | 2 |\n\n# logo.png\n\nxx"
    );
    assert_eq!(cells(&document).len(), 4);
    assert_eq!(document.metadata.title.as_deref(), Some("The order"));
    assert_eq!(document.metadata.created.as_deref(), Some("2024-03-01T10:00:00+01:00"));
}

#[test]
fn text_is_preferred_and_html_read_where_there_is_none() {
    let alternative = |first: &str| {
        format!(
            "{HEAD}Content-Type: multipart/alternative; boundary=e\r\n\r\n{first}--e\r\nContent-Type: text/html\r\n\r\n<h1>Page</h1><ul><li>one</li></ul>\r\n--e--\r\n"
        )
    };
    let plain = alternative("--e\r\nContent-Type: text/plain\r\n\r\njust text\r\n");
    let document = read(plain.as_bytes(), "x.eml");
    assert!(document.text.ends_with("\n\njust text") && !document.text.contains("Page"), "{}", document.text);
    let document = read(alternative("").as_bytes(), "x.eml");
    assert!(document.text.ends_with("# Page\n\n- one"), "{}", document.text);
}

#[test]
fn messages_within_messages_are_read_to_a_depth() {
    let mut message = format!("{HEAD}\r\nthe innermost").into_bytes();
    for level in 0..12 {
        let head = format!(
            "{HEAD}Content-Type: multipart/mixed; boundary=b{level}\r\n\r\n--b{level}\r\nContent-Type: text/plain\r\n\r\nlevel {level}\r\n--b{level}\r\nContent-Type: message/rfc822\r\n\r\n"
        );
        message = [head.as_bytes(), &message, format!("\r\n--b{level}--\r\n").as_bytes()].concat();
    }
    let document = read(&message, "x.eml");
    assert!(document.text.contains("level 11") && document.text.contains("level 9"));
    assert!(!document.text.contains("the innermost") && document.metadata.truncated);
}

#[test]
fn messages_nested_without_end_are_refused() {
    let nested = format!("{HEAD}Content-Type: message/rfc822\r\n\r\n").repeat(10_000);
    assert!(matches!(try_read(nested.as_bytes(), "x.eml"), Err(ParseError::Limit(_))));
}

#[test]
fn messages_nested_in_other_spellings_do_not_overflow() {
    for kind in [
        "message/ rfc822",
        "message /rfc822",
        "(x)message/rfc(y)822",
        "\"message/rfc822\"",
        "message/\r\n rfc822",
        "multipart/\r\n digest; boundary=b",
    ] {
        let nested = format!("{HEAD}Content-Type: {kind}\r\n\r\n--b\r\n").repeat(5_000);
        let _ = try_read(nested.as_bytes(), "x.eml");
    }
    let below = format!("{HEAD}Content-Type: message/rfc822\r\n\r\n").repeat(499);
    assert!(try_read(below.as_bytes(), "x.eml").is_ok());
}

#[test]
fn twenty_thousand_parts_end() {
    let part =
        "--edge\r\nContent-Type: text/plain; name=a.txt\r\nContent-Disposition: attachment\r\n\r\nx\r\n";
    let bytes =
        format!("{HEAD}Content-Type: multipart/mixed; boundary=edge\r\n\r\n{}--edge--", part.repeat(20_000));
    let document = read(bytes.as_bytes(), "x.eml");
    assert!(headings(&document).len() <= 500);
}

#[test]
fn boundaries_within_boundaries_end() {
    let mut bytes = HEAD.to_owned();
    for level in 0..5_000 {
        bytes.push_str(&format!("Content-Type: multipart/mixed; boundary=b{level}\r\n\r\n--b{level}\r\n"));
    }
    bytes.push_str("Content-Type: text/plain\r\n\r\ndeep");
    let _ = try_read(bytes.as_bytes(), "x.eml");
}

#[test]
fn garbage_in_encodings_loses_no_other_text() {
    let bytes = mixed(&[
        "Content-Type: text/plain; charset=no-such-thing\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\nkept =ZZ=4= =\u{ff}= text =",
        "Content-Disposition: attachment; filename=broken.txt\r\nContent-Transfer-Encoding: base64\r\n\r\n!!!@@@",
    ]);
    let document = read(&bytes, "x.eml");
    assert!(document.text.contains("kept") && document.text.contains("text"), "{}", document.text);
}

#[test]
fn an_archive_in_an_attachment_is_read_and_a_bomb_is_not() {
    use base64_of as encode;
    let inner = zip(&[("a.txt", b"from the archive")]);
    let part = format!(
        "Content-Type: application/zip\r\nContent-Disposition: attachment; filename=a.zip\r\nContent-Transfer-Encoding: base64\r\n\r\n{}",
        encode(&inner)
    );
    let document = read(&mixed(&[&part]), "x.eml");
    assert!(document.text.ends_with("# a.zip\n\n# a.txt\n\nfrom the archive"), "{}", document.text);
    let bomb = zip(&[("a.txt", &vec![b' '; 40 << 20])]);
    let part = format!(
        "Content-Type: application/zip\r\nContent-Disposition: attachment; filename=a.zip\r\nContent-Transfer-Encoding: base64\r\n\r\n{}",
        encode(&bomb)
    );
    let document = read(&mixed(&[&part]), "x.eml");
    assert!(document.text.ends_with("# a.zip"), "{}", document.text.len());
}

/// Base64 (RFC 4648), in lines.
fn base64_of(bytes: &[u8]) -> String {
    const LETTERS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::new();
    for (index, three) in bytes.chunks(3).enumerate() {
        let group =
            three.iter().fold(0_u32, |group, byte| group << 8 | u32::from(*byte)) << (8 * (3 - three.len()));
        for place in 0..4 {
            let letter = LETTERS[(group >> (18 - 6 * place) & 63) as usize];
            out.push(if place > three.len() { '=' } else { char::from(letter) });
        }
        if index % 19 == 18 {
            out.push_str("\r\n");
        }
    }
    out
}

#[test]
fn damage_never_panics() {
    let bytes = mixed(&[
        "Content-Type: text/plain\r\n\r\nbody",
        "Content-Type: message/rfc822\r\n\r\nFrom: x\r\n\r\ninner",
    ]);
    survives_damage(&bytes, "x.eml", 3);
}
