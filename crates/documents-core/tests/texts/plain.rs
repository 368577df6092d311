//! Plain text and Markdown.

use document::{BlockKind, Format};
use documents_core::{Limits, parse};

use crate::{grid, ranges_hold, read, slice};

#[test]
fn paragraphs_are_what_blank_lines_part_and_point_at_their_text() {
    let document = read("\u{1f600} one\nstill one\n\n \n\ttwo \u{e9}\n", "x.txt");
    let texts: Vec<String> = document
        .blocks
        .iter()
        .map(|block| slice(&document, block.start, block.end).trim_end().to_owned())
        .collect();
    assert_eq!(texts, ["\u{1f600} one\nstill one", "\ttwo \u{e9}"]);
    assert_eq!(document.format, Format::Text);
}

#[test]
fn a_text_with_no_name_that_is_known_is_plain() {
    assert_eq!(read("# not a heading", "notes").format, Format::Text);
    assert_eq!(read("{not json}", "notes").text, "{not json}");
}

#[test]
fn markdown_keeps_its_text_and_tells_its_blocks() {
    let text = "# T\u{e4}tle\n\ntext *with* marks\n\n- a\n  - b\n\n1. c\n\n> said\n\n```\ncode\n```\n";
    let document = read(text, "x.md");
    assert_eq!((document.text.as_str(), document.format), (text.trim_end(), Format::Markdown));
    let kinds: Vec<BlockKind> = document.blocks.iter().map(|block| block.kind.clone()).collect();
    let item = |depth, ordered| BlockKind::ListItem { depth, ordered };
    for kind in [
        BlockKind::Heading { level: 1 },
        BlockKind::Paragraph,
        item(0, false),
        item(1, false),
        item(0, true),
        BlockKind::Code,
    ] {
        assert!(kinds.contains(&kind), "{kind:?} in {kinds:?}");
    }
    assert!(slice(&document, document.blocks[0].start, document.blocks[0].end).contains("T\u{e4}tle"));
}

#[test]
fn cells_of_a_markdown_table_point_at_their_text() {
    let document = read("\u{1f600}\n\n| \u{e4} | b |\n|---|---|\n| 1 | 2 x |\n", "x.md");
    let texts: Vec<String> = grid(&document).into_iter().map(|(_, _, text)| text.trim().to_owned()).collect();
    assert_eq!(texts, ["\u{e4}", "b", "1", "2 x"]);
}

#[test]
fn text_beyond_the_limit_is_cut_at_a_whole_character_and_marked() {
    let text = "\u{1f600}".repeat(100);
    for name in ["x.txt", "x.md"] {
        let document = parse(text.as_bytes(), name, &Limits { text_bytes: 41, ..Limits::default() }).unwrap();
        assert_eq!((document.text.chars().count(), document.metadata.truncated), (10, true), "{name}");
        ranges_hold(&document);
    }
}

#[test]
fn markdown_of_deep_nesting_is_read() {
    for mark in ["> ", "- ", "[", "*"] {
        let document = parse(mark.repeat(20_000).as_bytes(), "x.md", &Limits::default()).unwrap();
        ranges_hold(&document);
    }
}

#[test]
fn blocks_of_markdown_are_what_they_say_and_say_it_once() {
    let text = "# T\n\n- one\n  - two\n    more\n\n  last\n\n> said\n> - in it\n\n1. a `b`\n\n```sh\nls\n```\n\n- \n";
    let document = read(text, "x.md");
    let said: Vec<(BlockKind, String)> = document
        .blocks
        .iter()
        .map(|block| (block.kind.clone(), slice(&document, block.start, block.end)))
        .collect();
    let item = |depth, ordered| BlockKind::ListItem { depth, ordered };
    let expected = [
        (BlockKind::Heading { level: 1 }, "T"),
        (item(0, false), "one"),
        (item(1, false), "two\n    more"),
        (BlockKind::Paragraph, "last"),
        (BlockKind::Quote, "said"),
        (item(0, false), "in it"),
        (item(0, true), "a `b`"),
        (BlockKind::Code, "ls"),
    ];
    assert_eq!(said, expected.map(|(kind, text)| (kind, text.to_owned())));
    assert_eq!(document.plain_text(), "T\none\ntwo\n    more\nlast\nsaid\nin it\na `b`\nls\n");
}

#[test]
fn a_text_of_very_many_paragraphs_is_cut() {
    let limits = Limits { blocks: 3, ..Limits::default() };
    for (name, text) in [("x.txt", "a\n\n".repeat(9)), ("x.md", "- a\n".repeat(9))] {
        let document = parse(text.as_bytes(), name, &limits).unwrap();
        assert_eq!((document.blocks.len(), document.metadata.truncated), (3, true), "{name}");
        ranges_hold(&document);
    }
}
