//! A learned probability: the sum of small trees over the features, as log-odds.
//!
//! Each tree asks the same three questions of all values (oblivious trees, Kohavi 1994, as in CatBoost,
//! Prokhorenkova et al. 2018), so that it is three features with their bounds and eight weights. The weights
//! grow with every feature that is evidence, so that more of it never lowers the sum. A table is made by
//! `cargo run --release -p forms-core --example confidence -- CORPUS --write`.

use super::features::FEATURE_NAMES;

/// Questions of a tree.
const DEPTH: usize = 3;

#[derive(Debug)]
struct Tree {
    /// A feature, and the bound that it must be above.
    questions: [(usize, f32); DEPTH],
    /// By the answers, the first being the lowest bit.
    weights: [f32; 1 << DEPTH],
}

/// A sum of trees.
#[derive(Debug, Default)]
pub(super) struct Trees {
    base: f32,
    trees: Vec<Tree>,
}

impl Trees {
    /// Reads a table: `base` with a number, then `tree` with three names of features each followed by its
    /// bound, and eight weights, a line each. Other lines are no part of it.
    pub(super) fn read(table: &str) -> Self {
        let mut trees = Self::default();
        for line in table.lines() {
            let mut words = line.split_whitespace();
            match words.next() {
                Some("base") => trees.base = words.next().and_then(|word| word.parse().ok()).unwrap_or(0.0),
                Some("tree") => trees.trees.extend(tree(&words.collect::<Vec<_>>())),
                _ => {}
            }
        }
        trees
    }

    /// The log-odds.
    pub(super) fn sum(&self, features: &[f32; FEATURE_NAMES.len()]) -> f32 {
        let one = |tree: &Tree| {
            let answers = tree.questions.iter().enumerate().fold(0, |answers, (bit, (feature, bound))| {
                let above = features.get(*feature).is_some_and(|value| value > bound);
                answers | usize::from(above) << bit
            });
            tree.weights.get(answers).copied().unwrap_or_default()
        };
        self.base + self.trees.iter().map(one).sum::<f32>()
    }

    #[cfg(test)]
    pub(super) fn count(&self) -> usize {
        self.trees.len()
    }
}

fn tree(words: &[&str]) -> Option<Tree> {
    let mut questions = [(0, 0.0); DEPTH];
    for (question, pair) in questions.iter_mut().zip(words.chunks(2)) {
        let [name, bound] = pair else { return None };
        let feature = FEATURE_NAMES.iter().position(|known| known == name)?;
        *question = (feature, bound.parse().ok()?);
    }
    let mut weights = [0.0; 1 << DEPTH];
    let rest = words.get(2 * DEPTH..).filter(|rest| rest.len() == weights.len())?;
    for (weight, word) in weights.iter_mut().zip(rest) {
        *weight = word.parse().ok()?;
    }
    Some(Tree { questions, weights })
}
