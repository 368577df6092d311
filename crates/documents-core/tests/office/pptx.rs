//! Presentations.

use document::Format;

use crate::zip::zip;
use crate::{expect, grid, read};

const P: &str = "http://schemas.openxmlformats.org/presentationml/2006/main";
const A: &str = "http://schemas.openxmlformats.org/drawingml/2006/main";
const R: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const TYPES: &str = r#"<Types><Override ContentType="application/vnd.openxmlformats-officedocument.presentationml.presentation.main+xml"/></Types>"#;

fn relations(of: &[(&str, &str, &str)]) -> String {
    let relation = |(id, kind, target): &(&str, &str, &str)| {
        format!(r#"<Relationship Id="{id}" Type="http://x/{kind}" Target="{target}"/>"#)
    };
    let all: String = of.iter().map(relation).collect();
    format!(
        r#"<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">{all}</Relationships>"#
    )
}

fn slide(shapes: &str) -> String {
    format!(
        r#"<p:sld xmlns:p="{P}" xmlns:a="{A}" xmlns:r="{R}"><p:cSld><p:spTree>{shapes}</p:spTree></p:cSld></p:sld>"#
    )
}

fn shape(place: &str, paragraphs: &str) -> String {
    format!("<p:sp><p:nvSpPr><p:nvPr>{place}</p:nvPr></p:nvSpPr><p:txBody>{paragraphs}</p:txBody></p:sp>")
}

fn line(text: &str) -> String {
    format!("<a:p><a:r><a:t>{text}</a:t></a:r></a:p>")
}

/// A presentation of two slides, listed the other way round than their names.
fn presentation(first: &str, second: &str, notes: &str) -> Vec<u8> {
    let main = format!(
        r#"<p:presentation xmlns:p="{P}" xmlns:r="{R}"><p:sldIdLst><p:sldId id="1" r:id="b"/><p:sldId id="2" r:id="a"/></p:sldIdLst><p:sldSz cx="9144000" cy="6858000"/></p:presentation>"#
    );
    let of_main = relations(&[("a", "slide", "slides/slide1.xml"), ("b", "slide", "slides/slide2.xml")]);
    let of_slide = relations(&[
        ("n", "notesSlide", "../notesSlides/n.xml"),
        ("l", "slideLayout", "../slideLayouts/l.xml"),
    ]);
    let of_layout = relations(&[("m", "slideMaster", "../slideMasters/m.xml")]);
    let master = format!(
        r#"<p:sldMaster xmlns:p="{P}" xmlns:a="{A}"><p:txStyles><p:bodyStyle><a:lvl1pPr><a:buChar char="*"/></a:lvl1pPr></p:bodyStyle></p:txStyles></p:sldMaster>"#
    );
    zip(&[
        ("[Content_Types].xml", TYPES),
        ("ppt/presentation.xml", &main),
        ("ppt/_rels/presentation.xml.rels", &of_main),
        ("ppt/slides/slide2.xml", &slide(first)),
        ("ppt/slides/slide1.xml", &slide(second)),
        ("ppt/slides/_rels/slide2.xml.rels", &of_slide),
        ("ppt/slideLayouts/l.xml", &format!(r#"<p:sldLayout xmlns:p="{P}"/>"#)),
        ("ppt/slideLayouts/_rels/l.xml.rels", &of_layout),
        ("ppt/slideMasters/m.xml", &master),
        ("ppt/notesSlides/n.xml", &slide(notes)),
    ])
}

#[test]
fn slides_are_pages_in_the_order_of_the_presentation() {
    let first = shape(
        r#"<p:ph idx="1"/>"#,
        &(line("point") + r#"<a:p><a:pPr><a:buNone/></a:pPr><a:r><a:t>plain</a:t></a:r></a:p>"#),
    ) + &shape(r#"<p:ph type="title"/>"#, &line("Opening"))
        + &shape(r#"<p:ph type="sldNum"/>"#, &line("1"));
    let notes = shape(r#"<p:ph type="body" idx="1"/>"#, &line("say hello"))
        + &shape(r#"<p:ph type="sldNum"/>"#, &line("1"));
    let document = read(&presentation(&first, &shape("", &line("second")), &notes));
    assert_eq!(document.format, Format::Pptx);
    expect(
        &document,
        &[("h1", "Opening"), ("ul0", "point"), ("p", "plain"), ("p", "Notes: say hello"), ("p", "second")],
    );
    let pages: Vec<(u32, f32, f32)> =
        document.pages.iter().map(|page| (page.number, page.width, page.height)).collect();
    assert_eq!(pages, [(1, 720.0, 540.0), (2, 720.0, 540.0)]);
    assert_eq!(document.blocks.iter().map(|block| block.page).collect::<Vec<_>>(), [1, 1, 1, 1, 2].map(Some));
    assert_eq!(document.metadata.page_count, Some(2));
}

#[test]
fn what_runs_from_slide_to_slide_is_read_once() {
    let running =
        shape(r#"<p:ph type="ftr"/>"#, &line("Harbour")) + &shape(r#"<p:ph type="sldNum"/>"#, &line("7"));
    let document =
        read(&presentation(&(shape("", &line("one")) + &running), &(shape("", &line("two")) + &running), ""));
    expect(&document, &[("p", "one"), ("p", "Harbour"), ("p", "two")]);
}

#[test]
fn groups_tables_and_pictures_are_read() {
    let group = format!("<p:grpSp>{}</p:grpSp>", shape("", &line("grouped")));
    let cell = |attributes: &str, text: &str| {
        format!("<a:tc {attributes}><a:txBody>{}</a:txBody></a:tc>", line(text))
    };
    let table = format!(
        r#"<p:graphicFrame><a:graphic><a:graphicData><a:tbl><a:tr>{}{}</a:tr><a:tr>{}{}</a:tr></a:tbl></a:graphicData></a:graphic></p:graphicFrame>"#,
        cell(r#"gridSpan="2""#, "both"),
        cell(r#"hMerge="1""#, ""),
        cell("", "a"),
        cell("", "b")
    );
    let picture =
        r#"<p:pic><p:nvPicPr><p:cNvPr id="4" name="Picture 3" descr="A lighthouse"/></p:nvPicPr></p:pic>"#;
    let document = read(&presentation(&(group + &table + picture), "", ""));
    let kinds: Vec<String> = crate::blocks(&document).into_iter().map(|(kind, _)| kind).collect();
    assert_eq!(kinds, ["p", "table", "figure"]);
    let cells: Vec<_> = grid(&document)
        .into_iter()
        .map(|(row, column, _, columns, text)| (row, column, columns, text))
        .collect();
    assert_eq!(cells, [(0, 0, 2, "both".to_owned()), (1, 0, 1, "a".to_owned()), (1, 1, 1, "b".to_owned())]);
}

#[test]
fn numbered_points_count() {
    let point = |level: u32, text: &str| {
        format!(
            r#"<a:p><a:pPr lvl="{level}"><a:buAutoNum type="romanLcParenR"/></a:pPr><a:r><a:t>{text}</a:t></a:r></a:p>"#
        )
    };
    let text = shape("", &(point(0, "one") + &point(1, "deep") + &point(0, "two")));
    expect(&read(&presentation(&text, "", "")), &[("ol0", "i) one"), ("ol1", "i) deep"), ("ol0", "ii) two")]);
}
