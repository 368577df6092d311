//! Applies sentences about fields named before: "All fields are required except the phone", "The rating must
//! be between 1 and 5".
//!
//! Counts of words that decide here were set on the phrases of `tests/schema`; none was measured alone.

use super::item::amend;
use super::prose::ProseReader;
use super::required_marks;
use super::snake_case::snake_case;
use super::split::entries;
use super::words::{find_phrase, has_any, longest_at, text_before, text_from, words};

impl ProseReader {
    /// `name and email are required`: the mark applies to all entries.
    pub(super) fn common_mark<'a>(&self, piece: &'a str) -> (&'a str, Option<bool>) {
        let (rest, mark) = required_marks::strip_mark(piece, self.lexicon);
        let tail = piece.get(rest.len()..).unwrap_or_default();
        let common = piece.starts_with(rest) && has_any(&words(tail), self.lexicon.list("plural_verb"));
        if common && mark.is_some() { (rest, mark) } else { (piece, None) }
    }

    /// `both required`, `all mandatory`, `required`: the mark applies to the fields before.
    pub(super) fn mark_before(&mut self, text: &str, required: bool, start: usize) {
        let found = words(text);
        let count = if has_any(&found, self.lexicon.list("all")) {
            self.fields.len() - start
        } else if has_any(&found, self.lexicon.list("both")) {
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
        let all = longest_at(&found, 0, self.lexicon.list("everything"));
        if all == 0 || self.fields.is_empty() {
            return false;
        }
        let except = find_phrase(&found, self.lexicon.list("all_but"));
        let (main, exceptions) = match except {
            Some((at, count)) => (text_before(sentence, &found, at), text_from(sentence, &found, at + count)),
            None => (sentence, ""),
        };
        let main_words = words(main);
        let others = has_any(&main_words, self.lexicon.list("others"));
        let Some(required) = required_marks::parse_mark(text_from(main, &main_words, all), self.lexicon)
        else {
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
        let (rest, Some(required)) = required_marks::strip_mark(sentence, self.lexicon) else { return false };
        let found = words(rest);
        let rest = text_from(rest, &found, longest_at(&found, 0, self.lexicon.list("only")));
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
        let Some((at, count)) =
            find_phrase(&found, self.lexicon.list("rule")).filter(|(at, _)| *at > 0 && *at <= 6)
        else {
            return false;
        };
        let Some(field) = self.resolve(text_before(sentence, &found, at)) else { return false };
        let lexicon = self.lexicon;
        if let Some(field) = self.fields.get_mut(field) {
            amend(field, text_from(sentence, &found, at + count), lexicon);
        }
        true
    }

    /// The fields that a list names; `None` when one of them is unknown.
    fn resolve_all(&self, text: &str) -> Option<Vec<usize>> {
        if text.is_empty() {
            return None;
        }
        entries(text, self.lexicon).iter().map(|entry| self.resolve(entry.text)).collect()
    }

    /// The field that `text` names: by an equal name, else the only one that contains all of its words.
    fn resolve(&self, text: &str) -> Option<usize> {
        let wanted = snake_case(text, self.lexicon);
        let parts: Vec<&str> =
            wanted.split('_').filter(|part| !self.lexicon.has("reference", part)).collect();
        if parts.is_empty() || parts.len() > 6 {
            return None;
        }
        let names: Vec<String> =
            self.fields.iter().map(|field| snake_case(&field.name, self.lexicon)).collect();
        let same = names.iter().position(|name| name.split('_').eq(parts.iter().copied()));
        let holds = |name: &&String| parts.iter().all(|part| name.split('_').any(|word| word == *part));
        same.or_else(|| match names.iter().filter(holds).count() {
            1 => names.iter().position(|name| holds(&name)),
            _ => None,
        })
    }
}
