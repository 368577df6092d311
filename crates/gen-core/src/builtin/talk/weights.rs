//! The weights of the logistic model of `answerability.rs`.
//!
//! They come from a refit of signals that an earlier state of `fit.rs` wrote out with `FORMWORK_EVERY=3`: it had seven
//! signals more, which the refit left out. Samples, ridge and method are those of `fit.rs`, but its present state was not
//! run to its end, so that what it prints can differ in small ways.

use super::answerability::SIGNALS;

/// Added to the weighted sum.
pub(super) const BIAS: f32 = -5.063;
/// Of each signal, in their order.
pub(super) const WEIGHTS: [f32; SIGNALS] = [
    1.291, 1.093, 1.55, 0.862, -0.616, -1.211, 1.875, -0.269, -0.996, -0.622, 0.044, 1.258, 1.006, -0.666,
    -0.058, 0.885, -0.008, 1.177, 0.804, -0.676, 0.758, 0.337, -0.14, 0.281, 0.107, 0.443,
];
/// The least probability of an answer that is given: on the questions that were fitted on, of the whole ones at least 85 %
/// of those without an answer stay below, and at most 15 % of those with one.
pub(super) const LEAST: f32 = 0.18;
/// The same of German, whose capital letters tell no names.
pub(super) const LEAST_WITHOUT_NAMES: f32 = 0.13;
