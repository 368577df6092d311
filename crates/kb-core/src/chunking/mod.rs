//! Splits documents into chunks along their structure. Pure: it knows the structure of documents, and neither
//! their origin nor the destination of the chunks.

mod heading;
mod pack;
mod segments;
mod split;
mod tables;

use document::Document;

use crate::{Chunk, Chunking};
use pack::{ChunkDraft, Packer};
use segments::segments;

/// Minimum chunk size in tokens. Chosen by hand; no measurement recorded.
const FEWEST: u32 = 16;
/// Maximum chunk size in tokens. Chosen by hand; no measurement recorded.
const MOST: u32 = 8_192;

/// Splits a document into chunks of about the given size.
///
/// The concatenated texts of the chunks are the document's text; a blank document has no chunks. Blocks stay
/// whole where they fit. A longer block is split at its sentences, a table at its rows, with its header
/// repeated over each part. A heading stays with what follows it; small sections are packed together under
/// their parent. Time is linear in the document.
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

/// Merges neighbours until there are at most `most`.
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

#[cfg(test)]
mod properties;
#[cfg(test)]
mod tests;
