//! Rich Text Format.

use document::Format;

use crate::{expect, grid, links, read};

#[test]
fn characters_are_those_of_code_pages_and_of_unicode() {
    let rtf = br"{\rtf1\ansi\ansicpg1252{\fonttbl{\f0\fcharset204 Cyr;}{\f1\fcharset128 Jap;}}caf\'e9 {\f0\'cf\'f0} {\f1\'93\'fa} \u8364? \uc2\u228\'E8a \u-10179??\u-8704??\emdash\{x\}\par}";
    expect(&read(rtf), &[("p", "café Пр 日 € ä 😀—{x}")]);
}

#[test]
fn what_is_no_text_is_left_out() {
    let rtf = br"{\rtf1{\info{\title The quay}{\author Ada}{\creatim\yr2024\mo5\dy1\hr9\min30}{\nofpages3}}{\stylesheet{\s1 heading 1;}}{\header running}{\*\generator Own}{\pict\wmetafile8 0102ff}{\pict\bin4 }}}{\v hidden}{\deleted old}{\annotation aside}\s1 Head\par\pard text}";
    let document = read(rtf);
    assert_eq!(document.format, Format::Rtf);
    expect(&document, &[("h1", "Head"), ("p", "text")]);
    let metadata = &document.metadata;
    assert_eq!((metadata.title.as_deref(), metadata.author.as_deref()), (Some("The quay"), Some("Ada")));
    assert_eq!((metadata.created.as_deref(), metadata.page_count), (Some("2024-05-01T09:30:00"), Some(3)));
}

#[test]
fn lists_links_and_notes_are_read() {
    let rtf = br#"{\rtf1 {\listtext 1.\tab}\ls1\ilvl0 one\par {\listtext a)\tab}\ilvl1 deep\par \pard{\listtext\u8226 ?\tab}\ls2 dot\par
\pard see {\field{\*\fldinst{HYPERLINK "https://example.org/d"}}{\fldrslt the page}} now{\footnote\pard below}.\par}"#;
    let document = read(rtf);
    expect(
        &document,
        &[
            ("ol0", "one"),
            ("ol1", "a) deep"),
            ("ul0", "dot"),
            ("p", "see the page now[^1]."),
            ("note", "below"),
        ],
    );
    assert_eq!(links(&document), [("the page".to_owned(), "https://example.org/d".to_owned())]);
}

#[test]
fn tables_are_placed_by_their_edges() {
    let rtf = br"{\rtf1 before\par\trowd\cellx2000\cellx4000\cellx6000\pard\intbl a\cell b\par c\cell d\cell\row
\trowd\cellx4000\clvmgf\cellx6000\pard\intbl wide\cell tall\cell\row\trowd\cellx2000\cellx4000\clvmrg\cellx6000\pard\intbl e\cell f\cell\cell\row\pard after\par}";
    let document = read(rtf);
    let owned = |row, column, rows, columns, text: &str| (row, column, rows, columns, text.to_owned());
    let cells = [
        owned(0, 0, 1, 1, "a"),
        owned(0, 1, 1, 1, "b c"),
        owned(0, 2, 1, 1, "d"),
        owned(1, 0, 1, 2, "wide"),
        owned(1, 2, 2, 1, "tall"),
        owned(2, 0, 1, 1, "e"),
        owned(2, 1, 1, 1, "f"),
    ];
    assert_eq!(grid(&document), cells);
    assert!(document.text.starts_with("before\n\n|") && document.text.ends_with("|\n\nafter"));
}

#[test]
fn lines_end_with_line_feeds_alone() {
    let document = read(br"{\rtf1 a\'0db\u13?c\par}");
    assert!(document.text.starts_with('a') && !document.text.contains('\r'), "{:?}", document.text);
}
