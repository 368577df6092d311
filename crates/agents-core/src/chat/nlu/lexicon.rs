//! Word lists, one text file per language. `[name]` starts a list; commas separate phrases; `a, b = c, d`
//! assigns the phrases on the right to the keys on the left.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::OnceLock;

use language::{Language, Section};

use super::text::{Text, fold, stem};

/// Each language with its lists; the words that multiply numbers are those of its locale.
const SOURCES: [(&str, &str); 4] = [
    ("en", include_str!("words/english.txt")),
    ("de", include_str!("words/german.txt")),
    ("fr", include_str!("words/french.txt")),
    ("es", include_str!("words/spanish.txt")),
];

/// Whether messages in a language are read.
#[must_use]
pub fn reads(language: Language) -> bool {
    SOURCES.iter().any(|(code, _)| language.code() == Some(*code))
}

/// FNV-1a: quick on short words. What is kept under it is ours alone, so that nobody can make it slow.
#[derive(Debug)]
struct FnvHasher(u64);

impl Default for FnvHasher {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Hasher for FnvHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}

type FnvMap<K, V> = HashMap<K, V, BuildHasherDefault<FnvHasher>>;

/// Phrases with the keys of their line.
#[derive(Debug, Default)]
pub(super) struct Phrases {
    /// By first word: the words of the phrase, and the index of its line.
    by_first: FnvMap<String, Vec<(Vec<String>, usize)>>,
    /// The keys of each line, left of `=`.
    keys: Vec<Vec<String>>,
}

impl Phrases {
    fn add(&mut self, line: &str, has_letters: bool) {
        let (keys, phrases) = line.split_once(" = ").unwrap_or(("", line));
        let parts = |text: &str| -> Vec<String> {
            text.split(',').map(str::trim).filter(|part| !part.is_empty()).map(str::to_owned).collect()
        };
        self.keys.push(parts(keys));
        let index = self.keys.len() - 1;
        for phrase in parts(phrases) {
            let words: Vec<String> = Text::new(&phrase).words.into_iter().map(|word| word.folded).collect();
            let is_letter = words.len() == 1 && words.iter().all(|word| word.len() == 1);
            if let Some(first) = words.first().filter(|_| has_letters || !is_letter) {
                self.by_first.entry(first.clone()).or_default().push((words, index));
            }
        }
    }

    /// The longest phrase at a word: its number of words, and its line.
    pub(super) fn find(&self, text: &Text<'_>, at: usize) -> Option<(usize, usize)> {
        let fits = |words: &[String]| words.iter().enumerate().all(|(n, word)| text.folded(at + n) == word);
        let here = self.by_first.get(text.folded(at))?;
        here.iter()
            .filter(|(words, _)| fits(words))
            .map(|(words, line)| (words.len(), *line))
            .max_by_key(|f| f.0)
    }

    /// All phrases at a word, each with its number of words and its line.
    pub(super) fn find_all<'t>(
        &'t self,
        text: &'t Text<'_>,
        at: usize,
    ) -> impl Iterator<Item = (usize, usize)> + 't {
        let here = self.by_first.get(text.folded(at)).map(Vec::as_slice).unwrap_or_default();
        let fits =
            move |words: &[String]| words.iter().enumerate().all(|(n, word)| text.folded(at + n) == word);
        here.iter().filter(move |(words, _)| fits(words)).map(|(words, line)| (words.len(), *line))
    }

    /// Number of words of the longest phrase at a word; 0 for none.
    pub(super) fn at(&self, text: &Text<'_>, at: usize) -> usize {
        self.find(text, at).map_or(0, |(words, _)| words)
    }

    /// First key of the longest phrase at a word, with the number of words.
    pub(super) fn key(&self, text: &Text<'_>, at: usize) -> Option<(usize, &str)> {
        let (words, line) = self.find(text, at)?;
        Some((words, self.keys.get(line)?.first()?.as_str()))
    }

    /// Whether a single word is one of the phrases.
    pub(super) fn has(&self, word: &str) -> bool {
        self.by_first.get(word).is_some_and(|phrases| phrases.iter().any(|(words, _)| words.len() == 1))
    }

    /// The first word in the range at which a phrase starts that ends within the range.
    pub(super) fn find_within(&self, text: &Text<'_>, range: std::ops::Range<usize>) -> Option<usize> {
        range.clone().find(|at| (1..=range.end - at).contains(&self.at(text, *at)))
    }

    /// The keys of each line.
    pub(super) fn keys(&self) -> &[Vec<String>] {
        &self.keys
    }

    /// The lines that contain a single word.
    pub(super) fn lines(&self, word: &str) -> impl Iterator<Item = usize> {
        let here = self.by_first.get(word).map(Vec::as_slice).unwrap_or_default();
        here.iter().filter(|(words, _)| words.len() == 1).map(|(_, line)| *line)
    }
}

/// All word lists of some languages.
#[derive(Debug)]
pub(super) struct Lexicon {
    lists: FnvMap<&'static str, Phrases>,
    empty_list: Phrases,
    /// Synonym groups by stem.
    groups: FnvMap<String, Vec<usize>>,
}

impl Lexicon {
    /// The list with this name; empty for an unknown name.
    pub(super) fn list(&self, name: &str) -> &Phrases {
        self.lists.get(name).unwrap_or(&self.empty_list)
    }

    /// The synonym groups of a stem.
    pub(super) fn groups(&self, root: &str) -> &[usize] {
        self.groups.get(root).map(Vec::as_slice).unwrap_or_default()
    }

    /// Whether two stems are equal or synonyms.
    pub(super) fn alike(&self, a: &str, b: &str) -> bool {
        if a == b {
            return true;
        }
        let (Some(a), Some(b)) = (self.groups.get(a), self.groups.get(b)) else { return false };
        a.iter().any(|group| b.contains(group))
    }
}

/// The languages whose lists apply to a message.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum LexiconLanguage {
    /// All, for a message of unknown language. Single-letter words are then English only.
    #[default]
    Any,
    /// English only.
    English,
    /// English and one other language, by its index in [`SOURCES`].
    EnglishAnd(usize),
}

/// The lists of all languages.
pub(super) fn lexicon() -> &'static Lexicon {
    lexicon_of(LexiconLanguage::Any)
}

/// The lists of some languages, built on first use.
pub(super) fn lexicon_of(tongue: LexiconLanguage) -> &'static Lexicon {
    static LEXICA: [OnceLock<Lexicon>; 5] = [const { OnceLock::new() }; 5];
    let place = match tongue {
        LexiconLanguage::Any => 0,
        LexiconLanguage::English => 1,
        LexiconLanguage::EnglishAnd(source) => 1 + source.clamp(1, 3),
    };
    let [any, ..] = &LEXICA;
    LEXICA.get(place).unwrap_or(any).get_or_init(|| build(place))
}

fn build(place: usize) -> Lexicon {
    let mut lists: FnvMap<&'static str, Phrases> = FnvMap::default();
    let mut groups: FnvMap<String, Vec<usize>> = FnvMap::default();
    let mut count = 0;
    for (source, (language, text)) in SOURCES.iter().enumerate() {
        if place > 0 && source > 0 && source != place - 1 {
            continue;
        }
        let locale = Language::from_code(language).and_then(Language::locale);
        let multiples = locale.into_iter().flat_map(|locale| [locale.multiples, locale.spoken_multiples]);
        for entry in multiples.flat_map(Section::entries) {
            let words: Vec<&str> = entry.words.iter().collect();
            let line = format!("{} = {}", entry.key, words.join(","));
            lists.entry("multiple").or_default().add(&line, place > 0 || source == 0);
        }
        let mut name = "";
        for line in text.lines().map(str::trim) {
            if let Some(header) = line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
                name = header;
            } else if name == "alike" && !line.is_empty() && !line.starts_with('#') {
                count += 1;
                for word in line.split(',').map(|word| stem(&fold(word.trim()))) {
                    groups.entry(word).or_default().push(count);
                }
            } else if !line.is_empty() && !line.starts_with('#') {
                lists.entry(name).or_default().add(line, place > 0 || source == 0);
            }
        }
    }
    Lexicon { lists, empty_list: Phrases::default(), groups }
}

/// Lists whose phrases of several words identify a language.
const PHRASES: [&str; 14] = [
    "self intro",
    "unknown",
    "not applicable",
    "later",
    "yes",
    "no",
    "finish",
    "skip",
    "repeat",
    "explain",
    "back",
    "review",
    "cancel",
    "restart",
];

/// Detects the language of a message by function words and typical phrases of its first 60 words.
pub(super) fn detect_language(text: &Text<'_>) -> LexiconLanguage {
    let count = |tongue: LexiconLanguage| {
        let lexicon = lexicon_of(tongue);
        let small = |at: &usize| {
            [
                "break",
                "pronoun",
                "common",
                "interrogative",
                "month name",
                "weekday name",
                "unit week",
                "number",
            ]
            .iter()
            .any(|list| lexicon.list(list).has(text.folded(*at)))
        };
        // "Me llamo": a typical phrase identifies a language even if its first word is also English.
        let phrase = |at: &usize| PHRASES.iter().any(|list| lexicon.list(list).at(text, *at) > 1);
        let words = 0..text.len().min(60);
        words.clone().filter(small).count() + words.filter(phrase).count()
    };
    let english = count(LexiconLanguage::English);
    // The other lexica include the English lists.
    let counts = [1, 2, 3].map(|source| (count(LexiconLanguage::EnglishAnd(source)) - english, source));
    let more = counts.into_iter().max_by_key(|(more, source)| (*more, 4 - source));
    let is_tied = |most: usize| counts.iter().filter(|(more, _)| *more == most).count() > 1;
    match more {
        // "5 de marzo de 2026": the words belong to several languages.
        Some((more, _)) if more > 0 && more >= english && is_tied(more) => LexiconLanguage::Any,
        // Few words may belong to several languages.
        Some((more, _)) if more > 0 && more >= english && text.len() <= 4 => LexiconLanguage::Any,
        Some((more, source)) if more > 0 && more >= english => LexiconLanguage::EnglishAnd(source),
        _ if english > 0 => LexiconLanguage::English,
        _ => LexiconLanguage::Any,
    }
}
