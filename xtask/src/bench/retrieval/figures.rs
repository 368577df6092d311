//! Ranking metrics as TREC defines them, with linear gains.

use std::collections::HashMap;

/// Graded relevance of documents for one query.
pub(super) type Grades = HashMap<String, f64>;

/// Averages over queries.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Quality {
    ndcg: f64,
    average_precision: f64,
    recall: f64,
    hit: f64,
    queries: f64,
}

impl Quality {
    /// Adds one query: its ranking, cut at 100 documents.
    pub(super) fn add(&mut self, ranked: &[String], grades: &Grades) {
        let relevant = grades.values().filter(|grade| **grade > 0.0).count() as f64;
        if relevant == 0.0 {
            return;
        }
        let grade = |id: &String| grades.get(id).copied().unwrap_or_default();
        let gain = |(place, grade): (usize, f64)| grade / (place as f64 + 2.0).log2();
        let mut best: Vec<f64> = grades.values().copied().collect();
        best.sort_by(|a, b| b.total_cmp(a));
        let ideal: f64 = best.into_iter().take(10).enumerate().map(gain).sum();
        let reached: f64 = ranked.iter().take(10).map(grade).enumerate().map(gain).sum();
        let (mut found, mut precision) = (0.0, 0.0);
        for (place, id) in ranked.iter().take(100).enumerate() {
            if grade(id) > 0.0 {
                found += 1.0;
                precision += found / (place as f64 + 1.0);
            }
        }
        self.ndcg += reached / ideal;
        self.average_precision += precision / relevant;
        self.recall += found / relevant;
        self.hit += f64::from(u8::from(ranked.first().is_some_and(|id| grade(id) > 0.0)));
        self.queries += 1.0;
    }

    /// Columns of a table row: nDCG@10, MAP, R@100, hit@1.
    pub(super) fn columns(&self) -> String {
        let mean = |sum: f64| format!("{:.3}", sum / self.queries);
        [self.ndcg, self.average_precision, self.recall, self.hit].map(mean).join(" | ")
    }
}

#[cfg(test)]
mod tests {
    use super::{Grades, Quality};

    #[test]
    fn a_perfect_ranking_reaches_one_and_a_wrong_one_nothing() {
        let grades: Grades = [("a", 3.0), ("b", 1.0)].map(|(id, grade)| (id.to_owned(), grade)).into();
        let ranked = |ids: &[&str]| ids.iter().map(|id| (*id).to_owned()).collect::<Vec<_>>();
        let mut quality = Quality::default();
        quality.add(&ranked(&["a", "b", "c"]), &grades);
        assert_eq!(quality.columns(), "1.000 | 1.000 | 1.000 | 1.000");
        quality.add(&ranked(&["c", "d"]), &grades);
        assert_eq!(quality.columns(), "0.500 | 0.500 | 0.500 | 0.500");
        quality.add(&ranked(&["c", "b"]), &Grades::new());
        assert_eq!(quality.columns(), "0.500 | 0.500 | 0.500 | 0.500");
    }
}
