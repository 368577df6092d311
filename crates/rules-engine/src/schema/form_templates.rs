//! The forms of common kinds, for phrases that name a form and none of its fields: the `[forms]` of the locales.

use language::form_words::FormWords;
use language::{Entry, Language, Words};

use super::snake_case::fold;
use super::words::{Lexicon, Word, matches_at, word_count, words};

/// The form that says nothing of its kind.
const PLAIN: &str = "plain";

/// The form that `text` names: its list of fields and the words of its language. The text's own language takes
/// precedence, then the longest name, then the first in the text.
pub(super) fn template_fields(text: &str, lexicon: Lexicon) -> Option<(String, Lexicon)> {
    let spaced = text.replace(['-', '/', ',', '.', ':', '?', '!'], " ");
    let texts = [words(&spaced), words(text)];
    // Of equal names the last counts, and the most complete locales stand first.
    let others = || Language::all().rev().filter(|other| *other != lexicon.language());
    best(&texts, std::iter::once(lexicon.language())).or_else(|| best(&texts, others()))
}

/// The form of the best name in any of the languages.
fn best(texts: &[Vec<Word>], languages: impl Iterator<Item = Language>) -> Option<(String, Lexicon)> {
    let kinds = languages.flat_map(|language| entries(language, "names").map(move |names| (language, names)));
    let ranked = kinds.filter_map(|(language, names)| {
        names.words.iter().filter_map(|name| rank(name, texts)).max().map(|rank| (rank, language, names.key))
    });
    let (_, language, kind) = ranked.max_by_key(|(rank, ..)| *rank)?;
    Some((fields(language, kind)?, FormWords::of(language)))
}

/// How special a name is, and how early in the texts; `None` when it is in none.
fn rank(name: &str, texts: &[Vec<Word>]) -> Option<(usize, usize)> {
    let (name, weight) =
        name.strip_prefix('~').map_or_else(|| (fold(name), word_count(name)), |bare| (fold(bare), 0));
    let place = |words: &Vec<_>| (0..words.len()).find(|at| matches_at(words, *at, &name));
    texts.iter().find_map(place).map(|at| (weight, usize::MAX - at))
}

/// The form of an unknown kind.
pub(super) fn plain_form(lexicon: Lexicon) -> String {
    fields(lexicon.language(), PLAIN).unwrap_or_default()
}

/// What the language calls a kind: its first name.
pub(super) fn title_of_kind(language: Language, kind: &str) -> Option<String> {
    let names = entries(language, "names").find(|entry| entry.key == kind)?;
    names.words.iter().next().map(|name| capitalised(name.trim_start_matches('~')))
}

/// The text with a capital at its beginning.
pub(super) fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().into_iter().flat_map(char::to_uppercase).chain(letters).collect()
}

/// The fields of a kind as a description lists them; `None` for a kind that the language does not have.
pub(super) fn fields(language: Language, kind: &str) -> Option<String> {
    entries(language, "fields").find(|entry| entry.key == kind).map(|entry| listed(entry.words))
}

fn listed(words: Words) -> String {
    words.iter().collect::<Vec<_>>().join(", ")
}

fn entries(language: Language, part: &'static str) -> impl Iterator<Item = Entry> {
    let forms = language.locale().map(|locale| locale.forms).unwrap_or_default();
    forms.entries().filter(move |entry| entry.subkey == part)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lexicon(code: &str) -> Lexicon {
        FormWords::of(Language::from_code(code).unwrap())
    }

    #[test]
    fn every_kind_has_names_and_fields() {
        for language in Language::all() {
            for names in entries(language, "names").filter(|names| names.key != PLAIN) {
                let fields = fields(language, names.key).unwrap();
                assert!(
                    fields.split(';').count() >= 3 && !names.words.is_empty(),
                    "{language:?} {}",
                    names.key
                );
            }
        }
        assert!(entries(Language::ENGLISH, "names").count() >= 35);
        assert_eq!(plain_form(lexicon("de")), "Name; Datum; Beschreibung");
    }

    #[test]
    fn the_longest_name_decides() {
        let of = |text| template_fields(text, lexicon("en")).unwrap().0.split(';').next().unwrap().to_owned();
        assert_eq!(of("a purchase order for our suppliers"), "order number (required)");
        assert_eq!(of("sign up"), "full name (required)");
        assert_eq!(template_fields("nothing of the sort", lexicon("en")).map(|found| found.0), None);
    }
}
