//! Whether a text has an answer of a given type.

use gen_core::text::AnswerType;
use language::Language;
use language::fold::is_unspaced;
use language::money::Currency;

use crate::pattern::pattern;

pattern!(
    MONEY,
    &format!(
        r"(?i)[€$£¥₹]|{}|\b(?:eur|usd|gbp|chf)\b|\d[.,]\d\d\b|{}",
        currency_letters(),
        alternation("money", Ends::Both)
    )
);
pattern!(
    PERCENT,
    &format!("(?i)%|‰|{}|{}", alternation("percent", Ends::First), alternation("fraction", Ends::Both))
);
pattern!(EMAIL, r"[\w.+-]+@[\w-]+\.\w");
pattern!(PHONE, r"\d[\d ()/.-]{5,}\d");
pattern!(
    TIME,
    &format!(
        r"(?i)\b(?:1\d|20|21)\d\d\b|\d{{1,2}}[./:-]\d{{1,2}}|\d ?(?:{})|{}|{}",
        alternation("clock", Ends::Last),
        alternation("time", Ends::Both),
        alternation("time_prefix", Ends::First)
    )
);
pattern!(NUMBER_WORDS, &format!("(?i){}", alternation("number", Ends::Both)));
pattern!(
    NAME,
    &format!(
        r"\p{{Lu}}[\p{{L}}’'.-]+ (?:(?:{}) )?\p{{Lu}}[\p{{L}}’'.-]*|{}",
        alternation("name_particle", Ends::None),
        titles()
    )
);
pattern!(
    INNER_NAME,
    &format!(r"\p{{Ll}}[,;:]? (?:(?:{}) )?\p{{Lu}}\p{{L}}+", alternation("name_article", Ends::None))
);
pattern!(PLACE, &format!(r"(?i:{})|\d{{5}}", alternation("place", Ends::Both)));
pattern!(REASON, &format!("(?i){}|:", alternation("reason", Ends::Both)));

/// At which ends of an entry a word ends.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ends {
    None,
    First,
    Last,
    Both,
}

/// A pattern for the entries of a key in all languages; in scripts without spaces they may be anywhere.
fn alternation(key: &str, ends: Ends) -> String {
    let locales = Language::all().filter_map(Language::locale);
    let entries = locales.flat_map(|locale| locale.answer_signs.words(key).iter()).map(regex::escape);
    join(entries, ends)
}

/// A pattern for the signs of currencies that are letters beyond ASCII, which may stand right behind a number.
fn currency_letters() -> String {
    let is_letters = |sign: &&str| sign.chars().all(char::is_alphabetic) && !sign.is_ascii();
    let signs = Currency::all().flat_map(|currency| currency.signs().iter()).filter(is_letters);
    format!(r"(?:{})\b", signs.map(regex::escape).collect::<Vec<_>>().join("|"))
}

/// A pattern for titles of people before a name, or after it in scripts without spaces.
fn titles() -> String {
    let locales = Language::all().filter_map(Language::locale);
    let titles = locales.flat_map(|locale| locale.titles.iter()).map(|title| {
        let mut letters = title.chars();
        let first = letters.next().into_iter().flat_map(char::to_uppercase);
        let title = regex::escape(&first.chain(letters).collect::<String>());
        if title.chars().any(is_unspaced) { title } else { format!(r"{title}\.? \p{{Lu}}") }
    });
    join(titles, Ends::First)
}

fn join(entries: impl Iterator<Item = String>, ends: Ends) -> String {
    let (mut free, spaced): (Vec<String>, Vec<String>) =
        entries.partition(|entry| entry.chars().any(is_unspaced));
    let first = if matches!(ends, Ends::First | Ends::Both) { r"\b" } else { "" };
    let last = if matches!(ends, Ends::Last | Ends::Both) { r"\b" } else { "" };
    free.push(format!("{first}(?:{}){last}", spaced.join("|")));
    free.join("|")
}

/// Whether a word is a number in digits or letters.
pub(super) fn is_number(word: &str) -> bool {
    word.chars().any(char::is_numeric)
        || NUMBER_WORDS.find(word).is_some_and(|found| found.len() == word.len())
}

/// Whether a text has an answer of a type: 1 if it does, 0 if not, between them if it may.
pub(super) fn match_answer_type(wanted: AnswerType, text: &str) -> f32 {
    let yes = |found: bool| if found { 1.0 } else { 0.0 };
    let digit = text.chars().any(|c| c.is_numeric());
    match wanted {
        AnswerType::Any | AnswerType::Manner => 1.0,
        AnswerType::Amount | AnswerType::Count => yes(digit || NUMBER_WORDS.is_match(text)),
        AnswerType::Money if MONEY.is_match(text) => 1.0,
        AnswerType::Money => {
            if digit || NUMBER_WORDS.is_match(text) {
                0.6
            } else {
                0.0
            }
        }
        AnswerType::Percent => yes(PERCENT.is_match(text)),
        AnswerType::Time => yes(TIME.is_match(text)),
        AnswerType::Person => {
            if NAME.is_match(text) {
                1.0
            } else if INNER_NAME.is_match(text) {
                0.8
            } else {
                0.4
            }
        }
        AnswerType::Place => {
            if !PLACE.is_match(text) {
                0.3
            } else if INNER_NAME.is_match(text) {
                1.0
            } else {
                0.8
            }
        }
        AnswerType::Phone => yes(PHONE.is_match(text)),
        AnswerType::Email => yes(EMAIL.is_match(text)),
        AnswerType::Reason => {
            if REASON.is_match(text) {
                1.0
            } else {
                0.6
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_has_or_lacks_what_is_wanted() {
        assert!(match_answer_type(AnswerType::Time, "It ends in June.") > 0.9);
        assert!(match_answer_type(AnswerType::Time, "It ends well.") < 0.1);
        assert!(match_answer_type(AnswerType::Money, "It is €5.") > 0.9);
        assert!(match_answer_type(AnswerType::Amount, "It has three doors.") > 0.9);
        assert!(match_answer_type(AnswerType::Phone, "Call 0117 555 0164.") > 0.9);
        assert!(match_answer_type(AnswerType::Email, "Write to us.") < 0.1);
        assert!(
            match_answer_type(AnswerType::Person, "It was led by Amara Nwosu.")
                > match_answer_type(AnswerType::Person, "it was led well.")
        );
    }
}
