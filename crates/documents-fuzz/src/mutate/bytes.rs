//! Mutations of bytes, whatever they mean.

use crate::random::Random;

/// Boundary values of the integer types.
const EDGES: &[u64] = &[
    0,
    1,
    2,
    7,
    15,
    16,
    127,
    128,
    255,
    256,
    4_095,
    32_767,
    32_768,
    65_535,
    65_536,
    1 << 24,
    1 << 31,
    (1 << 31) - 1,
    u32::MAX as u64,
    u64::MAX,
];

/// Applies one mutation to the bytes.
pub(super) fn damage(bytes: &mut Vec<u8>, donor: &[u8], random: &mut Random) {
    let at = random.below(bytes.len());
    let range = random.range(bytes.len());
    match random.below(9) {
        0 => {
            let bit = 1 << random.below(8);
            bytes.iter_mut().skip(at).take(1).for_each(|byte| *byte ^= bit);
        }
        1 => {
            let value = random.byte();
            bytes.iter_mut().skip(at).take(1).for_each(|byte| *byte = value);
        }
        2 | 3 => number(bytes, at, random),
        4 => {
            bytes.drain(range);
        }
        5 => {
            let copy = bytes.get(range).unwrap_or_default().to_vec();
            insert(bytes, at, &copy);
        }
        6 => {
            let copy = bytes.get(range).unwrap_or_default().to_vec();
            let times = 1 << random.below(10);
            let times = times.min((1 << 18) / copy.len().max(1));
            insert(bytes, at, &copy.repeat(times));
        }
        7 => {
            let piece = donor.get(random.range(donor.len())).unwrap_or_default().to_vec();
            insert(bytes, at, &piece);
        }
        _ => {
            let piece = donor.get(random.range(donor.len())).unwrap_or_default().to_vec();
            bytes.iter_mut().skip(at).zip(piece).for_each(|(byte, new)| *byte = new);
        }
    }
}

/// Replaces an integer of one, two, four or eight bytes by a boundary value or one near it.
fn number(bytes: &mut [u8], at: usize, random: &mut Random) {
    let width = 1 << random.below(4);
    let big = random.one_in(3);
    let Some(place) = bytes.get_mut(at..at + width) else { return };
    let mut old = [0; 8];
    old.iter_mut().zip(place.iter()).for_each(|(old, byte)| *old = *byte);
    let value = match random.below(3) {
        0 => u64::from_le_bytes(old).wrapping_add(1),
        1 => u64::from_le_bytes(old).wrapping_sub(1),
        _ => random.pick(EDGES).copied().unwrap_or_default(),
    };
    let mut new = value.to_le_bytes()[..width].to_vec();
    if big {
        new.reverse();
    }
    place.copy_from_slice(&new);
}

/// Inserts a piece.
pub(super) fn insert(bytes: &mut Vec<u8>, at: usize, piece: &[u8]) {
    let at = at.min(bytes.len());
    bytes.splice(at..at, piece.iter().copied());
}
