//! Chunks of an item that follow each other, as a passage to read. Pure.

use gen_core::Passage;

use super::find::Finding;
use super::neighbours::text_of;
use crate::Chunk;

/// A chunk that is given.
#[derive(Clone, Debug)]
pub(super) struct Piece {
    pub(super) chunk: Chunk,
    /// Its rank among what was found, from 0; none for one that only stands beside such a one.
    pub(super) found: Option<usize>,
}

impl Piece {
    /// Characters that it takes, with what stands over it.
    pub(super) fn size(&self) -> usize {
        // Each line of the heading gets a mark.
        let marks = self.chunk.heading.lines().count() * 8;
        self.chunk.text.chars().count() + self.chunk.heading.chars().count() + marks + 4
    }
}

/// Pieces that follow each other.
#[derive(Debug)]
pub(super) struct Run(Vec<Piece>);

impl Run {
    pub(super) fn of(piece: Piece) -> Self {
        Self(vec![piece])
    }

    pub(super) fn push(&mut self, piece: Piece) {
        self.0.push(piece);
    }

    /// Whether a piece is the next one of the same text.
    pub(super) fn goes_on_with(&self, piece: &Piece) -> bool {
        self.0.last().is_some_and(|last| {
            let (last, next) = (&last.chunk, &piece.chunk);
            last.position.checked_add(1) == Some(next.position) && next.start >= last.end
        })
    }

    /// The best rank of its pieces.
    pub(super) fn rank(&self) -> usize {
        self.0.iter().filter_map(|piece| piece.found).min().unwrap_or(usize::MAX)
    }
}

/// A passage: the text under its headings, with the page that it begins on.
pub(super) fn passage(run: &Run, best: &Finding, base: String) -> Passage {
    let text = text_of(run.0.iter().map(|piece| &piece.chunk));
    let first = run.0.first().map(|first| &first.chunk);
    let heading = first.map_or("", |first| first.heading.as_str());
    Passage {
        knowledge_id: Some(base),
        id: best.live.item.0.clone(),
        title: best.live.name.clone(),
        page: first.and_then(|first| first.page),
        score: f64::from(best.score),
        text: under(heading, text.trim()),
    }
}

/// A text under its headings as Markdown. The head of a divided table stands in the table.
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
    fn headings_and_the_head_of_a_table_stand_over_the_text() {
        assert_eq!(under("", "Hay."), "Hay.");
        assert_eq!(under("Barn\nHay", "It is dry."), "# Barn\n\n## Hay\n\nIt is dry.");
        let table = "# Prices\n\n| Name | Price |\n| --- | --- |\n| Rake | 3 |";
        assert_eq!(under("Prices\nName | Price", "| Rake | 3 |"), table);
    }
}
