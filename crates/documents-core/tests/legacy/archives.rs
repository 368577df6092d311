//! ZIP archives of documents.

use document::{BlockKind, Format, ParseError};
use documents_core::{Limits, parse};

use crate::support::{cells, headings, read, survives_damage, try_read, zip};

#[test]
fn each_file_comes_under_its_name() {
    let bytes = zip(&[
        ("b/table.csv", b"x,y\n1,2"),
        ("__MACOSX/b/._table.csv", b"rubbish"),
        ("../../etc/passwd", b"only a name"),
        ("picture.png", b"\x89PNG\r\n\x1a\n"),
        ("empty.txt", b""),
    ]);
    let document = read(&bytes, "x");
    assert_eq!(document.format, Format::Zip);
    assert_eq!(
        document.text,
        "# b/table.csv\n\n| x | y |\n| --- | --- |\n| 1 | 2 |\n\n# ../../etc/passwd\n\nonly a name\n\n# picture.png\n\n# empty.txt"
    );
    assert_eq!(headings(&document).len(), 4);
    assert_eq!(cells(&document).len(), 4);
}

#[test]
fn archives_within_archives_are_read_to_a_depth() {
    let mut bytes = zip(&[("core.txt", b"the core")]);
    for _ in 0..2 {
        bytes = zip(&[("inner.zip", &bytes)]);
    }
    assert!(read(&bytes, "x.zip").text.contains("the core"));
    for _ in 0..20 {
        bytes = zip(&[("inner.zip", &bytes)]);
    }
    let document = read(&bytes, "x.zip");
    assert!(!document.text.contains("the core") && document.metadata.truncated);
}

#[test]
fn archives_that_multiply_stop_at_the_limits() {
    let leaf = zip(&[("a.txt", &vec![b'a'; 100_000])]);
    let fan = |inner: &[u8]| {
        let names: Vec<String> = (0..60).map(|index| format!("{index}.zip")).collect();
        let files: Vec<(&str, &[u8])> = names.iter().map(|name| (name.as_str(), inner)).collect();
        zip(&files)
    };
    let bytes = fan(&fan(&leaf));
    let document = read(&bytes, "x.zip");
    assert!(document.metadata.truncated);
    let headings = document.blocks.iter().filter(|block| matches!(block.kind, BlockKind::Heading { .. }));
    assert!(headings.count() <= Limits::default().inner_documents);
    assert!(document.text.len() <= Limits::default().text_bytes);
}

#[test]
fn a_bomb_is_left_out() {
    let bytes = zip(&[("bomb.txt", &vec![b'0'; 60 << 20])]);
    assert!(matches!(try_read(&bytes, "x.zip"), Err(ParseError::NoText)));
}

#[test]
fn too_many_files_are_refused() {
    let names: Vec<String> = (0..30).map(|index| index.to_string()).collect();
    let files: Vec<(&str, &[u8])> = names.iter().map(|name| (name.as_str(), &b"x"[..])).collect();
    let limits = Limits { entries: 20, ..Limits::default() };
    assert!(matches!(parse(&zip(&files), "x.zip", &limits), Err(ParseError::Limit(_))));
}

#[test]
fn damage_never_panics() {
    survives_damage(&zip(&[("a.txt", b"some text"), ("b.json", b"{\"a\":1}")]), "x.zip", 1);
}

#[test]
fn what_office_files_within_inflate_counts_for_the_archive() {
    const W: &str = "http://schemas.openxmlformats.org/wordprocessingml/2006/main";
    let document = format!(
        "<w:document xmlns:w=\"{W}\"><w:body><w:p><w:r><w:t>one of many</w:t></w:r></w:p><!--{}--></w:body></w:document>",
        " ".repeat(300_000)
    );
    let types = "<Types><Override PartName=\"/word/document.xml\" ContentType=\"application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml\"/></Types>";
    let office =
        zip(&[("[Content_Types].xml", types.as_bytes()), ("word/document.xml", document.as_bytes())]);
    let names: Vec<String> = (0..10).map(|index| format!("{index}.docx")).collect();
    let files: Vec<(&str, &[u8])> = names.iter().map(|name| (name.as_str(), office.as_slice())).collect();
    let limits = Limits { inflated_bytes: 1_100_000, ..Limits::default() };
    let archive = zip(&files);
    assert!(archive.len() < 100_000);
    let document = parse(&archive, "x.zip", &limits).unwrap();
    let read = document.text.matches("one of many").count();
    assert!((1..=3).contains(&read), "{read} of ten");
    assert!(document.metadata.truncated);
}
