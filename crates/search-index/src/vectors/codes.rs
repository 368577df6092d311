//! Vectors as small integers, and their similarity. Pure.
//!
//! A vector is normalised to length 1. Each of its numbers is kept in two bytes: a coarse code, in steps of a
//! 127th of the vector's greatest absolute number, and a fine code for the rest. Searches score by the coarse
//! codes and rescore the best by both, with an error of about a hundred-thousandth. Scalar quantisation with
//! rescoring is common practice. The second byte replaces storing the whole vectors.

use pulp::Arch;

/// Maximum dimensions, so that no sum overflows.
pub(super) const MAX_DIMENSIONS: usize = 1 << 16;
/// The greatest coarse or fine code.
const STEPS: f32 = 127.0;
/// Fine steps in a coarse one.
const FINE_STEPS: f32 = 2.0 * STEPS;

/// A vector of length 1; `None` when it has no direction, or too many dimensions.
fn unit(vector: &[f32]) -> Option<Vec<f32>> {
    if vector.len() > MAX_DIMENSIONS {
        return None;
    }
    let norm = vector.iter().map(|number| f64::from(*number).powi(2)).sum::<f64>().sqrt();
    let usable = norm.is_finite() && norm > 0.0;
    usable.then(|| vector.iter().map(|number| (f64::from(*number) / norm) as f32).collect())
}

/// The greatest absolute number.
fn max_abs(numbers: &[f32]) -> f32 {
    numbers.iter().fold(0.0, |most, number| most.max(number.abs()))
}

/// Appends the codes of a vector and returns its coarse step size; `None` as for [`unit`].
pub(super) fn encode(vector: &[f32], coarse: &mut Vec<i8>, fine: &mut Vec<i8>) -> Option<f32> {
    let unit = unit(vector)?;
    let step = max_abs(&unit) / STEPS;
    for number in unit {
        let steps = number / step;
        let whole = steps.round();
        coarse.push(whole as i8);
        fine.push(((steps - whole) * FINE_STEPS).round() as i8);
    }
    Some(step)
}

/// The query as a vector of codes.
#[derive(Clone, Debug)]
pub(super) struct QueryVector {
    arch: Arch,
    unit: Vec<f32>,
    steps: Vec<i16>,
    step: f32,
}

impl QueryVector {
    /// `None` for a vector without direction, or with too many dimensions.
    pub(super) fn new(vector: &[f32]) -> Option<Self> {
        let unit = unit(vector)?;
        // The sum of products with codes up to 127 must fit into 32 bits. The bound of 12 bits is chosen by
        // hand; no measurement recorded.
        let most = (f64::from(i32::MAX) / 127.0 / unit.len() as f64).min(4_095.0).floor() as f32;
        let step = max_abs(&unit) / most;
        let steps = unit.iter().map(|number| (number / step).round() as i16).collect();
        Some(Self { arch: Arch::new(), unit, steps, step })
    }

    /// A stored vector as the query.
    pub(super) fn from_stored(coarse: &[i8], step: f32) -> Self {
        let steps = coarse.iter().map(|number| i16::from(*number)).collect();
        Self { arch: Arch::new(), unit: Vec::new(), steps, step }
    }

    /// Number of dimensions.
    pub(super) fn dimensions(&self) -> usize {
        self.steps.len()
    }

    /// Approximate cosine, from the coarse codes.
    pub(super) fn score(&self, coarse: &[i8], step: f32) -> f32 {
        let (arch, steps) = (self.arch, self.steps.as_slice());
        arch.dispatch(
            #[inline(always)]
            || dot_product(coarse, steps),
        ) as f32
            * step
            * self.step
    }

    /// Scores contiguous vectors, each with its step size.
    pub(super) fn score_all(&self, coarse: &[i8], sizes: &[f32], rates: &mut Vec<f32>) {
        let (arch, steps, step) = (self.arch, self.steps.as_slice(), self.step);
        rates.clear();
        arch.dispatch(
            #[inline(always)]
            || {
                let all = coarse.chunks_exact(steps.len()).zip(sizes);
                rates.extend(all.map(|(coarse, size)| dot_product(coarse, steps) as f32 * size * step));
            },
        );
    }

    /// The cosine from both codes.
    pub(super) fn cosine(&self, coarse: &[i8], fine: &[i8], step: f32) -> f32 {
        let numbers =
            coarse.iter().zip(fine).map(|(coarse, fine)| f32::from(*coarse) + f32::from(*fine) / FINE_STEPS);
        let sum: f64 = self.unit.iter().zip(numbers).map(|(a, b)| f64::from(*a) * f64::from(b)).sum();
        (sum * f64::from(step)) as f32
    }

    /// The cosine with an unquantised vector; `None` when that has no direction, or another length.
    pub(super) fn exact_cosine(&self, vector: &[f32]) -> Option<f32> {
        if vector.len() != self.unit.len() {
            return None;
        }
        let pairs = || self.unit.iter().zip(vector).map(|(a, b)| (f64::from(*a), f64::from(*b)));
        let norm = pairs().map(|(_, b)| b * b).sum::<f64>().sqrt();
        let usable = norm.is_finite() && norm > 0.0;
        usable.then(|| (pairs().map(|(a, b)| a * b).sum::<f64>() / norm) as f32)
    }
}

/// Approximate cosine of two stored vectors, from the coarse codes.
pub(super) fn similarity(arch: Arch, a: (&[i8], f32), b: (&[i8], f32)) -> f32 {
    let sum = arch.dispatch(
        #[inline(always)]
        || a.0.iter().zip(b.0).map(|(a, b)| i32::from(*a) * i32::from(*b)).sum::<i32>(),
    );
    sum as f32 * a.1 * b.1
}

#[inline(always)]
fn dot_product(coarse: &[i8], steps: &[i16]) -> i32 {
    coarse.iter().zip(steps).map(|(a, b)| i32::from(*a) * i32::from(*b)).sum()
}

#[cfg(test)]
mod tests {
    use super::super::testing::vector;
    use super::*;

    fn stored(vector: &[f32]) -> (Vec<i8>, Vec<i8>, f32) {
        let (mut coarse, mut fine) = (Vec::new(), Vec::new());
        let step = encode(vector, &mut coarse, &mut fine).unwrap();
        (coarse, fine, step)
    }

    fn cosine(a: &[f32], b: &[f32]) -> f64 {
        let dot =
            |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(a, b)| f64::from(*a) * f64::from(*b)).sum::<f64>();
        dot(a, b) / (dot(a, a) * dot(b, b)).sqrt()
    }

    #[test]
    fn the_coarse_rate_is_near_the_cosine_and_both_bytes_give_it_to_some_hundred_thousandths() {
        for seed in 0..50 {
            let mut a = vector(seed, 384);
            let b = vector(seed + 1_000, 384);
            // One number far above the others, as some models produce.
            a[7] = 9.0;
            let probe = QueryVector::new(&b).unwrap();
            let (coarse, fine, step) = stored(&a);
            let truth = cosine(&a, &b);
            assert!((f64::from(probe.score(&coarse, step)) - truth).abs() < 0.02);
            assert!((f64::from(probe.cosine(&coarse, &fine, step)) - truth).abs() < 5e-5);
            assert!((f64::from(probe.exact_cosine(&a).unwrap()) - truth).abs() < 1e-6);
            let mut rates = Vec::new();
            probe.score_all(&[coarse.clone(), coarse.clone()].concat(), &[step, step], &mut rates);
            assert_eq!(rates, [probe.score(&coarse, step); 2]);
        }
    }

    #[test]
    fn the_longest_vectors_of_the_greatest_numbers_do_not_overflow() {
        let vector = vec![f32::MAX; MAX_DIMENSIONS];
        let (coarse, fine, step) = stored(&vector);
        let probe = QueryVector::new(&vector).unwrap();
        assert!((probe.score(&coarse, step) - 1.0).abs() < 0.01);
        assert!((probe.cosine(&coarse, &fine, step) - 1.0).abs() < 1e-4);
        assert!((similarity(Arch::new(), (&coarse, step), (&coarse, step)) - 1.0).abs() < 0.01);
    }

    #[test]
    fn what_has_no_direction_is_not_taken() {
        for vector in
            [vec![], vec![0.0; 4], vec![f32::NAN, 1.0], vec![f32::INFINITY], vec![1.0; MAX_DIMENSIONS + 1]]
        {
            assert!(QueryVector::new(&vector).is_none());
            assert_eq!(encode(&vector, &mut Vec::new(), &mut Vec::new()), None);
        }
        assert_eq!(QueryVector::new(&[1.0]).unwrap().exact_cosine(&[0.0]), None);
    }

    #[test]
    fn tiny_numbers_have_a_direction() {
        let (coarse, fine, step) = stored(&[1e-40, -1e-40]);
        assert!((QueryVector::new(&[3.0, -3.0]).unwrap().cosine(&coarse, &fine, step) - 1.0).abs() < 1e-4);
    }
}
