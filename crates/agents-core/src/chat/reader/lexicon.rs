//! Lists of words, kept as text files per language: `[name]` begins a list, phrases stand between commas, `a, b = c, d`
//! says that those on the right belong to those on the left. All languages are read together.

use std::collections::HashMap;
use std::sync::OnceLock;

use super::text::{Text, plain, root};

const SOURCES: [&str; 4] = [
    include_str!("words/english.txt"),
    include_str!("words/german.txt"),
    include_str!("words/french.txt"),
    include_str!("words/spanish.txt"),
];

/// Phrases, each with the words that it belongs to.
#[derive(Debug, Default)]
pub(super) struct Phrases {
    /// By their first word: the words of the phrase, and the line that it stands in.
    by_first: HashMap<String, Vec<(Vec<String>, usize)>>,
    /// What stands left of `=` in each line.
    keys: Vec<Vec<String>>,
}

impl Phrases {
    fn add(&mut self, line: &str) {
        let (keys, phrases) = line.split_once(" = ").unwrap_or(("", line));
        let parts = |text: &str| -> Vec<String> {
            text.split(',').map(str::trim).filter(|part| !part.is_empty()).map(str::to_owned).collect()
        };
        self.keys.push(parts(keys));
        let index = self.keys.len() - 1;
        for phrase in parts(phrases) {
            let words: Vec<String> = Text::of(&phrase).words.into_iter().map(|word| word.plain).collect();
            if let Some(first) = words.first() {
                self.by_first.entry(first.clone()).or_default().push((words, index));
            }
        }
    }

    /// The longest phrase at a place: its number of words, and its line.
    pub(super) fn find(&self, text: &Text<'_>, at: usize) -> Option<(usize, usize)> {
        let fits = |words: &[String]| words.iter().enumerate().all(|(n, word)| text.plain(at + n) == word);
        let here = self.by_first.get(text.plain(at))?;
        here.iter()
            .filter(|(words, _)| fits(words))
            .map(|(words, line)| (words.len(), *line))
            .max_by_key(|f| f.0)
    }

    /// All phrases at a place, each with its number of words and its line.
    pub(super) fn all<'t>(
        &'t self,
        text: &'t Text<'_>,
        at: usize,
    ) -> impl Iterator<Item = (usize, usize)> + 't {
        let here = self.by_first.get(text.plain(at)).map(Vec::as_slice).unwrap_or_default();
        let fits =
            move |words: &[String]| words.iter().enumerate().all(|(n, word)| text.plain(at + n) == word);
        here.iter().filter(move |(words, _)| fits(words)).map(|(words, line)| (words.len(), *line))
    }

    /// The number of words of the longest phrase at a place; 0 without one.
    pub(super) fn at(&self, text: &Text<'_>, at: usize) -> usize {
        self.find(text, at).map_or(0, |(words, _)| words)
    }

    /// The key of the longest phrase at a place, with its number of words.
    pub(super) fn key(&self, text: &Text<'_>, at: usize) -> Option<(usize, &str)> {
        let (words, line) = self.find(text, at)?;
        Some((words, self.keys.get(line)?.first()?.as_str()))
    }

    /// Whether a word is one of the phrases.
    pub(super) fn has(&self, word: &str) -> bool {
        self.by_first.get(word).is_some_and(|phrases| phrases.iter().any(|(words, _)| words.len() == 1))
    }

    /// Whether one of the phrases stands in the range.
    pub(super) fn within(&self, text: &Text<'_>, range: std::ops::Range<usize>) -> Option<usize> {
        range.clone().find(|at| (1..=range.end - at).contains(&self.at(text, *at)))
    }

    /// The lines with their keys.
    pub(super) fn keys(&self) -> &[Vec<String>] {
        &self.keys
    }

    /// The lines that one word belongs to.
    pub(super) fn lines(&self, word: &str) -> impl Iterator<Item = usize> {
        let here = self.by_first.get(word).map(Vec::as_slice).unwrap_or_default();
        here.iter().filter(|(words, _)| words.len() == 1).map(|(_, line)| *line)
    }
}

/// All lists.
#[derive(Debug)]
pub(super) struct Lexicon {
    lists: HashMap<&'static str, Phrases>,
    none: Phrases,
    /// Groups of words that mean much the same, by root.
    groups: HashMap<String, Vec<usize>>,
}

impl Lexicon {
    /// A list; empty for a name that is none.
    pub(super) fn list(&self, name: &str) -> &Phrases {
        self.lists.get(name).unwrap_or(&self.none)
    }

    /// The groups of words that a root is in.
    pub(super) fn groups(&self, root: &str) -> &[usize] {
        self.groups.get(root).map(Vec::as_slice).unwrap_or_default()
    }

    /// Whether two roots are alike: the same, or of one group.
    pub(super) fn alike(&self, a: &str, b: &str) -> bool {
        if a == b {
            return true;
        }
        let (Some(a), Some(b)) = (self.groups.get(a), self.groups.get(b)) else { return false };
        a.iter().any(|group| b.contains(group))
    }
}

/// The lists.
pub(super) fn lexicon() -> &'static Lexicon {
    static LEXICON: OnceLock<Lexicon> = OnceLock::new();
    LEXICON.get_or_init(|| {
        let mut lists: HashMap<&'static str, Phrases> = HashMap::new();
        let mut groups: HashMap<String, Vec<usize>> = HashMap::new();
        let mut count = 0;
        for source in SOURCES {
            let mut name = "";
            for line in source.lines().map(str::trim) {
                if let Some(header) = line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
                    name = header;
                } else if name == "alike" && !line.is_empty() && !line.starts_with('#') {
                    count += 1;
                    for word in line.split(',').map(|word| root(&plain(word.trim()))) {
                        groups.entry(word).or_default().push(count);
                    }
                } else if !line.is_empty() && !line.starts_with('#') {
                    lists.entry(name).or_default().add(line);
                }
            }
        }
        Lexicon { lists, none: Phrases::default(), groups }
    })
}
