//! Made-up texts whose words are as unevenly frequent as those of natural ones (Zipf's law).

/// Words that there are.
const VOCABULARY: usize = 200_000;
/// Words of a text: about a kilobyte, or 250 tokens.
const WORDS: usize = 160;
const SYLLABLES: [&str; 32] = [
    "ka", "ro", "mi", "te", "su", "na", "lo", "vi", "pe", "da", "gu", "fo", "ze", "bra", "cli", "dro", "sta",
    "tri", "pol", "men", "ver", "tan", "gor", "lin", "mar", "ses", "qui", "hal", "nor", "bet", "cor", "wex",
];

/// A repeatable source of texts.
#[derive(Clone, Debug)]
pub(super) struct Texts {
    state: u64,
    /// Cumulated weights of the ranks.
    weights: Vec<f64>,
}

impl Texts {
    pub(super) fn new(seed: u64) -> Self {
        let mut sum = 0.0;
        let weights = (1..=VOCABULARY).map(|rank| {
            sum += 1.0 / rank as f64;
            sum
        });
        Self { state: seed, weights: weights.collect() }
    }

    /// The next text.
    pub(super) fn text(&mut self) -> String {
        self.words(WORDS)
    }

    /// So many words.
    pub(super) fn words(&mut self, count: usize) -> String {
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

    /// A question: so many words that occur in one text.
    pub(super) fn query(&mut self, count: usize) -> String {
        self.words(count)
    }

    fn rank(&mut self) -> usize {
        let all = self.weights.last().copied().unwrap_or_default();
        // SplitMix64 (Steele, Lea, Flood 2014); its upper 53 bits as a fraction.
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^= z >> 31;
        let wanted = (z >> 11) as f64 / (1_u64 << 53) as f64 * all;
        self.weights.partition_point(|sum| *sum < wanted)
    }
}

/// The word of a rank: frequent ones are shorter.
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
        let text = Texts::new(1).words(2_000);
        assert_eq!(text, Texts::new(1).words(2_000));
        let frequent = text.split([' ', '.']).filter(|word| *word == "ka").count();
        assert!((50..400).contains(&frequent), "{frequent}");
    }
}
