//! Applies sentences about fields named before: "All fields are required except the phone", "The rating must
//! be between 1 and 5".
//!
//! Counts of words that decide here were set on the phrases of `tests/generator`; none was measured alone.

use super::item::amend;
use super::prose::ProseReader;
use super::required_marks;
use super::snake_case::snake_case;
use super::split::entries;
use super::words::{Phrases, find_phrase, has_any, longest_at, text_before, text_from, words};

static EVERYTHING: Phrases = Phrases::new(
    "all fields, all of the fields, every field, each field, all of them, everything, \
    all other fields, all others, the rest, the others, all, both, alle felder, alle, alles, \
    tous les champs, tous, toutes, todos los campos, todos, todo, these, they",
);
static EXCEPT: Phrases = Phrases::new(
    "except for, except, apart from, other than, but not, besides, with the exception of, unless, \
    ausser, bis auf, sauf, a part, excepto, salvo, menos",
);
/// Verbs between a field and the rule about it.
static RULES: Phrases = Phrases::new(
    "must be, should be, has to be, can be, may be, is one of, are one of, ranges, goes, is, are, \
    muss, kann, doit etre, peut etre, debe ser, puede ser, must have, can have, needs to be, \
    should have, may have",
);
/// Words that refer to several fields.
static PLURAL: Phrases = Phrases::new("are, both, all, sind, sont, son, have");

/// Splits off a trailing clause about all fields.
pub(super) fn trailing_clause(piece: &str) -> (&str, Option<&str>) {
    let found = words(piece);
    for at in (1..found.len()).rev().take(30) {
        let all = longest_at(&found, at, &EVERYTHING);
        if all == 0
            || !["all", "everything", "alle", "tous", "todos", "todo", "every", "alles"]
                .contains(&found[at].plain.as_str())
        {
            continue;
        }
        let except = (at + all..found.len()).find(|n| longest_at(&found, *n, &EXCEPT) > 0);
        let end = except.and_then(|n| found.get(n)).map_or(piece.len(), |word| word.start);
        let said = found.get(at + all).and_then(|word| piece.get(word.start..end)).unwrap_or_default();
        if required_marks::parse_mark(said).is_some() {
            let list = text_before(piece, &found, at).trim_end_matches([',', '-', ';', '(', ' ', '.']);
            return (list, Some(text_from(piece, &found, at).trim_end_matches(')')));
        }
    }
    (piece, None)
}

impl ProseReader {
    /// `name and email are required`: the mark applies to all entries.
    pub(super) fn common_mark<'a>(&self, piece: &'a str) -> (&'a str, Option<bool>) {
        let (rest, mark) = required_marks::strip_mark(piece);
        let tail = piece.get(rest.len()..).unwrap_or_default();
        let common = piece.starts_with(rest) && has_any(&words(tail), &PLURAL);
        if common && mark.is_some() { (rest, mark) } else { (piece, None) }
    }

    /// `both required`, `all mandatory`, `required`: the mark applies to the fields before.
    pub(super) fn mark_before(&mut self, text: &str, required: bool, start: usize) {
        let found = words(text);
        let count = if has_any(&found, &["all"]) {
            self.fields.len() - start
        } else if has_any(&found, &["both"]) {
            2
        } else {
            1
        };
        self.fields.iter_mut().rev().take(count).for_each(|field| field.required = Some(required));
    }

    /// Applies a sentence such as "All fields are required" or "The rating must be between 1 and 5". Returns
    /// whether it was one.
    pub(super) fn apply_remark(&mut self, sentence: &str) -> bool {
        self.mark_all(sentence) || self.mark_named(sentence) || self.apply_rule(sentence)
    }

    pub(super) fn mark_all(&mut self, sentence: &str) -> bool {
        let found = words(sentence);
        let all = longest_at(&found, 0, &EVERYTHING);
        if all == 0 || self.fields.is_empty() {
            return false;
        }
        let except = find_phrase(&found, &EXCEPT);
        let (main, exceptions) = match except {
            Some((at, count)) => (text_before(sentence, &found, at), text_from(sentence, &found, at + count)),
            None => (sentence, ""),
        };
        let main_words = words(main);
        let others = has_any(&main_words, &["other", "others", "rest"]);
        let Some(required) = required_marks::parse_mark(text_from(main, &main_words, all)) else {
            return false;
        };
        let spared: Vec<usize> = self.resolve_all(exceptions).into_iter().flatten().collect();
        for (n, field) in self.fields.iter_mut().enumerate() {
            let settled = others && field.required.is_some();
            if !settled && !spared.contains(&n) {
                field.required = Some(required);
            }
        }
        true
    }

    fn mark_named(&mut self, sentence: &str) -> bool {
        let (rest, Some(required)) = required_marks::strip_mark(sentence) else { return false };
        let rest = rest.strip_prefix("Only ").or_else(|| rest.strip_prefix("only ")).unwrap_or(rest);
        let Some(named) = self.resolve_all(rest) else { return false };
        for n in &named {
            if let Some(field) = self.fields.get_mut(*n) {
                field.required = Some(required);
            }
        }
        !named.is_empty()
    }

    fn apply_rule(&mut self, sentence: &str) -> bool {
        let found = words(sentence);
        let Some((at, count)) = find_phrase(&found, &RULES).filter(|(at, _)| *at > 0 && *at <= 6) else {
            return false;
        };
        let Some(field) = self.resolve(text_before(sentence, &found, at)) else { return false };
        let language = self.language;
        if let Some(field) = self.fields.get_mut(field) {
            amend(field, text_from(sentence, &found, at + count), language);
        }
        true
    }

    /// The fields that a list names; `None` when one of them is unknown.
    fn resolve_all(&self, text: &str) -> Option<Vec<usize>> {
        if text.is_empty() {
            return None;
        }
        entries(text, self.language).iter().map(|entry| self.resolve(entry.text)).collect()
    }

    /// The field that `text` names: by an equal name, else the only one that contains all of its words.
    fn resolve(&self, text: &str) -> Option<usize> {
        let german = self.language.is_german();
        let wanted = snake_case(text.trim_start_matches("The ").trim_start_matches("the "), german);
        let parts: Vec<&str> = wanted
            .split('_')
            .filter(|part| {
                !["a", "the", "their", "field", "der", "die", "das", "le", "la", "el"].contains(part)
            })
            .collect();
        if parts.is_empty() || parts.len() > 6 {
            return None;
        }
        let names: Vec<String> = self.fields.iter().map(|field| snake_case(&field.name, german)).collect();
        let same = names.iter().position(|name| name.split('_').eq(parts.iter().copied()));
        let holds = |name: &&String| parts.iter().all(|part| name.split('_').any(|word| word == *part));
        same.or_else(|| match names.iter().filter(holds).count() {
            1 => names.iter().position(|name| holds(&name)),
            _ => None,
        })
    }
}
