//! How well a text fits a question, by how rare the question's terms are and how often the text has them (BM25;
//! Robertson and Zaragoza, "The Probabilistic Relevance Framework", 2009).

/// The parameters of BM25.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bm25 {
    /// How soon more of the same says no more.
    pub k1: f32,
    /// How much the length of a text counts, 0 to 1.
    pub b: f32,
}

impl Default for Bm25 {
    /// 1.2 and 0.75, the values of the literature.
    fn default() -> Self {
        Self { k1: 1.2, b: 0.75 }
    }
}

impl Bm25 {
    /// The share of its weight, below 1, that a term of this frequency gives a text of `length` where texts have
    /// `average`; lengths in the same unit.
    #[must_use]
    pub fn share(self, frequency: f32, length: f32, average: f32) -> f32 {
        frequency / (frequency + self.k1 * (1.0 - self.b + self.b * length / average.max(1.0)))
    }

    /// The same as the formula of the literature has it, below `k1 + 1`.
    #[must_use]
    pub fn weight(self, frequency: f32, length: f32, average: f32) -> f32 {
        (self.k1 + 1.0) * self.share(frequency, length, average)
    }
}

/// How rare a term is that `found` of `all` texts have; positive.
#[must_use]
pub fn idf(found: u64, all: u64) -> f32 {
    let (found, all) = (found as f64, all.max(found) as f64);
    (1.0 + (all - found + 0.5) / (found + 0.5)).ln() as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rare_terms_and_frequent_ones_in_short_texts_count_more() {
        let bm25 = Bm25::default();
        assert!(idf(1, 100) > idf(50, 100));
        assert!(idf(100, 100) > 0.0);
        assert!(bm25.share(2.0, 10.0, 10.0) > bm25.share(1.0, 10.0, 10.0));
        assert!(bm25.share(1.0, 5.0, 10.0) > bm25.share(1.0, 20.0, 10.0));
        assert!(bm25.share(1e9, 1.0, 1.0) <= 1.0);
    }
}
