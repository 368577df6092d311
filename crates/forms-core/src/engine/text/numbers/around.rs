//! What stands around the digits of a number: signs, currencies, brackets, and words that multiply it.

use super::super::fold::{folded, is_unspaced, is_word};
use super::{digit, plain};

/// Bytes before a number in which its sign and currency are looked for.
const BEFORE: usize = 32;
/// Letters that may stand directly before a number.
const CURRENCIES: [&str; 47] = [
    "rm", "rs", "eur", "usd", "us", "gbp", "chf", "fr", "kr", "sek", "nok", "dkk", "zl", "pln", "r", "inr",
    "cny", "jpy", "sgd", "myr", "aud", "cad", "nzd", "hkd", "czk", "huf", "ron", "bgn", "try", "rub", "uah",
    "idr", "rp", "thb", "php", "vnd", "krw", "brl", "mxn", "zar", "ils", "sar", "aed", "lei", "ft", "kc",
    "sfr",
];
/// Words after a number that multiply it, with the power of ten.
const MULTIPLIERS: [(&str, usize); 16] = [
    ("thousand", 3),
    ("tsd", 3),
    ("tausend", 3),
    ("million", 6),
    ("millions", 6),
    ("millionen", 6),
    ("millones", 6),
    ("mio", 6),
    ("mn", 6),
    ("billion", 9),
    ("billions", 9),
    ("bn", 9),
    ("mrd", 9),
    ("milliarden", 9),
    ("milliard", 9),
    ("milliards", 9),
];

/// What stands before a number.
pub(super) struct Before {
    pub(super) minus: bool,
    pub(super) bracket: bool,
    pub(super) point: bool,
    /// Whether a currency stands there.
    pub(super) money: bool,
    pub(super) start: usize,
}

impl Before {
    /// `None` when the digits are the tail of a word that is no currency.
    pub(super) fn of(text: &str, start: usize) -> Option<Self> {
        let left = text.get(text.floor_char_boundary(start.saturating_sub(BEFORE))..start)?;
        let letters: String =
            left.chars().rev().take_while(|c| is_word(*c) && !is_unspaced(*c)).take(6).collect();
        if !letters.is_empty() {
            let word: String = folded(&letters).chars().rev().collect();
            if !CURRENCIES.contains(&word.as_str()) {
                return None;
            }
        }
        let point = left.strip_suffix('.').is_some_and(|l| !l.ends_with(is_word));
        let is_symbol = |c: char| matches!(c, '$' | '€' | '£' | '¥' | '₹');
        let symbols = |c: char| is_symbol(c) || is_word(c);
        let near = left.trim_end_matches(' ');
        let letters: String = near.chars().rev().take_while(|c| is_word(*c)).take(6).collect();
        let word: String = folded(&letters).chars().rev().collect();
        let money = near.ends_with(is_symbol) || CURRENCIES.contains(&word.as_str());
        let sign = left.trim_end_matches(|c| c != '-' && symbols(c)).trim_end_matches(' ');
        let sign = if sign.len() == left.trim_end_matches(' ').len() { left } else { sign };
        let minus = sign.strip_suffix(['-', '−']).is_some_and(|l| !l.ends_with(is_word));
        // Between the sign and the digits stands at most a currency, so the quote begins at the digits
        // unless the sign touches them.
        let touching = left.strip_suffix(['-', '−']).map(str::len);
        let start = touching.map_or(start, |kept| start - (left.len() - kept));
        Some(Self { minus, bracket: sign.ends_with('('), point, money, start })
    }
}

/// Whether a number is joined to another, as in dates, times and ranges.
pub(super) fn is_joined(text: &str, start: usize, end: usize) -> bool {
    let joins = |c: char| matches!(c, '/' | ':' | '-');
    let ends_in_digit = |left: &str| left.chars().next_back().and_then(digit).is_some();
    let begins_with_digit = |right: &str| right.chars().next().and_then(digit).is_some();
    text.get(..start).and_then(|left| left.strip_suffix(joins)).is_some_and(ends_in_digit)
        || text.get(end..).and_then(|right| right.strip_prefix(joins)).is_some_and(begins_with_digit)
}

/// A multiplying word after a number: the bytes up to its end, and the power of ten.
/// Single letters count directly behind the digits only, those for millions and more with money only.
pub(super) fn multiplier(rest: &str, money: bool) -> Option<(usize, usize)> {
    let spaces = rest.len() - rest.trim_start_matches([' ', '\u{a0}']).len();
    let word: &str = rest.get(spaces..)?.split(|c: char| !c.is_alphabetic()).next()?;
    let letter = match word {
        "k" | "K" => Some(3),
        "M" | "m" if money => Some(6),
        "B" | "b" if money => Some(9),
        _ => None,
    };
    if let Some(power) = letter.filter(|_| spaces == 0) {
        return Some((word.len(), power));
    }
    let lower = if word.len() <= 12 { word.to_lowercase() } else { return None };
    MULTIPLIERS.iter().find(|(name, _)| *name == lower).map(|(_, power)| (spaces + word.len(), *power))
}

/// Plain decimal text with its point moved to the right.
pub(super) fn shifted(text: &str, power: usize) -> String {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let padded = format!("{fraction:0<power$}");
    let (moved, rest) = padded.split_at(power.min(padded.len()));
    plain(&format!("{whole}{moved}"), rest)
}
