//! What a build says of a file whose format it lacks the feature of. `cargo xtask test` runs this file in the full
//! build, and `cargo xtask ci` without any feature.
#![allow(clippy::unwrap_used, reason = "tests assert")]

use document_samples::{archive, compound};
use documents_core::{Limits, parse};

/// A part of the content type, the feature, whether this build has it, and the file.
type Sample = (&'static str, &'static str, bool, Vec<u8>);

fn samples() -> Vec<Sample> {
    let stream = |name: &str| compound(&[(name, vec![0; 64])]);
    let part = |part: &str| archive(&[("[Content_Types].xml", b"<Types/>"), (part, b"<x/>")], false);
    let typed = |kind: &str| archive(&[("mimetype", kind.as_bytes()), ("content.xml", b"<x/>")], false);
    let office = ("office", cfg!(feature = "office"));
    let sheets = ("sheets", cfg!(feature = "sheets"));
    let legacy = ("legacy", cfg!(feature = "legacy"));
    let mail = ("mail", cfg!(feature = "mail"));
    let render = ("render", cfg!(feature = "render"));
    let samples = [
        ("/pdf", ("pdf", cfg!(feature = "pdf")), b"%PDF-1.7\n".to_vec()),
        ("/rtf", office, b"{\\rtf1 words}".to_vec()),
        ("wordprocessingml", office, part("word/document.xml")),
        ("presentationml", office, part("ppt/presentation.xml")),
        ("opendocument.text", office, typed("application/vnd.oasis.opendocument.text")),
        ("opendocument.presentation", office, typed("application/vnd.oasis.opendocument.presentation")),
        ("epub", office, typed("application/epub+zip")),
        ("spreadsheetml", sheets, part("xl/workbook.xml")),
        ("sheet.binary", sheets, part("xl/workbook.bin")),
        ("opendocument.spreadsheet", sheets, typed("application/vnd.oasis.opendocument.spreadsheet")),
        ("ms-excel", sheets, stream("Workbook")),
        ("msword", legacy, stream("WordDocument")),
        ("powerpoint", legacy, stream("PowerPoint Document")),
        ("outlook", mail, stream("__properties_version1.0")),
        (
            "rfc822",
            mail,
            b"Received: from x\nFrom: a@b.example\nTo: c@d.example\nSubject: x\n\nwords".to_vec(),
        ),
        ("html", ("web", cfg!(feature = "web")), b"<!doctype html><p>words".to_vec()),
        ("png", render, b"\x89PNG\r\n\x1a\n".to_vec()),
        ("jpeg", render, b"\xff\xd8\xff\xe0".to_vec()),
    ];
    samples
        .into_iter()
        .map(|(kind, (feature, is_included), bytes)| (kind, feature, is_included, bytes))
        .collect()
}

#[test]
fn an_error_names_the_format_and_the_feature_that_the_build_lacks() {
    for (kind, feature, is_included, bytes) in samples() {
        let error = parse(&bytes, "file", &Limits::default()).err().map(|error| error.to_string());
        let error = error.unwrap_or_default();
        let names_both = error.contains(kind)
            && error.ends_with(&format!("; this build lacks the feature {feature} of documents-core)"));
        assert_eq!(names_both, !is_included, "{kind}: {error}");
        assert!(!is_included || !error.contains("of a kind that can be read"), "{kind}: {error}");
    }
}

#[test]
fn texts_need_no_feature() {
    for (text, name) in
        [("words", "a.txt"), ("# Words", "a.md"), ("a,b\n1,2", "a.csv"), ("{\"a\": 1}", "a.json")]
    {
        assert!(!parse(text.as_bytes(), name, &Limits::default()).unwrap().text.is_empty(), "{name}");
    }
}
