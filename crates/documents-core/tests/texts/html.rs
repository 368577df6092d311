//! HTML.

use document::{BlockKind, Format};
use documents_core::{Limits, parse};

use crate::{cells, grid, read, slice};

fn text(html: &str) -> String {
    read(html, "x.html").text
}

#[test]
fn blocks_never_join_words_and_inline_elements_never_part_them() {
    let html = "<body><h1>Hello</h1><p>This is <b>bo</b>ld.<br>Next</p><div>a</div><div>b</div>";
    assert_eq!(text(html), "# Hello\n\nThis is bold.\nNext\n\na\n\nb");
}

#[test]
fn scripts_styles_templates_and_hidden_parts_are_left_out_and_the_title_kept() {
    let document = read(
        "<html><head><title>T &amp; x</title><style>p{}</style></head><body><script>if (a<b) {}</script>\
         <template><p>no</p></template><p hidden>no</p><div style='display: none'>no<div>no</div></div>\
         <!-- <p>no</p> --><p>yes</p></body></html>",
        "x.html",
    );
    assert_eq!((document.text.as_str(), document.format), ("yes", Format::Html));
    assert_eq!(document.metadata.title.as_deref(), Some("T & x"));
}

#[test]
fn a_hidden_paragraph_that_is_never_closed_hides_only_itself() {
    assert_eq!(text("<body><p hidden>no<p>yes<p>also"), "yes\n\nalso");
}

#[test]
fn a_script_that_writes_elements_does_not_end_early() {
    assert_eq!(text("<body><script>document.write('<p>no</p>')</script><p>yes"), "yes");
}

#[test]
fn tables_keep_rows_columns_and_spans() {
    let document = read(
        "<html><table><tr><th>a<th>b</tr><tr><td colspan=2>wide</td></tr>\
         <tr><td>1</td><td><p>2</p><p>3</p></td></tr></table>",
        "x.html",
    );
    assert_eq!(document.text, "| a | b |\n| --- | --- |\n| wide |  |\n| 1 | 2 3 |");
    let cells = cells(&document);
    assert_eq!((cells[2].row, cells[2].column_span, cells[0].header), (1, 2, true));
}

#[test]
fn a_cell_that_spans_rows_moves_the_cells_of_the_next_row() {
    let document = read("<html><table><tr><td rowspan=2>\u{e4}<td>b<tr><td>c<td>d</table><p>after", "x.html");
    let cell = |row, column, text: &str| (row, column, text.to_owned());
    assert_eq!(grid(&document), [cell(0, 0, "\u{e4}"), cell(0, 1, "b"), cell(1, 1, "c"), cell(1, 2, "d")]);
    assert!(document.text.ends_with("after"));
}

#[test]
fn values_stay_in_their_columns_beside_cells_that_span_rows() {
    let text = |rows: &str| text(&format!("<html><table><tr><th>Region<th>Year<th>Catch{rows}</table>"));
    let first = text("<tr><td rowspan=2>North<td>2025<td>10<tr><td>2026<td>12");
    assert!(first.ends_with("| North | 2025 | 10 |\n|  | 2026 | 12 |"), "{first}");
    // The last column is covered, and free again below.
    let last = text("<tr><td>North<td>2025<td rowspan=2>10<tr><td>South<td>2025<tr><td>East<td>2026<td>7");
    assert!(last.ends_with("| South | 2025 |  |\n| East | 2026 | 7 |"), "{last}");
    let group = text("<tbody><tr><td rowspan=0>North<td>2025<td>10<tbody><tr><td>South<td>2026<td>7");
    assert!(group.ends_with("| North | 2025 | 10 |\n| South | 2026 | 7 |"), "{group}");
}

#[test]
fn a_table_within_a_cell_adds_its_text_to_the_cell() {
    let document = read(
        "<html><table><tr><td>outer<td><table><tr><td>in<td>ner</table><tr><td>next<td>row</table>",
        "x.html",
    );
    let texts: Vec<String> = grid(&document).into_iter().map(|(_, _, text)| text).collect();
    assert_eq!(texts, ["outer", "in ner", "next", "row"]);
}

#[test]
fn a_table_of_one_column_is_text() {
    assert_eq!(text("<html><table><tr><td>one<tr><td>two</table>"), "one\n\ntwo");
}

#[test]
fn lists_are_marked_and_nested() {
    assert_eq!(text("<html><ul><li>a<ol><li>b<li>c</ol><li>d</ul>"), "- a\n\n  1. b\n\n  2. c\n\n- d");
}

#[test]
fn preformatted_text_keeps_its_lines_and_quotes_are_marked() {
    let document = read("<html><pre>\nfn a()\n  b\n</pre><blockquote>said</blockquote>", "x.html");
    assert_eq!(document.text, "```\nfn a()\n  b\n```\n\n> said");
    let code = &document.blocks[0];
    assert_eq!(slice(&document, code.start, code.end), "fn a()\n  b");
    assert_eq!(document.blocks[0].kind, BlockKind::Code);
    assert_eq!(document.blocks[1].kind, BlockKind::Quote);
}

#[test]
fn blocks_point_at_their_text_by_characters() {
    let document = read("<html><h2>\u{1f600} \u{c4}</h2><p>\u{e9}t\u{e9}</p>", "x.html");
    let texts: Vec<String> =
        document.blocks.iter().map(|block| slice(&document, block.start, block.end)).collect();
    assert_eq!(texts, ["\u{1f600} \u{c4}", "\u{e9}t\u{e9}"]);
}

#[test]
fn a_hundred_thousand_nested_elements_are_read() {
    for tag in ["div", "ul", "table", "blockquote", "b", "p", "svg><g"] {
        let html = format!("<html>{}deep", format!("<{tag}>").repeat(100_000));
        let document = parse(html.as_bytes(), "x.html", &Limits::default());
        assert!(tag.starts_with("svg") || document.unwrap().text.contains("deep"), "{tag}");
    }
}

#[test]
fn spans_of_a_thousand_million_columns_do_not_fill_the_memory() {
    let html =
        format!("<html><table>{}</table>", "<tr><td colspan=1000000000 rowspan=1000000000>x".repeat(1_000));
    let document = parse(html.as_bytes(), "x.html", &Limits { cells: 10_000, ..Limits::default() }).unwrap();
    assert!(document.text.len() < 1_000_000, "{}", document.text.len());
}

#[test]
fn nodes_beyond_the_limit_are_cut_and_marked() {
    let html = format!("<html>{}", "<p>word</p>".repeat(1_000));
    let document = parse(html.as_bytes(), "x.html", &Limits { nodes: 100, ..Limits::default() }).unwrap();
    assert!(document.metadata.truncated && document.text.matches("word").count() <= 100);
}

#[test]
fn definitions_follow_their_terms() {
    let text = |html: &str| read(&format!("<html>{html}"), "x.html").text;
    assert_eq!(
        text("<dl><dt>Port<dd>left side<dt>Bow:</dt><dd><p>the front</p><p>of a boat</p></dd></dl>"),
        "Port: left side\n\nBow: the front\n\nof a boat"
    );
    assert_eq!(
        text("<dl><dt>Sides</dt><dd><ul><li>port<li>starboard</ul></dd><dt>Last</dt></dl><p>end"),
        "Sides:\n\n- port\n\n- starboard\n\nLast\n\nend"
    );
    assert_eq!(text("<dd>alone</dd><dl><dt></dt><dd>nameless</dd></dl>"), "alone\n\nnameless");
}

#[test]
fn the_language_is_what_the_page_declares() {
    let language = |lang: &str| read(&format!("<html lang='{lang}'><p>x"), "x.html").metadata.language;
    assert_eq!(language("pt-BR").as_deref(), Some("pt-BR"));
    assert_eq!((language(""), language("<b>"), language("x y")), (None, None, None));
}

#[test]
fn preformatted_white_space_is_no_block() {
    let document = read("<html><pre>   \n \t</pre><p>x", "x.html");
    assert_eq!((document.text.as_str(), document.blocks.len()), ("x", 1));
}

#[test]
fn a_caption_stands_before_its_table() {
    let page = "<html><table><caption>Sizes</caption><tr><th>Side<th>cm<tr><td>Height<td>30</table><p>after";
    assert_eq!(read(page, "x.html").text, "Sizes\n\n| Side | cm |\n| --- | --- |\n| Height | 30 |\n\nafter");
}

#[test]
fn a_self_closed_title_or_script_ends_at_once() {
    let page = "<html><head><title/><script src='x'/></head><body><p>text</body></html>";
    let document = read(page, "x.html");
    assert_eq!((document.text.as_str(), document.metadata.title), ("text", None));
}

#[test]
fn what_is_left_open_does_not_swallow_the_page() {
    assert_eq!(text("<html><a href=\"x>one</a><p>two"), "one\n\ntwo");
    assert_eq!(text("<html><title>one<p>two"), "one\n\ntwo");
    assert_eq!(text("<html>one<!--x--!>two<!--->three"), "onetwothree");
}

#[test]
fn elements_without_a_known_name_are_hidden_as_a_whole() {
    assert_eq!(text("<html><X-a hidden><x-b>gone<x-c></x-a>shown<area hidden> too"), "shown too");
}

#[test]
fn line_ends_are_those_of_any_text() {
    assert_eq!(text("\u{feff}<html><pre>a\r\nb\rc</pre>d&#0;"), "```\na\nb\nc\n```\n\nd\u{fffd}");
}
