//! XML and SVG.

use document::Format;
use documents_core::{Limits, parse};

use crate::support::{read, survives_damage};

#[test]
fn elements_become_a_nested_list() {
    let text = "<?xml version='1.0'?><!-- no --><o:order xmlns:o='urn:x' id='7'><item><name>Tea &amp; milk</name><price currency='EUR'>2.50</price></item><note/><![CDATA[<raw>]]></o:order>";
    let document = read(text.as_bytes(), "x");
    assert_eq!(document.format, Format::Xml);
    assert_eq!(
        document.text,
        "- order:\n  - id: 7\n  - item:\n    - name: Tea & milk\n    - price: 2.50\n      - currency: EUR\n  - <raw>"
    );
}

#[test]
fn running_text_stays_together() {
    let text = "<doc><p>Water <i>is</i> H<sub>2</sub>O.</p><p>Two</p></doc>";
    assert_eq!(read(text.as_bytes(), "x.xml").text, "- doc:\n  - p: Water is H2O.\n  - p: Two");
}

#[test]
fn pages_within_elements_are_read_as_pages() {
    let text = "<rss><item><description>&lt;p&gt;Hello &lt;b&gt;you&lt;/b&gt;&lt;/p&gt;&lt;p&gt;again&lt;/p&gt;</description></item></rss>";
    assert!(read(text.as_bytes(), "x.xml").text.ends_with("- description: Hello you again"));
}

#[test]
fn the_declared_encoding_is_believed() {
    let bytes = b"<?xml version='1.0' encoding='iso-8859-5'?><a>\xbf\xe0</a>";
    assert_eq!(read(bytes, "x.xml").text, "- a: \u{41f}\u{440}");
}

#[test]
fn entities_are_neither_expanded_nor_fetched() {
    let mut text = "<?xml version='1.0'?><!DOCTYPE a [<!ENTITY l0 'lol'>".to_owned();
    for level in 1..12 {
        let inner = format!("&l{};", level - 1).repeat(10);
        text.push_str(&format!("<!ENTITY l{level} '{inner}'>"));
    }
    text.push_str("<!ENTITY file SYSTEM 'file:///etc/passwd'>]><a>&l11; &file; &#65;</a>");
    assert_eq!(read(text.as_bytes(), "x.xml").text, "- a: &l11; &file; A");
}

#[test]
fn depth_and_size_are_bounded() {
    let deep = format!("<?xml version='1.0'?>{}x{}", "<a>".repeat(300_000), "</a>".repeat(300_000));
    assert!(read(deep.as_bytes(), "x.xml").metadata.truncated);
    let long = format!("<?xml version='1.0'?><r>{}</r>", "<a>1</a>".repeat(10_000));
    let limits = Limits { nodes: 1_000, ..Limits::default() };
    assert!(parse(long.as_bytes(), "x.xml", &limits).unwrap().metadata.truncated);
}

#[test]
fn what_is_no_xml_stays_as_text() {
    for text in ["<?xml version='1.0'?><a><b></a>", "<?xml version='1.0'?><a>open"] {
        assert_eq!(read(text.as_bytes(), "x.xml").text, text);
    }
}

#[test]
fn a_drawing_is_its_texts() {
    let text = "<svg xmlns='http://www.w3.org/2000/svg'><title>Chart</title><style>.a{}</style><text x='1'>Sales <tspan>2024</tspan></text><path d='M0 0'/></svg>";
    let document = read(text.as_bytes(), "chart");
    assert_eq!(document.format, Format::Image);
    assert_eq!(document.text, "Chart\n\nSales 2024");
    assert_eq!(document.metadata.title.as_deref(), Some("Chart"));
}

#[test]
fn damage_never_panics() {
    survives_damage(b"<?xml version='1.0'?><a b='1'>x<c>&amp;</c><!-- x --><![CDATA[y]]></a>", "x.xml", 1);
}
