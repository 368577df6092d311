//! OpenDocument texts and presentations.

use document::{Format, ParseError};

use crate::zip::zip;
use crate::{expect, grid, links, read, try_read};

const NAMES: &str = r#"xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"
    xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0"
    xmlns:style="urn:oasis:names:tc:opendocument:xmlns:style:1.0" xmlns:presentation="urn:oasis:names:tc:opendocument:xmlns:presentation:1.0"
    xmlns:svg="urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0" xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:fo="urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0""#;

const STYLES: &str = r#"<style:style style:name="T1" style:family="text"><style:text-properties text:display="none"/></style:style>
    <style:style style:name="P1" style:family="paragraph" style:parent-style-name="Quotations"/>
    <text:list-style style:name="L1"><text:list-level-style-number text:level="1" style:num-format="1" style:num-suffix="."/>
    <text:list-level-style-bullet text:level="2"/></text:list-style>"#;

fn content(body: &str) -> String {
    format!(
        r#"<office:document-content {NAMES}><office:automatic-styles>{STYLES}</office:automatic-styles><office:body>{body}</office:body></office:document-content>"#
    )
}

/// A file whose telling entry comes last.
fn packed(kind: &str, body: &str) -> Vec<u8> {
    let kind = format!("application/vnd.oasis.opendocument.{kind}");
    zip(&[("content.xml", &content(body)), ("mimetype", &kind)])
}

fn odt(body: &str) -> Vec<u8> {
    packed("text", &format!("<office:text>{body}</office:text>"))
}

#[test]
fn text_is_read_with_its_spaces_notes_and_links() {
    let document = read(&odt(
        r#"<text:tracked-changes><text:p>gone</text:p></text:tracked-changes><text:h text:outline-level="2">Head</text:h>
        <text:p>a   b<text:s text:c="2"/>c<text:tab/>d<text:line-break/>e<text:span text:style-name="T1">hidden</text:span><office:annotation><text:p>aside</text:p></office:annotation></text:p>
        <text:p text:style-name="P1">said</text:p>
        <text:p>mark<text:note><text:note-citation>i</text:note-citation><text:note-body><text:p>below</text:p></text:note-body></text:note> and <text:a xlink:href="https://example.org/c">there</text:a></text:p>"#,
    ));
    assert_eq!(document.format, Format::Odt);
    let expected = [
        ("h2", "Head"),
        ("p", "a b c\td\ne"),
        ("quote", "said"),
        ("p", "mark[^1] and there"),
        ("note", "below"),
    ];
    let spaced: Vec<(String, String)> =
        crate::blocks(&document).into_iter().map(|(kind, text)| (kind, text.replace("  ", " "))).collect();
    let found: Vec<(&str, &str)> = spaced.iter().map(|(kind, text)| (kind.as_str(), text.as_str())).collect();
    assert_eq!(found, expected);
    assert_eq!(links(&document), [("there".to_owned(), "https://example.org/c".to_owned())]);
}

#[test]
fn lists_count_nest_and_may_go_on() {
    let item = |content: &str| format!("<text:list-item>{content}</text:list-item>");
    let nested = item(
        "<text:p>one</text:p><text:list><text:list-item><text:p>deep</text:p></text:list-item></text:list>",
    );
    let body = format!(
        r#"<text:list text:style-name="L1">{nested}{}</text:list><text:p>between</text:p>
        <text:list text:style-name="L1" text:continue-numbering="true">{}</text:list><text:list text:style-name="L1">{}</text:list>"#,
        item("<text:p>two</text:p><text:p>more of two</text:p>"),
        item("<text:p>three</text:p>"),
        item("<text:p>anew</text:p>"),
    );
    let document = read(&odt(&body));
    let expected = [
        ("ol0", "one"),
        ("ul1", "deep"),
        ("ol0", "two"),
        ("p", "more of two"),
        ("p", "between"),
        ("ol0", "three"),
        ("ol0", "anew"),
    ];
    expect(&document, &expected);
    assert!(document.text.contains("3. three\n\n1. anew"), "{}", document.text);
}

#[test]
fn tables_keep_spans_and_bound_what_is_repeated() {
    let cell = |attributes: &str, text: &str| {
        format!("<table:table-cell {attributes}><text:p>{text}</text:p></table:table-cell>")
    };
    let body = format!(
        r#"<table:table><table:table-header-rows><table:table-row>{}<table:covered-table-cell/></table:table-row></table:table-header-rows>
        <table:table-row>{}</table:table-row><table:table-row table:number-rows-repeated="1000000000"><table:table-cell table:number-columns-repeated="1000000000"/></table:table-row></table:table>"#,
        cell(r#"table:number-columns-spanned="2""#, "wide"),
        cell(r#"table:number-columns-repeated="2""#, "twice"),
    );
    let document = read(&odt(&body));
    let cells: Vec<_> = grid(&document)
        .into_iter()
        .map(|(row, column, _, columns, text)| (row, column, columns, text))
        .collect();
    assert_eq!(
        cells,
        [(0, 0, 2, "wide".to_owned()), (1, 0, 1, "twice".to_owned()), (1, 1, 1, "twice".to_owned())]
    );
}

#[test]
fn slides_are_pages_with_title_text_and_notes() {
    let frame = |class: &str, text: &str| {
        format!(
            r#"<draw:frame presentation:class="{class}"><draw:text-box><text:p>{text}</text:p></draw:text-box></draw:frame>"#
        )
    };
    let slide = format!(
        r#"<draw:page>{}{}{}<draw:frame><draw:image/><svg:desc>A quay</svg:desc></draw:frame><presentation:notes>{}</presentation:notes></draw:page>"#,
        frame("outline", "point"),
        frame("title", "Opening"),
        frame("footer", "every page"),
        frame("notes", "say hello")
    );
    let document = read(&packed(
        "presentation",
        &format!(
            "<office:presentation>{slide}<draw:page>{}</draw:page></office:presentation>",
            frame("subtitle", "end")
        ),
    ));
    assert_eq!(document.format, Format::Odp);
    expect(
        &document,
        &[("h1", "Opening"), ("p", "point"), ("figure", "A quay"), ("p", "Notes: say hello"), ("p", "end")],
    );
    assert_eq!(document.pages.len(), 2);
}

#[test]
fn an_encrypted_document_says_so() {
    let manifest = "<manifest:manifest><manifest:file-entry><manifest:encryption-data/></manifest:file-entry></manifest:manifest>";
    let locked = zip(&[
        ("mimetype", "application/vnd.oasis.opendocument.text"),
        ("content.xml", "noise"),
        ("META-INF/manifest.xml", manifest),
    ]);
    assert!(matches!(try_read(&locked), Err(ParseError::Encrypted)));
}
