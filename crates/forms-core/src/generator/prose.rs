//! Reading a phrase: its sentences, the fields that they list, and what they say of fields already
//! named.

use super::draft::Draft;
use super::item::{amend, draft};
use super::label::is_field_like;
use super::language::Language;
use super::list::{Item, items};
use super::marks;
use super::name::snake_case;
use super::spec::Spec;
use super::split::{Joint, entries, find_open, pieces, sentences};
use super::title;
use super::words::{Phrases, any, find, from, longest_at, until, words};

/// A list without the clause at its end that speaks of all fields, and that clause.
fn trailing_clause(piece: &str) -> (&str, Option<&str>) {
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
        if marks::whole(said).is_some() {
            let list = until(piece, &found, at).trim_end_matches([',', '-', ';', '(', ' ', '.']);
            return (list, Some(from(piece, &found, at).trim_end_matches(')')));
        }
    }
    (piece, None)
}

/// Fields that are read from one text, before the form's own bound cuts them.
const MAX_DRAFTS: usize = 300;
/// Sentences that are read.
const MAX_SENTENCES: usize = 400;

static EVERYTHING: Phrases = Phrases::new(
    "all fields, all of the fields, every field, each field, all of them, everything, \
    all other fields, all others, the rest, the others, all, both, alle felder, alle, alles, \
    tous les champs, tous, toutes, todos los campos, todos, todo, these, they",
);
static EXCEPT: Phrases = Phrases::new(
    "except for, except, apart from, other than, but not, besides, with the exception of, unless, \
    ausser, bis auf, sauf, a part, excepto, salvo, menos",
);
/// Verbs between a field that was named and what is said of it.
static RULES: Phrases = Phrases::new(
    "must be, should be, has to be, can be, may be, is one of, are one of, ranges, goes, is, are, \
    muss, kann, doit etre, peut etre, debe ser, puede ser, must have, can have, needs to be, \
    should have, may have",
);
/// Words of several fields.
static PLURAL: Phrases = Phrases::new("are, both, all, sind, sont, son, have");

/// What was read so far.
#[derive(Debug)]
pub(super) struct Reader {
    pub(super) language: Language,
    pub(super) fields: Vec<Draft>,
}

impl Reader {
    pub(super) fn new(language: Language) -> Self {
        Self { language, fields: Vec::new() }
    }

    /// Reads a paragraph. With `titled`, a first sentence that lists nothing is the form's title.
    pub(super) fn paragraph(&mut self, text: &str) {
        let sentences = sentences(text);
        let several = sentences.len() > 1;
        let mut head = None;
        for (n, sentence) in sentences.into_iter().take(MAX_SENTENCES).enumerate() {
            if self.fields.len() >= MAX_DRAFTS {
                return;
            }
            if self.says_something_of_fields(sentence) {
                continue;
            }
            if n > 0 && self.headed(sentence) {
                continue;
            }
            if let Some(list) = title::in_parentheses(sentence) {
                self.list(list);
                continue;
            }
            let titled = title::split(sentence, self.language, n > 0);
            let listed = entries(titled.list, self.language).len() > 1 || titled.list.contains(';');
            let heads = n == 0 && several && !listed && !titled.list.contains(['(', ':', '"']);
            let remark = titled.title.is_empty() && !listed && !sentence.ends_with('?');
            // "A form to collect thoughts on the situation" names no field.
            let vague = !titled.title.is_empty()
                && !listed
                && !titled.list.contains(['(', ':', '"'])
                && !is_field_like(titled.list, false, self.language);
            if heads {
                head = Some(titled.list);
            } else if !vague && (!remark || is_field_like(titled.list, n > 0, self.language)) {
                self.list(titled.list);
            }
        }
        // What looked like a title is a field after all when nothing else is.
        if let Some(head) =
            head.filter(|head| self.fields.is_empty() && is_field_like(head, true, self.language))
        {
            self.list(head);
        }
    }

    /// `Owner: name, phone` in a later sentence is a thing with parts, `Required: name, phone` a list
    /// with a mark.
    fn headed(&mut self, sentence: &str) -> bool {
        let Some(place) = find_open(sentence, |rest| rest.starts_with(": ")) else { return false };
        let (head, list) =
            (sentence.get(..place).unwrap_or_default(), sentence.get(place + 2..).unwrap_or_default());
        let found = words(head);
        if let Some(required) = marks::whole(head) {
            let before = self.fields.len();
            self.list(list);
            self.fields.iter_mut().skip(before).for_each(|field| field.required = Some(required));
            return true;
        }
        let lone = entries(list, self.language).len() == 1;
        let stated = Spec::read(list, self.language);
        if lone && found.len() <= 4 && stated.rest.is_empty() && !stated.examples {
            // "Runtime: minutes."
            self.add(draft(&Item { text: sentence.to_owned(), ..Item::default() }, self.language, 1));
            return true;
        }
        let several = entries(list, self.language).len() > 2
            && !entries(list, self.language).iter().any(|entry| entry.joint == Joint::Or);
        let thing = found.len() <= 3
            && !any(&found, &title::FORMS)
            && !title::leads_on(&found)
            && title::split(head, self.language, true).title.is_empty();
        if !several || !thing || !self.named_parts(list) {
            return false;
        }
        let item = Item { text: head.to_owned(), parts: Some(list.to_owned()), options: None };
        self.add(draft(&item, self.language, 1));
        true
    }

    /// Whether a list is one of fields and not of options: one of them at least is plainly a field.
    fn named_parts(&self, list: &str) -> bool {
        entries(list, self.language)
            .iter()
            .any(|entry| is_field_like(entry.text, true, self.language) || entry.text.contains(['(', '/']))
    }

    /// Reads a line that may be a sentence about fields or a bare list.
    pub(super) fn paragraph_or_list(&mut self, text: &str) {
        let titled = title::split(text, self.language, false);
        if titled.title.is_empty() && !self.says_something_of_fields(text) {
            self.list(text);
        } else if !titled.title.is_empty() {
            self.paragraph(text);
        }
    }

    /// Reads a list of fields, some of whose pieces may speak of fields before them.
    pub(super) fn list(&mut self, text: &str) {
        let several = pieces(text).len() > 2;
        for (n, piece) in pieces(text).into_iter().enumerate() {
            if self.fields.is_empty() && n == 0 && several && title::is_title(piece, true) {
                continue;
            }
            if !self.fields.is_empty() && self.says_something_of_fields(piece) {
                continue;
            }
            let (piece, of_all) = trailing_clause(piece);
            let (list, mark) = self.common_mark(piece);
            let before = self.fields.len();
            for (n, item) in items(list, self.language).into_iter().enumerate() {
                if n == 0
                    && self.fields.is_empty()
                    && item.parts.is_none()
                    && list.contains(',')
                    && title::is_title(&item.text, false)
                {
                    continue;
                }
                match marks::whole(&item.text) {
                    Some(required) => self.mark_before(&item.text, required, before),
                    None => self.add(draft(&item, self.language, 1)),
                }
                if self.fields.len() >= MAX_DRAFTS {
                    return;
                }
            }
            if let Some(required) = mark {
                self.fields.iter_mut().skip(before).for_each(|field| field.required = Some(required));
            }
            if let Some(clause) = of_all {
                self.marks_all(clause);
            }
        }
    }

    /// Adds a field; the parts of a mere heading before all fields, such as "Personal details", are
    /// fields themselves.
    pub(super) fn add(&mut self, field: Option<Draft>) {
        let Some(field) = field else { return };
        let first = self.fields.is_empty();
        let heading = [
            "details",
            "information",
            "data",
            "section",
            "info",
            "angaben",
            "daten",
            "informations",
            "datos",
        ];
        let found = words(&field.name);
        let last = found.last().map_or("", |word| word.plain.as_str());
        if first && !field.many && !field.parts.is_empty() && heading.contains(&last) {
            self.fields.extend(field.parts);
        } else {
            self.fields.push(field);
        }
    }

    /// `name and email are required`: the mark is everyone's.
    fn common_mark<'a>(&self, piece: &'a str) -> (&'a str, Option<bool>) {
        let (rest, mark) = marks::strip(piece);
        let tail = piece.get(rest.len()..).unwrap_or_default();
        let common = piece.starts_with(rest) && any(&words(tail), &PLURAL);
        if common && mark.is_some() { (rest, mark) } else { (piece, None) }
    }

    /// `both required`, `all mandatory`, `required`: of the fields before.
    fn mark_before(&mut self, text: &str, required: bool, start: usize) {
        let found = words(text);
        let count = if any(&found, &["all"]) {
            self.fields.len() - start
        } else if any(&found, &["both"]) {
            2
        } else {
            1
        };
        self.fields.iter_mut().rev().take(count).for_each(|field| field.required = Some(required));
    }

    /// Takes a sentence such as "All fields are required" or "The rating must be between 1 and 5".
    fn says_something_of_fields(&mut self, sentence: &str) -> bool {
        self.marks_all(sentence) || self.marks_named(sentence) || self.rules_one(sentence)
    }

    fn marks_all(&mut self, sentence: &str) -> bool {
        let found = words(sentence);
        let all = longest_at(&found, 0, &EVERYTHING);
        if all == 0 || self.fields.is_empty() {
            return false;
        }
        let except = find(&found, &EXCEPT);
        let (main, exceptions) = match except {
            Some((at, count)) => (until(sentence, &found, at), from(sentence, &found, at + count)),
            None => (sentence, ""),
        };
        let main_words = words(main);
        let others = any(&main_words, &["other", "others", "rest"]);
        let Some(required) = marks::whole(from(main, &main_words, all)) else { return false };
        let spared: Vec<usize> = self.resolve_all(exceptions).into_iter().flatten().collect();
        for (n, field) in self.fields.iter_mut().enumerate() {
            let settled = others && field.required.is_some();
            if !settled && !spared.contains(&n) {
                field.required = Some(required);
            }
        }
        true
    }

    fn marks_named(&mut self, sentence: &str) -> bool {
        let (rest, Some(required)) = marks::strip(sentence) else { return false };
        let rest = rest.strip_prefix("Only ").or_else(|| rest.strip_prefix("only ")).unwrap_or(rest);
        let Some(named) = self.resolve_all(rest) else { return false };
        for n in &named {
            if let Some(field) = self.fields.get_mut(*n) {
                field.required = Some(required);
            }
        }
        !named.is_empty()
    }

    fn rules_one(&mut self, sentence: &str) -> bool {
        let found = words(sentence);
        let Some((at, count)) = find(&found, &RULES).filter(|(at, _)| *at > 0 && *at <= 6) else {
            return false;
        };
        let Some(field) = self.resolve(until(sentence, &found, at)) else { return false };
        let language = self.language;
        if let Some(field) = self.fields.get_mut(field) {
            amend(field, from(sentence, &found, at + count), language);
        }
        true
    }

    /// The fields that a list names; `None` when one of them is not there yet.
    fn resolve_all(&self, text: &str) -> Option<Vec<usize>> {
        if text.is_empty() {
            return None;
        }
        entries(text, self.language).iter().map(|entry| self.resolve(entry.text)).collect()
    }

    /// The field that `text` names: the same name, or else the only one with all of its words.
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
