//! Parses numbers in digits and in words.

use language::number::{NumberMention, pick_by_separator, scan};

use super::text::Text;

/// Most bytes of a number in digits with its multiple.
const MAX_BYTES: usize = 64;

/// A number in a message: its number of words and its value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Number {
    pub(super) words: usize,
    pub(super) value: f64,
    /// Whether it is written in digits.
    pub(super) in_digits: bool,
}

/// The number that starts at a word.
pub(super) fn parse_number(text: &Text<'_>, at: usize) -> Option<Number> {
    if text.is_digits(at) {
        return digits(text, at);
    }
    if matches!(text.folded(at), "minus" | "moins" | "menos") {
        let number =
            self::parse_number(text, at + 1).filter(|number| number.value > 0.0 && text.gap(at) == " ")?;
        return Some(Number { words: number.words + 1, value: -number.value, ..number });
    }
    words(text, at)
}

/// Number of words of a range or alternative that starts with a number: "3 or 4", "between 3 and 5", "3-5".
/// It is no single number.
pub(super) fn range_len(text: &Text<'_>, at: usize) -> Option<usize> {
    let first = self::parse_number(text, at)?;
    let joint = at + first.words;
    let gap = text.gap(joint - 1);
    let before = text.folded(at.wrapping_sub(1));
    if first.in_digits && text.is_digits(joint) && matches!(gap.trim(), "-" | "–" | "—") {
        return Some(first.words + self::parse_number(text, joint)?.words).filter(|_| !gap.contains("- "));
    }
    let between = matches!(before, "between" | "zwischen" | "entre");
    let joins = match text.folded(joint) {
        "or" | "oder" | "ou" | "o" => true,
        // "from 3 to 5" may be a change instead of a range.
        "to" | "bis" | "a" | "hasta" | "till" | "until" => {
            !matches!(before, "from" | "von" | "de" | "desde" | "to")
        }
        "and" | "und" | "et" | "y" => between,
        _ => false,
    };
    let second =
        self::parse_number(text, joint + 1).filter(|_| joins && gap == " " && text.gap(joint) == " ")?;
    Some(first.words + 1 + second.words)
}

/// `1,470`, `1.470,50`, `2.5`, `-3`, `100k`, `3 million`.
fn digits(text: &Text<'_>, at: usize) -> Option<Number> {
    let word = text.words.get(at)?;
    let end = text.raw.floor_char_boundary((word.start + MAX_BYTES).min(text.raw.len()));
    let mut found: Option<NumberMention> = None;
    scan(text.raw, word.start..end, |mention| {
        let begins = mention.range.start <= word.start && word.start < mention.range.end;
        // Digits joined only by spaces, as in "rooms 3 200", are separate numbers unless they are an amount
        // of money.
        let is_better = found.as_ref().is_none_or(|known| mention.is_set_apart && !known.money);
        if begins && !mention.is_unscaled && is_better {
            found = Some(mention);
        }
    });
    let mention = found?;
    let decimal_text = &pick_by_separator(&mention.readings, None)?.decimal_text;
    let value = decimal_text.parse::<f64>().ok().filter(|value| value.is_finite())?;
    let mut value = if mention.negative == Some(true) { -value } else { value };
    let mut used = text.words_in(&(word.start..mention.range.end)).len();
    let is_multiplied = !text.is_digits(at + used - 1);
    if let Some((words, key)) = text.lexicon().list("multiple").key(text, at + used)
        && !is_multiplied
        && text.gap(at + used - 1).trim().is_empty()
    {
        value *= key.parse::<f64>().ok()?;
        used += words;
    }
    Some(Number { words: used, value, in_digits: true })
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
            // "two one" is two numbers; "twenty one" is one.
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
            && matches!(text.folded(at + used), "and" | "und" | "et" | "y")
            && list.at(text, at + used + 1) > 0
        {
            used += 1;
        } else {
            break;
        }
    }
    (used > 0).then_some(Number { words: used, value: total + part, in_digits: false })
}

/// A number as a JSON integer if it has no fraction.
pub(super) fn json(value: f64) -> serde_json::Value {
    if value.fract() == 0.0 && value.abs() < 9e15 {
        serde_json::json!(value as i64)
    } else {
        serde_json::json!(value)
    }
}

/// Number of words and zero-based index of an ordinal: `the second` is 1, `the last` of three is 2.
pub(super) fn parse_ordinal(text: &Text<'_>, at: usize, count: usize) -> Option<(usize, usize)> {
    let place = |n: i64| {
        let index = if n < 0 { count.checked_sub(1)? } else { usize::try_from(n - 1).ok()? };
        (index < count).then_some(index)
    };
    if let Some((words, key)) = text.lexicon().list("ordinal").key(text, at) {
        return Some((words, place(key.parse().ok()?)?));
    }
    let ending = text.lexicon().list("ordinal ending").has(text.folded(at + 1)) && text.gap(at).is_empty();
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
            ("3.5 million", 3_500_000.0, 3),
            ("3,5 Mio. €", 3_500_000.0, 3),
            ("$1.2k", 1200.0, 3),
            ("2 billion", 2e9, 2),
            ("one thousand three hundred and thirty dollars", 1330.0, 6),
            ("twenty five", 25.0, 2),
            ("a couple of", 2.0, 3),
            ("a hundred", 0.0, 0),
            ("-3", -3.0, 1),
            ("minus two", -2.0, 2),
        ] {
            let number = parse_number(&Text::new(text), 0);
            assert_eq!(number.map_or((0.0, 0), |n| (n.value, n.words)), (value, words), "{text}");
        }
    }

    #[test]
    fn ranges_and_alternatives_are_no_number() {
        for (text, words) in [("3 or 4", 3), ("3-5", 2), ("two or three", 3), ("3 bis 5", 3), ("3 to 5", 3)] {
            assert_eq!(range_len(&Text::new(text), 0), Some(words), "{text}");
        }
        assert_eq!(range_len(&Text::new("between 3 and 5"), 1), Some(3));
        for text in ["3 and 4", "3 people", "3", "3 or more"] {
            assert_eq!(range_len(&Text::new(text), 0), None, "{text}");
        }
    }
}
