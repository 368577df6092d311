//! Logistic regression for the weights of confidence: gradient descent, each weight held to the sign
//! that keeps the probability monotone in the evidence.

use forms_core::Support;

use crate::observed::Observation;
use crate::score::Half;

const STEPS: usize = 20_000;
const RATE: f64 = 0.5;
/// Pull towards nothing, so that rare signs get no extreme weight.
const RIDGE: f64 = 2e-4;

/// A sign: its name, the side of nothing that its weight is held to, and its strength.
type Sign = (&'static str, i8, fn(&Observation) -> f64);

/// Fits both sets of weights to the open halves and prints them.
pub(crate) fn print(own: &[Observation], others: &[Observation]) {
    let own_signs: [Sign; 5] = [
        ("base", 0, |_| 1.0),
        ("score", 1, |one| logit(one.second.map_or(0.5, |(_, sure)| sure))),
        ("fuzzy", -1, |one| is(one.support == Support::Fuzzy)),
        ("unsupported", -1, |one| is(one.support == Support::Unsupported)),
        ("checked", 0, |one| is(one.checked)),
    ];
    let other_signs: [Sign; 8] = [
        ("base", 0, |_| 1.0),
        ("exact", 1, |one| is(one.support == Support::Exact)),
        ("fuzzy", -1, |one| is(one.support == Support::Fuzzy)),
        ("unsupported", -1, |one| is(one.support == Support::Unsupported)),
        ("agrees", 1, |one| one.second.map_or(0.0, |(agrees, sure)| is(agrees) * sure)),
        ("disagrees", -1, |one| one.second.map_or(0.0, |(agrees, sure)| is(!agrees) * sure)),
        ("checked", 0, |one| is(one.checked)),
        ("many", 0, |one| is(one.mentions >= 4)),
    ];
    fit("the built-in model", own, &own_signs);
    fit("other models", others, &other_signs);
}

fn is(flag: bool) -> f64 {
    f64::from(u8::from(flag))
}

fn logit(score: f64) -> f64 {
    let score = score.clamp(0.02, 0.98);
    (score / (1.0 - score)).ln()
}

fn fit(title: &str, observations: &[Observation], signs: &[Sign]) {
    let open = |kind: &'static str| {
        let of = move |one: &&Observation| one.kind == kind && one.half == Half::Open;
        let found: Vec<&Observation> = observations.iter().filter(of).collect();
        let share = 0.5 / found.len().max(1) as f64;
        found.into_iter().map(move |one| (one, share))
    };
    // Few documents of one kind count as much as many of another.
    let rows: Vec<(Vec<f64>, f64, f64)> = ["receipts", "invoices"]
        .into_iter()
        .flat_map(open)
        .map(|(one, share)| (signs.iter().map(|(_, _, sign)| sign(one)).collect(), is(one.right), share))
        .collect();
    let mut weights = vec![0.0; signs.len()];
    for _ in 0..STEPS {
        let mut slope = vec![0.0; signs.len()];
        for (row, right, share) in &rows {
            let sum: f64 = row.iter().zip(&weights).map(|(x, w)| x * w).sum();
            let error = share * (1.0 / (1.0 + (-sum).exp()) - right);
            slope.iter_mut().zip(row).for_each(|(slope, x)| *slope += error * x);
        }
        for ((weight, slope), (_, side, _)) in weights.iter_mut().zip(slope).zip(signs) {
            *weight -= RATE * (slope + RIDGE * *weight);
            *weight = match side {
                1 => weight.max(0.0),
                -1 => weight.min(0.0),
                _ => *weight,
            };
        }
    }
    println!("\nweights for {title}, from {} values", rows.len());
    for ((name, ..), weight) in signs.iter().zip(weights) {
        println!("  {name:<14}{weight:>8.2}");
    }
}
