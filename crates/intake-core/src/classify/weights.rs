//! Weights of the signals of a form. `cargo xtask bench intake --learn` learns weights on the open half (607 documents), which
//! make little of titles, because half of its receipts have that of an invoice. These weights are chosen by hand between the
//! learned ones and those of a title that is mostly right. A signal that the half does not have keeps the weight of the prior.

/// In the order of [`FORM_SIGNAL_NAMES`](super::FORM_SIGNAL_NAMES).
pub(super) const WEIGHTS: [f64; 8] = [-3.70, 2.00, 8.00, 2.90, 1.00, 1.85, 3.86, -4.21];
