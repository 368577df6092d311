//! Files that are made to harm: they end as text or error, soon and small.

use document::ParseError;
use documents_core::{Limits, parse};

use crate::zip::{deflated, zip};
use crate::{ranges_hold, try_read};

const W: &str = "http://schemas.openxmlformats.org/wordprocessingml/2006/main";

fn docx(document: &str) -> Vec<u8> {
    zip(&[("[Content_Types].xml", "<Types/>"), ("word/document.xml", document)])
}

fn body(content: &str) -> String {
    format!(
        r#"<w:document xmlns:w="{W}" xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"><w:body>{content}</w:body></w:document>"#
    )
}

fn text(content: &str) -> String {
    format!("<w:p><w:r><w:t>{content}</w:t></w:r></w:p>")
}

fn nested(open: &str, inner: &str, close: &str, times: usize) -> String {
    format!("{}{inner}{}", open.repeat(times), close.repeat(times))
}

#[test]
fn a_bomb_in_a_container_is_refused() {
    let zeros = vec![b' '; 120 << 20];
    let bomb = deflated(&[("[Content_Types].xml", b"<Types/>"), ("word/document.xml", &zeros)]);
    assert!(bomb.len() < 1 << 20);
    assert!(matches!(try_read(&bomb), Err(ParseError::Limit(_))));
}

#[test]
fn entities_are_neither_expanded_nor_fetched() {
    let laughs = r#"<!DOCTYPE d [<!ENTITY a "haha"><!ENTITY b "&a;&a;&a;&a;"><!ENTITY c SYSTEM "file:///etc/hostname">]>"#;
    let document = try_read(&docx(&format!("{laughs}{}", body(&text("&b;&c;kept &amp; &#x41;"))))).unwrap();
    assert_eq!(document.text, "kept & A");
}

#[test]
fn depth_ends_no_stack() {
    let tables = nested("<w:tbl><w:tr><w:tc>", &text("deep"), "</w:tc></w:tr></w:tbl>", 20_000);
    let document = try_read(&docx(&body(&(text("before") + &tables)))).unwrap();
    assert!(document.metadata.truncated && document.text.starts_with("before"));
    for (open, close) in [
        ("<w:sdt><w:sdtContent>", "</w:sdtContent></w:sdt>"),
        ("<w:p><w:r><w:pict><w:txbxContent>", "</w:txbxContent></w:pict></w:r></w:p>"),
        ("<w:p><m:oMath><m:f><m:num>", "</m:num></m:f></m:oMath></w:p>"),
        ("<w:p><mc:AlternateContent><mc:Choice>", "</mc:Choice></mc:AlternateContent></w:p>"),
    ] {
        let document =
            try_read(&docx(&body(&(text("before") + &nested(open, &text("x"), close, 5_000))))).unwrap();
        assert!(document.text.starts_with("before"));
    }
}

#[test]
fn alternatives_within_alternatives_are_read_once_each() {
    let open = "<mc:AlternateContent><mc:Choice><w:r><w:drawing/></w:r></mc:Choice><mc:Fallback>";
    let inner = nested(open, "<w:r><w:t>x</w:t></w:r>", "</mc:Fallback></mc:AlternateContent>", 60);
    let document = try_read(&docx(&body(&format!("<w:p>{inner}</w:p>")))).unwrap();
    assert_eq!(document.text, "x");
}

#[test]
fn styles_and_parts_that_lead_in_circles_end() {
    let styles = format!(
        r#"<w:styles xmlns:w="{W}"><w:style w:styleId="a"><w:basedOn w:val="b"/></w:style><w:style w:styleId="b"><w:basedOn w:val="a"/></w:style></w:styles>"#
    );
    let relations = r#"<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">
        <Relationship Id="1" Type="x/styles" Target="../../../../word/styles.xml"/><Relationship Id="2" Type="x/footnotes" Target="document.xml"/>
        <Relationship Id="3" Type="x/numbering" Target="/etc/passwd"/></Relationships>"#;
    let content = body(
        r#"<w:p><w:pPr><w:pStyle w:val="a"/></w:pPr><w:r><w:t>kept</w:t><w:footnoteReference w:id="1"/></w:r></w:p>"#,
    );
    let file = zip(&[
        ("[Content_Types].xml", "<Types/>"),
        ("word/document.xml", &content),
        ("word/_rels/document.xml.rels", relations),
        ("word/styles.xml", &styles),
    ]);
    assert_eq!(try_read(&file).unwrap().text, "kept[^1]");
}

#[test]
fn absurd_spans_and_repeats_stay_small() {
    let cell =
        r#"<w:tc><w:tcPr><w:gridSpan w:val="4000000000"/></w:tcPr><w:p><w:r><w:t>a</w:t></w:r></w:p></w:tc>"#;
    let rows = format!("<w:tr>{cell}{cell}</w:tr>").repeat(200);
    let document = try_read(&docx(&body(&format!("<w:tbl>{rows}</w:tbl>")))).unwrap();
    assert!(document.text.len() < 100_000);

    let names = r#"xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0""#;
    let open = r#"<table:table><table:table-row table:number-rows-repeated="100000"><table:table-cell table:number-columns-repeated="100000">"#;
    let inner = format!(r#"<text:p>{}<text:s text:c="4000000000"/>x</text:p>"#, "word ".repeat(1_000));
    let tables = nested(open, &inner, "</table:table-cell></table:table-row></table:table>", 8);
    let content = format!(
        "<office:document-content {names}><office:body><office:text>{tables}</office:text></office:body></office:document-content>"
    );
    let document =
        try_read(&zip(&[("mimetype", "application/vnd.oasis.opendocument.text"), ("content.xml", &content)]))
            .unwrap();
    assert!(document.metadata.truncated && document.text.len() < 40 << 20, "{}", document.text.len());
}

#[test]
fn many_elements_are_cut() {
    let limits = Limits { nodes: 1_000, ..Limits::default() };
    let document = parse(&docx(&body(&text("a").repeat(5_000))), "x", &limits).unwrap();
    ranges_hold(&document);
    assert!(document.metadata.truncated && document.text.len() < 2_000);
}

#[test]
fn rtf_of_groups_without_end_ends() {
    let deep = format!("{{\\rtf1 before\\par {}", "{\\b ".repeat(200_000));
    assert!(try_read(deep.as_bytes()).unwrap().text.starts_with("before"));
    let notes = format!("{{\\rtf1 before {}", "{\\footnote x".repeat(5_000));
    assert!(try_read(notes.as_bytes()).unwrap().text.starts_with("before"));
    let closed = format!("{{\\rtf1 kept{}", "}".repeat(100_000));
    assert_eq!(try_read(closed.as_bytes()).unwrap().text, "kept");
    let rubbish =
        br"{\rtf1\bin2147483647 \u99999999999? \'zz\cellx-2147483648\trowd\cell\row\cellx2147483647\uc-5 x";
    assert!(try_read(rubbish).is_ok() || try_read(rubbish).is_err());
}

#[test]
fn damage_anywhere_is_no_panic() {
    let file = docx(&body(&(text("some text") + "<w:tbl><w:tr><w:tc><w:p/></w:tc></w:tr></w:tbl>")));
    for at in 0..file.len() {
        let mut damaged = file.clone();
        damaged[at] = damaged[at].wrapping_add(101);
        let _ = try_read(&damaged);
        let _ = try_read(&file[..at]);
    }
}

#[test]
fn a_book_that_names_a_chapter_often_is_bounded() {
    let container = r#"<container><rootfiles><rootfile full-path="m.opf"/></rootfiles></container>"#;
    let spine = r#"<itemref idref="a"/>"#.repeat(100_000);
    let package = format!(
        r#"<package><manifest><item id="a" href="a.xhtml"/></manifest><spine>{spine}</spine></package>"#
    );
    let chapter = format!("<html><body><p>{}</p></body></html>", "word ".repeat(20_000));
    let book = zip(&[
        ("mimetype", "application/epub+zip"),
        ("META-INF/container.xml", container),
        ("m.opf", &package),
        ("a.xhtml", &chapter),
    ]);
    match try_read(&book) {
        Ok(document) => assert!(document.metadata.truncated && document.text.len() <= 20 << 20),
        Err(error) => assert!(matches!(error, ParseError::Limit(_)), "{error}"),
    }
}
