//! Weights of the signals of a form, learned by multinomial logistic regression.

/// In the order of [`FORM_SIGNAL_NAMES`](super::FORM_SIGNAL_NAMES).
pub(super) const WEIGHTS: [f64; 6] = [-2.5, 3.0, 4.0, 2.0, -1.0, 1.0];
