//! Weights of the signals of a form, learned by `cargo xtask bench intake --learn` on the open half: 395 documents. A signal
//! that it does not have keeps the weight of the prior, which is chosen by hand.

/// In the order of [`FORM_SIGNAL_NAMES`](super::FORM_SIGNAL_NAMES).
pub(super) const WEIGHTS: [f64; 8] = [-4.00, 3.08, 6.30, 4.57, 1.00, 2.00, 2.00, -2.00];
