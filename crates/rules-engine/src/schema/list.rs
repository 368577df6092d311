//! Parses a list in prose into fields: decides which entries are fields, and which are parts or options of
//! the field before.
//!
//! Counts of words that decide here were set on the phrases of `tests/schema`; none was measured alone.

use super::draft::DraftKind;
use super::infer::{infer, strip_possessive};
use super::shared_words::split_shared;
use super::split::{ProseEntry, Separator, entries, find_open, pieces};
use super::words::{Lexicon, Word, find_phrase, has_any, longest_at, text_before, text_from, words};

/// The text of a field, with the text of its parts or options.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct ListItem {
    pub(super) text: String,
    pub(super) parts: Option<String>,
    pub(super) options: Option<String>,
}

/// The fields that `text` lists.
pub(super) fn list_items(text: &str, lexicon: Lexicon) -> Vec<ListItem> {
    let mut found = Vec::new();
    for piece in pieces(text) {
        let list = ProseList { piece, lexicon, entries: entries(piece, lexicon) };
        let mut at = 0;
        while at < list.entries.len() {
            at = list.take(at, &mut found);
        }
    }
    found
}

/// A piece of text with its entries.
pub(super) struct ProseList<'a> {
    piece: &'a str,
    pub(super) lexicon: Lexicon,
    pub(super) entries: Vec<ProseEntry<'a>>,
}

impl<'a> ProseList<'a> {
    pub(super) fn text(&self, at: usize) -> &'a str {
        self.entries.get(at).map_or("", |entry| entry.text)
    }

    /// The text from `start`, a slice of the piece, to the end of entry `last`.
    fn slice(&self, start: &'a str, last: usize) -> &'a str {
        let offset = |text: &str| (text.as_ptr() as usize).checked_sub(self.piece.as_ptr() as usize);
        let end = self.text(last);
        let range = offset(start).zip(offset(end)).map(|(first, last)| first..last.saturating_add(end.len()));
        range.and_then(|range| self.piece.get(range)).unwrap_or(start)
    }

    /// Consumes the field at `at` with its parts and options. Returns the index of the next field.
    fn take(&self, at: usize, found: &mut Vec<ListItem>) -> usize {
        let text = self.text(at);
        let next = self.text(at + 1);
        if let Some((head, rest)) = self.object_with_parts(at) {
            let last = self.entries.len() - 1;
            let parts = Some(self.slice(rest, last).to_owned());
            found.push(ListItem { text: head.to_owned(), parts, options: None });
            return last + 1;
        }
        let following = words(next);
        let each = longest_at(&following, 0, self.lexicon.list("each_with"));
        let joined_to_it = self.entries.get(at + 1).is_some_and(|entry| entry.joint == Separator::Comma);
        if each > 0 && joined_to_it && following.len() > each && !self.is_split(text) {
            let rest = text_from(next, &following, each);
            let last = self.last_part(text, at + 1);
            found.push(ListItem {
                text: text.to_owned(),
                parts: Some(self.slice(rest, last).to_owned()),
                options: None,
            });
            return last + 1;
        }
        if let Some((head, rest)) = self.opens_parts(text, at) {
            let last = self.last_part(head, at);
            found.push(ListItem {
                text: head.to_owned(),
                parts: Some(self.slice(rest, last).to_owned()),
                options: None,
            });
            return last + 1;
        }
        if let Some((head, rest, last)) = self.options(at) {
            found.push(ListItem {
                text: head.to_owned(),
                parts: None,
                options: Some(self.slice(rest, last).to_owned()),
            });
            return last + 1;
        }
        if self.entries.get(at + 1).is_some_and(|entry| entry.joint == Separator::Or) {
            // Alternatives that are not options of a named field are one field.
            let both = self.slice(text, at + 1);
            let short = words(text).len() <= 1 && words(next).len() <= 1;
            let plain = short && !self.is_field(text) && !self.is_field(next) && !self.is_split(both);
            found.push(ListItem {
                text: both.to_owned(),
                parts: None,
                options: plain.then(|| both.to_owned()),
            });
            return at + 2;
        }
        let pair =
            self.entries.get(at + 1).filter(|entry| entry.joint == Separator::And).map(|entry| entry.text);
        if let Some(both) = pair.and_then(|other| split_shared(text, other, self.lexicon)) {
            found.extend(both.into_iter().map(|text| ListItem { text, ..ListItem::default() }));
            return at + 2;
        }
        found.push(ListItem { text: text.to_owned(), ..ListItem::default() });
        at + 1
    }

    /// `driver: name and licence number` as the whole piece: the thing, and the text from its first part on.
    fn object_with_parts(&self, at: usize) -> Option<(&'a str, &'a str)> {
        let text = self.text(at);
        let place =
            find_open(text, |rest| rest.starts_with(": ")).filter(|_| at == 0 && self.entries.len() > 1)?;
        let (head, rest) = (text.get(..place)?.trim(), text.get(place + 1..)?.trim());
        let found = words(head);
        let chosen = found.last().is_none_or(|word| self.lexicon.has("choice_noun", &word.plain));
        let plain = self
            .entries
            .iter()
            .skip(1)
            .all(|entry| entry.joint != Separator::Or && !entry.text.contains(':'));
        let known = self.entries.iter().skip(1).filter(|entry| self.is_field(entry.text)).count()
            + usize::from(self.is_field(rest));
        (found.len() <= 3 && !chosen && plain && known * 2 > self.entries.len()).then_some((head, rest))
    }

    /// Whether an entry has a colon, parentheses or quotes of its own.
    pub(super) fn is_split(&self, text: &str) -> bool {
        text.contains(['(', ':', '"'])
    }

    /// A thing and the text from its first part on, when an entry has both.
    fn opens_parts(&self, text: &'a str, at: usize) -> Option<(&'a str, &'a str)> {
        let open = find_open(text, |rest| rest.starts_with('(')).map_or(text, |end| &text[..end]);
        let found = words(open);
        let (place, count) = find_phrase(&found, self.lexicon.list("parts_with"))?;
        if place == 0 || place > 7 || found.len() <= place + count {
            return None;
        }
        let (head, rest) = (text_before(text, &found, place), text_from(text, &found, place + count));
        let head_words = found.get(..place)?;
        let alone = !self
            .entries
            .get(at + 1)
            .is_some_and(|entry| matches!(entry.joint, Separator::Comma | Separator::And));
        let each = found.get(place).is_some_and(|word| self.lexicon.has("each", &word.plain));
        let asking = infer(head_words, self.lexicon).kind == DraftKind::Boolean;
        let thing = is_collection(head_words, self.lexicon)
            || has_any(head_words, self.lexicon.list("object"))
            || each;
        let parts = words(rest);
        let measure = parts.first().is_some_and(|word| word.plain.starts_with(|c: char| c.is_ascii_digit()));
        (!asking && !measure && (thing || !alone)).then_some((head.trim_end_matches([',', ':']), rest))
    }

    /// Index of the last entry that is a part of `head`, whose parts start in entry `first`.
    fn last_part(&self, head: &str, first: usize) -> usize {
        let place = words(head)
            .last()
            .is_some_and(|word| self.lexicon.has("address", strip_possessive(&word.plain, self.lexicon)));
        let mut last = first;
        while let Some(entry) = self.entries.get(last + 1) {
            let found = words(entry.text);
            let opens = self.opens_parts(entry.text, last + 1).is_some();
            let foreign = place && !has_any(&found, self.lexicon.list("address_part"));
            if opens || (foreign && entry.joint != Separator::Or) {
                break;
            }
            last += 1;
            if entry.joint == Separator::And
                && split_shared(self.text(last - 1), entry.text, self.lexicon).is_none()
            {
                let ends = self.options(last).map_or(last, |(_, _, end)| end);
                return ends;
            }
        }
        last
    }
}

/// Whether the words name several things that have fields.
pub(super) fn is_collection(head: &[Word], lexicon: Lexicon) -> bool {
    let Some(last) = head.last().map(|word| strip_possessive(&word.plain, lexicon)) else { return false };
    let listed = find_phrase(head, lexicon.list("several")).is_some();
    let plural = lexicon.has_ending("plural_ending", last, 0) && !lexicon.has("singular", last);
    let noun =
        if lexicon.is_noun_first() { head.first().map_or("", |word| word.plain.as_str()) } else { last };
    listed || plural || lexicon.has("plural", last) || lexicon.has("plural", noun)
}
