//! Logistic regression, of two classes and of several, by gradient descent, with weights chosen by hand as the prior.

/// Steps and their size. With these the weights no longer change in the second decimal.
const STEPS: usize = 4_000;
const RATE: f64 = 0.3;
/// Penalty on the square of the distance to the prior, relative to one example: a signal that the examples do not have
/// keeps its prior weight.
const PENALTY: f64 = 2.0;

/// Weights that tell the examples with `true` from the others.
pub(crate) fn logistic(examples: &[(bool, Vec<f64>)], prior: &[f64]) -> Vec<f64> {
    let several: Vec<(Option<usize>, Vec<Vec<f64>>)> =
        examples.iter().map(|(is_true, signals)| (is_true.then_some(0), vec![signals.clone()])).collect();
    softmax(&several, prior)
}

/// Weights with which the right one of several choices has the largest score; without a right one, 0 is larger. Each
/// example has the index of the right choice and the signals of each.
pub(crate) fn softmax(examples: &[(Option<usize>, Vec<Vec<f64>>)], prior: &[f64]) -> Vec<f64> {
    let size = prior.len();
    let mut weights = prior.to_vec();
    for _ in 0..STEPS {
        let mut gradient = vec![0.0; size];
        for (right, choices) in examples {
            let scores: Vec<f64> = choices
                .iter()
                .map(|signals| {
                    signals.iter().zip(&weights).map(|(signal, weight)| signal * weight).sum::<f64>()
                })
                .collect();
            let most = scores.iter().copied().fold(0.0, f64::max);
            let sum: f64 = scores.iter().map(|score| (score - most).exp()).sum::<f64>() + (-most).exp();
            for (place, (score, signals)) in scores.iter().zip(choices).enumerate() {
                let wanted = f64::from(u8::from(*right == Some(place)));
                let error = wanted - (score - most).exp() / sum;
                for (slope, signal) in gradient.iter_mut().zip(signals) {
                    *slope += error * signal;
                }
            }
        }
        for ((weight, slope), prior) in weights.iter_mut().zip(gradient).zip(prior) {
            *weight += RATE * (slope - PENALTY * (*weight - prior)) / examples.len() as f64;
        }
    }
    weights
}
