//! JSON and notebooks.

use document::{BlockKind, Format};
use documents_core::{Limits, parse};

use crate::support::read;

#[test]
fn values_become_a_nested_list_in_their_order() {
    let text = r#"{"name": "Ada \u00e9\n\"x\"", "born": 1815.50, "tags": ["a", 2, null, true, []], "works": [{"title": "Notes", "year": 1843}, {"title": "Letters", "in": {"place": "London"}}]}"#;
    let document = read(text.as_bytes(), "x");
    assert_eq!(document.format, Format::Json);
    assert_eq!(
        document.text,
        "- name: Ada \u{e9} \"x\"\n- born: 1815.50\n- tags:\n  - a\n  - 2\n  - null\n  - true\n- works:\n  - title: Notes\n    - year: 1843\n  - title: Letters\n    - in:\n      - place: London"
    );
    assert!(matches!(document.blocks[3].kind, BlockKind::ListItem { depth: 1, ordered: false }));
}

#[test]
fn several_values_one_after_the_other_are_read() {
    assert_eq!(read(b"{\"a\":1}\n{\"a\":2}\n", "x.jsonl").text, "- a: 1\n- a: 2");
}

#[test]
fn what_is_no_json_stays_as_text() {
    for text in ["{\"a\": 1,", "{'a': 1}", "[1, 2"] {
        assert_eq!(read(text.as_bytes(), "x.json").text, text);
    }
}

#[test]
fn depth_and_size_are_bounded() {
    let deep = "[".repeat(200_000) + "1" + &"]".repeat(200_000);
    assert!(read(deep.as_bytes(), "x.json").text.ends_with("- 1"));
    let long = format!("[{}1]", "1,".repeat(100_000));
    let limits = Limits { nodes: 1_000, ..Limits::default() };
    let document = parse(long.as_bytes(), "x.json", &limits).unwrap();
    assert!(document.metadata.truncated && document.blocks.len() <= 1_000);
}

#[test]
fn notebooks_are_their_cells() {
    let text = r##"{"nbformat": 4, "nbformat_minor": 5, "metadata": {"kernelspec": {"language": "python", "name": "p"}}, "cells": [{"cell_type": "markdown", "metadata": {}, "source": ["# Title\n", "text"]}, {"cell_type": "code", "metadata": {}, "outputs": [{"text": "not this"}], "execution_count": 1, "source": "x = 1"}]}"##;
    let document = read(text.as_bytes(), "x.ipynb");
    assert_eq!(document.text, "# Title\ntext\n\n```python\nx = 1\n```");
    assert!(document.blocks.iter().any(|block| block.kind == BlockKind::Code));
}
