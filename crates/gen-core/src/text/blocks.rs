//! Splits Markdown and plain text into blocks: headings, paragraphs, list items, tables, code.

use language::fold::fold_word;
use language::label::NameWord;

/// Maximum blocks of a text; the rest is skipped. Bounds the memory.
const MAX_BLOCKS: usize = 500_000;
/// Minimum bytes of a wrapped line, which the next line continues. Shorter lines end a paragraph. Chosen by
/// hand; no measurement is recorded.
const WRAPPED: usize = 45;
/// Maximum bytes of a line that may be a title. Chosen by hand; no measurement is recorded.
const MAX_TITLE: usize = 90;
/// Maximum cells of a row. Bounds the memory.
const MAX_CELLS: usize = 64;

/// What a block is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BlockKind {
    /// A heading of a level from 1. Level 7 is a line that introduces what follows it.
    Heading(u8),
    /// Running text, or a single line.
    Paragraph,
    /// A list item.
    Item,
    /// Lines with cells between bars or wide gaps.
    Table,
    /// Lines between fences.
    Code,
}

/// A block with its byte range, without blank lines around it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Block {
    /// What it is.
    pub kind: BlockKind,
    /// Its first byte.
    pub start: usize,
    /// The byte after it.
    pub end: usize,
}

#[derive(Clone, Copy)]
struct Line<'a> {
    text: &'a str,
    start: usize,
}

impl Line<'_> {
    fn end(&self) -> usize {
        self.start + self.text.len()
    }
}

/// The blocks of a text in order.
#[must_use]
pub fn blocks(text: &str) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    let mut lines = lines(text).peekable();
    let mut open = false;
    while let Some(line) = lines.next() {
        if blocks.len() >= MAX_BLOCKS {
            break;
        }
        let trimmed = line.text.trim();
        if trimmed.is_empty() {
            open = false;
            continue;
        }
        let mut block = Block { kind: kind(trimmed), start: line.start, end: line.end() };
        match block.kind {
            BlockKind::Code => {
                for next in lines.by_ref() {
                    block.end = next.end();
                    if is_fence(next.text.trim()) {
                        break;
                    }
                }
            }
            BlockKind::Table => {
                while let Some(next) = lines.next_if(|next| same_table(trimmed, next.text.trim())) {
                    block.end = next.end();
                }
            }
            BlockKind::Paragraph if open => {
                if let Some(last) = blocks.last_mut()
                    && continues_block(text, *last, trimmed)
                {
                    last.end = block.end;
                    continue;
                }
            }
            _ => {}
        }
        open = matches!(block.kind, BlockKind::Paragraph | BlockKind::Item);
        if block.kind == BlockKind::Paragraph && is_title(trimmed, lines.peek().map(|next| next.text.trim()))
        {
            // Below the six levels of HTML and Markdown.
            block.kind = BlockKind::Heading(7);
            open = false;
        }
        blocks.push(block);
    }
    blocks
}

fn lines(text: &str) -> impl Iterator<Item = Line<'_>> {
    let mut at = 0;
    text.split_inclusive('\n').map(move |line| {
        let start = at;
        at += line.len();
        Line { text: line.trim_end(), start }
    })
}

fn kind(line: &str) -> BlockKind {
    let hashes = line.bytes().take_while(|byte| *byte == b'#').count();
    if (1..=6).contains(&hashes) && line.get(hashes..).is_some_and(|rest| rest.starts_with([' ', '\t'])) {
        return BlockKind::Heading(u8::try_from(hashes).unwrap_or(6));
    }
    if is_fence(line) {
        BlockKind::Code
    } else if is_row(line) || is_gapped(line) {
        BlockKind::Table
    } else if item(line).is_some() {
        BlockKind::Item
    } else {
        BlockKind::Paragraph
    }
}

fn is_fence(line: &str) -> bool {
    line.starts_with("```") || line.starts_with("~~~")
}

fn is_row(line: &str) -> bool {
    line.starts_with('|') && line.len() > 1
}

/// Whether a line has cells between wide gaps or tabs.
fn is_gapped(line: &str) -> bool {
    gaps(line).nth(1).is_some()
}

fn gaps(line: &str) -> impl Iterator<Item = &str> {
    let parts = line.split('\t').flat_map(|part| part.split("   "));
    parts.map(str::trim).filter(|part| !part.is_empty())
}

fn same_table(first: &str, next: &str) -> bool {
    if is_row(first) { is_row(next) } else { !is_row(next) && is_gapped(next) }
}

/// The text of a list item, without its marker; `None` for other lines.
fn item(line: &str) -> Option<&str> {
    if let Some(rest) = line.strip_prefix(['-', '*', '+', '•', '–', '·', '▪', '☐', '☑']) {
        return rest.strip_prefix([' ', '\t']);
    }
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    // Up to 999 items; four digits are a year.
    let rest = if (1..=3).contains(&digits) {
        line.get(digits..)?
    } else {
        let letter = line.chars().next().filter(|c| c.is_ascii_lowercase())?;
        line.strip_prefix(letter).filter(|rest| rest.starts_with(')'))?
    };
    rest.strip_prefix(['.', ')'])?.strip_prefix([' ', '\t'])
}

/// Whether a line continues the block before it.
fn continues_block(text: &str, block: Block, line: &str) -> bool {
    let before = text.get(block.start..block.end).unwrap_or_default();
    let last = before.rsplit('\n').next().unwrap_or_default().trim();
    if is_labelled(last) && !line.starts_with(char::is_lowercase) || is_labelled(line) {
        return false;
    }
    let ended = last.ends_with(['.', '!', '?', ':', '。', '！', '？']);
    line.starts_with(char::is_lowercase) || last.len() >= WRAPPED || (ended && line.len() >= WRAPPED)
}

/// Whether a line is a short label with a value.
fn is_labelled(line: &str) -> bool {
    let Some(at) = line.find([':', '：']) else { return false };
    let label = line.get(..at).unwrap_or_default();
    // Longer ones are sentences. Chosen by hand; no measurement is recorded.
    label.len() <= 60
        && label.split_whitespace().count() <= 5
        && line.get(at + 1..).is_some_and(|rest| !rest.trim().is_empty() && !rest.starts_with('/'))
}

/// Whether a single line introduces what follows.
fn is_title(line: &str, next: Option<&str>) -> bool {
    let Some(next) = next else { return false };
    if line.len() > MAX_TITLE
        || next.is_empty()
            && !line.ends_with([':', '：', '?', '？'])
            && !is_bold(line)
            && !is_capitals(line)
            && !is_numbered_title(line)
    {
        return false;
    }
    let asks = line.ends_with(['?', '？']);
    line.ends_with([':', '：']) || is_bold(line) || is_capitals(line) || asks || is_numbered_title(line)
}

fn is_bold(line: &str) -> bool {
    line.len() > 4 && line.starts_with("**") && line.ends_with("**")
}

fn is_capitals(line: &str) -> bool {
    let letters = line.chars().filter(|c| c.is_alphabetic()).count();
    // Shorter ones are abbreviations; with fewer letters than a third it is a rule or a row of signs. Chosen
    // by hand; no measurement is recorded.
    letters >= 4
        && letters * 3 >= line.chars().count()
        && !line.chars().any(char::is_lowercase)
        && line.chars().any(char::is_uppercase)
        && !line.chars().any(|c| c.is_ascii_digit())
}

/// The heading of a clause: `§ 4 Term`, `Article 3`, `Section 2`.
fn is_numbered_title(line: &str) -> bool {
    let first = line.split(' ').next().unwrap_or_default();
    let named = first.starts_with(char::is_uppercase) && NameWord::Clause.has(&fold_word(first));
    (first == "§" || named)
        && line.len() > first.len()
        && !line.ends_with('.')
        // Longer lines cite a clause in a sentence. Chosen by hand; no measurement is recorded.
        && line.split_whitespace().count() <= 8
}

/// The cells of a table row.
#[must_use]
pub fn cells(line: &str) -> Vec<&str> {
    let line = line.trim();
    if is_row(line) {
        let inner = line.strip_prefix('|').unwrap_or(line);
        let inner = inner.strip_suffix('|').unwrap_or(inner);
        return inner.split('|').map(str::trim).take(MAX_CELLS).collect();
    }
    gaps(line).take(MAX_CELLS).collect()
}

/// Whether a row only separates the head of a Markdown table from its body.
#[must_use]
pub fn is_separator(line: &str) -> bool {
    let line = line.trim();
    line.len() > 2
        && line.contains('-')
        && line.bytes().all(|byte| matches!(byte, b'|' | b'-' | b':' | b' ' | b'+' | b'='))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Vec<(BlockKind, &str)> {
        blocks(text).into_iter().map(|block| (block.kind, &text[block.start..block.end])).collect()
    }

    #[test]
    fn a_text_falls_into_its_blocks() {
        let text = "# Title\n\nA long line that was wrapped by the program that\nwrote it. End.\n\n- one\n  goes on\n- two\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```\ncode\n\nmore\n```\nFrom: me\nTo: you\n";
        assert_eq!(
            read(text),
            [
                (BlockKind::Heading(1), "# Title"),
                (BlockKind::Paragraph, "A long line that was wrapped by the program that\nwrote it. End."),
                (BlockKind::Item, "- one\n  goes on"),
                (BlockKind::Item, "- two"),
                (BlockKind::Table, "| a | b |\n|---|---|\n| 1 | 2 |"),
                (BlockKind::Code, "```\ncode\n\nmore\n```"),
                (BlockKind::Paragraph, "From: me"),
                (BlockKind::Paragraph, "To: you"),
            ]
        );
    }

    #[test]
    fn lines_that_introduce_are_headings() {
        let text = "Ingredients:\n- salt\n\n**Method**\nStir.\n\nCan I pay by card?\nYes, you can.\n";
        let kinds: Vec<BlockKind> = blocks(text).into_iter().map(|block| block.kind).collect();
        let (title, item, text) = (BlockKind::Heading(7), BlockKind::Item, BlockKind::Paragraph);
        assert_eq!(kinds, [title, item, title, text, title, text]);
    }

    #[test]
    fn rows_fall_into_cells() {
        assert_eq!(cells("| a | b |"), ["a", "b"]);
        assert_eq!(cells("Oak board    12.50\t3"), ["Oak board", "12.50", "3"]);
        assert!(is_separator("|:--|---|"));
        assert!(!is_separator("| - a |"));
    }
}
