//! Gradient boosting of small oblivious trees on logistic loss (Friedman 2001), with weights that grow with
//! every feature that is evidence.

use forms_core::{FEATURE_NAMES, FIRST_EVIDENCE};

use crate::observe::Seen;

const DEPTH: usize = 3;
const RATE: f64 = 0.3;
/// Pull towards nothing.
const RIDGE: f64 = 20.0;
/// Bounds that are tried for a feature, of all its values and of the different ones.
const BOUNDS: usize = 12;

#[derive(Clone, Debug)]
struct Tree {
    questions: [(usize, f32); DEPTH],
    weights: [f64; 1 << DEPTH],
}

/// A learned sum.
#[derive(Clone, Debug)]
pub(crate) struct Model {
    base: f64,
    trees: Vec<Tree>,
    /// What the sum is stretched by, and what is added, so that it holds on material apart.
    stretch: (f64, f64),
}

impl Model {
    pub(crate) fn sum(&self, features: &[f32]) -> f64 {
        let one = |tree: &Tree| tree.weights[leaf(&tree.questions, features)];
        self.stretch.0 * (self.base + self.trees.iter().map(one).sum::<f64>()) + self.stretch.1
    }

    pub(crate) fn probability(&self, features: &[f32]) -> f64 {
        (1.0 / (1.0 + (-self.sum(features)).exp())).clamp(0.001, 0.999)
    }

    pub(crate) fn stretched(mut self, stretch: (f64, f64)) -> Self {
        self.stretch = stretch;
        self
    }

    /// The table that the engine reads.
    pub(crate) fn table(&self) -> String {
        let mut out = format!("base {:.4}\n", self.stretch.0 * self.base + self.stretch.1);
        for tree in &self.trees {
            let questions: Vec<String> = tree
                .questions
                .iter()
                .map(|(feature, bound)| format!("{} {bound:.3}", FEATURE_NAMES[*feature]))
                .collect();
            let weights: Vec<String> =
                tree.weights.iter().map(|weight| format!("{:.4}", self.stretch.0 * weight)).collect();
            out.push_str(&format!("tree {} {}\n", questions.join(" "), weights.join(" ")));
        }
        out
    }
}

fn leaf(questions: &[(usize, f32)], features: &[f32]) -> usize {
    questions
        .iter()
        .enumerate()
        .fold(0, |at, (bit, (feature, bound))| at | usize::from(features[*feature] > *bound) << bit)
}

/// Learns so many trees from what was seen, each value with its weight.
pub(crate) fn learn(seen: &[&Seen], count: usize) -> Model {
    let bounds: Vec<Vec<f32>> = (0..FEATURE_NAMES.len()).map(|feature| bounds(seen, feature)).collect();
    // For each value and feature, how many of the bounds it is above.
    let above: Vec<Vec<u8>> = seen
        .iter()
        .map(|one| {
            one.features
                .iter()
                .zip(&bounds)
                .map(|(value, bounds)| bounds.iter().filter(|bound| value > bound).count() as u8)
                .collect()
        })
        .collect();
    let weight: f64 = seen.iter().map(|one| one.weight).sum();
    let right: f64 = seen.iter().filter(|one| one.right).map(|one| one.weight).sum();
    let share = (right / weight).clamp(0.01, 0.99);
    let base = (share / (1.0 - share)).ln();
    let mut sums = vec![base; seen.len()];
    let mut trees = Vec::new();
    for _ in 0..count {
        let slopes: Vec<(f64, f64)> = seen
            .iter()
            .zip(&sums)
            .map(|(one, sum)| {
                let p = 1.0 / (1.0 + (-sum).exp());
                (one.weight * (f64::from(u8::from(one.right)) - p), one.weight * (p * (1.0 - p)).max(1e-6))
            })
            .collect();
        let Some(tree) = grow(&above, &bounds, &slopes) else { break };
        for (sum, one) in sums.iter_mut().zip(seen) {
            *sum += tree.weights[leaf(&tree.questions, &one.features)];
        }
        trees.push(tree);
    }
    Model { base, trees, stretch: (1.0, 0.0) }
}

fn bounds(seen: &[&Seen], feature: usize) -> Vec<f32> {
    let mut values: Vec<f32> = seen.iter().map(|one| one.features[feature]).collect();
    values.sort_by(f32::total_cmp);
    let mut distinct = values.clone();
    distinct.dedup();
    let mut found: Vec<f32> = match distinct.len() <= BOUNDS + 1 {
        true => distinct.windows(2).map(|two| f32::midpoint(two[0], two[1])).collect(),
        // Those of all values, and those of the different ones: of a feature that most values lack, the rest counts.
        false => [&values, &distinct]
            .iter()
            .flat_map(|list| (1..=BOUNDS).map(|part| list[part * (list.len() - 1) / (BOUNDS + 1)] + 0.0005))
            .collect(),
    };
    found.sort_by(f32::total_cmp);
    // As they are written in the table.
    found.iter_mut().for_each(|bound| *bound = (*bound * 1000.0).round() / 1000.0);
    found.dedup();
    found
}

fn worth(gradient: f64, curve: f64) -> f64 {
    gradient * gradient / (curve + RIDGE)
}

fn grow(above: &[Vec<u8>], bounds: &[Vec<f32>], slopes: &[(f64, f64)]) -> Option<Tree> {
    let mut questions: Vec<(usize, f32)> = Vec::new();
    let mut leaves = vec![0_usize; above.len()];
    for level in 0..DEPTH {
        let count = 1 << level;
        let mut best: Option<(f64, usize, usize)> = None;
        for feature in 0..bounds.len() {
            let width = bounds[feature].len() + 1;
            let mut sums = vec![(0.0, 0.0); count * width];
            for ((row, slope), leaf) in above.iter().zip(slopes).zip(&leaves) {
                let slot = &mut sums[leaf * width + usize::from(row[feature])];
                slot.0 += slope.0;
                slot.1 += slope.1;
            }
            for at in 0..bounds[feature].len() {
                let mut gain = 0.0;
                for leaf in 0..count {
                    let own = &sums[leaf * width..(leaf + 1) * width];
                    let add = |part: &[(f64, f64)]| {
                        part.iter().fold((0.0, 0.0), |sum, one| (sum.0 + one.0, sum.1 + one.1))
                    };
                    let (low, high) = (add(&own[..=at]), add(&own[at + 1..]));
                    let falls = high.0 / (high.1 + RIDGE) < low.0 / (low.1 + RIDGE);
                    gain += match feature >= FIRST_EVIDENCE && falls {
                        true => worth(low.0 + high.0, low.1 + high.1),
                        false => worth(low.0, low.1) + worth(high.0, high.1),
                    };
                }
                if best.is_none_or(|(known, ..)| gain > known) {
                    best = Some((gain, feature, at));
                }
            }
        }
        let (_, feature, at) = best?;
        for (leaf, row) in leaves.iter_mut().zip(above) {
            *leaf |= usize::from(usize::from(row[feature]) > at) << level;
        }
        questions.push((feature, bounds[feature][at]));
    }
    let mut sums = [(0.0, 0.0); 1 << DEPTH];
    for (leaf, slope) in leaves.iter().zip(slopes) {
        sums[*leaf].0 += slope.0;
        sums[*leaf].1 += slope.1;
    }
    let mut weights = sums.map(|(gradient, curve)| RATE * gradient / (curve + RIDGE));
    keep_growing(&questions, &sums.map(|(_, curve)| curve + 1.0), &mut weights);
    Some(Tree { questions: questions.try_into().ok()?, weights })
}

/// Lets no weight fall where the answer to a question about evidence is yes: pairs that do are pooled.
fn keep_growing(questions: &[(usize, f32)], mass: &[f64; 8], weights: &mut [f64; 8]) {
    let bits: Vec<usize> =
        (0..DEPTH).filter(|bit| questions[*bit].0 >= FIRST_EVIDENCE).map(|bit| 1 << bit).collect();
    for _ in 0..60 {
        for bit in &bits {
            for low in (0..weights.len()).filter(|low| low & bit == 0) {
                let high = low | bit;
                if weights[high] < weights[low] {
                    let pooled =
                        (weights[low] * mass[low] + weights[high] * mass[high]) / (mass[low] + mass[high]);
                    (weights[low], weights[high]) = (pooled, pooled);
                }
            }
        }
    }
    for weight in weights.iter_mut() {
        *weight = (*weight * 10_000.0).round() / 10_000.0;
    }
    for _ in 0..DEPTH {
        for bit in &bits {
            for low in (0..weights.len()).filter(|low| low & bit == 0) {
                weights[low | bit] = weights[low | bit].max(weights[low]);
            }
        }
    }
}

/// What sums must be stretched by and shifted, so that they hold on material that they were not learned from
/// (Platt 1999).
pub(crate) fn stretch(sums: &[(f64, bool, f64)]) -> (f64, f64) {
    let (mut scale, mut shift) = (1.0, 0.0);
    let all: f64 = sums.iter().map(|one| one.2).sum();
    for _ in 0..2_000 {
        let (mut down, mut side) = (0.0, 0.0);
        for (sum, right, weight) in sums {
            let p = 1.0 / (1.0 + (-(scale * sum + shift)).exp());
            let error = weight * (f64::from(u8::from(*right)) - p);
            down += error * sum;
            side += error;
        }
        scale += 0.1 * down / all;
        shift += 0.5 * side / all;
    }
    (scale.clamp(0.4, 1.3), shift)
}
