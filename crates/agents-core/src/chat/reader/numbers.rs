//! Numbers in digits and in words.

use super::text::Text;

/// A number in a message: its words, and its value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Number {
    pub(super) words: usize,
    pub(super) value: f64,
    /// Whether it was written in digits.
    pub(super) in_digits: bool,
}

/// The number at a place.
pub(super) fn at(text: &Text<'_>, at: usize) -> Option<Number> {
    if text.is_digits(at) { digits(text, at) } else { words(text, at) }
}

/// `1,470`, `1.470,50`, `2.5`, `100k`, `3 million`.
fn digits(text: &Text<'_>, at: usize) -> Option<Number> {
    let mut raw = text.plain(at).to_owned();
    let mut used = 1;
    while used < 5 && text.is_digits(at + used) && matches!(text.gap(at + used - 1), "," | "." | "'" | "’")
    {
        raw.push_str(if text.gap(at + used - 1) == "," { "," } else { "." });
        raw.push_str(text.plain(at + used));
        used += 1;
    }
    let mut value = read(&raw)?;
    let next = text.plain(at + used);
    if text.gap(at + used - 1).trim().is_empty() {
        if let Some((words, key)) = text.lexicon().list("multiple").key(text, at + used) {
            value *= key.parse::<f64>().ok()?;
            used += words;
        } else if text.gap(at + used - 1).is_empty() && next == "k" {
            value *= 1_000.0;
            used += 1;
        }
    }
    Some(Number { words: used, value, in_digits: true })
}

/// A number in digits; of points and commas the last parts the fraction, unless three digits follow.
fn read(raw: &str) -> Option<f64> {
    if raw.len() > 18 {
        return None;
    }
    let Some(last) = raw.rfind([',', '.']) else { return raw.parse().ok() };
    let (whole, fraction) = (raw.get(..last)?, raw.get(last + 1..)?);
    let plain: String = whole.chars().filter(char::is_ascii_digit).collect();
    if fraction.len() == 3 {
        format!("{plain}{fraction}").parse().ok()
    } else {
        format!("{plain}.{fraction}").parse().ok()
    }
}

/// `twenty-five`, `one thousand three hundred and thirty`, `a couple of`.
fn words(text: &Text<'_>, at: usize) -> Option<Number> {
    let list = text.lexicon().list("number");
    let multiples = text.lexicon().list("multiple");
    let (mut total, mut part, mut used) = (0.0_f64, 0.0_f64, 0_usize);
    let mut last = f64::INFINITY;
    while used < 14 {
        if let Some((words, key)) = list.key(text, at + used) {
            let value: f64 = key.parse().ok()?;
            // "two one" are two numbers; "twenty one" is one.
            if value >= last || (last < 20.0 && last > 0.0) {
                break;
            }
            part += value;
            last = value;
            used += words;
        } else if let Some((words, key)) = multiples.key(text, at + used) {
            if used == 0 {
                return None;
            }
            let value: f64 = key.parse().ok()?;
            if value < 1_000.0 {
                part = part.max(1.0) * value;
            } else {
                total += part.max(1.0) * value;
                part = 0.0;
            }
            last = value;
            used += words;
        } else if used > 0
            && last >= 20.0
            && matches!(text.plain(at + used), "and" | "und" | "et" | "y")
            && list.at(text, at + used + 1) > 0
        {
            used += 1;
        } else {
            break;
        }
    }
    (used > 0).then_some(Number { words: used, value: total + part, in_digits: false })
}

/// A number as JSON writes it: without a fraction where there is none.
pub(super) fn json(value: f64) -> serde_json::Value {
    if value.fract() == 0.0 && value.abs() < 9e15 {
        serde_json::json!(value as i64)
    } else {
        serde_json::json!(value)
    }
}

/// The place of one of several that is named: `the second` is 1, `the last` of three is 2.
pub(super) fn ordinal(text: &Text<'_>, at: usize, count: usize) -> Option<(usize, usize)> {
    let place = |n: i64| {
        let index = if n < 0 { count.checked_sub(1)? } else { usize::try_from(n - 1).ok()? };
        (index < count).then_some(index)
    };
    if let Some((words, key)) = text.lexicon().list("ordinal").key(text, at) {
        return Some((words, place(key.parse().ok()?)?));
    }
    let ending = text.lexicon().list("ordinal ending").has(text.plain(at + 1)) && text.gap(at).is_empty();
    let n = text.digits(at).filter(|_| ending)?;
    Some((2, place(i64::from(n))?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_in_digits_and_words() {
        for (text, value, words) in [
            ("two tickets", 2.0, 1),
            ("1,470 bucks", 1470.0, 2),
            ("2.50", 2.5, 2),
            ("1.470,50", 1470.5, 3),
            ("100k", 100_000.0, 2),
            ("one thousand three hundred and thirty dollars", 1330.0, 6),
            ("twenty five", 25.0, 2),
            ("a couple of", 2.0, 3),
            ("a hundred", 0.0, 0),
        ] {
            let number = at(&Text::of(text), 0);
            assert_eq!(number.map_or((0.0, 0), |n| (n.value, n.words)), (value, words), "{text}");
        }
    }
}
