//! How documents of known shapes are cut.

use documents_core::{Limits, parse};

use super::*;

fn cut(text: &str, name: &str, tokens: u32) -> Vec<Chunk> {
    let document = parse(text.as_bytes(), name, &Limits::default()).unwrap();
    let chunks = chunk(&document, Chunking { tokens });
    let all: String = chunks.iter().map(|chunk| chunk.text.as_str()).collect();
    assert_eq!(all, document.text);
    chunks
}

fn words(count: usize, about: &str) -> String {
    (0..count).map(|at| format!("The {about} is kept in row {at} of the barn. ")).collect()
}

#[test]
fn a_short_document_is_one_chunk() {
    let chunks = cut("# Barn\n\nHay is dry.\n\n## Tools\n\nRakes hang left.\n", "a.md", 300);
    assert_eq!(chunks.len(), 1);
    assert_eq!((chunks[0].start, chunks[0].page, chunks[0].heading.as_str()), (0, None, ""));
}

#[test]
fn sections_that_are_long_begin_their_own_chunk_under_their_headings() {
    let text = format!(
        "# Barn\n\n{}\n\n## Hay\n\n{}\n\n### Wet hay\n\n{}\n\n# Field\n\n{}\n",
        words(8, "key"),
        words(20, "hay"),
        words(25, "wet hay"),
        words(5, "plough"),
    );
    let chunks = cut(&text, "a.md", 150);
    let begins: Vec<(&str, &str)> = chunks
        .iter()
        .map(|chunk| (chunk.heading.as_str(), chunk.text.lines().next().unwrap_or_default()))
        .filter(|(_, line)| line.starts_with('#'))
        .collect();
    assert_eq!(begins, [("", "# Barn"), ("Barn", "## Hay"), ("Barn\nHay", "### Wet hay"), ("", "# Field")]);
    let inside = chunks.iter().filter(|chunk| chunk.heading == "Barn\nHay\nWet hay").count();
    assert!(inside > 0 && chunks.iter().all(|chunk| gen_core::estimate_tokens(&chunk.text) <= 190));
}

#[test]
fn headings_stand_over_chunks_without_their_marks() {
    let text = format!("Barn\n====\n\n{}\n\n## Hay ##\n\n{}\n", words(5, "key"), words(60, "hay"));
    let chunks = cut(&text, "a.md", 150);
    assert_eq!(chunks.last().unwrap().heading, "Barn\nHay");
}

#[test]
fn small_sections_stand_together_under_their_parent_and_no_heading_stands_alone() {
    let sections: String = (0..12).map(|at| format!("## Part {at}\n\n{}\n\n", words(2, "seed"))).collect();
    let chunks = cut(&format!("# Seeds\n\n{sections}# Next\n\n{}", words(10, "soil")), "a.md", 120);
    assert!(chunks.len() < 8, "{}", chunks.len());
    for chunk in &chunks {
        let lines: Vec<&str> = chunk.text.lines().filter(|line| !line.is_empty()).collect();
        assert!(lines.iter().any(|line| !line.starts_with('#')), "{lines:?}");
        assert!(!lines.last().unwrap().starts_with('#'), "{lines:?}");
    }
    let next = chunks.iter().find(|chunk| chunk.text.contains("# Next")).unwrap();
    assert!(next.text.starts_with("# Next") && next.heading.is_empty());
}

#[test]
fn a_table_stays_whole_or_its_head_stands_over_every_part() {
    let rows = |count: usize| (0..count).map(|row| format!("Rake {row},{row}.50\n")).collect::<String>();
    let small = cut(&format!("Name,Price\n{}", rows(10)), "a.csv", 300);
    assert_eq!(small.len(), 1);
    let large = cut(&format!("Name,Price\n{}", rows(500)), "a.csv", 100);
    assert!(large.len() > 10);
    assert!(large[0].heading.is_empty() && large[0].text.starts_with("| Name | Price |"));
    assert!(large[1..].iter().all(|chunk| chunk.heading == "Name | Price"));
    assert!(large.iter().all(|chunk| chunk.text.starts_with('|') && chunk.text.trim_end().ends_with('|')));
}

#[test]
fn items_of_a_list_are_not_divided_where_they_fit() {
    let items: String =
        (0..60).map(|at| format!("- Feed the {at}th hen in the morning. Count her eggs.\n")).collect();
    let chunks = cut(&items, "a.md", 60);
    assert!(chunks.len() > 5);
    assert!(
        chunks.iter().all(|chunk| chunk.text.starts_with("- ") && chunk.text.trim_end().ends_with("eggs."))
    );
}

#[test]
fn scripts_without_spaces_are_cut_by_their_own_measure() {
    let text = "納屋には乾いた干し草があります。".repeat(200);
    let chunks = cut(&text, "a.txt", 100);
    assert!(chunks.len() >= 30 && chunks.iter().all(|chunk| chunk.text.ends_with('。')));
}

#[test]
fn what_is_hostile_is_cut_all_the_same() {
    let run = cut(&"x".repeat(10_000_000), "a.txt", 300);
    assert!(run.iter().all(|chunk| chunk.text.len() <= 1_200) && run.len() < 9_000);
    let headings: String = (0..100_000).map(|at| format!("{} h{at}\n", "#".repeat(1 + at % 6))).collect();
    assert!(cut(&headings, "a.md", 300).iter().all(|chunk| chunk.text.len() < 4_000));
    let blocks: String = (0..100_000).map(|at| format!("p{at}\n\n")).collect();
    assert!(cut(&blocks, "a.txt", 300).len() < 2_000);
    let blank = Document { text: " \n".into(), ..Document::default() };
    assert_eq!(chunk(&blank, Chunking::default()), []);
    assert_eq!(chunk(&Document::default(), Chunking { tokens: 0 }), []);
}

#[test]
fn there_are_never_more_chunks_than_allowed() {
    let text = words(500, "oat");
    let document = parse(text.as_bytes(), "a.txt", &Limits::default()).unwrap();
    let free = chunk(&document, Chunking { tokens: 30 });
    let bounded = chunk_at_most(&document, Chunking { tokens: 30 }, 10);
    assert!(free.len() > 100 && bounded.len() <= 10);
    assert_eq!(bounded.iter().map(|chunk| chunk.text.as_str()).collect::<String>(), document.text);
    assert_eq!(
        bounded.iter().map(|chunk| chunk.position).collect::<Vec<_>>(),
        (0..bounded.len() as u32).collect::<Vec<_>>()
    );
}

#[test]
fn the_page_is_that_of_the_first_word() {
    let page = |number, start, end| document::Page {
        number,
        width: 1.0,
        height: 1.0,
        start,
        end,
        ..document::Page::default()
    };
    let text = format!("{}\n\n{}", "a ".repeat(400).trim(), "b ".repeat(400).trim());
    let half = 799 + 2;
    let pages = vec![page(1, 0, half), page(2, half, text.chars().count())];
    let document = Document { text, pages, ..Document::default() };
    let chunks = chunk(&document, Chunking { tokens: 100 });
    for chunk in chunks {
        let expected = if chunk.text.starts_with('a') { 1 } else { 2 };
        assert_eq!(chunk.page, Some(expected), "{chunk:?}");
    }
}
