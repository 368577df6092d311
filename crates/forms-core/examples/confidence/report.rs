//! How well probabilities hold and separate.

use crate::observe::Seen;

/// A value's probability beside whether it is right.
pub(crate) type Pair = (f64, bool);

const BINS: [f64; 10] = [0.1, 0.2, 0.4, 0.6, 0.7, 0.8, 0.9, 0.95, 0.98, 1.0];

/// Prints the line of a table.
pub(crate) fn line(name: &str, pairs: &[Pair], bound: f64) {
    if pairs.is_empty() {
        return;
    }
    let right = share(pairs.iter().map(|pair| pair.1));
    let passed: Vec<&Pair> = pairs.iter().filter(|pair| pair.0 >= bound).collect();
    println!(
        "| {name} | {} | {right:.3} | {:.3} | {:.3} | {:.1} % | {:.1} % | {:.2} % |",
        pairs.len(),
        calibration_error(pairs),
        separation(pairs),
        100.0 * coverage(pairs, 0.01),
        100.0 * passed.len() as f64 / pairs.len() as f64,
        100.0 * (1.0 - share(passed.iter().map(|pair| pair.1)))
    );
}

pub(crate) fn head() {
    println!("| values | number | right | ECE | AUROC | at 1 % error | accepted | wrong of these |");
    println!("|---|---|---|---|---|---|---|---|");
}

/// Prints stated and true shares by bins.
pub(crate) fn reliability(title: &str, pairs: &[Pair]) {
    println!("\n{title}\n  {:<14}{:>8}{:>10}{:>10}", "stated", "values", "mean", "right");
    for (low, high, bin) in bins(pairs) {
        let mean = bin.iter().map(|pair| pair.0).sum::<f64>() / bin.len() as f64;
        let right = share(bin.iter().map(|pair| pair.1));
        println!("  {:<14}{:>8}{mean:>10.3}{right:>10.3}", format!("{low:.2} to {high:.2}"), bin.len());
    }
}

fn share(flags: impl Iterator<Item = bool>) -> f64 {
    let (right, count) = flags.fold((0, 0), |(right, count), flag| (right + usize::from(flag), count + 1));
    f64::from(u32::try_from(right).unwrap_or(0)) / f64::from(u32::try_from(count).unwrap_or(0).max(1))
}

fn bins(pairs: &[Pair]) -> Vec<(f64, f64, Vec<Pair>)> {
    let mut low = 0.0;
    let mut bins = Vec::new();
    for high in BINS {
        let bin: Vec<Pair> = pairs.iter().filter(|pair| pair.0 > low && pair.0 <= high).copied().collect();
        if !bin.is_empty() {
            bins.push((low, high, bin));
        }
        low = high;
    }
    bins
}

/// Expected calibration error: the mean distance of stated and true shares, by bins.
pub(crate) fn calibration_error(pairs: &[Pair]) -> f64 {
    let distance = |(_, _, bin): (f64, f64, Vec<Pair>)| {
        let mean = bin.iter().map(|pair| pair.0).sum::<f64>() / bin.len() as f64;
        (mean - share(bin.iter().map(|pair| pair.1))).abs() * bin.len() as f64
    };
    bins(pairs).into_iter().map(distance).sum::<f64>() / pairs.len().max(1) as f64
}

/// The area under the curve of true against false positives: how often a right value stands above a wrong one.
pub(crate) fn separation(pairs: &[Pair]) -> f64 {
    let mut sorted = pairs.to_vec();
    sorted.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (mut area, mut below, mut at) = (0.0, 0.0, 0);
    let (mut rights, mut wrongs) = (0.0, 0.0);
    while at < sorted.len() {
        let end = sorted[at..].iter().position(|pair| pair.0 > sorted[at].0).map_or(sorted.len(), |n| at + n);
        let right = sorted[at..end].iter().filter(|pair| pair.1).count() as f64;
        let wrong = (end - at) as f64 - right;
        area += right * (below + 0.5 * wrong);
        below += wrong;
        (rights, wrongs, at) = (rights + right, wrongs + wrong, end);
    }
    if rights * wrongs == 0.0 { f64::NAN } else { area / (rights * wrongs) }
}

/// The largest share of values, surest first, of which no more than `error` are wrong.
pub(crate) fn coverage(pairs: &[Pair], error: f64) -> f64 {
    lowest(pairs, |wrong| wrong / error).map_or(0.0, |bound| {
        pairs.iter().filter(|pair| pair.0 >= bound).count() as f64 / pairs.len().max(1) as f64
    })
}

/// How many may be wrong among as many more values, where so many were: the upper end of the interval of 95 % of a
/// Poisson distribution, in its normal approximation.
pub(crate) fn at_most(wrong: f64) -> f64 {
    wrong + 1.0 + 1.645 * (wrong + 1.0).sqrt()
}

/// The lowest probability from which on there are as many values as `needed` for those of them that are wrong.
pub(crate) fn lowest(pairs: &[Pair], needed: impl Fn(f64) -> f64) -> Option<f64> {
    let mut sorted = pairs.to_vec();
    sorted.sort_by(|a, b| b.0.total_cmp(&a.0));
    let (mut wrong, mut best) = (0.0, None);
    for (at, pair) in sorted.iter().enumerate() {
        wrong += f64::from(u8::from(!pair.1));
        let ends = sorted.get(at + 1).is_none_or(|next| next.0 < pair.0);
        if ends && needed(wrong) <= (at + 1) as f64 {
            best = Some(pair.0);
        }
    }
    best
}

/// Prints what `unsupported=null` takes away: values that nothing shows and that are likely wrong.
pub(crate) fn removed(name: &str, seen: &[(&Seen, f64)], bound: f64) {
    let bare = |one: &&(&Seen, f64)| {
        one.0.feature("support") == 0.0
            && one.0.feature("flag") + one.0.feature("option") == 0.0
            && one.0.feature("opinion") <= 0.0
    };
    let count = |right: bool, bound: f64| {
        seen.iter().filter(bare).filter(|one| one.0.right == right && one.1 < bound).count()
    };
    println!(
        "{name}: {} wrong and {} right values taken away; by support alone {} and {}",
        count(false, bound),
        count(true, bound),
        count(false, 2.0),
        count(true, 2.0)
    );
}
