//! Synonyms of several languages in everyday documents, so that a question matches an answer in other words:
//! `cost` and `price`, `end` and `termination`, `Preis` and `price`.

use std::collections::HashMap;
use std::sync::LazyLock;

use language::fold::fold;
use language::{Language, Locale};

/// Maximum letters of an inflected word beyond its entry. Such as *-en* and *-ing*. Chosen by hand; no
/// measurement is recorded.
const MAX_ENDING: usize = 3;

/// The meanings of entries, one bit each: folded beginnings of words of all languages.
static ENTRIES: LazyLock<HashMap<String, u64>> = LazyLock::new(|| {
    let keys: Vec<&str> = Language::ENGLISH.locale().into_iter().flat_map(meaning_keys).take(64).collect();
    let mut entries = HashMap::new();
    for entry in Language::all().filter_map(Language::locale).flat_map(|locale| locale.meanings.entries()) {
        let Some(meaning) = keys.iter().position(|key| *key == entry.key) else { continue };
        for word in entry.words.iter() {
            *entries.entry(fold(word)).or_insert(0) |= 1_u64 << meaning;
        }
    }
    entries
});

fn meaning_keys(locale: &'static Locale) -> impl Iterator<Item = &'static str> {
    locale.meanings.entries().map(|entry| entry.key)
}

/// The meanings of a folded word, one bit each; 0 if it is unknown.
pub(super) fn meanings(folded: &str) -> u64 {
    let mut shorter = folded;
    for _ in 0..=MAX_ENDING {
        if let Some(found) = ENTRIES.get(shorter) {
            return *found;
        }
        let Some((last, _)) = shorter.char_indices().next_back() else { return 0 };
        shorter = shorter.get(..last).unwrap_or_default();
        // Shorter rests are other words. Chosen by hand; no measurement is recorded.
        if shorter.len() < 4 {
            return 0;
        }
    }
    0
}

/// The meanings of a compound: its own, or those of its last part.
pub(super) fn compound_meanings(folded: &str) -> u64 {
    let own = meanings(folded);
    if own != 0 {
        return own;
    }
    // Both parts have letters enough: three before, five of the last. Chosen by hand; no measurement is
    // recorded.
    let parts = folded.char_indices().skip(3).filter_map(|(at, _)| folded.get(at..));
    parts.take_while(|part| part.len() >= 5).map(meanings).find(|found| *found != 0).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_one_meaning_share_it_across_languages() {
        for (one, other) in [
            ("price", "kostet"),
            ("ends", "scadenza"),
            ("kundigung", "cancelled"),
            ("livraisons", "shipping"),
        ] {
            assert_ne!(meanings(one) & meanings(other), 0, "{one} {other}");
        }
        assert_eq!(meanings("price") & meanings("garantie"), 0);
        assert_eq!(meanings("") | meanings("xylophone"), 0);
    }

    #[test]
    fn every_meaning_has_a_bit() {
        assert!(Language::ENGLISH.locale().is_some_and(|locale| meaning_keys(locale).count() <= 64));
    }
}
