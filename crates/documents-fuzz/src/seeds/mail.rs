//! Messages, and archives of documents.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::{archive, compound, numbers, office, pdf, texts, utf16};

fn attached(name: &str, kind: &str, content: &[u8]) -> String {
    let lines: Vec<String> = STANDARD
        .encode(content)
        .as_bytes()
        .chunks(76)
        .map(|line| String::from_utf8_lossy(line).into_owned())
        .collect();
    format!(
        "--edge\nContent-Type: {kind}; name=\"{name}\"\nContent-Transfer-Encoding: base64\nContent-Disposition: attachment; filename=\"{name}\"\n\n{}\n",
        lines.join("\n")
    )
}

pub(crate) fn eml() -> Vec<Vec<u8>> {
    let docx = office::docx().swap_remove(0);
    let csv = texts::csv().swap_remove(0);
    let message = "From: C <c@example.org>\nTo: D <d@example.org>\nSubject: Inner\n\ninner text\n";
    let whole = format!(
        "From: Ada <ada@example.org>\nTo: Bob <bob@example.org>, =?utf-8?B?w4lkaXRo?= <e@example.org>\nSubject: =?iso-8859-1?Q?Caf=E9?= offer\nDate: Fri, 1 Mar 2024 09:00:00 +0100\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=\"edge\"\n\n--edge\nContent-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: quoted-printable\n\nDear Bob,\nsee =C3=A9 below=\n and on.\n{}{}--edge\nContent-Type: message/rfc822\n\n{message}\n--edge\nContent-Type: text/html\n\n<html><p>page <b>bold</b></p></html>\n--edge--\n",
        attached("offer.docx", "application/octet-stream", &docx),
        attached("prices.csv", "text/csv", &csv),
    );
    vec![whole.into_bytes()]
}

/// A table of properties: a head of some bytes, then number, type and value of each.
fn properties(head: usize, values: &[(u16, u16, u64)]) -> Vec<u8> {
    let mut bytes = vec![0; head];
    for (id, kind, value) in values {
        bytes.extend(kind.to_le_bytes());
        bytes.extend(id.to_le_bytes());
        bytes.extend(numbers(&[6]));
        bytes.extend(value.to_le_bytes());
    }
    bytes
}

pub(crate) fn msg() -> Vec<Vec<u8>> {
    let common = || {
        vec![
            ("__properties_version1.0", properties(32, &[(0x0039, 0x40, 133_537_572_000_000_000)])),
            ("__substg1.0_0037001F", utf16("The offer")),
            ("__substg1.0_0C1A001F", utf16("Ada")),
            ("__substg1.0_5D01001F", utf16("ada@example.org")),
            ("__substg1.0_0E04001F", utf16("Bob; Carl")),
            ("__recip_version1.0_#00000000/__properties_version1.0", properties(8, &[(0x0c15, 3, 1)])),
            ("__recip_version1.0_#00000000/__substg1.0_3001001F", utf16("Bob")),
            ("__attach_version1.0_#00000000/__properties_version1.0", properties(8, &[])),
            ("__attach_version1.0_#00000000/__substg1.0_3707001F", utf16("terms.html")),
            (
                "__attach_version1.0_#00000000/__substg1.0_37010102",
                b"<html><p>net 30 days</p></html>".to_vec(),
            ),
            ("__attach_version1.0_#00000001/__properties_version1.0", properties(8, &[])),
            (
                "__attach_version1.0_#00000001/__substg1.0_3701000D/__properties_version1.0",
                properties(24, &[]),
            ),
            ("__attach_version1.0_#00000001/__substg1.0_3701000D/__substg1.0_1000001F", utf16("older body")),
        ]
    };
    let mut plain = common();
    plain.push(("__substg1.0_1000001F", utf16("Dear Bob,\r\n\r\nsee below.")));
    let mut rich = common();
    let rtf = b"{\\rtf1\\ansi\\fromhtml1 {\\*\\htmltag64 <p>}\\htmlrtf {\\htmlrtf0 from rich \\'e9\\u8364?{\\*\\htmltag72 </p>}}";
    let packed: Vec<u8> = rtf.chunks(8).flat_map(|eight| [&[0], eight].concat()).collect();
    let lengths = [packed.len() + 12, rtf.len()].map(super::long).concat();
    rich.push(("__substg1.0_10090102", [lengths, b"LZFu\0\0\0\0".to_vec(), packed].concat()));
    vec![compound(plain), compound(rich)]
}

pub(crate) fn zip() -> Vec<Vec<u8>> {
    let (docx, pdf) = (office::docx().swap_remove(0), pdf::all().swap_remove(0));
    let inner = archive(&[("deep/note.txt", b"a text within")]);
    let html = texts::html().swap_remove(0);
    vec![archive(&[
        ("a/report.docx", &docx),
        ("b.pdf", &pdf),
        ("../c.html", &html),
        ("inner.zip", &inner),
        ("d.csv", b"x,y\n1,2\n"),
    ])]
}
