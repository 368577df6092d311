//! Joins the neighbouring chunks to a hit.

use futures_util::stream::{self, StreamExt as _, TryStreamExt as _};
use shared_core::{Scope, StoreError};

use super::find::RankedChunk;
use crate::service::rules::MAX_CHUNK;
use crate::{Chunk, KnowledgeService};

/// Hits whose neighbours are read concurrently. Chosen by hand; no measurement recorded.
const TOGETHER: usize = 8;
/// Maximum characters of a joined hit, the same as of a chunk: a response of many hits with many long
/// neighbours would not fit into memory.
const MAX_JOINED: u64 = MAX_CHUNK as u64;

impl KnowledgeService {
    /// Joins this many chunks before and after to each hit, nearest first, within the maximum size.
    pub(super) async fn joined(
        &self,
        scope: &Scope,
        findings: Vec<RankedChunk>,
        neighbours: u32,
    ) -> Result<Vec<RankedChunk>, StoreError> {
        if neighbours == 0 {
            return Ok(findings);
        }
        let reading: Vec<_> = findings
            .into_iter()
            .map(|mut finding| async move {
                let around = self.around(scope, &finding, neighbours).await?;
                let around = nearest(&around, &finding.live.chunk);
                finding.live.chunk = join(finding.live.chunk, around);
                Ok::<_, StoreError>(finding)
            })
            .collect();
        stream::iter(reading).buffered(TOGETHER).try_collect().await
    }

    /// The hit's chunk with its neighbours, in order. Only the chunk when the item was replaced meanwhile.
    pub(super) async fn around(
        &self,
        scope: &Scope,
        finding: &RankedChunk,
        neighbours: u32,
    ) -> Result<Vec<Chunk>, StoreError> {
        let chunk = &finding.live.chunk;
        let from = chunk.position.saturating_sub(neighbours);
        let limit = (chunk.position - from).saturating_add(neighbours).saturating_add(1);
        let around = self.ports.chunks.chunks(scope, &finding.live.item, from, limit).await?;
        let same = around.iter().any(|other| other == chunk);
        Ok(if same { around } else { vec![chunk.clone()] })
    }
}

/// The chunks around `chunk`, itself included, within the maximum size, nearest first; the following chunk
/// precedes the preceding one.
fn nearest<'a>(around: &'a [Chunk], chunk: &Chunk) -> &'a [Chunk] {
    let Some(at) = around.iter().position(|other| other.position == chunk.position) else { return &[] };
    let fits = |from: usize, to: usize| match around.get(from..to) {
        Some([first, .., last]) => last.end.saturating_sub(first.start) <= MAX_JOINED,
        _ => false,
    };
    let (mut from, mut to) = (at, at + 1);
    let (mut before, mut after) = (true, true);
    while before || after {
        after = after && fits(from, to + 1);
        to += usize::from(after);
        before = before && from > 0 && fits(from - 1, to);
        from -= usize::from(before);
    }
    around.get(from..to).unwrap_or_default()
}

/// A chunk with the text, the range and the page of all of them.
fn join(chunk: Chunk, all: &[Chunk]) -> Chunk {
    let (Some(first), Some(last)) = (all.first(), all.last()) else { return chunk };
    Chunk { page: first.page, start: first.start, end: last.end, text: text_of(all), ..chunk }
}

/// Separator of ready-made chunks.
pub(super) const PARTED: &str = "\n\n";

/// The text of adjacent chunks. Ready-made ones are separated by a blank line.
pub(super) fn text_of<'a>(chunks: impl IntoIterator<Item = &'a Chunk>) -> String {
    let (mut text, mut end) = (String::new(), None);
    for chunk in chunks {
        if end.is_some_and(|end| chunk.start > end) {
            text.push_str(PARTED);
        }
        text.push_str(&chunk.text);
        end = Some(chunk.end);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chunk(position: u32, start: u64, end: u64) -> Chunk {
        Chunk { position, page: None, start, end, heading: String::new(), text: String::new() }
    }

    #[test]
    fn the_nearest_are_joined_up_to_the_length_of_the_longest_chunk() {
        let part = MAX_JOINED / 4;
        let all: Vec<Chunk> =
            (0_u32..9).map(|at| chunk(at, u64::from(at) * part, u64::from(at + 1) * part)).collect();
        let joined = |at: usize, all: &[Chunk]| -> Vec<u32> {
            nearest(all, &all[at]).iter().map(|chunk| chunk.position).collect()
        };
        assert_eq!(joined(4, &all), [3, 4, 5, 6]);
        assert_eq!(joined(0, &all), [0, 1, 2, 3]);
        assert_eq!(joined(8, &all), [5, 6, 7, 8]);
        assert_eq!(joined(1, &all[..3]), [0, 1, 2]);
        // A neighbour that is too long ends only its side, and the hit itself always stays.
        let long = [chunk(0, 0, part), chunk(1, part, 2 * part), chunk(2, 2 * part, 9 * part)];
        assert_eq!(joined(1, &long), [0, 1]);
        assert_eq!(joined(2, &long), [2]);
    }
}
