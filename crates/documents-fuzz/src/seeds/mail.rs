//! Messages, and archives of documents.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use document_samples::msg::{streams, uncompressed_rtf};
use document_samples::{compound, utf16};

use super::{archive, office, pdf, texts};

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

pub(crate) fn msg() -> Vec<Vec<u8>> {
    let plain = utf16("Dear Bob,\r\n\r\nsee below.");
    let rich = uncompressed_rtf(b"{\\rtf1\\ansi\\fromhtml1 {\\*\\htmltag64 <p>}\\htmlrtf {\\htmlrtf0 from rich \\'e9\\u8364?{\\*\\htmltag72 </p>}}");
    let bodies = [("__substg1.0_1000001F", plain), ("__substg1.0_10090102", rich)];
    bodies.map(|body| compound(&streams(body))).to_vec()
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
