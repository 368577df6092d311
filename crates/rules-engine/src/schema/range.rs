//! Parses ranges: `between 1 and 5`, `1-10`, `at least 18`, `max 40 characters`.

use super::snake_case::fold;
use super::words::{Lexicon, Word, longest_at, longest_at_end, words};

/// What a range limits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum RangeUnit {
    /// The value itself.
    #[default]
    Value,
    /// Characters of a text.
    Characters,
    /// Entries of a list.
    Entries,
}

/// A range and the span of words that state it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct NumberRange {
    pub(super) low: Option<f64>,
    pub(super) high: Option<f64>,
    pub(super) counted: RangeUnit,
    /// Index of the first word, and after the last.
    pub(super) first: usize,
    pub(super) end: usize,
    /// Whether a bound has decimals or is a percentage.
    pub(super) fractional: bool,
}

/// The first range in `text`.
pub(super) fn find_range(text: &str, lexicon: Lexicon) -> Option<NumberRange> {
    let words = words(text);
    // Bounds the time.
    (0..words.len().min(200)).find_map(|at| {
        let mut range = at_word(text, &words, at, lexicon)?;
        range.first -=
            longest_at_end(words.get(..range.first).unwrap_or_default(), lexicon.list("range_lead"));
        if longest_at(&words, range.end, lexicon.list("characters")) > 0 {
            (range.counted, range.end) = (RangeUnit::Characters, range.end + 1);
        } else if longest_at(&words, range.end, lexicon.list("entries")) > 0 {
            (range.counted, range.end) = (RangeUnit::Entries, range.end + 1);
        } else if words.get(range.end).is_some_and(|word| lexicon.has("range_tail", &word.plain)) {
            range.end += 1;
        }
        Some(range)
    })
}

fn at_word(text: &str, words: &[Word], at: usize, lexicon: Lexicon) -> Option<NumberRange> {
    let raw = |n: usize| words.get(n).and_then(|word| text.get(word.start..word.end)).unwrap_or_default();
    let number = |n: usize| parse_number(raw(n), lexicon);
    let one_sided = |count: usize, low: bool| {
        let value = number(at + count)?;
        let range =
            NumberRange { first: at, end: at + count + 1, fractional: value.1, ..NumberRange::default() };
        Some(if low {
            NumberRange { low: Some(value.0), ..range }
        } else {
            NumberRange { high: Some(value.0), ..range }
        })
    };
    let pair = |first: usize, low: (f64, bool), to: usize| {
        let value = number(to + 1)
            .filter(|_| longest_at(words, to, lexicon.list("range_to")) > 0 || raw(to) == "-")?;
        let fractional = low.1 || value.1;
        Some(NumberRange {
            low: Some(low.0),
            high: Some(value.0),
            first,
            end: to + 2,
            fractional,
            ..NumberRange::default()
        })
    };
    let opening = longest_at(words, at, lexicon.list("range_from"));
    if opening > 0 {
        let after = at + opening;
        if let Some(low) = number(after)
            && let Some(range) = pair(at, low, after + 1)
        {
            return Some(range);
        }
        if let Some(mut range) = parse_joined(raw(after), lexicon) {
            (range.first, range.end) = (at, after + 1);
            return Some(range);
        }
    }
    for (key, low) in [("at_most", false), ("at_least", true)] {
        let count = longest_at(words, at, lexicon.list(key));
        if count > 0
            && let Some(range) = one_sided(count, low)
        {
            return Some(range);
        }
    }
    let compared = matches!(raw(at), ">=" | "<=" | ">" | "<" | "≥" | "≤");
    let sign = if compared { format!("{}{}", raw(at), raw(at + 1)) } else { raw(at).to_owned() };
    if let Some(mut range) = parse_joined(&sign, lexicon) {
        (range.first, range.end) = (at, at + 1 + usize::from(compared));
        return Some(range);
    }
    let value = number(at)?;
    if let Some(range) = pair(at, value, at + 1) {
        return Some(range);
    }
    for (key, low) in [("or_more", true), ("or_less", false)] {
        let count = longest_at(words, at + 1, lexicon.list(key));
        if count > 0 {
            let range =
                NumberRange { first: at, end: at + 1 + count, fractional: value.1, ..NumberRange::default() };
            return Some(if low {
                NumberRange { low: Some(value.0), ..range }
            } else {
                NumberRange { high: Some(value.0), ..range }
            });
        }
    }
    None
}

/// A range without spaces: `1-5`, `0..100`, `18+`, `>=18`, `<100`.
fn parse_joined(raw: &str, lexicon: Lexicon) -> Option<NumberRange> {
    let raw = raw.trim_matches(|c: char| matches!(c, ',' | ';' | ':' | '(' | ')' | '.'));
    let number = |raw: &str| parse_number(raw, lexicon);
    if let Some(low) = raw.strip_suffix('+').and_then(number) {
        return Some(NumberRange { low: Some(low.0), fractional: low.1, ..NumberRange::default() });
    }
    for (signs, low) in [([">=", "≥", ">"], true), (["<=", "≤", "<"], false)] {
        if let Some(value) = signs.iter().find_map(|sign| raw.strip_prefix(sign)).and_then(number) {
            let range = NumberRange { fractional: value.1, ..NumberRange::default() };
            return Some(if low {
                NumberRange { low: Some(value.0), ..range }
            } else {
                NumberRange { high: Some(value.0), ..range }
            });
        }
    }
    let (low, high) = raw.split_once("..").or_else(|| {
        let at = raw.char_indices().skip(1).find(|(_, c)| *c == '-')?.0;
        Some((raw.get(..at)?, raw.get(at + 1..)?))
    })?;
    let (low, high) = (number(low)?, number(high)?);
    Some(NumberRange {
        low: Some(low.0),
        high: Some(high.0),
        fractional: low.1 || high.1,
        ..NumberRange::default()
    })
}

/// A number with surrounding signs or a short unit, and whether it has decimals or a percent sign.
fn parse_number(raw: &str, lexicon: Lexicon) -> Option<(f64, bool)> {
    if let Some(number) = lexicon.number(&fold(raw)) {
        return Some((f64::from(number), false));
    }
    let raw = raw.trim_matches(|c: char| matches!(c, ',' | ';' | ':' | '(' | ')' | '.' | '€' | '$' | '£'));
    let percent = raw.ends_with('%');
    let digits = raw.trim_end_matches(|c: char| c.is_alphabetic() || matches!(c, '%' | '°' | '²' | '³'));
    // More digits than a 64-bit integer has; six characters for separators and signs.
    if digits.is_empty() || digits.len() > 20 || raw.len() > digits.len() + 6 {
        return None;
    }
    let whole: String = digits.replace(',', "");
    let value: f64 = whole.parse().ok()?;
    (value.is_finite() && digits.starts_with(|c: char| c.is_ascii_digit() || c == '-'))
        .then_some((value, percent || digits.contains('.')))
}

#[cfg(test)]
mod tests {
    use language::Language;
    use language::form_words::FormWords;

    use super::*;

    #[test]
    fn ranges_are_read_in_the_ways_people_write_them() {
        let lexicon = FormWords::of(Language::ENGLISH);
        for (text, low, high) in [
            ("rating from 1 to 5", Some(1.0), Some(5.0)),
            ("between 20 and 1,000", Some(20.0), Some(1000.0)),
            ("pain 1-10", Some(1.0), Some(10.0)),
            ("at least 50 kg", Some(50.0), None),
            ("age 18+", Some(18.0), None),
            ("up to 3 skills", None, Some(3.0)),
            ("on a scale of 0 to 10", Some(0.0), Some(10.0)),
            ("18 or older", Some(18.0), None),
            ("score >= 2.5", Some(2.5), None),
        ] {
            let range = find_range(text, lexicon).unwrap();
            assert_eq!((range.low, range.high), (low, high), "{text}");
        }
        assert_eq!(find_range("max 40 characters", lexicon).unwrap().counted, RangeUnit::Characters);
        for text in ["date 10-12-2024", "last 6 months", "from A to G", "", "-", "iso 9001"] {
            assert_eq!(find_range(text, lexicon), None, "{text}");
        }
    }
}
