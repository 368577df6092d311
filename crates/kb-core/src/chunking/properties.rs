//! Property tests of the chunker on documents generated from a seed.

use document::{Block, BlockKind, Page};
use shared_core::{Rng as _, SeededRng};

use super::heading::{MAX_DEPTH, MAX_HEADING};
use super::*;

struct Dice(SeededRng);

impl Dice {
    /// A number below `most`, which is not 0.
    fn below(&self, most: usize) -> usize {
        let mut bytes = [0; 8];
        self.0.fill(&mut bytes);
        usize::try_from(u64::from_le_bytes(bytes) % most as u64).unwrap()
    }

    fn text(&self) -> String {
        const PIECES: [&str; 20] = [
            "word",
            " ",
            " ",
            "\n",
            "\n\n",
            ". ",
            "東京",
            "。",
            "é",
            "🌾",
            "| a | b |\n",
            "| --- | --- |\n",
            "# ",
            "- ",
            "A sentence that goes on. ",
            "Straße ",
            "\t",
            "x",
            "\u{301}",
            "Dr. Who said so! ",
        ];
        let mut text = String::new();
        for _ in 0..self.below(400) {
            let piece = PIECES[self.below(PIECES.len())];
            text.push_str(&piece.repeat(if self.below(40) == 0 { 1 + self.below(300) } else { 1 }));
        }
        text
    }

    fn kind(&self) -> BlockKind {
        match self.below(7) {
            0 | 1 => BlockKind::Heading { level: u8::try_from(self.below(9)).unwrap() },
            2 => BlockKind::ListItem { depth: 0, ordered: false },
            3 => BlockKind::Table { cells: Vec::new() },
            4 => BlockKind::Code,
            5 => BlockKind::Quote,
            _ => BlockKind::Paragraph,
        }
    }

    /// Blocks with any ranges: gaps, overlaps, unordered, empty, backwards, beyond the end.
    fn document(&self) -> Document {
        let text = self.text();
        let length = text.chars().count();
        let mut at = 0;
        let mut blocks = Vec::new();
        for _ in 0..self.below(30) {
            let wild = self.below(8) == 0;
            let start = if wild { self.below(length + 20) } else { at + self.below(4) };
            let end = if wild { self.below(length + 20) } else { start + self.below(60) };
            let page = (self.below(3) == 0).then(|| 1 + u32::try_from(start).unwrap() / 100);
            blocks.push(Block { kind: self.kind(), start, end, page, rect: None });
            at = end;
        }
        let mut pages = Vec::new();
        if self.below(2) == 0 {
            for (number, start) in (0..length).step_by(150).enumerate() {
                let number = u32::try_from(number).unwrap() + 1;
                pages.push(Page {
                    number,
                    width: 1.0,
                    height: 1.0,
                    start,
                    end: (start + 150).min(length),
                    ..Page::default()
                });
            }
        }
        Document { text, blocks, pages, ..Document::default() }
    }
}

#[test]
fn the_chunks_of_any_document_are_its_text_cut_into_pieces() {
    for seed in 0..3_000 {
        let dice = Dice(SeededRng::new(seed));
        let document = dice.document();
        let tokens = [0, 16, 20, 50, 100, 300][dice.below(6)];
        let chunks = chunk(&document, Chunking { tokens });
        check(&document, &chunks, tokens.max(FEWEST) as usize, seed);
    }
}

fn check(document: &Document, chunks: &[Chunk], tokens: usize, seed: u64) {
    if document.text.trim().is_empty() {
        assert!(chunks.is_empty(), "{seed}");
        return;
    }
    let (mut all, mut start) = (String::new(), 0);
    for (at, chunk) in chunks.iter().enumerate() {
        assert_eq!((chunk.position as usize, chunk.start), (at, start), "{seed}");
        all.push_str(&chunk.text);
        start += chunk.text.chars().count() as u64;
        assert_eq!(chunk.end, start, "{seed}");
        assert!(!chunk.text.trim().is_empty(), "{seed}: a blank chunk");
        let words: Vec<&str> = chunk.text.split_whitespace().collect();
        let size = gen_core::estimate_tokens(&words.join(" "));
        assert!(size <= tokens * 3 / 2 + 2, "{seed}: {size} tokens instead of {tokens}");
        assert!(chunk.heading.lines().count() <= MAX_DEPTH + 1, "{seed}");
        assert!(chunk.heading.lines().all(|line| line.chars().count() <= MAX_HEADING), "{seed}");
        if !document.pages.is_empty() {
            let first = chunk.start as usize + chunk.text.chars().take_while(|c| c.is_whitespace()).count();
            assert_eq!(chunk.page, document.page_at(first), "{seed}");
        }
    }
    assert_eq!(all, document.text, "{seed}");
}

#[test]
fn the_same_document_is_cut_the_same_way() {
    for seed in 0..50 {
        let cut = || chunk(&Dice(SeededRng::new(seed)).document(), Chunking { tokens: 50 });
        assert_eq!(cut(), cut());
    }
}
