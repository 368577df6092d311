//! Money: sums with their currency, and the one list of currencies (ISO 4217, `data/currencies.toml`), with the
//! signs that documents print and the words that languages have.

use std::ops::Range;
use std::sync::LazyLock;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::fold::fold_word;
use crate::language::{Language, Languages};
use crate::locale::{Locale, Section, Words};
use crate::number::spoken::number_at;
use crate::number::{NumberMention, pick_by_separator, scan};
use crate::per_locale::PerLocale;
use crate::phrase::PhraseTable;
use crate::token::Tokens;
use crate::vocabulary::is_stop_word;

/// Every currency with its signs.
static CURRENCIES: Section = Section(include_str!(concat!(env!("OUT_DIR"), "/currencies.txt")));

/// A currency of ISO 4217.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Currency(&'static str);

impl std::fmt::Debug for Currency {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "Currency({})", self.0)
    }
}

/// Currencies by their signs as printed, and by their words as folded; of those that share one in the order of
/// [`USUAL`].
struct Names {
    signs: FxHashMap<&'static str, Vec<Currency>>,
    words: FxHashMap<String, Vec<Currency>>,
}

/// Which currency a sign means that several share, where nothing else tells.
const USUAL: [&str; 7] = ["EUR", "USD", "GBP", "JPY", "SEK", "CNY", "INR"];

static NAMES: LazyLock<Names> = LazyLock::new(|| {
    let mut names = Names { signs: FxHashMap::default(), words: FxHashMap::default() };
    let mut all: Vec<Currency> = Currency::all().collect();
    all.sort_by_key(|currency| USUAL.iter().position(|code| *code == currency.0).unwrap_or(USUAL.len()));
    for currency in all {
        names.signs.entry(currency.0).or_default().push(currency);
        for sign in currency.signs().iter() {
            names.signs.entry(sign).or_default().push(currency);
        }
    }
    for locale in Language::all().filter_map(Language::locale) {
        for entry in locale.currency_words.entries() {
            let Some(currency) = Currency::from_code(entry.key) else { continue };
            for word in entry.words.iter() {
                let known = names.words.entry(fold_word(word)).or_default();
                if !known.contains(&currency) {
                    known.push(currency);
                }
            }
        }
    }
    names
});

impl Currency {
    /// The currency of a code in capitals.
    #[must_use]
    pub fn from_code(code: &str) -> Option<Self> {
        static CODES: LazyLock<FxHashSet<&str>> =
            LazyLock::new(|| Currency::all().map(|currency| currency.0).collect());
        CODES.get(code).copied().map(Self)
    }

    /// All of them, by code.
    pub fn all() -> impl Iterator<Item = Self> {
        CURRENCIES.entries().map(|entry| Self(entry.key))
    }

    /// Its code.
    #[must_use]
    pub const fn code(self) -> &'static str {
        self.0
    }

    /// The signs and abbreviations that print it beside its code, the usual first.
    #[must_use]
    pub fn signs(self) -> Words {
        CURRENCIES.words(self.0)
    }

    /// The currencies that a text as a whole may name, the likeliest first: by code, sign or word.
    #[must_use]
    pub fn named(text: &str) -> &'static [Self] {
        let text = text.trim();
        let by_sign = NAMES.signs.get(text).or_else(|| NAMES.signs.get(text.trim_end_matches('.')));
        by_sign.or_else(|| NAMES.words.get(&fold_word(text))).map(Vec::as_slice).unwrap_or_default()
    }

    /// The currency that a text names; of those that share a sign the usual one.
    #[must_use]
    pub fn of(text: &str) -> Option<Self> {
        Self::named(text).first().copied()
    }

    /// The other ways in which a document may print the currency that a text names: codes, signs and words.
    #[must_use]
    pub fn printed_as(text: &str) -> Vec<&'static str> {
        let text = text.trim();
        let mut ways = Vec::new();
        for currency in Self::named(text) {
            ways.push(currency.0);
            ways.extend(currency.signs().iter());
            for language in Language::all() {
                let words = language.locale().map(|locale| locale.currency_words.words(currency.0));
                // Small words such as "us" mean a currency only in speech.
                let words = words.unwrap_or_default().iter().filter(|word| !is_stop_word(language, word));
                ways.extend(words);
            }
        }
        let mut known = Vec::new();
        ways.retain(|way| {
            *way != text && !known.contains(way) && {
                known.push(*way);
                true
            }
        });
        ways
    }
}

/// A sum of money in a text.
#[derive(Clone, Debug)]
pub struct MoneyMention {
    /// The number, whose `printed` range has the currency.
    pub number: NumberMention,
    /// The currency beside it; `None` where none is printed.
    pub currency: Option<Currency>,
}

impl MoneyMention {
    /// The amount, signed, by the decimal separator of its text.
    #[must_use]
    pub fn amount(&self, decimal: Option<char>) -> Option<f64> {
        self.number.value(|readings| pick_by_separator(readings, decimal))
    }
}

/// Characters beside a number in which its currency is looked for.
const BESIDE: usize = 16;

/// Calls `emit` for every number of a text beside which a currency stands.
pub fn scan_money(text: &str, mut emit: impl FnMut(MoneyMention)) {
    scan(text, 0..text.len(), |number| {
        // What only spaces join is told once, as a whole.
        if number.money && !number.is_unscaled && !number.is_set_apart {
            let currency = currency_beside(text, &number);
            emit(MoneyMention { number, currency });
        }
    });
}

/// The sum of money that a text as a whole states.
#[must_use]
pub fn parse_money(text: &str, decimal: Option<char>) -> Option<(f64, Currency)> {
    let mut found = Vec::new();
    scan_money(text, |mention| found.push(mention));
    let [mention] = found.as_slice() else { return None };
    Some((mention.amount(decimal)?, mention.currency?))
}

/// A sum of money in a message.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SpokenMoney {
    /// How many tokens it takes, with the word for its currency.
    pub tokens: usize,
    /// The amount.
    pub value: f64,
}

/// The sum of money at a token: `$100`, `100 €`, `1,470 bucks`, `twenty euros`.
#[must_use]
pub fn money_at(text: &Tokens<'_>, at: usize, languages: Languages) -> Option<SpokenMoney> {
    let number = number_at(text, at, languages)?;
    let end = at + number.tokens;
    let word = currency_word_at(text, end, languages);
    let is_signed = || sign_before(text, at).or_else(|| sign_after(text, end)).is_some();
    (word > 0 || is_signed()).then_some(SpokenMoney { tokens: number.tokens + word, value: number.value })
}

/// The sign of a currency directly before a token.
#[must_use]
pub fn sign_before(text: &Tokens<'_>, at: usize) -> Option<char> {
    text.before(at).trim_end().chars().next_back().filter(|c| is_sign(*c))
}

/// The sign of a currency directly after the tokens that end before `end`.
#[must_use]
pub fn sign_after(text: &Tokens<'_>, end: usize) -> Option<char> {
    text.gap(end.checked_sub(1)?).trim_start().chars().next().filter(|c| is_sign(*c))
}

fn is_sign(c: char) -> bool {
    !c.is_alphanumeric() && Currency::of(c.encode_utf8(&mut [0; 4])).is_some()
}

/// How many tokens the code or word for a currency takes at a place; 0 without one. A stop word is none: "four of us".
fn currency_word_at(text: &Tokens<'_>, at: usize, languages: Languages) -> usize {
    static WORDS: PerLocale<PhraseTable<()>> = PerLocale::new();
    let words = |locale: &'static Locale| {
        locale.currency_words.entries().flat_map(|entry| entry.words.iter()).map(|word| (word, ())).collect()
    };
    let is_word = |language: &Language| !is_stop_word(*language, text.folded(at));
    let named = languages
        .iter()
        .filter(is_word)
        .filter_map(|language| WORDS.get(language, words).map(|words| words.length_at(text, at)));
    let code = text.folded(at).to_ascii_uppercase();
    let has_code = || {
        code.len() == 3 && USUAL.contains(&code.as_str())
            || text.slice(&(at..at + 1)) == code && Currency::from_code(&code).is_some()
    };
    named.max().filter(|tokens| *tokens > 0).unwrap_or_else(|| usize::from(has_code()))
}

fn currency_beside(text: &str, number: &NumberMention) -> Option<Currency> {
    Currency::of(text.get(mark_beside(text, number.range.clone())?)?)
}

/// The place of the currency beside the number at `number`: a code, a sign or a word.
#[must_use]
pub fn mark_beside(text: &str, number: Range<usize>) -> Option<Range<usize>> {
    let before = text.get(..number.start)?;
    let from = before.char_indices().rev().nth(BESIDE).map_or(0, |(at, _)| at);
    let before =
        before.get(from..)?.trim_end_matches(|c: char| c.is_whitespace() || matches!(c, '-' | '−' | '('));
    // `2,5 Mio. EUR`, `50- €`.
    let after =
        text.get(number.end..)?.trim_start_matches(|c: char| c.is_whitespace() || matches!(c, '-' | '.'));
    let word: usize = before
        .chars()
        .rev()
        .take_while(|c| !c.is_whitespace() && !c.is_ascii_digit())
        .map(char::len_utf8)
        .sum();
    let tail = from + before.len() - word..from + before.len();
    let length: usize =
        after.chars().take(BESIDE).take_while(|c| !c.is_whitespace()).map(char::len_utf8).sum();
    let start = text.len() - after.len();
    let head = start..start + length;
    let own = text.get(number.clone())?.trim_start_matches(|c: char| !c.is_alphabetic());
    let own = own.trim_start_matches(['T', 'k', 'K', 't', 'm', 'M', 'd', 's', 'n']);
    let multiple = number.end - own.len()..number.end;
    let whole = |part: &Range<usize>| {
        let slice = text.get(part.clone())?;
        let cut = ends_cut(slice);
        let is_currency = |slice: &str| !slice.is_empty() && Currency::of(slice).is_some();
        let end = if is_currency(slice) { part.end } else { part.start + cut.len() };
        (is_currency(slice) || is_currency(cut)).then_some(part.start..end)
    };
    let parts = [tail.clone(), head.start..head.start + ends_cut(text.get(head.clone())?).len(), multiple];
    parts.iter().find_map(whole).or_else(|| sign_in(text, tail)).or_else(|| sign_in(text, head))
}

/// A word without the punctuation that ends it.
fn ends_cut(word: &str) -> &str {
    word.trim_end_matches([',', '.', ';', ':', ')', '!', '?', '-', '|'])
}

/// The place of the sign of a currency within a run of signs and letters.
fn sign_in(text: &str, run: Range<usize>) -> Option<Range<usize>> {
    text.get(run.clone())?.char_indices().find_map(|(at, c)| {
        let place = run.start + at..run.start + at + c.len_utf8();
        (!c.is_alphanumeric() && Currency::of(text.get(place.clone())?).is_some()).then_some(place)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_signs_and_words_stand_for_each_other() {
        for (text, code) in [
            ("€", "EUR"),
            ("EUR", "EUR"),
            ("Euros", "EUR"),
            ("zł", "PLN"),
            ("złotych", "PLN"),
            ("$", "USD"),
            ("C$", "CAD"),
            ("Dólares", "USD"),
            ("kr", "SEK"),
            ("¥", "JPY"),
            ("RM", "MYR"),
            ("Kč", "CZK"),
            ("Schweizer Franken", ""),
            ("Franken", "CHF"),
            ("Europe", ""),
            ("all", ""),
        ] {
            assert_eq!(Currency::of(text).map_or("", Currency::code), code, "{text}");
        }
        assert!(Currency::printed_as("EUR").contains(&"€") && Currency::printed_as("€").contains(&"EUR"));
        assert!(Currency::named("kr").len() >= 4);
        assert!(Currency::printed_as("Europe").is_empty());
        assert!(!Currency::printed_as("USD").contains(&"us"));
        assert!(Currency::all().count() > 150);
    }

    #[test]
    fn sums_in_messages_have_a_sign_or_a_word() {
        for (text, value, tokens) in [
            ("$100", 100.0, 1),
            ("100 €", 100.0, 1),
            ("1,470 bucks", 1470.0, 3),
            ("twenty euros", 20.0, 2),
            ("50 usd", 50.0, 2),
            ("80 CHF", 80.0, 2),
            ("dwieście złotych", 200.0, 2),
            ("99 kr", 99.0, 2),
        ] {
            let sum = money_at(&Tokens::of(text), 0, Languages::ALL);
            assert_eq!(sum.map(|sum| (sum.value, sum.tokens)), Some((value, tokens)), "{text}");
        }
        for text in ["4 us", "4 all", "3 people", "euros"] {
            assert_eq!(money_at(&Tokens::of(text), 0, Language::ENGLISH.into()), None, "{text}");
        }
    }

    #[test]
    fn sums_are_read_with_their_currency() {
        for (text, amount, code) in [
            ("1.234,50 €", 1234.5, "EUR"),
            ("€1,234.50", 1234.5, "EUR"),
            ("USD 3k", 3000.0, "USD"),
            ("(1,234.50 USD)", -1234.5, "USD"),
            ("RM1,234.50", 1234.5, "MYR"),
            ("49,90 zł", 49.9, "PLN"),
            ("1 499 kr", 1499.0, "SEK"),
            ("US$ 5.00", 5.0, "USD"),
            ("2,5 Mio. EUR", 2_500_000.0, "EUR"),
            ("25 dollars", 25.0, "USD"),
            ("1.000 円", 1000.0, "JPY"),
        ] {
            let read = parse_money(text, None).map(|(amount, currency)| (amount, currency.code()));
            assert_eq!(read, Some((amount, code)), "{text}");
        }
        for text in ["", "12", "5 apples", "$5 or €5"] {
            assert_eq!(parse_money(text, None), None, "{text}");
        }
    }
}
