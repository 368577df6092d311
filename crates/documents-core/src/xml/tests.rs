use super::*;
use crate::Limits;

fn read<T>(xml: &[u8], limits: &Limits, look: impl FnOnce(&Tree<'_>) -> T) -> T {
    look(&tree(&text(xml), limits).unwrap())
}

#[test]
fn names_are_told_by_namespace_and_not_by_prefix() {
    let xml = br#"<x:p xmlns:x="http://purl.oclc.org/ooxml/wordprocessingml/main" x:val="1" val="2">
        <p xmlns="urn:oasis:names:tc:opendocument:xmlns:text:1.0"/><y:z xmlns:y="urn:own"/></x:p>"#;
    read(xml, &Limits::default(), |tree| {
        let root = tree.root().unwrap();
        assert_eq!(root.name(), "w:p");
        assert_eq!((root.attribute("w:val"), root.attribute("val")), (Some("1"), Some("2")));
        let names: Vec<&str> = root.children().map(Node::name).filter(|name| !name.is_empty()).collect();
        assert_eq!(names, ["text:p", "?:z"]);
    });
}

#[test]
fn only_the_five_entities_and_numbers_are_expanded() {
    let bomb =
        br#"<!DOCTYPE a [<!ENTITY b "boom"><!ENTITY c "&b;&b;"><!ENTITY d SYSTEM "file:///etc/passwd">]>
        <a t="&b;">x &lt;&amp;&#65;&#x42; &c;&d;|</a>"#;
    read(bomb, &Limits::default(), |tree| {
        assert_eq!(tree.root().unwrap().text(), "x <&AB |");
        assert!(!tree.cut);
    });
}

#[test]
fn depth_and_number_are_bounded() {
    let deep = format!("{}core{}<b/>", "<a>".repeat(100_000), "</a>".repeat(100_000));
    read(deep.as_bytes(), &Limits::default(), |tree| assert!(tree.cut && tree.nodes.len() <= 200));
    let wide = format!("<a>{}</a>", "<b c='d'/>".repeat(1_000));
    let limits = Limits { nodes: 100, ..Limits::default() };
    read(wide.as_bytes(), &limits, |tree| assert!(tree.cut && tree.nodes.len() <= 100));
}

#[test]
fn damage_ends_the_tree_and_keeps_what_was_before() {
    read(b"<a><b>one</b><c>two</d><e <<", &Limits::default(), |tree| {
        assert!(tree.cut);
        assert!(tree.root().unwrap().text().starts_with("onetwo"));
    });
    assert!(tree("no xml", &Limits::default()).is_err());
}

#[test]
fn encodings_are_those_that_are_declared() {
    let latin = b"<?xml version='1.0' encoding='ISO-8859-1'?><a>caf\xe9</a>";
    read(latin, &Limits::default(), |tree| assert_eq!(tree.root().unwrap().text(), "caf\u{e9}"));
    let wide: Vec<u8> = [0xff, 0xfe]
        .into_iter()
        .chain(
            "<?xml version='1.0' encoding='UTF-16'?><a>\u{e9}</a>".encode_utf16().flat_map(u16::to_le_bytes),
        )
        .collect();
    read(&wide, &Limits::default(), |tree| assert_eq!(tree.root().unwrap().text(), "\u{e9}"));
}
