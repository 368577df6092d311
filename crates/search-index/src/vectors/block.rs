//! A block of vectors with their chunk keys.

use kb_core::ChunkKey;

use super::codes::encode;

/// Maximum vectors of a block. Chosen by hand; no measurement recorded.
pub(super) const BLOCK_LEN: usize = 1_024;

/// A vector as the store returns it.
pub(super) type VectorRow = (ChunkKey, i64, std::sync::Arc<[f32]>);

/// Vectors of equal length, stored contiguously.
#[derive(Clone, Debug, Default)]
pub(super) struct Block {
    pub(super) keys: Vec<ChunkKey>,
    pub(super) sequences: Vec<i64>,
    pub(super) coarse: Vec<i8>,
    pub(super) fine: Vec<i8>,
    /// Size of a coarse step of each vector.
    pub(super) steps: Vec<f32>,
}

impl Block {
    /// Adds a vector; false when it cannot be encoded (no direction, or too many dimensions).
    pub(super) fn push(&mut self, (key, sequence, vector): &VectorRow) -> bool {
        let Some(step) = encode(vector, &mut self.coarse, &mut self.fine) else { return false };
        self.keys.push(*key);
        self.sequences.push(*sequence);
        self.steps.push(step);
        true
    }

    /// Copies a vector of another block.
    pub(super) fn copy(&mut self, from: &Self, at: usize) {
        let (Some(key), Some(sequence), Some(step)) =
            (from.keys.get(at), from.sequences.get(at), from.steps.get(at))
        else {
            return;
        };
        let (coarse, fine) = from.codes(at);
        self.coarse.extend_from_slice(coarse);
        self.fine.extend_from_slice(fine);
        self.keys.push(*key);
        self.sequences.push(*sequence);
        self.steps.push(*step);
    }

    pub(super) fn len(&self) -> usize {
        self.keys.len()
    }

    /// The coarse and the fine codes of a vector; empty when there is none.
    pub(super) fn codes(&self, at: usize) -> (&[i8], &[i8]) {
        let length = self.coarse.len().checked_div(self.len()).unwrap_or_default();
        let range = at * length..(at + 1) * length;
        (self.coarse.get(range.clone()).unwrap_or_default(), self.fine.get(range).unwrap_or_default())
    }

    /// Releases unused capacity.
    pub(super) fn shrink(&mut self) {
        self.keys.shrink_to_fit();
        self.sequences.shrink_to_fit();
        self.coarse.shrink_to_fit();
        self.fine.shrink_to_fit();
        self.steps.shrink_to_fit();
    }

    pub(super) fn bytes(&self) -> usize {
        self.keys.capacity() * size_of::<ChunkKey>()
            + self.sequences.capacity() * size_of::<i64>()
            + self.coarse.capacity()
            + self.fine.capacity()
            + self.steps.capacity() * size_of::<f32>()
            + size_of::<Self>()
    }
}
