//! Confidence intervals of shares, and the test whether one run is worse than another.

/// 97.5 % quantile of the normal distribution, for intervals of 95 %.
const Z: f64 = 1.959_964;
/// Largest number of pairs for which the test sums the binomial distribution; beyond, the normal approximation differs
/// by less than a thousandth.
const EXACT: u64 = 1_000;

/// A share with its confidence interval of 95 %.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// The share, 0 to 1.
    pub value: f64,
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

/// The share of `right` among `all` with the score interval of Wilson (1927); `None` without any. Both may be weighted
/// sums; `all` is then the effective number.
#[must_use]
pub fn wilson(right: f64, all: f64) -> Option<Interval> {
    if all <= 0.0 {
        return None;
    }
    let (share, squared) = ((right / all).clamp(0.0, 1.0), Z * Z);
    let scale = 1.0 + squared / all;
    let centre = (share + squared / (2.0 * all)) / scale;
    let half = Z * (share * (1.0 - share) / all + squared / (4.0 * all * all)).sqrt() / scale;
    Some(Interval {
        value: share,
        low: (centre - half).clamp(0.0, share),
        high: (centre + half).clamp(share, 1.0),
    })
}

/// The probability that at least `worse` of `worse + better` changes are for the worse when each direction is as likely:
/// the one-sided sign test, exact as McNemar's (1947) test of paired shares.
#[must_use]
pub fn sign_test(worse: u64, better: u64) -> f64 {
    let all = worse + better;
    if all == 0 {
        return 1.0;
    }
    if all > EXACT {
        let (mean, deviation) = (all as f64 / 2.0, (all as f64).sqrt() / 2.0);
        return upper_tail((worse as f64 - 0.5 - mean) / deviation);
    }
    // Terms of the binomial distribution as logarithms, since powers of a half underflow.
    let mut term = -(all as f64) * std::f64::consts::LN_2;
    let mut sum = 0.0;
    for count in 0..=all {
        if count >= worse {
            sum += term.exp();
        }
        term += ((all - count) as f64).ln() - ((count + 1) as f64).ln();
    }
    sum.min(1.0)
}

/// The probability that a normal variable exceeds `z`: Abramowitz and Stegun (1964), 26.2.17, error below 7.5e-8.
fn upper_tail(z: f64) -> f64 {
    let t = 1.0 / (1.0 + 0.231_641_9 * z.abs());
    let powers = [0.319_381_530, -0.356_563_782, 1.781_477_937, -1.821_255_978, 1.330_274_429];
    let sum = powers.iter().rev().fold(0.0, |sum, factor| (sum + factor) * t);
    let tail = (-z * z / 2.0).exp() / std::f64::consts::TAU.sqrt() * sum;
    if z < 0.0 { 1.0 - tail } else { tail }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(left: f64, right: f64) -> bool {
        (left - right).abs() < 0.000_5
    }

    #[test]
    fn the_interval_of_wilson_is_that_of_the_literature() {
        // Newcombe (1998), table I, method 3.
        for (right, all, low, high) in
            [(81.0, 263.0, 0.255_3, 0.366_2), (15.0, 148.0, 0.062_4, 0.160_5), (0.0, 20.0, 0.0, 0.161_1)]
        {
            let found = wilson(right, all).unwrap();
            assert!(close(found.low, low) && close(found.high, high), "{found:?}");
        }
        assert_eq!(wilson(0.0, 0.0), None);
        assert_eq!(wilson(5.0, 5.0).unwrap().high, 1.0);
    }

    #[test]
    fn many_changes_for_the_worse_are_not_chance() {
        assert_eq!(sign_test(0, 0), 1.0);
        assert!(close(sign_test(5, 0), 1.0 / 32.0) && close(sign_test(1, 1), 0.75));
        assert!(close(sign_test(8, 2), 56.0 / 1_024.0));
        assert!(close(sign_test(500, 500), sign_test(501, 501)), "exact and approximate meet");
        assert!(close(sign_test(540, 460), sign_test(541, 460)) && sign_test(700, 400) < 1e-9);
    }
}
