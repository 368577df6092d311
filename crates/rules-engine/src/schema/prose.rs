//! Parses prose: sentences, the fields that they list, and remarks about fields named before.
//!
//! Counts of words that decide here were set on the phrases of `tests/schema`; none was measured alone.

use super::draft::FieldDraft;
use super::field_name::is_field_like;
use super::item::parse_field;
use super::list::{ListItem, list_items};
use super::list_cues::is_cue;
use super::required_marks;
use super::spec::FieldSpec;
use super::split::{Separator, entries, find_open, pieces, sentences};
use super::title;
use super::words::{Lexicon, has_any, longest_at, words};

// They bound the time.
/// Most fields parsed from one text. [`MAX_GENERATED_FIELDS`](super::MAX_GENERATED_FIELDS) applies later.
const MAX_DRAFTS: usize = 300;
/// Most sentences parsed.
const MAX_SENTENCES: usize = 400;

/// A parser with the fields found so far.
#[derive(Debug)]
pub(super) struct ProseReader {
    pub(super) lexicon: Lexicon,
    pub(super) fields: Vec<FieldDraft>,
}

impl ProseReader {
    pub(super) fn new(lexicon: Lexicon) -> Self {
        Self { lexicon, fields: Vec::new() }
    }

    /// Parses a paragraph. A first sentence that lists nothing may be the form's title.
    pub(super) fn paragraph(&mut self, text: &str) {
        let sentences = sentences(text, self.lexicon);
        let several = sentences.len() > 1;
        let mut head = None;
        for (n, sentence) in sentences.into_iter().take(MAX_SENTENCES).enumerate() {
            if self.fields.len() >= MAX_DRAFTS {
                return;
            }
            if self.apply_remark(sentence) {
                continue;
            }
            if n > 0 && self.read_headed_list(sentence) {
                continue;
            }
            if let Some(list) = title::in_parentheses(sentence, self.lexicon) {
                self.list(list);
                continue;
            }
            let titled = title::split(sentence, self.lexicon, n > 0);
            if titled.title.is_empty() && self.is_about_speaker(sentence) {
                continue;
            }
            let listed = entries(titled.list, self.lexicon).len() > 1 || titled.list.contains(';');
            let heads = n == 0 && several && !listed && !titled.list.contains(['(', ':', '"']);
            let remark = titled.title.is_empty() && !listed && !sentence.ends_with('?');
            // "A form to collect thoughts on the situation" names no field.
            let vague = !titled.title.is_empty()
                && !listed
                && !titled.list.contains(['(', ':', '"'])
                && !is_field_like(titled.list, false, self.lexicon);
            if heads {
                head = Some(titled.list);
            } else if !vague && (!remark || is_field_like(titled.list, n > 0, self.lexicon)) {
                self.list(titled.list);
            }
        }
        // A presumed title is a field if there is no other.
        if let Some(head) =
            head.filter(|head| self.fields.is_empty() && is_field_like(head, true, self.lexicon))
        {
            self.list(head);
        }
    }

    /// Whether a sentence tells of those who describe the form, such as `We sell cars and need to capture leads`: it
    /// begins with them and lists nothing.
    fn is_about_speaker(&self, sentence: &str) -> bool {
        let found = words(sentence);
        let begins = |key: &str| longest_at(&found, 0, self.lexicon.list(key)) > 0;
        // "My name and address" are fields; a clause has more words.
        let told = begins("speaker") && found.len() > 2 || begins("speaker_owner") && found.len() > 5;
        told && !sentence.contains(['(', ':', '"', ';']) && entries(sentence, self.lexicon).len() < 3
    }

    /// A later sentence with a colon: `Owner: name, phone` is a thing with parts, `Required: name, phone` a
    /// list with a mark.
    fn read_headed_list(&mut self, sentence: &str) -> bool {
        let Some(place) = find_open(sentence, |rest| rest.starts_with(": ")) else { return false };
        let (head, list) =
            (sentence.get(..place).unwrap_or_default(), sentence.get(place + 2..).unwrap_or_default());
        let found = words(head);
        if let Some(required) = required_marks::parse_mark(head, self.lexicon) {
            let before = self.fields.len();
            self.list(list);
            self.fields.iter_mut().skip(before).for_each(|field| field.required = Some(required));
            return true;
        }
        let lone = entries(list, self.lexicon).len() == 1;
        let stated = FieldSpec::read(list, self.lexicon);
        if lone && found.len() <= 4 && stated.rest.is_empty() && !stated.examples {
            // "Runtime: minutes."
            self.add(parse_field(
                &ListItem { text: sentence.to_owned(), ..ListItem::default() },
                self.lexicon,
                1,
            ));
            return true;
        }
        let several = entries(list, self.lexicon).len() > 2
            && !entries(list, self.lexicon).iter().any(|entry| entry.joint == Separator::Or);
        let thing = found.len() <= 3
            && !has_any(&found, self.lexicon.list("form"))
            && !is_cue(&found, self.lexicon)
            && title::split(head, self.lexicon, true).title.is_empty();
        if !several || !thing || !self.named_parts(list) {
            return false;
        }
        let item = ListItem { text: head.to_owned(), parts: Some(list.to_owned()), options: None };
        self.add(parse_field(&item, self.lexicon, 1));
        true
    }

    /// Whether a list enumerates fields and not options: at least one entry is clearly a field.
    fn named_parts(&self, list: &str) -> bool {
        entries(list, self.lexicon)
            .iter()
            .any(|entry| is_field_like(entry.text, true, self.lexicon) || entry.text.contains(['(', '/']))
    }

    /// Parses a line that is a sentence about fields or a plain list.
    pub(super) fn paragraph_or_list(&mut self, text: &str) {
        let titled = title::split(text, self.lexicon, false);
        if titled.title.is_empty() && !self.apply_remark(text) {
            self.list(text);
        } else if !titled.title.is_empty() {
            self.paragraph(text);
        }
    }

    /// Parses a list of fields. Its pieces may also be remarks about fields before them.
    pub(super) fn list(&mut self, text: &str) {
        let several = pieces(text).len() > 2;
        for (n, piece) in pieces(text).into_iter().enumerate() {
            if self.fields.is_empty() && n == 0 && several && title::is_title(piece, self.lexicon, true) {
                continue;
            }
            if !self.fields.is_empty() && self.apply_remark(piece) {
                continue;
            }
            let (piece, of_all) = required_marks::trailing_clause(piece, self.lexicon);
            let (list, mark) = self.common_mark(piece);
            let before = self.fields.len();
            for (n, item) in list_items(list, self.lexicon).into_iter().enumerate() {
                if n == 0
                    && self.fields.is_empty()
                    && item.parts.is_none()
                    && list.contains(',')
                    && title::is_title(&item.text, self.lexicon, false)
                {
                    continue;
                }
                match required_marks::parse_mark(&item.text, self.lexicon) {
                    Some(required) => self.mark_before(&item.text, required, before),
                    None => self.add(parse_field(&item, self.lexicon, 1)),
                }
                if self.fields.len() >= MAX_DRAFTS {
                    return;
                }
            }
            if let Some(required) = mark {
                self.fields.iter_mut().skip(before).for_each(|field| field.required = Some(required));
            }
            if let Some(clause) = of_all {
                self.mark_all(clause);
            }
        }
    }

    /// Adds a field. The parts of a leading heading such as "Personal details" become fields themselves.
    pub(super) fn add(&mut self, field: Option<FieldDraft>) {
        let Some(field) = field else { return };
        let first = self.fields.is_empty();
        let found = words(&field.name);
        let last = found.last().map_or("", |word| word.plain.as_str());
        if first && !field.many && !field.parts.is_empty() && self.lexicon.has("heading", last) {
            self.fields.extend(field.parts);
        } else {
            self.fields.push(field);
        }
    }
}
