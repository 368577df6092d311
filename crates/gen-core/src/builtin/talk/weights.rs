//! The weights of the logistic model of `answerability.rs`, as `cargo xtask bench refusals` fits them; see `fit`.

use super::answerability::SIGNALS;

/// Added to the weighted sum.
pub(super) const BIAS: f32 = -6.294;
/// Of each signal, in their order.
pub(super) const WEIGHTS: [f32; SIGNALS] = [
    2.609, 1.066, 4.197, 0.37, -1.272, -0.564, 2.879, 0.749, -3.345, -1.132, 2.619, 2.662, 0.738, -0.232,
    -0.158, -0.233, 0.268, 2.645, -5.151, -2.324, 0.623, 0.074, 0.173, -0.46, -2.314, 0.175, -3.335, -1.22,
    -2.413, -2.392, -1.221,
];
/// The least probability of an answer that is given: on the questions that were fitted on, at least 84 % of those
/// without an answer and of half questions stay below, and at most 15 % of those with one.
pub(super) const LEAST: f32 = 0.22;
/// The same of German, whose capital letters tell no names; of those with an answer, 15.5 % stay below.
pub(super) const LEAST_WITHOUT_NAMES: f32 = 0.14;
