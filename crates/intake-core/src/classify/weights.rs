//! Weights of the signals of a form, learned by `cargo xtask bench intake --learn` on the open half: 607 documents. A signal
//! that it does not have keeps the weight of the prior, which is chosen by hand.

/// In the order of [`FORM_SIGNAL_NAMES`](super::FORM_SIGNAL_NAMES).
pub(super) const WEIGHTS: [f64; 8] = [-3.37, 0.82, 9.81, 1.15, 1.00, 1.71, 3.86, -4.21];
