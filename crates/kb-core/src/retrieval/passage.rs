//! Joins adjacent chunks of an item to a passage. Pure.

use gen_core::{Passage, SourceSpan};

use super::find::RankedChunk;
use super::neighbours::{PARTED, text_of};
use crate::Chunk;

/// Characters that Markdown adds to a line of a heading, at most: six signs, a space and a line end.
const MARK: usize = 8;
/// Characters that a passage adds around a chunk, at most. Chosen by hand; no measurement recorded.
const APART: usize = 4;

/// A chunk of a passage.
#[derive(Clone, Debug)]
pub(super) struct PassageChunk {
    pub(super) chunk: Chunk,
    /// Its rank among the hits, from 0; `None` for a neighbour.
    pub(super) found: Option<usize>,
}

impl PassageChunk {
    /// Its characters, including the headings above it.
    pub(super) fn size(&self) -> usize {
        // Each line of the heading gets a Markdown mark.
        let marks = self.chunk.heading.lines().count() * MARK;
        self.chunk.text.chars().count() + self.chunk.heading.chars().count() + marks + APART
    }
}

/// Adjacent chunks.
#[derive(Debug)]
pub(super) struct ChunkRun(Vec<PassageChunk>);

impl ChunkRun {
    pub(super) fn of(piece: PassageChunk) -> Self {
        Self(vec![piece])
    }

    pub(super) fn push(&mut self, piece: PassageChunk) {
        self.0.push(piece);
    }

    /// Whether a chunk is the next one of the same text.
    pub(super) fn goes_on_with(&self, piece: &PassageChunk) -> bool {
        self.0.last().is_some_and(|last| {
            let (last, next) = (&last.chunk, &piece.chunk);
            let follows = last.position.checked_add(1) == Some(next.position) && next.start >= last.end;
            // A copy of the document may be chunked differently.
            follows || next.start == last.end
        })
    }

    /// The best rank of its chunks.
    pub(super) fn rank(&self) -> usize {
        self.0.iter().filter_map(|piece| piece.found).min().unwrap_or(usize::MAX)
    }
}

/// A passage: the text under its headings, with the page of the hit.
pub(super) fn passage(run: &ChunkRun, best: &RankedChunk, home: PassageSource) -> Passage {
    let chunks = || run.0.iter().map(|piece| &piece.chunk);
    let text = text_of(chunks());
    let first = chunks().next();
    let heading = first.map_or("", |first| first.heading.as_str());
    let trimmed = text.trim();
    let whole = under(heading, trimmed);
    let added = whole.len() - trimmed.len();
    let skipped = text.len() - text.trim_start().len();
    Passage {
        knowledge_id: Some(home.base),
        id: best.live.item.0.clone(),
        title: best.live.name.clone(),
        sha256: home.sha256,
        page: best.live.chunk.page.or_else(|| first.and_then(|first| first.page)),
        score: f64::from(best.score),
        stretches: stretches(chunks(), skipped, added, whole.len()),
        text: whole,
    }
}

/// The source of a passage.
pub(super) struct PassageSource {
    /// The knowledge base.
    pub(super) base: String,
    /// SHA-256 of the item's content.
    pub(super) sha256: Option<String>,
}

/// The ranges of the chunks in the text that [`text_of`] makes of them, without its first `skipped` bytes and
/// after `added` ones, `length` in all.
fn stretches<'a>(
    chunks: impl Iterator<Item = &'a Chunk>,
    skipped: usize,
    added: usize,
    length: usize,
) -> Vec<SourceSpan> {
    let (mut at, mut stretches) = (0_usize, Vec::new());
    let mut last: Option<u64> = None;
    for chunk in chunks {
        if last.is_some_and(|end| chunk.start > end) {
            at += PARTED.len();
        }
        let lost = skipped.saturating_sub(at).min(chunk.text.len());
        let lead = chunk.text.get(..lost).map_or(0, |lead| lead.chars().count());
        let begin = (at + lost + added).saturating_sub(skipped);
        let size = (chunk.text.len() - lost).min(length.saturating_sub(begin));
        if size > 0 {
            let start = chunk.start + lead as u64;
            stretches.push(SourceSpan { at: begin, length: size, start, page: chunk.page });
        }
        at += chunk.text.len();
        last = Some(chunk.end);
    }
    stretches
}

/// A text under its headings as Markdown. The header of a split table is put into the table.
fn under(heading: &str, text: &str) -> String {
    let mut lines: Vec<&str> = heading.lines().collect();
    let head = lines.pop_if(|line| text.starts_with('|') && line.contains(" | "));
    let mut out = String::new();
    for (depth, line) in lines.into_iter().enumerate() {
        out.push_str(&format!("{} {line}\n\n", "#".repeat(depth.min(5) + 1)));
    }
    if let Some(head) = head {
        let columns = head.split(" | ").count();
        out.push_str(&format!("| {head} |\n|{}\n", " --- |".repeat(columns)));
    }
    out.push_str(text);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stretches_say_where_each_chunk_of_a_passage_stands() {
        let chunk = |position: u32, start: u64, text: &str, page| Chunk {
            position,
            page: Some(page),
            start,
            end: start + text.chars().count() as u64,
            heading: "Ställe".into(),
            text: text.into(),
        };
        let first = chunk(4, 50, "\n Äpfel liegen links.\n\n", 2);
        let second = chunk(5, first.end, "Heu liegt rechts.\n\n", 3);
        let third = chunk(6, second.end + 2, "Neu.", 4);
        let chunks = [first, second, third];
        let text = text_of(&chunks);
        let whole = under("Ställe", text.trim());
        let skipped = text.len() - text.trim_start().len();
        let found = stretches(chunks.iter(), skipped, whole.len() - text.trim().len(), whole.len());
        let told: Vec<(&str, u64, Option<u32>)> = found
            .iter()
            .map(|one| (whole[one.at..one.at + one.length].trim(), one.start, one.page))
            .collect();
        let expected = [
            ("Äpfel liegen links.", 52, Some(2)),
            ("Heu liegt rechts.", chunks[1].start, Some(3)),
            ("Neu.", chunks[2].start, Some(4)),
        ];
        assert_eq!(told, expected);
    }

    #[test]
    fn headings_and_the_head_of_a_table_stand_over_the_text() {
        assert_eq!(under("", "Hay."), "Hay.");
        assert_eq!(under("Barn\nHay", "It is dry."), "# Barn\n\n## Hay\n\nIt is dry.");
        let table = "# Prices\n\n| Name | Price |\n| --- | --- |\n| Rake | 3 |";
        assert_eq!(under("Prices\nName | Price", "| Rake | 3 |"), table);
    }
}
