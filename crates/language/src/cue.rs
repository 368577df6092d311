//! What people say beside values in a conversation: agreement, refusal, corrections, the roles of dates and places.
//! Lists of phrases by name, as the `[cues]` of the locales have them.

use std::sync::LazyLock;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::fold::{fold_phrase, fold_word};
use crate::language::{Language, Languages};
use crate::locale::{Entry, Level, Locale, Words};
use crate::per_locale::PerLocale;
use crate::phrase::{PhraseMatch, PhraseTable};
use crate::stem::light_stem;
use crate::token::Tokens;

/// A list of phrases; where it is a table, each with its key.
#[derive(Debug, Default)]
pub struct CueList {
    phrases: PhraseTable<usize>,
    /// What stands left of `=` in each line.
    keys: Vec<Vec<String>>,
}

impl CueList {
    fn add(&mut self, key: &str, words: Words, is_known: impl Fn(&str) -> bool) {
        let keys = key.split(',').map(str::trim).filter(|key| !key.is_empty()).map(str::to_owned).collect();
        self.keys.push(keys);
        let line = self.keys.len() - 1;
        for phrase in words.iter().filter(|phrase| is_known(phrase)) {
            self.phrases.insert(phrase, line);
        }
    }

    /// How many tokens the longest phrase at a place takes; 0 without one.
    #[must_use]
    pub fn length_at(&self, text: &Tokens<'_>, at: usize) -> usize {
        self.phrases.length_at(text, at)
    }

    /// The longest phrase at a place, with the number of its line.
    #[must_use]
    pub fn find(&self, text: &Tokens<'_>, at: usize) -> Option<PhraseMatch<usize>> {
        self.phrases.longest(text, at)
    }

    /// All phrases at a place, each with the number of its line.
    pub fn all<'t>(
        &'t self,
        text: &'t Tokens<'_>,
        at: usize,
    ) -> impl Iterator<Item = PhraseMatch<usize>> + 't {
        self.phrases.all(text, at)
    }

    /// The longest phrase at a place, with the first key of its line.
    #[must_use]
    pub fn key_at(&self, text: &Tokens<'_>, at: usize) -> Option<PhraseMatch<&str>> {
        let found = self.find(text, at)?;
        Some(PhraseMatch { tokens: found.tokens, value: self.keys.get(found.value)?.first()?.as_str() })
    }

    /// Whether a folded token is one of the phrases.
    #[must_use]
    pub fn has_word(&self, folded: &str) -> bool {
        self.phrases.has_word(folded)
    }

    /// The first place of a range of tokens at which a phrase stands that ends within it.
    #[must_use]
    pub fn within(&self, text: &Tokens<'_>, range: std::ops::Range<usize>) -> Option<usize> {
        self.phrases.within(text, range)
    }

    /// The keys of each line.
    #[must_use]
    pub fn keys(&self) -> &[Vec<String>] {
        &self.keys
    }

    /// The lines that a phrase of one token belongs to.
    pub fn lines_of(&self, folded: &str) -> impl Iterator<Item = usize> {
        self.phrases.of_word(folded)
    }
}

/// The cues of some languages together.
#[derive(Debug, Default)]
pub struct Lexicon {
    lists: FxHashMap<&'static str, CueList>,
    none: CueList,
    /// Groups of words that mean much the same, by stem.
    groups: FxHashMap<String, Vec<usize>>,
}

impl Lexicon {
    /// The cues of a language and of English; of an unknown language those of all languages that conversations are
    /// held in, where words of one letter are English. A word that says yes in one of the languages and no in another
    /// does not say yes.
    #[must_use]
    pub fn of(language: Language) -> &'static Self {
        static ANY: LazyLock<Lexicon> = LazyLock::new(|| {
            let all = Languages::of_level(Level::Full);
            Lexicon::new(all, Language::ENGLISH.into(), Language::UNKNOWN)
        });
        static LEXICA: PerLocale<Lexicon> = PerLocale::new();
        let own = LEXICA.get(language, |_| {
            let languages = Languages::from(Language::ENGLISH).with(language);
            Lexicon::new(languages, languages, Language::UNKNOWN)
        });
        own.unwrap_or_else(|| &ANY)
    }

    /// The same where the language is known to be spoken: its words for yes say yes, whatever they say in English.
    #[must_use]
    pub fn of_spoken(language: Language) -> &'static Self {
        static LEXICA: PerLocale<Option<Lexicon>> = PerLocale::new();
        let own = LEXICA.get(language, |locale| {
            let languages = Languages::from(Language::ENGLISH).with(language);
            let refusals = refusals(languages);
            let mut yes =
                locale.cues.entries().filter(|entry| entry.key == "yes").flat_map(|entry| entry.words.iter());
            // Few languages need words of their own.
            yes.any(|phrase| refusals.contains(&fold_phrase(phrase)))
                .then(|| Lexicon::new(languages, languages, language))
        });
        own.and_then(Option::as_ref).unwrap_or_else(|| Self::of(language))
    }

    /// The cues of languages; those of `lettered` have words of one letter, too. All words for yes are those of
    /// `spoken`; of another language only those that refuse in none.
    fn new(languages: Languages, lettered: Languages, spoken: Language) -> Self {
        let mut lexicon = Self::default();
        let refusals = refusals(languages);
        let mut group = 0;
        for language in languages.iter() {
            let Some(locale) = language.locale() else { continue };
            for entry in entries(locale) {
                if entry.key == "alike" {
                    group += 1;
                    for word in entry.words.iter() {
                        lexicon.groups.entry(light_stem(&fold_word(word))).or_default().push(group);
                    }
                    continue;
                }
                let list = lexicon.lists.entry(entry.key).or_default();
                let has_letters = lettered.contains(language);
                let may_refuse = entry.key == "yes" && language != spoken;
                list.add(entry.subkey, entry.words, |phrase| {
                    (has_letters || fold_word(phrase).len() > 1)
                        && !(may_refuse && refusals.contains(&fold_phrase(phrase)))
                });
            }
        }
        lexicon
    }

    /// A list; an empty one for a name that there is not.
    #[must_use]
    pub fn list(&self, name: &str) -> &CueList {
        self.lists.get(name).unwrap_or(&self.none)
    }

    /// The groups of words of much the same meaning that a stem is in.
    #[must_use]
    pub fn groups(&self, stem: &str) -> &[usize] {
        self.groups.get(stem).map(Vec::as_slice).unwrap_or_default()
    }

    /// Whether two stems mean much the same: they are one, or of one group.
    #[must_use]
    pub fn are_alike(&self, one: &str, other: &str) -> bool {
        one == other || self.groups(one).iter().any(|group| self.groups(other).contains(group))
    }
}

/// The phrases that refuse in any of the languages, folded.
fn refusals(languages: Languages) -> FxHashSet<String> {
    let cues = languages.iter().filter_map(Language::locale).flat_map(|locale| locale.cues.entries());
    cues.filter(|entry| entry.key == "no").flat_map(|entry| entry.words.iter()).map(fold_phrase).collect()
}

/// The lists of a locale: its cues, and the lists and sections that conversations use, under the names of their
/// tables with the numbers as keys (`months`), or under their own (`ago`, `and`).
fn entries(locale: &'static Locale) -> impl Iterator<Item = Entry> {
    let tables = [
        ("months", locale.months),
        ("weekdays", locale.weekdays),
        ("number_words", locale.number_words),
        ("ordinals", locale.ordinals),
        ("multiples", locale.multiples),
        ("multiples", locale.spoken_multiples),
        ("relative_days", locale.relative_days),
        ("dayparts", locale.dayparts),
        ("clock_times", locale.clock_times),
    ];
    let tables = tables.into_iter().flat_map(|(name, section)| {
        section.entries().map(move |entry| Entry { key: name, subkey: entry.key, ..entry })
    });
    let lists = [
        ("and", locale.and),
        ("or", locale.or),
        ("articles", locale.articles),
        ("between", locale.between),
        ("range", locale.range),
        ("range_from", locale.range_from),
        ("date_leads", locale.date_leads),
        ("titles", locale.titles),
    ];
    let lists = lists.into_iter().map(|(key, words)| Entry { key, subkey: "", words });
    let sections = [locale.cues, locale.date_words, locale.time_words];
    sections.into_iter().flat_map(|section| section.entries()).chain(tables).chain(lists)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lexicon(code: &str) -> &'static Lexicon {
        Lexicon::of(Language::from_code(code).unwrap_or_default())
    }

    #[test]
    fn cues_are_found_in_their_language_and_english() {
        let text = Tokens::of("das weiß ich leider nicht");
        assert_eq!(lexicon("de").list("unknown").length_at(&text, 0), text.len());
        assert_eq!(lexicon("en").list("unknown").length_at(&text, 0), 0);
        assert_eq!(lexicon("").list("unknown").length_at(&text, 0), text.len());
        let text = Tokens::of("sounds right");
        assert_eq!(lexicon("fr").list("yes").length_at(&text, 0), 2);
        assert_eq!(lexicon("fr").list("no such list").length_at(&text, 0), 0);
    }

    #[test]
    fn every_full_language_agrees_refuses_and_ends() {
        for (code, list, text) in [
            ("it", "yes", "va bene così"),
            ("it", "skip", "preferisco non rispondere"),
            ("nl", "finish", "dat was het"),
            ("nl", "unknown", "dat weet ik helaas niet"),
            ("pl", "yes", "jak najbardziej"),
            ("pl", "later", "muszę to sprawdzić"),
            ("pt", "cancel", "deixa para lá"),
            ("pt", "explain", "o que quer dizer"),
            ("sv", "no", "det stämmer inte"),
            ("sv", "back", "gå tillbaka"),
        ] {
            let text = Tokens::of(text);
            assert_eq!(lexicon(code).list(list).length_at(&text, 0), text.len(), "{code} {list}");
        }
    }

    #[test]
    fn a_word_that_refuses_in_another_language_agrees_only_where_its_own_is_spoken() {
        let says = |lexicon: &Lexicon, list: &str| lexicon.list(list).length_at(&Tokens::of("no"), 0) == 1;
        let polish = Language::from_code("pl").unwrap();
        for lexicon in [Lexicon::of(polish), Lexicon::of(Language::UNKNOWN)] {
            assert!(says(lexicon, "no") && !says(lexicon, "yes"));
        }
        assert!(says(Lexicon::of_spoken(polish), "yes"));
        assert_eq!(Lexicon::of(polish).list("yes").length_at(&Tokens::of("no tak"), 0), 2);
    }

    #[test]
    fn tables_tell_the_key_of_a_phrase() {
        let text = Tokens::of("day after tomorrow");
        assert_eq!(lexicon("en").list("relative_days").key_at(&text, 0).map(|found| found.value), Some("2"));
        let sense =
            lexicon("de").list("sense").key_at(&Tokens::of("Telefonnummer"), 0).map(|found| found.value);
        assert_eq!(sense, Some("phone"));
    }

    #[test]
    fn words_of_one_group_are_alike() {
        let lexicon = lexicon("en");
        assert!(lexicon.are_alike(&light_stem("passengers"), &light_stem("travelers")));
        assert!(lexicon.are_alike("zebra", "zebra"));
        assert!(!lexicon.are_alike(&light_stem("wifi"), &light_stem("beds")));
    }

    #[test]
    fn words_of_one_letter_are_english_where_the_language_is_unknown() {
        let text = Tokens::of("y");
        assert!(lexicon("").list("yes").length_at(&text, 0) == 1);
        assert!(lexicon("").list("glue").length_at(&Tokens::of("y"), 0) == 0);
    }
}
