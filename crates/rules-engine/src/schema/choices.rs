//! Finds options in a list: "size: small, medium or large", "one of a, b and c", "result pass or fail".
//!
//! Counts of words that decide here were set on the phrases of `tests/schema`; none was measured alone.

use super::draft::DraftKind;
use super::infer::infer;
use super::list::ProseList;
use super::spec::{FieldSpec, split_before_options};
use super::split::{ProseEntry, Separator, find_open};
use super::words::{Word, has_any, text_before, text_from, words};

/// Most entries of a list of options. Bounds the form. Chosen by hand; no measurement is recorded.
const MAX_OPTIONS: usize = 60;

impl<'a> ProseList<'a> {
    /// The name of a field with options, the text from its first option on, and the index of its last entry.
    pub(super) fn options(&self, at: usize) -> Option<(&'a str, &'a str, usize)> {
        let text = self.text(at);
        let colon =
            find_open(text, |rest| rest.starts_with(':') || rest.starts_with(" - ") || rest.starts_with('='))
                .filter(|place| *place > 0);
        let colon =
            colon.map(|place| (text[..place].trim(), text[place..].trim_start_matches([' ', ':', '-', '='])));
        if let Some((head, rest)) = colon.filter(|(_, rest)| !rest.is_empty()) {
            let spec = FieldSpec::read(rest, self.lexicon);
            let digits = |text: &str| text.starts_with(|c: char| c.is_ascii_digit());
            // "Company size: 1-10, 11-100 or more"
            let ranges = spec.rest.is_empty() && digits(rest) && digits(self.text(at + 1));
            let plain = spec.rest.len() == 1 || ranges;
            let last = self.last_alternative(at).filter(|_| plain || spec.alternatives);
            let last = last
                .or_else(|| (plain && self.only_options_follow(head, at)).then(|| self.entries.len() - 1));
            return last
                .map(|last| (head, rest, last))
                .or_else(|| spec.alternatives.then_some((head, rest, at)));
        }
        let open = find_open(text, |rest| rest.starts_with('(')).is_none();
        if let Some((head, rest)) = split_before_options(text, self.lexicon).filter(|_| open) {
            let last = self.last_alternative(at).unwrap_or_else(|| self.last_of_group(at));
            return Some((head, rest, last));
        }
        self.bare_options(at)
    }

    /// `size small, medium or large`: name and first option are in one entry.
    fn bare_options(&self, at: usize) -> Option<(&'a str, &'a str, usize)> {
        let last = self.last_alternative(at)?;
        let text = self.text(at);
        let found = words(text);
        let (option, name) = found.split_last()?;
        let known = |word: &Word| self.lexicon.has("field", &word.plain);
        let chosen = name.last().is_some_and(|word| self.lexicon.has("choice_noun", &word.plain))
            || has_any(name, self.lexicon.list("preferred"))
            || has_any(name, self.lexicon.list("means"));
        let short = (at + 1..=last).all(|n| words(self.text(n)).len() <= if chosen { 3 } else { 1 });
        let fields = known(option) || (at + 1..=last).any(|n| words(self.text(n)).last().is_some_and(known));
        let plain = !text.contains(['(', '"']) && !name.is_empty() && short && (chosen || !fields);
        let first = text_from(text, &found, found.len() - 1);
        plain.then(|| (text_before(text, &found, found.len() - 1), first, last))
    }

    /// Index of the last alternative after `at`: entries joined by commas, then "or".
    fn last_alternative(&self, at: usize) -> Option<usize> {
        let mut last = None;
        if self.text(at).ends_with(" -") {
            return None;
        }
        for (n, entry) in self.entries.iter().enumerate().skip(at + 1).take(MAX_OPTIONS) {
            let short = words(entry.text).len() <= 5 && !entry.text.contains([':', '"', '?']);
            match entry.joint {
                // A dash after the last option ends the remark.
                Separator::Comma | Separator::Or if entry.text.ends_with(" -") => {
                    return Some(n).filter(|_| short);
                }
                Separator::Or if short => last = Some(n),
                Separator::Comma if short && last.is_none() && !entry.text.contains('(') => {}
                _ => break,
            }
        }
        last
    }

    /// Index of the last entry of a group ended by "and"; else of the last entry.
    fn last_of_group(&self, at: usize) -> usize {
        for (n, entry) in self.entries.iter().enumerate().skip(at + 1).take(MAX_OPTIONS) {
            if entry.text.contains([':', '(', '"', '?'])
                || words(entry.text).len() > 4
                || self.is_field(entry.text)
            {
                return n - 1;
            }
            if entry.joint == Separator::And || entry.text.ends_with(" -") {
                return n;
            }
        }
        self.entries.len() - 1
    }

    /// Whether only short plain words follow a name with options.
    fn only_options_follow(&self, head: &str, at: usize) -> bool {
        let rest = self.entries.get(at + 1..).unwrap_or_default();
        let plain = |entry: &ProseEntry<'_>| {
            words(entry.text).len() <= 3 && !self.is_split(entry.text) && !self.is_field(entry.text)
        };
        let chosen = has_any(&words(head), self.lexicon.list("choice_noun"));
        !rest.is_empty()
            && (chosen || rest.len() >= 2)
            && rest.iter().all(plain)
            && !self.is_field(self.text(at).rsplit(':').next().unwrap_or_default())
    }

    /// Whether an entry is clearly a field of its own.
    pub(super) fn is_field(&self, text: &str) -> bool {
        let found = words(text);
        let last = found.last().is_some_and(|word| self.lexicon.has("field", &word.plain));
        last || infer(&found, self.lexicon).kind != DraftKind::String
    }
}
