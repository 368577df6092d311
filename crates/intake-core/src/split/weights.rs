//! Weights of the signals of a boundary, learned by `cargo xtask bench intake --learn` on the open half: 561 boundaries of
//! pages, 297 of them of documents. Signals that it hardly has keep the weights of the prior, which are chosen by hand.

/// In the order of [`SIGNAL_NAMES`](super::SIGNAL_NAMES).
pub(super) const WEIGHTS: [f64; 20] = [
    -1.09, 3.61, 2.48, -5.01, 1.01, 2.73, 2.67, 1.00, 0.50, -2.53, -1.34, 2.63, 1.18, 3.28, 0.95, -3.00,
    -1.70, -0.21, -3.15, 1.88,
];
