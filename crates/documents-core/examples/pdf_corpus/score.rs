//! Agreement of two texts, token by token.

use std::collections::HashMap;

/// F1 of the multisets of tokens; NaN where the reference has none.
pub(crate) fn f1(found: &[&str], reference: &[&str]) -> f64 {
    if reference.is_empty() {
        return f64::NAN;
    }
    let mut counts: HashMap<&str, i64> = HashMap::new();
    for token in reference {
        *counts.entry(token).or_default() += 1;
    }
    let mut common = 0;
    for token in found {
        if let Some(count) = counts.get_mut(token).filter(|count| **count > 0) {
            *count -= 1;
            common += 1;
        }
    }
    2.0 * f64::from(common) / (found.len() + reference.len()) as f64
}

/// Twice the longest common subsequence over the sum of lengths, by bit-parallel rows (Hyyrö 2004).
pub(crate) fn order(found: &[&str], reference: &[&str]) -> f64 {
    if reference.is_empty() {
        return f64::NAN;
    }
    let words = found.len().div_ceil(64);
    let mut places: HashMap<&str, Vec<u64>> = HashMap::new();
    for (index, token) in found.iter().enumerate() {
        places.entry(token).or_insert_with(|| vec![0; words])[index / 64] |= 1 << (index % 64);
    }
    let mut row = vec![u64::MAX; words];
    for token in reference {
        let Some(matches) = places.get(token) else { continue };
        let mut carry = false;
        for (bits, matched) in row.iter_mut().zip(matches) {
            let hit = *bits & matched;
            let (sum, one) = bits.overflowing_add(hit);
            let (sum, two) = sum.overflowing_add(u64::from(carry));
            carry = one || two;
            *bits = sum | (*bits & !matched);
        }
    }
    let mut length = 0;
    for (index, bits) in row.iter().enumerate() {
        let valid = if index + 1 == words && !found.len().is_multiple_of(64) {
            (1_u64 << (found.len() % 64)) - 1
        } else {
            u64::MAX
        };
        length += (!bits & valid).count_ones();
    }
    2.0 * f64::from(length) / (found.len() + reference.len()) as f64
}
