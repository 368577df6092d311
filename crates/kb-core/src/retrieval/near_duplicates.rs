//! Detects near duplicates by the Jaccard similarity of word shingles; for long texts it is estimated from
//! the smallest hashes (Broder 1997, "On the resemblance and containment of documents"). Pure.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};

/// Words of a shingle. Chosen by hand; no measurement recorded.
const WORDS: usize = 3;
/// Maximum words of a text that are compared. Protects time.
const MOST: usize = 4_000;
/// Maximum shingles of a text; of more, those with the smallest hashes are kept. The similarity is then
/// accurate to about one hundredth: √(.9 · .1 / 512).
const SKETCH: usize = 512;
/// Similarity threshold of near duplicates. Case: `what_says_nearly_the_same_is_left_out_when_asked`.
/// Chosen by hand; no measurement recorded.
const SAME: f64 = 0.9;

/// Remembers texts to detect near duplicates.
#[derive(Debug, Default)]
pub(super) struct NearDuplicates(Vec<Vec<u64>>);

impl NearDuplicates {
    /// Whether a text is not a near duplicate of a former one; if so, it is remembered.
    pub(super) fn is_new(&mut self, text: &str) -> bool {
        let shingles = shingles(text);
        let new = !self.0.iter().any(|other| overlap(other, &shingles) >= SAME);
        if new {
            self.0.push(shingles);
        }
        new
    }
}

/// The hashes of the normalised shingles of a text, ascending, at most [`SKETCH`].
fn shingles(text: &str) -> Vec<u64> {
    let mut words: Vec<u64> = Vec::new();
    let mut word = DefaultHasher::new();
    let mut open = false;
    for c in text.chars().flat_map(char::to_lowercase) {
        let joined = c.is_alphanumeric() && !stands_alone(c);
        if open && !joined {
            words.push(std::mem::take(&mut word).finish());
            open = false;
        }
        if c.is_alphanumeric() {
            c.hash(&mut word);
            open = true;
        }
        if stands_alone(c) && open {
            words.push(std::mem::take(&mut word).finish());
            open = false;
        }
        if words.len() >= MOST {
            break;
        }
    }
    if open {
        words.push(word.finish());
    }
    let hash = |words: &[u64]| {
        let mut hasher = DefaultHasher::new();
        words.hash(&mut hasher);
        hasher.finish()
    };
    let mut shingles: Vec<u64> = match words.len() {
        ..=WORDS => vec![hash(&words)],
        _ => words.windows(WORDS).map(hash).collect(),
    };
    shingles.sort_unstable();
    shingles.dedup();
    shingles.truncate(SKETCH);
    shingles
}

/// Whether a character is of a script without spaces between words.
fn stands_alone(c: char) -> bool {
    gen_core::token_quarters(c) >= 4
}

/// The Jaccard similarity.
fn overlap(a: &[u64], b: &[u64]) -> f64 {
    // Sets of such different sizes cannot be that similar.
    let (least, most) = (a.len().min(b.len()), a.len().max(b.len()));
    if (least as f64) < SAME * most as f64 {
        return 0.0;
    }
    // When a sketch was cut, only the smallest hashes of the union are known.
    let seen = if most == SKETCH { SKETCH } else { usize::MAX };
    let (mut left, mut right) = (a.iter().peekable(), b.iter().peekable());
    let (mut both, mut either) = (0_usize, 0_usize);
    while either < seen {
        match (left.peek(), right.peek()) {
            (None, None) => break,
            (Some(one), Some(other)) if one == other => {
                both += 1;
                left.next();
                right.next();
            }
            (Some(one), Some(other)) if one > other => drop(right.next()),
            (Some(_), _) => drop(left.next()),
            (None, Some(_)) => drop(right.next()),
        }
        either += 1;
    }
    both as f64 / either.max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_words_written_otherwise_are_nothing_new() {
        let text = "The barn was built in 1890, of oak; its roof is of slate and leaks in the rain.";
        let mut seen = NearDuplicates::default();
        assert!(seen.is_new(text));
        assert!(!seen.is_new(&text.to_uppercase().replace(", ", " — ")));
        assert!(
            seen.is_new("The barn was built in 1954, of steel; its roof is of tin and leaks in the rain.")
        );
    }

    #[test]
    fn a_long_text_with_a_word_changed_is_nothing_new_and_one_with_many_is() {
        let text: Vec<String> = (0..100).map(|at| format!("word{at}")).collect();
        let mut seen = NearDuplicates::default();
        assert!(seen.is_new(&text.join(" ")));
        let mut other = text.clone();
        other[50] = "other".into();
        assert!(!seen.is_new(&other.join(" ")));
        other.iter_mut().step_by(9).for_each(|word| word.push('x'));
        assert!(seen.is_new(&other.join(" ")));
    }

    #[test]
    fn of_very_long_texts_no_more_is_remembered_and_the_share_is_about_right() {
        let text = |changed: usize| -> String {
            // A changed word changes three shingles.
            let word =
                |at: usize| if at % 100 < changed { format!("new{at} ") } else { format!("word{at} ") };
            (0..3_000).map(word).collect()
        };
        let (old, near, far) = (shingles(&text(0)), shingles(&text(1)), shingles(&text(10)));
        assert!([&old, &near, &far].iter().all(|one| one.len() == SKETCH));
        // 97 of 103, and 88 of 112.
        assert!((overlap(&old, &near) - 0.942).abs() < 0.04, "{}", overlap(&old, &near));
        assert!((overlap(&old, &far) - 0.786).abs() < 0.06, "{}", overlap(&old, &far));
        assert!((overlap(&old, &old) - 1.0).abs() < f64::EPSILON);
        let mut seen = NearDuplicates::default();
        assert!(seen.is_new(&text(0)) && !seen.is_new(&text(1)) && seen.is_new(&text(10)));
    }

    #[test]
    fn scripts_without_blanks_are_compared_by_their_characters() {
        let mut seen = NearDuplicates::default();
        assert!(seen.is_new("納屋は千八百九十年に樫の木で建てられた。"));
        assert!(!seen.is_new("納屋は、千八百九十年に樫の木で建てられた"));
        assert!(seen.is_new("納屋は昭和二十九年に鉄で建てられたのです。"));
        assert!(seen.is_new("") && !seen.is_new(" … "));
    }
}
