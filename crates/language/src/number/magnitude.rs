//! The words beside numbers, of all languages together: those that multiply, those for currencies, and marks of
//! debit and credit.

use std::sync::LazyLock;

use rustc_hash::FxHashMap;

use crate::language::Language;
use crate::locale::{Locale, Section, Words};

/// Bytes of a word that is looked up.
const MAX_WORD: usize = 40;

/// Codes and words for money that stand beside a number in any case; of the codes of ISO 4217 those that are no
/// words of a language (`all`, `top`, `try` with a number before it are).
const BESIDE_NUMBERS: &str = "eur, euro, euros, usd, us, dollar, dollars, gbp, pound, pounds, chf, fr, sfr, franken, francs, \
    francos, kr, sek, nok, dkk, isk, kronor, kroner, zl, zł, pln, złotych, rm, myr, rs, r, inr, rupees, cny, rmb, jpy, yen, \
    sgd, aud, cad, nzd, hkd, twd, czk, kč, kc, huf, ft, ron, lei, bgn, лв, try, tl, rub, руб, р, uah, грн, idr, rp, thb, \
    php, vnd, đ, krw, brl, reais, mxn, pesos, clp, cop, ars, zar, ils, sar, aed, qar, kwd, egp, 円, 元, 원, 圓, บาท";

/// What a word beside a number says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Meaning {
    /// The power of ten that it multiplies by.
    pub(super) power: Option<usize>,
    /// The power of ten that it multiplies by beside a currency alone.
    pub(super) power_of_money: Option<usize>,
    /// Whether it is a currency.
    pub(super) is_currency: bool,
    /// Whether it takes from an account.
    pub(super) is_debit: bool,
    /// Whether it adds to an account.
    pub(super) is_credit: bool,
}

type Meanings = FxHashMap<&'static str, Meaning>;

static MEANINGS: LazyLock<Meanings> = LazyLock::new(|| {
    let mut meanings = Meanings::default();
    Language::all().filter_map(Language::locale).for_each(|locale| add(&mut meanings, locale));
    for word in BESIDE_NUMBERS.split(',').map(str::trim) {
        meanings.entry(word).or_default().is_currency = true;
    }
    meanings
});

fn add(meanings: &mut Meanings, locale: &'static Locale) {
    let mut each = |section: Section, set: fn(&mut Meaning, Option<usize>)| {
        for entry in section.entries() {
            let power = entry.key.len().checked_sub(1);
            entry.words.iter().for_each(|word| set(meanings.entry(word).or_default(), power));
        }
    };
    each(locale.multiples, |meaning, power| meaning.power = power);
    each(locale.money_multiples, |meaning, power| meaning.power_of_money = power);
    each(locale.currency_multiples, |meaning, power| (meaning.power, meaning.is_currency) = (power, true));
    let mut mark = |words: Words, set: fn(&mut Meaning)| {
        words.iter().for_each(|word| set(meanings.entry(word).or_default()));
    };
    mark(locale.debit, |meaning| meaning.is_debit = true);
    mark(locale.credit, |meaning| meaning.is_credit = true);
}

/// What a word says beside a number, in any of the languages.
pub(super) fn meaning(word: &str) -> Option<Meaning> {
    if word.is_empty() || word.len() > MAX_WORD {
        return None;
    }
    MEANINGS.get(word).or_else(|| MEANINGS.get(word.to_lowercase().as_str())).copied()
}

/// Whether a code, sign or word beside a number is a currency in any of the languages, and no other word.
#[must_use]
pub fn is_money_word(word: &str) -> bool {
    meaning(word.trim_end_matches('.')).is_some_and(|meaning| meaning.is_currency)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_multiple_is_a_power_of_ten() {
        for locale in Language::all().filter_map(Language::locale) {
            for section in [locale.multiples, locale.money_multiples, locale.currency_multiples] {
                for entry in section.entries() {
                    let is_power =
                        entry.key.starts_with('1') && entry.key.bytes().skip(1).all(|byte| byte == b'0');
                    assert!(is_power, "{}: {}", locale.code, entry.key);
                }
            }
        }
        assert!(is_money_word("EUR") && is_money_word("kr.") && !is_money_word("ALL"));
        assert_eq!(meaning("Mio").and_then(|meaning| meaning.power), Some(6));
        assert_eq!(
            meaning("TEUR").map(|meaning| (meaning.power, meaning.is_currency)),
            Some((Some(3), true))
        );
    }

    #[test]
    fn no_word_multiplies_by_two_powers() {
        let mut powers: FxHashMap<&str, (&str, &str)> = FxHashMap::default();
        for locale in Language::all().filter_map(Language::locale) {
            for entry in locale.multiples.entries() {
                for word in entry.words.iter() {
                    let (power, code) = *powers.entry(word).or_insert((entry.key, locale.code));
                    assert_eq!(power, entry.key, "{word} in {code} and {}", locale.code);
                }
            }
        }
    }
}
