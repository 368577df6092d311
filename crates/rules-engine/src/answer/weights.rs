//! The weights of the logistic model of `answerability.rs`, as `cargo xtask bench refusals` fits them; see
//! `training`.

/// Number of signals.
pub(super) const SIGNALS: usize = 31;

/// Added to the weighted sum. Fitted.
pub(super) const BIAS: f32 = -6.307;
/// The weight of each signal, in their order. Fitted, within .0005 by rounding.
pub(super) const WEIGHTS: [f32; SIGNALS] = [
    2.581, 1.054, 4.232, 0.36, -1.29, -0.57, 2.894, 0.745, -3.256, -1.159, 2.616, 2.74, 0.703, -0.257,
    -0.162, -0.341, 0.268, 2.662, -5.144, -2.235, 0.626, 0.069, 0.168, -0.542, -2.344, 0.196, -3.345, -1.224,
    -2.42, -2.398, -1.228,
];
/// The minimum probability of an answer that is returned. On the questions of the fit, at least 84 % of those
/// without an answer and of half questions are below it, and at most 15 % of those with one.
pub(super) const LEAST: f32 = 0.22;
/// The same for German, whose capital letters do not mark names: 83 % of those without an answer are below
/// it, and 15.4 % of those with one.
pub(super) const LEAST_WITHOUT_NAMES: f32 = 0.14;
