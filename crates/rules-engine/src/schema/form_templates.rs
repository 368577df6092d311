//! The forms of common kinds, for phrases that name a form and none of its fields: the `[forms]` of the locales.

use language::form_words::FormWords;
use language::stem::Stemmer;
use language::{Entry, Language, Words};

use super::snake_case::fold;
use super::words::{Lexicon, Word, longest_at, matches_at, word_count, words};

/// The form that says nothing of its kind.
const PLAIN: &str = "plain";

/// Most words of a text whose stems are compared. Longer texts describe their fields. Bounds the time.
const STEMMED: usize = 80;

/// The form that `text` names: its list of fields and the words of its language. The text's own language takes
/// precedence, then the longest name, then the first in the text. Of those who begin with themselves, as in `I work at a
/// hospital and have to read prescriptions`, the last counts: what they are comes before what they want.
pub(super) fn template_fields(text: &str, lexicon: Lexicon) -> Option<(String, Lexicon)> {
    let spaced = text.replace(['-', '/', ',', '.', ':', '?', '!'], " ");
    let texts = [words(&spaced), words(text)];
    let is_told =
        ["speaker", "speaker_owner"].iter().any(|key| longest_at(&texts[1], 0, lexicon.list(key)) > 0);
    // Of equal names the last counts, and the most complete locales stand first.
    let others = || Language::all().rev().filter(|other| *other != lexicon.language());
    let own = lexicon.language();
    // The endings of the text's language mean nothing in another one.
    let stems = Stems::of(&texts, own);
    best(&texts, Some(&stems), is_told, std::iter::once(own))
        .or_else(|| best(&texts, None, is_told, others()))
}

/// The form of the best name in any of the languages.
fn best(
    texts: &[Vec<Word>],
    stems: Option<&Stems>,
    is_told: bool,
    languages: impl Iterator<Item = Language>,
) -> Option<(String, Lexicon)> {
    let kinds = languages.flat_map(|language| {
        entries(language, "names").filter_map(move |names| {
            let ranks = names.words.iter().filter_map(|name| rank(name, texts, stems, is_told));
            ranks.max().map(|rank| (rank, language, names.key))
        })
    });
    let (_, language, kind) = kinds.max_by_key(|(rank, ..)| *rank)?;
    Some((fields(language, kind)?, FormWords::of(language)))
}

/// The stems of the words of the texts, which make `contracts` the name of a contract.
#[derive(Debug)]
struct Stems {
    stemmer: Stemmer,
    /// The words of each text with their stems.
    texts: Vec<Vec<(String, String)>>,
}

impl Stems {
    fn of(texts: &[Vec<Word>], language: Language) -> Self {
        let stemmer = Stemmer::new(language);
        let short = |words: &&Vec<Word>| words.len() <= STEMMED;
        let stemmed = |word: &Word| (word.plain.clone(), stemmer.stem(&word.plain));
        let stems = |words: &Vec<Word>| words.iter().map(stemmed).collect();
        Self { texts: texts.iter().filter(short).map(stems).collect(), stemmer }
    }

    /// Where a folded name is with another ending of its last word.
    fn places(&self, name: &str) -> Vec<usize> {
        if self.texts.is_empty() {
            return Vec::new();
        }
        let wanted: Vec<(&str, String)> =
            name.split(' ').map(|word| (word, self.stemmer.stem(word))).collect();
        // Short words have the stems of others. Chosen by hand.
        if wanted.last().is_none_or(|(_, stem)| stem.chars().count() < 4) {
            return Vec::new();
        }
        // `Reserve` has the stem of `reservation`, but is no form of it: an ending is added, or takes the last letter.
        let is_form = |(word, stem): &(String, String), (name, own): &(&str, String)| {
            let mut kept = name.chars();
            kept.next_back();
            stem == own && word.len() >= name.len() && word.starts_with(kept.as_str())
        };
        let found = |stems: &Vec<(String, String)>| -> Vec<usize> {
            let windows = stems.windows(wanted.len()).enumerate();
            let same =
                windows.filter(|(_, window)| window.iter().zip(&wanted).all(|(one, own)| is_form(one, own)));
            same.map(|(at, _)| at).collect()
        };
        self.texts.iter().map(found).find(|places| !places.is_empty()).unwrap_or_default()
    }
}

/// How special a name is, and how early in the texts, or how late with `is_told`; `None` when it is in none.
fn rank(name: &str, texts: &[Vec<Word>], stems: Option<&Stems>, is_told: bool) -> Option<(usize, usize)> {
    let (name, weight) =
        name.strip_prefix('~').map_or_else(|| (fold(name), word_count(name)), |bare| (fold(bare), 0));
    let exact = |words: &Vec<Word>| -> Vec<usize> {
        (0..words.len()).filter(|at| matches_at(words, *at, &name)).collect()
    };
    let places = texts.iter().map(exact).find(|places| !places.is_empty());
    // "Students" alone are no form for students.
    let inflected = || stems.filter(|_| weight > 0).map(|stems| stems.places(&name));
    let places = places.or_else(inflected)?;
    match is_told {
        true => places.last().map(|at| (weight, *at)),
        false => places.first().map(|at| (weight, usize::MAX - at)),
    }
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
