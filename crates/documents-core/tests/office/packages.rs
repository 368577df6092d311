//! Packages and files of office programs that nothing here reads.

use document::ParseError;
use documents_core::{Limits, parse, sniff};

use crate::zip::zip;

fn refused(bytes: &[u8], name: &str) -> String {
    match parse(bytes, name, &Limits::default()) {
        Err(ParseError::Unsupported(kind)) => kind,
        other => panic!("{name}: {other:?}"),
    }
}

#[test]
fn packages_that_are_not_understood_are_refused_and_not_unpacked() {
    let note = ("preview.txt", "what a preview says");
    let packages: [&[(&str, &str)]; 6] = [
        &[("Index/Document.iwa", "iwa"), note],
        &[("Index.zip", "index"), note],
        &[("buildVersionHistory.plist", "plist"), ("index.xml", "<sl:document/>"), note],
        &[("[Content_Types].xml", "<Types/>"), ("visio/document.xml", "<VisioDocument/>"), note],
        &[("META-INF/MANIFEST.MF", "Manifest-Version: 1.0"), note],
        &[("mimetype", "application/vnd.oasis.opendocument.graphics"), ("content.xml", "<a>b</a>"), note],
    ];
    for package in packages {
        refused(&zip(package), "a.zip");
    }
    let archive = zip(&[("a.txt", "The ferry leaves at nine."), ("notes/b.txt", "It comes back at noon.")]);
    let read = parse(&archive, "a.zip", &Limits::default()).unwrap();
    assert!(read.text.contains("leaves at nine") && read.text.contains("back at noon"));
}

#[test]
fn documents_of_office_programs_as_one_xml_file_are_refused_and_other_xml_is_read() {
    let word = "<?xml version='1.0'?><?mso-application progid=\"Word.Document\"?>\
        <w:wordDocument xmlns:w='x'><w:body><w:p><w:r><w:t>Hello</w:t></w:r></w:p></w:body></w:wordDocument>";
    let flat = "<?xml version='1.0'?><pkg:package xmlns:pkg='x'><pkg:part/></pkg:package>";
    let open = "<?xml version='1.0'?><office:document xmlns:office='x'><office:body/></office:document>";
    for text in [word, flat, open] {
        let kind = refused(text.as_bytes(), "a.xml");
        assert_eq!(kind, sniff(text.as_bytes(), "a.xml"));
    }
    let other = "<?xml version='1.0'?><order><total>12</total></order>";
    assert!(parse(other.as_bytes(), "a.xml", &Limits::default()).unwrap().text.contains("total: 12"));
}
