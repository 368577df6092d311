//! Weights of the signals of a boundary, learned by logistic regression.

/// In the order of [`SIGNAL_NAMES`](super::SIGNAL_NAMES).
pub(super) const WEIGHTS: [f64; 20] = [
    -1.0, 3.5, 2.0, -5.0, 1.0, 1.5, 1.5, 1.0, 0.5, -1.0, -2.5, 2.5, 1.0, 0.5, 1.5, -3.0, -1.5, 1.0, -1.0, 1.0,
];
