//! Books.

use document::Format;

use crate::zip::zip;
use crate::{expect, read};

#[test]
fn chapters_follow_the_spine() {
    let container = r#"<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="book/main.opf"/></rootfiles></container>"#;
    let package = r#"<package xmlns="http://www.idpf.org/2007/opf" xmlns:dc="http://purl.org/dc/elements/1.1/"><metadata><dc:title>The Quay</dc:title><dc:creator>Ada</dc:creator><dc:language>en</dc:language></metadata>
        <manifest><item id="a" href="a%20b.xhtml" media-type="application/xhtml+xml"/><item id="b" href="../b.xhtml" media-type="application/xhtml+xml"/><item id="css" href="x.css" media-type="text/css"/></manifest>
        <spine><itemref idref="b"/><itemref idref="css"/><itemref idref="a"/><itemref idref="missing"/></spine></package>"#;
    let book = zip(&[
        ("mimetype", "application/epub+zip"),
        ("META-INF/container.xml", container),
        ("book/main.opf", package),
        ("book/a b.xhtml", "<html><head><title>t</title></head><body><p>last &amp; least</p></body></html>"),
        ("b.xhtml", "<html><body><h1>One</h1><p>first</p></body></html>"),
        ("book/x.css", "p { color: red }"),
    ]);
    let document = read(&book);
    assert_eq!(document.format, Format::Epub);
    expect(&document, &[("h1", "One"), ("p", "first"), ("p", "last & least")]);
    let metadata = &document.metadata;
    assert_eq!((metadata.title.as_deref(), metadata.author.as_deref()), (Some("The Quay"), Some("Ada")));
    assert_eq!(metadata.language.as_deref(), Some("en"));
}
