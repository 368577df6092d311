//! Checks the citations of an answer while it is streamed.
//!
//! `[n]`, `[n, m]` and `[n-m]` with numbers that are not in the context are removed, with the blanks before
//! them. Of a list, the numbers that exist stay. Where the sentence needs a word in place of the citation, as
//! in "according to [9]", `[…]` replaces it.
//!
//! Not changed are code (between backticks), links (`[1](…)`, and `[1]:` at the start of a line), escaped
//! brackets (`\[1]`), numbers too large for a citation, such as years, and likely indexes: a bracket right
//! after a word that the prompt or the context has before brackets, after a name of one or two letters, or
//! after one with `_`, digits or inner capitals; and `[0]` after any word.

use std::collections::HashSet;
use std::sync::LazyLock;

use language::Language;
use language::fold::fold;
use language::phrase::SectionPhrases;
use language::vocabulary::is_stop_word;

/// Its `sources` are words that need a word after them, as they refer to a source or join.
static GRAMMAR: LazyLock<SectionPhrases> = LazyLock::new(|| SectionPhrases::of(|locale| locale.grammar));

/// Maximum bytes from `[` to `]` of a citation: what is held back of a stream.
const MAX_CITATION: usize = 16;
/// Maximum bytes of the word before a bracket: bounds the memory.
const MAX_WORD: usize = 40;
/// Maximum blanks before a bracket that are held back: bounds the memory.
const MAX_BLANKS: usize = 8;
/// The largest number of a citation; larger ones are years and the like. A context with more passages raises
/// it.
const MAX_NUMBER: usize = 999;
/// Replaces a removed citation that the sentence needs.
const GAP: &str = "[…]";

/// What an answer may cite, and which words have indexes.
#[derive(Clone, Debug, Default)]
pub(super) struct CitationScope {
    /// The highest number of the context.
    pub(super) numbers: usize,
    /// The language of the prompt.
    pub(super) language: Language,
    /// Words right before a bracket in the prompt or the context.
    pub(super) indexed: HashSet<String>,
}

impl CitationScope {
    /// Adds the words right before the brackets of a text.
    pub(super) fn read(&mut self, text: &str) {
        for (at, _) in text.match_indices('[') {
            let before = text.get(..at).unwrap_or_default();
            let from = before.rfind(|c: char| !is_word(c)).map_or(0, |at| {
                at + before.get(at..).and_then(|rest| rest.chars().next()).map_or(1, char::len_utf8)
            });
            let word = before.get(from..).unwrap_or_default();
            if !word.is_empty() && word.len() <= MAX_WORD {
                self.indexed.insert(word.to_owned());
            }
        }
    }
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// A citation in a text that passed [`CitationFilter`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct CitationMark {
    /// Start of the bracket, in bytes.
    pub(super) start: usize,
    /// End of the bracket, exclusive.
    pub(super) end: usize,
    /// Its numbers, with ranges expanded.
    pub(super) numbers: Vec<usize>,
}

/// A streaming filter that removes citations of passages that do not exist. It holds back at most an open
/// bracket and the blanks around it. The output does not depend on how the input is divided.
#[derive(Debug)]
pub(super) struct CitationFilter {
    /// `None` for answers without citations, which pass unchanged.
    scope: Option<CitationScope>,
    blanks: String,
    bracket: String,
    word: String,
    last: char,
    ticks: usize,
    code: usize,
    /// Blanks after a removed citation at the start of a sentence.
    held_blanks: Option<String>,
    marks: Vec<CitationMark>,
    invented: Vec<String>,
}

impl CitationFilter {
    pub(super) fn new(scope: Option<CitationScope>) -> Self {
        Self {
            scope,
            blanks: String::new(),
            bracket: String::new(),
            word: String::new(),
            last: '\n',
            ticks: 0,
            code: 0,
            held_blanks: None,
            marks: Vec::new(),
            invented: Vec::new(),
        }
    }

    /// The citations of a text that passed the filter.
    pub(super) fn marks(known: CitationScope, text: &str) -> Vec<CitationMark> {
        let mut citations = Self::new(Some(known));
        let mut out = String::with_capacity(text.len());
        text.chars().for_each(|c| citations.next(c, &mut out));
        citations.end(&mut out);
        citations.marks
    }

    /// The removed citations as they were written, without duplicates.
    pub(super) fn take_invented(&mut self) -> Vec<String> {
        std::mem::take(&mut self.invented)
    }

    /// The scope; for after the end of the text.
    pub(super) fn take_scope(&mut self) -> Option<CitationScope> {
        self.scope.take()
    }

    /// Adds a piece of text, and returns what can be emitted.
    pub(super) fn push(&mut self, piece: &str) -> String {
        if self.scope.is_none() {
            return piece.to_owned();
        }
        let mut out = String::with_capacity(piece.len());
        for c in piece.chars() {
            self.next(c, &mut out);
        }
        out
    }

    /// Returns what was held back, at the end of the text.
    pub(super) fn finish(&mut self) -> String {
        let mut out = String::new();
        self.end(&mut out);
        out
    }

    fn end(&mut self, out: &mut String) {
        if self.bracket.ends_with(']') {
            self.decide(None, out);
        }
        self.held_blanks = None;
        self.release(out);
    }

    fn next(&mut self, c: char, out: &mut String) {
        if !self.bracket.is_empty() {
            if self.bracket.ends_with(']') {
                self.decide(Some(c), out);
            } else if self.continues_bracket(c) {
                self.bracket.push(c);
                return;
            } else {
                self.release(out);
            }
        }
        if self.held_blanks.is_some() && self.closes_gap(c, out) {
            return;
        }
        if c == '`' {
            self.ticks += 1;
            self.emit(c, out);
            return;
        }
        if self.ticks > 0 {
            self.toggle();
        }
        // The end of a paragraph closes inline code that was opened by mistake; fences span paragraphs.
        if c == '\n' && self.last == '\n' && self.code < 3 {
            self.code = 0;
        }
        if self.code == 0 && c == '[' && self.last != '\\' {
            self.bracket.push(c);
        } else if self.code == 0 && c == ' ' && self.blanks.len() < MAX_BLANKS {
            self.blanks.push(c);
        } else {
            self.emit(c, out);
        }
    }

    fn toggle(&mut self) {
        if self.code == 0 {
            self.code = self.ticks;
        } else if self.code == self.ticks {
            self.code = 0;
        }
        self.ticks = 0;
    }

    fn continues_bracket(&self, c: char) -> bool {
        let part = c.is_ascii_digit() || matches!(c, ',' | ';' | ' ' | '-' | '–');
        let closes = c == ']' && self.bracket.bytes().any(|byte| byte.is_ascii_digit());
        self.bracket.len() < MAX_CITATION && (part || closes)
    }

    fn emit(&mut self, c: char, out: &mut String) {
        if !self.blanks.is_empty() {
            self.word.clear();
            out.push_str(&std::mem::take(&mut self.blanks));
        }
        if c.is_alphanumeric() || c == '_' {
            if self.word.len() < MAX_WORD {
                self.word.push(c);
            }
        } else {
            self.word.clear();
        }
        self.last = c;
        out.push(c);
    }

    /// Emits what is held back unchanged.
    fn release(&mut self, out: &mut String) {
        for c in std::mem::take(&mut self.bracket).chars() {
            self.emit(c, out);
        }
        out.push_str(&std::mem::take(&mut self.blanks));
    }

    /// Emits or removes a closed bracket; `next` is the following character.
    fn decide(&mut self, next: Option<char>, out: &mut String) {
        let definition = next == Some(':') && self.last == '\n' && self.blanks.is_empty();
        if next == Some('(') || definition || self.is_index() {
            return self.release(out);
        }
        let Some(known) = self.scope.as_ref().map(|known| known.numbers) else { return self.release(out) };
        let (numbers, exists) = (numbers(&self.bracket), |number: &usize| (1..=known).contains(number));
        if numbers.iter().any(|number| *number > MAX_NUMBER.max(known)) {
            return self.release(out);
        }
        if numbers.iter().all(exists) {
            let start = out.len() + self.blanks.len();
            let end = start + self.bracket.len();
            self.marks.push(CitationMark { start, end, numbers: expand_numbers(&self.bracket, known) });
            return self.release(out);
        }
        if !self.invented.contains(&self.bracket) {
            self.invented.push(self.bracket.clone());
        }
        let kept: Vec<String> =
            numbers.iter().filter(|number| exists(number)).map(usize::to_string).collect();
        self.bracket.clear();
        if !kept.is_empty() {
            self.bracket = format!("[{}]", kept.join(", "));
            return self.decide(next, out);
        }
        if self.is_needed(next) {
            self.bracket = GAP.to_owned();
            return self.release(out);
        }
        if matches!(self.last, '\n' | '.' | '!' | '?') {
            self.held_blanks = Some(String::new());
        } else if next.is_none_or(|c| c.is_whitespace() || c.is_ascii_punctuation()) {
            self.blanks.clear();
        }
    }

    /// After a removed citation at the start of a sentence: whether `c` is held back. If the sentence
    /// continues in lower case, the citation was its subject.
    fn closes_gap(&mut self, c: char, out: &mut String) -> bool {
        let Some(gap) = &mut self.held_blanks else { return false };
        if c == ' ' && gap.len() < MAX_BLANKS {
            gap.push(c);
            return true;
        }
        let gap = self.held_blanks.take().unwrap_or_default();
        if c.is_lowercase() && !gap.is_empty() {
            self.bracket = GAP.to_owned();
            self.release(out);
            self.blanks = gap;
        } else if self.last == '\n' || c.is_whitespace() || c.is_ascii_punctuation() {
            self.blanks.clear();
        }
        false
    }

    /// Whether the sentence needs a word in place of the bracket: after a reference word or conjunction, or
    /// after a stop word if the sentence continues.
    fn is_needed(&self, next: Option<char>) -> bool {
        let word = self.word.to_lowercase();
        let language = self.scope.as_ref().map(|known| known.language).unwrap_or_default();
        !word.is_empty()
            && !self.blanks.is_empty()
            && (GRAMMAR.has_word("sources", &fold(&word))
                || next == Some(' ') && is_stop_word(language, &word))
    }

    fn is_index(&self) -> bool {
        if !self.blanks.is_empty()
            || self.word.is_empty()
            || !self.word.ends_with(|c: char| c.is_ascii_alphanumeric() || c == '_')
        {
            return false;
        }
        let word = &self.word;
        if self.scope.as_ref().is_some_and(|known| known.indexed.contains(word)) || self.bracket == "[0]" {
            return true;
        }
        let number = word.bytes().all(|byte| byte.is_ascii_digit());
        let named = word.contains('_')
            || word.bytes().any(|byte| byte.is_ascii_digit())
            || word.chars().skip(1).any(char::is_uppercase) && word.chars().any(char::is_lowercase);
        !number && (word.chars().count() <= 2 || named)
    }
}

/// The numbers of a closed bracket; of a range its ends.
fn numbers(bracket: &str) -> Vec<usize> {
    let parts = bracket.split(|c: char| !c.is_ascii_digit()).filter(|part| !part.is_empty());
    parts.map(|part| part.parse().unwrap_or(usize::MAX)).collect()
}

/// The numbers of a closed bracket up to `known`, without duplicates, with ranges expanded.
fn expand_numbers(bracket: &str, known: usize) -> Vec<usize> {
    let inner = bracket.trim_matches(['[', ']']);
    let mut all = Vec::new();
    for part in inner.split([',', ';']) {
        let ends = numbers(part);
        if let (Some(first), Some(last)) = (ends.first(), ends.last()) {
            for number in (*first..=(*last).min(known)).chain([*first]) {
                if !all.contains(&number) {
                    all.push(number);
                }
            }
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    const CASES: &[(&str, &str)] = &[
        ("Rent is due [1]. It rose [9].", "Rent is due [1]. It rose."),
        ("Both [1, 2] and [2, 7] and [8; 9].", "Both [1, 2] and [2] and […]."),
        ("See [1-2] and [3–4].", "See [1-2] and […]."),
        ("As [9] says, rent rose; see [9].", "As […] says, rent rose; see […]."),
        ("[9] says so. [8] It fell.\n[7] Done", "[…] says so. It fell.\nDone"),
        ("arr[0], arr[9] and cells[9] in Rome[9]", "arr[0], arr[9] and cells[9] in Rome"),
        ("He [sic] said [Smith 2020] in [2024].", "He [sic] said [Smith 2020] in [2024]."),
        ("In Paris[2], in Rome[5].", "In Paris[2], in Rome."),
        ("[7] It begins.", "It begins."),
        ("Code `a[9]` and\n```\nx [9]\n```\nthen [9].", "Code `a[9]` and\n```\nx [9]\n```\nthen."),
        ("A link [9](http://x) stays.", "A link [9](http://x) stays."),
        ("[9]: http://x", "[9]: http://x"),
        ("x[9], items_a[9], rowCount[9]", "x[9], items_a[9], rowCount[9]"),
        ("Escaped \\[9] and [^9] and [a] and [] and [ ].", "Escaped \\[9] and [^9] and [a] and [] and [ ]."),
        ("[9][1][8]", "[1]"),
        ("Cut off [9", "Cut off [9"),
        ("A year [123456789012345678901].", "A year [123456789012345678901]."),
        ("none [0]", "none"),
        ("open ` tick\n\nnext [9].", "open ` tick\n\nnext."),
        ("two  spaces   stay", "two  spaces   stay"),
        ("zwölf ß[9] 東京[9]。", "zwölf ß 東京。"),
        ("trailing ", "trailing "),
    ];

    fn known(numbers: usize) -> Option<CitationScope> {
        let mut known = CitationScope { numbers, language: Language::ENGLISH, ..CitationScope::default() };
        known.read("The code reads arr[2] and cells[i].");
        Some(known)
    }

    fn check(known: Option<CitationScope>, text: &str) -> String {
        let mut citations = CitationFilter::new(known);
        let mut checked = citations.push(text);
        checked.push_str(&citations.finish());
        checked
    }

    #[test]
    fn citations_of_nothing_are_taken_out() {
        for (text, expected) in CASES {
            assert_eq!(check(known(2), text), *expected, "{text}");
        }
    }

    #[test]
    fn pieces_give_the_same_as_the_whole() {
        for (text, expected) in CASES {
            let mut citations = CitationFilter::new(known(2));
            let mut out: String = text.chars().map(|c| citations.push(&c.to_string())).collect();
            out.push_str(&citations.finish());
            assert_eq!(out, *expected, "{text}");
        }
    }

    #[test]
    fn what_was_taken_out_is_named_and_what_stays_is_told_with_its_numbers() {
        let mut citations = CitationFilter::new(known(4));
        let mut text = citations.push("Rent is due [1-3]. It rose [9], by far [9] [2, 7].");
        text.push_str(&citations.finish());
        assert_eq!(citations.take_invented(), ["[9]", "[2, 7]"]);
        let marks = CitationFilter::marks(known(4).unwrap(), &text);
        let told: Vec<(&str, &[usize])> =
            marks.iter().map(|mark| (&text[mark.start..mark.end], mark.numbers.as_slice())).collect();
        assert_eq!(told, [("[1-3]", [1, 2, 3].as_slice()), ("[2]", [2].as_slice())]);
    }

    #[test]
    fn little_is_held_back() {
        let mut citations = CitationFilter::new(known(2));
        let text = format!("word {} [{} end", " ".repeat(50), "1, ".repeat(50));
        for c in text.chars() {
            let _ = citations.push(&c.to_string());
            assert!(citations.bracket.len() + citations.blanks.len() <= MAX_CITATION + MAX_BLANKS);
        }
    }

    #[test]
    fn where_no_context_was_asked_for_a_text_stays_as_it_is() {
        assert_eq!(check(None, "as in [9]"), "as in [9]");
        assert_eq!(check(known(0), "It is [9]"), "It is");
    }
}
