//! The weights of the logistic model of `answerability.rs`, as `cargo xtask bench refusals` fits them; see `fit`.

use super::answerability::SIGNALS;

/// Added to the weighted sum.
pub(super) const BIAS: f32 = -6.307;
/// Of each signal, in their order.
pub(super) const WEIGHTS: [f32; SIGNALS] = [
    2.581, 1.054, 4.232, 0.36, -1.29, -0.57, 2.894, 0.745, -3.256, -1.159, 2.616, 2.74, 0.703, -0.257,
    -0.162, -0.341, 0.268, 2.662, -5.144, -2.235, 0.626, 0.069, 0.168, -0.542, -2.344, 0.196, -3.345, -1.224,
    -2.42, -2.398, -1.228,
];
/// The least probability of an answer that is given: on the questions that were fitted on, at least 84 % of those
/// without an answer and of half questions stay below, and at most 15 % of those with one.
pub(super) const LEAST: f32 = 0.22;
/// The same of German, whose capital letters tell no names; 83 % of those without an answer stay below, and 15.4 % of those with one.
pub(super) const LEAST_WITHOUT_NAMES: f32 = 0.14;
