//! Logistic regression by Newton's method with a ridge.

use crate::answer::answerability::Signals;
use crate::answer::weights::SIGNALS;

/// Fits weights and bias by Newton's method with a ridge.
pub(super) fn fit(samples: &[(Signals, bool)]) -> ([f64; SIGNALS], f64) {
    const N: usize = SIGNALS + 1;
    // A weak prior on weights of signals between 0 and 1, against thousands of samples. Chosen by hand; no
    // measurement is recorded.
    const RIDGE: f64 = 1.0;
    let mut weights = [0.0_f64; N];
    // More steps than Newton's method needs. Chosen by hand; no measurement is recorded.
    for _ in 0..25 {
        let (mut gradient, mut hessian) = ([0.0; N], vec![[0.0; N]; N]);
        for (signals, label) in samples {
            let mut x = [1.0; N];
            x.iter_mut().zip(signals).for_each(|(x, signal)| *x = f64::from(*signal));
            let sum: f64 = x.iter().zip(weights).map(|(x, weight)| x * weight).sum();
            let p = 1.0 / (1.0 + (-sum).exp());
            for at in 0..N {
                gradient[at] += (f64::from(u8::from(*label)) - p) * x[at];
                for other in 0..N {
                    hessian[at][other] += p * (1.0 - p) * x[at] * x[other];
                }
            }
        }
        for at in 0..N {
            // The bias has none, but for the matrix to be regular.
            let ridge = if at == SIGNALS { 1e-6 } else { RIDGE };
            gradient[at] -= ridge * weights[at];
            hessian[at][at] += ridge;
        }
        let step = solve(hessian, gradient);
        weights.iter_mut().zip(step).for_each(|(weight, step)| *weight += step);
    }
    let mut own = [0.0; SIGNALS];
    own.copy_from_slice(&weights[..SIGNALS]);
    (own, weights[SIGNALS])
}

fn solve<const N: usize>(mut a: Vec<[f64; N]>, mut b: [f64; N]) -> [f64; N] {
    for at in 0..N {
        let pivot = (at..N).max_by(|i, j| a[*i][at].abs().total_cmp(&a[*j][at].abs())).unwrap();
        a.swap(at, pivot);
        b.swap(at, pivot);
        for row in at + 1..N {
            let factor = a[row][at] / a[at][at];
            let pivot = a[at];
            for (own, other) in a[row].iter_mut().zip(pivot).skip(at) {
                *own -= factor * other;
            }
            b[row] -= factor * b[at];
        }
    }
    for at in (0..N).rev() {
        let known: f64 = (at + 1..N).map(|column| a[at][column] * b[column]).sum();
        b[at] = (b[at] - known) / a[at][at];
    }
    b
}
