//! Generated texts whose word frequencies follow Zipf's law, as in natural ones, and natural sentences in
//! random order.

use std::sync::Arc;

/// Number of different words.
const VOCABULARY: usize = 200_000;
/// Number of words of a text: about a kilobyte, or 250 tokens.
const WORDS: usize = 160;
const SYLLABLES: [&str; 32] = [
    "ka", "ro", "mi", "te", "su", "na", "lo", "vi", "pe", "da", "gu", "fo", "ze", "bra", "cli", "dro", "sta",
    "tri", "pol", "men", "ver", "tan", "gor", "lin", "mar", "ses", "qui", "hal", "nor", "bet", "cor", "wex",
];

/// Minimum size in bytes of a text of natural sentences: about 250 tokens.
const BYTES: usize = 1_000;
/// The data sets of the open corpus with the natural sentences.
const SETS: [&str; 3] = ["cranfield", "xquad-en", "xquad-de"];

/// A repeatable source of texts.
#[derive(Clone, Debug)]
pub(super) struct Texts {
    state: u64,
    /// Cumulative weights of the ranks.
    weights: Arc<[f64]>,
    /// Natural sentences; without any, words are generated.
    sentences: Arc<[String]>,
}

impl Texts {
    /// Generated words.
    pub(super) fn made_up() -> Self {
        let mut sum = 0.0;
        let weights = (1..=VOCABULARY).map(|rank| {
            sum += 1.0 / rank as f64;
            sum
        });
        Self { state: 1, weights: weights.collect(), sentences: Arc::default() }
    }

    /// Sentences of the open corpus, in random order.
    pub(super) fn natural(corpus: &str) -> anyhow::Result<Self> {
        let mut sentences = Vec::new();
        for set in SETS {
            let rows = std::fs::read_to_string(format!("{corpus}/retrieval/{set}/documents.jsonl"))?;
            for row in rows.lines() {
                let row: serde_json::Value = serde_json::from_str(row)?;
                let text = row["text"].as_str().unwrap_or_default();
                sentences.extend(text.split_inclusive(". ").map(|part| part.trim().to_owned()));
            }
        }
        sentences.retain(|sentence: &String| sentence.len() > 20);
        Ok(Self { sentences: sentences.into(), ..Self::made_up() })
    }

    /// The same source with another seed.
    pub(super) fn seeded(&self, seed: u64) -> Self {
        Self { state: seed, ..self.clone() }
    }

    /// The next text.
    pub(super) fn text(&mut self) -> String {
        if self.sentences.is_empty() {
            return self.words(WORDS);
        }
        let mut text = String::with_capacity(BYTES * 5 / 4);
        while text.len() < BYTES {
            if !text.is_empty() {
                text.push(' ');
            }
            text.push_str(self.sentence());
        }
        text
    }

    fn sentence(&mut self) -> &str {
        let place = (self.share() * self.sentences.len() as f64) as usize;
        self.sentences.get(place).map_or("", String::as_str)
    }

    /// `count` generated words.
    fn words(&mut self, count: usize) -> String {
        let mut text = String::with_capacity(count * 7);
        for place in 0..count {
            if place > 0 {
                text.push_str(if place % 12 == 0 { ". " } else { " " });
            }
            let rank = self.rank();
            push_word(&mut text, rank);
        }
        text
    }

    /// A query of `count` words. Frequent ones are more likely; natural ones are consecutive words of a
    /// sentence.
    pub(super) fn query(&mut self, count: usize) -> String {
        if self.sentences.is_empty() {
            return self.words(count);
        }
        let from = self.share();
        let words: Vec<&str> = self.sentence().split_whitespace().collect();
        let first = (from * words.len().saturating_sub(count) as f64) as usize;
        words.iter().skip(first).take(count).copied().collect::<Vec<_>>().join(" ")
    }

    fn rank(&mut self) -> usize {
        let wanted = self.share() * self.weights.last().copied().unwrap_or_default();
        self.weights.partition_point(|sum| *sum < wanted)
    }

    /// A number from 0 to 1, exclusive.
    fn share(&mut self) -> f64 {
        // SplitMix64 (Steele, Lea, Flood 2014); its upper 53 bits as a fraction.
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^= z >> 31;
        (z >> 11) as f64 / (1_u64 << 53) as f64
    }
}

/// The word of a rank. Frequent words are shorter.
fn push_word(text: &mut String, rank: usize) {
    let mut rest = rank;
    loop {
        text.push_str(SYLLABLES[rest % SYLLABLES.len()]);
        rest /= SYLLABLES.len();
        if rest == 0 {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Texts;

    #[test]
    fn texts_are_repeatable_and_uneven() {
        let text = Texts::made_up().words(2_000);
        assert_eq!(text, Texts::made_up().seeded(1).words(2_000));
        let frequent = text.split([' ', '.']).filter(|word| *word == "ka").count();
        assert!((50..400).contains(&frequent), "{frequent}");
    }
}
