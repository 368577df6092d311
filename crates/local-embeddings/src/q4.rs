//! Weights of 4 bits in the layout Q4_0 of GGML: blocks of 32 numbers, which have a scale of 16 bits and 16 bytes. The
//! byte at `n` has the number `n` in its low half and `n + 16` in its high half, each plus 8.

use half::f16;

/// Numbers of a block.
pub(crate) const NUMBERS: usize = 32;
/// Bytes of a block.
pub(crate) const BYTES: usize = 18;

/// The numbers of blocks.
pub(crate) fn dequantize(blocks: &[u8]) -> Vec<f32> {
    let mut numbers = vec![0.0; blocks.len() / BYTES * NUMBERS];
    add(blocks, &mut numbers);
    numbers
}

/// Adds the numbers of blocks to `sums`.
pub(crate) fn add(blocks: &[u8], sums: &mut [f32]) {
    for (block, sums) in blocks.as_chunks::<BYTES>().0.iter().zip(sums.as_chunks_mut::<NUMBERS>().0) {
        let [low, high, bytes @ ..] = block;
        let scale = f16::from_le_bytes([*low, *high]).to_f32();
        let (first, second) = sums.split_at_mut(bytes.len());
        for ((byte, first), second) in bytes.iter().zip(first).zip(second) {
            *first += (f32::from(byte & 15) - 8.0) * scale;
            *second += (f32::from(byte >> 4) - 8.0) * scale;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_has_its_first_half_in_the_low_bits() {
        let mut block = f16::from_f32(0.5).to_le_bytes().to_vec();
        block.extend([0x8a; 16]);
        let numbers = dequantize(&block);
        assert_eq!((numbers.len(), numbers[0], numbers[15], numbers[16]), (32, 1.0, 1.0, 0.0));
        assert!(dequantize(&block[..17]).is_empty());
    }
}
