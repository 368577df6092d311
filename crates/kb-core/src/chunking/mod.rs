//! Cutting documents into chunks by their structure. Pure: it knows the shape of documents, and neither where
//! they come from nor where chunks go.

mod pack;
mod segments;
mod split;
mod tables;

use documents_core::Document;

use crate::{Chunk, Chunking};
use pack::{ChunkDraft, Packer};
use segments::segments;

/// The fewest tokens that a chunk is cut to.
const FEWEST: u32 = 16;
/// The most.
const MOST: u32 = 8_192;
/// Characters of a heading, or of the head of a table, that are repeated over a chunk.
const MAX_HEADING: usize = 200;
/// Headings that are repeated over a chunk, the lowest.
const MAX_DEPTH: usize = 6;

/// Cuts a document into chunks of about the given size.
///
/// The texts of the chunks, one after the other, are the document's text; one that is blank has no chunks.
/// Blocks are kept whole where they fit: a longer one is divided at its sentences, a table at its rows, with
/// its head over each part. A heading goes with what follows it; small sections stand together under their
/// parent. Takes time in proportion to the document.
#[must_use]
pub fn chunk(document: &Document, settings: Chunking) -> Vec<Chunk> {
    chunk_at_most(document, settings, Chunk::MAX)
}

fn chunk_at_most(document: &Document, settings: Chunking, most: usize) -> Vec<Chunk> {
    let text = document.text.as_str();
    if text.trim().is_empty() {
        return Vec::new();
    }
    // Sizes are counted in quarter tokens.
    let packer = Packer::new(text, settings.tokens.clamp(FEWEST, MOST) as usize * 4);
    chunks(document, merged(packer.pack(&segments(document)), most))
}

/// Joins neighbours until there are no more than `most`.
fn merged(drafts: Vec<ChunkDraft>, most: usize) -> Vec<ChunkDraft> {
    let group = drafts.len().div_ceil(most.max(1)).max(1);
    if group == 1 {
        return drafts;
    }
    let mut merged: Vec<ChunkDraft> = Vec::with_capacity(most);
    for (at, draft) in drafts.into_iter().enumerate() {
        match merged.last_mut().filter(|_| at % group > 0) {
            Some(last) => last.end = draft.end,
            None => merged.push(draft),
        }
    }
    merged
}

fn chunks(document: &Document, drafts: Vec<ChunkDraft>) -> Vec<Chunk> {
    let (mut start, mut position) = (0_usize, 0_u32);
    let mut chunks = Vec::with_capacity(drafts.len());
    for draft in drafts {
        let text = document.text.get(draft.start..draft.end).unwrap_or_default();
        let end = start + text.chars().count();
        let blank = text.chars().take_while(|c| c.is_whitespace()).count();
        chunks.push(Chunk {
            position,
            page: document.page_at(start + blank).or(draft.page),
            start: start as u64,
            end: end as u64,
            heading: draft.heading,
            text: text.to_owned(),
        });
        (start, position) = (end, position.saturating_add(1));
    }
    chunks
}

/// One line of at most [`MAX_HEADING`] characters.
fn line_of(text: &str) -> String {
    let mut line = String::new();
    let mut room = MAX_HEADING;
    // A heading may be as long as the document.
    for word in text.split_whitespace() {
        let length = word.chars().take(room).count();
        if !line.is_empty() {
            line.push(' ');
        }
        line.extend(word.chars().take(room));
        room = room.saturating_sub(length + 1);
        if room == 0 {
            break;
        }
    }
    line
}

#[cfg(test)]
mod properties;
#[cfg(test)]
mod tests;
