//! How well stated probabilities hold.

use crate::observed::Observation;
use crate::score::Half;

/// Upper ends of the bins.
const BINS: [f64; 7] = [0.2, 0.4, 0.6, 0.8, 0.9, 0.95, 1.0];

/// Prints, for each half of each kind, stated and true shares by bin, and the
/// expected calibration error: the mean distance of the two, weighted by the values in each bin.
pub(crate) fn print(title: &str, observations: &[Observation]) {
    println!("\nconfidence of {title}");
    let sets: [(&str, &str, Option<Half>); 5] = [
        ("receipts, Open half (fitted)", "receipts", Some(Half::Open)),
        ("receipts, Blind half", "receipts", Some(Half::Blind)),
        ("invoices, Open half (fitted)", "invoices", Some(Half::Open)),
        ("invoices, Blind half", "invoices", Some(Half::Blind)),
        ("recorded answers with faults", "recorded", None),
    ];
    for (name, kind, half) in sets {
        let of = |one: &&Observation| one.kind == kind && half.is_none_or(|half| half == one.half);
        table(name, &observations.iter().filter(of).collect::<Vec<_>>());
    }
}

fn table(name: &str, observations: &[&Observation]) {
    if observations.is_empty() {
        return;
    }
    println!(
        "  {name}: {} values, ECE {:.3}, Brier {:.3}",
        observations.len(),
        error(observations),
        brier(observations)
    );
    println!("    {:<14}{:>8}{:>10}{:>10}", "stated", "values", "mean", "right");
    for (low, high, bin) in bins(observations) {
        let (stated, right) = shares(&bin);
        println!(
            "    {:<14}{:>8}{:>10.3}{:>10.3}",
            format!("{low:.2} to {high:.2}"),
            bin.len(),
            stated,
            right
        );
    }
}

fn bins<'o>(observations: &[&'o Observation]) -> Vec<(f64, f64, Vec<&'o Observation>)> {
    let mut low = 0.0;
    let mut bins = Vec::new();
    for high in BINS {
        let within = |one: &&&Observation| one.confidence > low && one.confidence <= high;
        let bin: Vec<&Observation> = observations.iter().filter(within).copied().collect();
        if !bin.is_empty() {
            bins.push((low, high, bin));
        }
        low = high;
    }
    bins
}

fn shares(bin: &[&Observation]) -> (f64, f64) {
    let count = bin.len().max(1) as f64;
    let stated: f64 = bin.iter().map(|one| one.confidence).sum();
    (stated / count, bin.iter().filter(|one| one.right).count() as f64 / count)
}

fn error(observations: &[&Observation]) -> f64 {
    let weighted = |(_, _, bin): (f64, f64, Vec<&Observation>)| {
        let (stated, right) = shares(&bin);
        (stated - right).abs() * bin.len() as f64
    };
    bins(observations).into_iter().map(weighted).sum::<f64>() / observations.len().max(1) as f64
}

fn brier(observations: &[&Observation]) -> f64 {
    let square = |one: &&Observation| (one.confidence - f64::from(u8::from(one.right))).powi(2);
    observations.iter().map(square).sum::<f64>() / observations.len().max(1) as f64
}
