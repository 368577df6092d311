//! The currency of a document: a code or sign beside its amounts.

use std::sync::LazyLock;

use language::money::Currency;
use language::number::is_money_word;
use serde_json::Value;

use super::ExtractedValue;
use super::schema::Leaf;
use super::text::Text;

/// Maximum lines that are read.
const MAX_LINES: usize = 5_000;

/// The code of the currency beside most amounts; of equally frequent ones, printed codes win over signs.
pub(crate) fn choose(text: &Text, leaf: &Leaf) -> Option<ExtractedValue> {
    if leaf.concepts.is_qualified() {
        return None;
    }
    let mut best: Option<(usize, ExtractedValue)> = None;
    for (sign, currency) in printed() {
        let (mut count, mut first) = (0, None);
        for (index, line) in text.lines.iter().take(MAX_LINES).enumerate() {
            for at in places(&line.text, sign, currency) {
                count += 1;
                first.get_or_insert((index, at));
            }
        }
        let Some((index, at)) = first.filter(|_| best.as_ref().is_none_or(|(most, _)| count > *most)) else {
            continue;
        };
        let line = text.lines.get(index)?;
        let (start, end) = (line.offset(at), line.offset(at + sign.len()));
        best = Some((
            count,
            ExtractedValue { value: Value::from(currency.code()), start, end, confidence: 0.7 },
        ));
    }
    best.map(|(_, found)| found)
}

/// Codes, then signs, each with its currency.
fn printed() -> impl Iterator<Item = (&'static str, Currency)> {
    static SIGNS: LazyLock<Vec<(&str, Currency)>> = LazyLock::new(|| {
        let codes = Currency::all().map(|currency| (currency.code(), currency));
        let signs = Currency::all().flat_map(|currency| currency.signs().iter()).filter_map(|sign| {
            // Other letters beside a number mean other things.
            let told =
                !sign.chars().all(|c| c.is_alphabetic() || c == '.') || sign.len() > 1 && is_money_word(sign);
            Some((sign, Currency::of(sign)?)).filter(|_| told)
        });
        codes.chain(signs).collect()
    });
    SIGNS.iter().copied()
}

/// The positions of a code or sign beside a digit; also of a code that is no word of a language.
fn places<'a>(line: &'a str, sign: &'a str, currency: Currency) -> impl Iterator<Item = usize> + 'a {
    let is_code = sign == currency.code() && is_money_word(sign);
    line.match_indices(sign).map(|(at, _)| at).filter(move |&at| {
        let ahead = line.get(..at).unwrap_or_default();
        let rest = line.get(at + sign.len()..).unwrap_or_default();
        let letter = |c: Option<char>| c.is_some_and(char::is_alphabetic);
        // "US$" is no "$", and "EURO" no "EUR".
        if letter(ahead.chars().next_back())
            || sign.ends_with(char::is_alphabetic) && letter(rest.chars().next())
        {
            return false;
        }
        let digit = |c: Option<char>| c.is_some_and(|c| c.is_ascii_digit());
        let after = rest.trim_start_matches(['.', ' ', '-', '\u{a0}']).chars().next();
        is_code || digit(ahead.trim_end().chars().next_back()) || digit(after)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_or_sign_is_a_currency_where_it_means_one() {
        let first = |line: &str| {
            printed()
                .find(|(sign, currency)| places(line, sign, *currency).next().is_some())
                .map(|(_, c)| c.code())
        };
        for (line, code) in [
            ("Currency: EUR", "EUR"),
            ("TOTAL RM 12.50", "MYR"),
            ("12,50 zł", "PLN"),
            ("A$ 12.50", "AUD"),
            ("$ 12.50", "USD"),
            ("Fr. 25.00", "CHF"),
        ] {
            assert_eq!(first(line), Some(code), "{line}");
        }
        for line in ["ALL ITEMS", "TOP", "5 L", "EUROPE"] {
            assert_eq!(first(line), None, "{line}");
        }
    }
}
