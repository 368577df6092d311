//! Types by content alone.

use document_samples::compound;
use documents_core::sniff;

use crate::support::zip;

#[test]
fn compound_files_are_told_by_their_streams_from_their_beginning() {
    for (stream, kind) in [
        ("Workbook", "application/vnd.ms-excel"),
        ("WordDocument", "application/msword"),
        ("PowerPoint Document", "application/vnd.ms-powerpoint"),
        ("__properties_version1.0", "application/vnd.ms-outlook"),
        ("Something", "application/x-ole-storage"),
    ] {
        let bytes = compound(&[(stream, vec![1; 100])]);
        assert_eq!(sniff(&bytes, "x.bin"), kind);
        assert_eq!(sniff(&bytes[..bytes.len().min(8_192)], "x.txt"), kind);
    }
}

#[test]
fn the_name_decides_where_the_directory_is_not_seen() {
    let prefix = [b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1".as_slice(), &[0; 8_184]].concat();
    assert_eq!(sniff(&prefix, "a.DOC"), "application/msword");
    assert_eq!(sniff(&prefix, "a.txt"), "application/x-ole-storage");
}

#[test]
fn containers_are_told_by_the_names_of_their_files() {
    const TYPES: (&str, &[u8]) = ("[Content_Types].xml", b"<Types/>");
    for (name, kind) in [
        ("word/document.xml", "application/vnd.openxmlformats-officedocument.wordprocessingml.document"),
        ("ppt/presentation.xml", "application/vnd.openxmlformats-officedocument.presentationml.presentation"),
        ("xl/workbook.xml", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
        ("xl/workbook.bin", "application/vnd.ms-excel.sheet.binary.macroenabled.12"),
    ] {
        assert_eq!(sniff(&zip(&[TYPES, (name, b"x")]), "x.zip"), kind);
    }
    assert_eq!(sniff(&zip(&[("word/a.txt", b"x"), ("b.txt", b"y")]), "x"), "application/zip");
    let inner = zip(&[TYPES, ("word/document.xml", b"x")]);
    assert_eq!(sniff(&zip(&[("a.docx", &inner)]), "x"), "application/zip");
}
