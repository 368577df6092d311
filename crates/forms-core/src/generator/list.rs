//! From a list in prose to its fields: which entries are fields of the form, which are parts or
//! options of the one before them.

use super::draft::Kind;
use super::infer::{infer, stem};
use super::language::Language;
use super::lexicon::{ADDRESS_PARTS, CHOICES, FIELDS, OBJECTS};
use super::pairs::shared;
use super::spec::{Spec, announced};
use super::split::{Entry, Joint, entries, find_open, pieces};
use super::words::{Phrases, Word, any, find, from, longest_at, until, words};

/// A field as text, with the text of its parts or options where they follow it.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Item {
    pub(super) text: String,
    pub(super) parts: Option<String>,
    pub(super) options: Option<String>,
}

/// Phrases that begin the parts of the entry before them.
static EACH: Phrases = Phrases::new(
    "each with, each having, each one with, every one with, each including, each containing, with, \
    having, consisting of, including, containing, jeweils mit, je mit, mit, chacun avec, \
    chacune avec, cada uno con, cada una con, each of which has, for each, each consisting of, \
    with their, comprising",
);
/// Phrases within an entry between a thing and its parts.
static WITH: Phrases = Phrases::new(
    "each with, each having, with their, with its, with, consisting of, made up of, composed of, \
    including, containing, jeweils mit, mit, bestehend aus, avec, compose de, composee de, con, \
    compuesto de, comprising, broken down into, split into, divided into, each including, \
    each containing, each consisting of",
);
/// Entries that a list of options may have.
const MAX_OPTIONS: usize = 60;

/// The fields that `text` lists.
pub(super) fn items(text: &str, language: Language) -> Vec<Item> {
    let mut found = Vec::new();
    for piece in pieces(text) {
        let list = List { piece, language, entries: entries(piece, language) };
        let mut at = 0;
        while at < list.entries.len() {
            at = list.take(at, &mut found);
        }
    }
    found
}

struct List<'a> {
    piece: &'a str,
    language: Language,
    entries: Vec<Entry<'a>>,
}

impl<'a> List<'a> {
    fn text(&self, at: usize) -> &'a str {
        self.entries.get(at).map_or("", |entry| entry.text)
    }

    /// The text of the piece from `start`, which is a part of it, to the end of the entry `last`.
    fn slice(&self, start: &'a str, last: usize) -> &'a str {
        let offset = |text: &str| (text.as_ptr() as usize).checked_sub(self.piece.as_ptr() as usize);
        let end = self.text(last);
        let range = offset(start).zip(offset(end)).map(|(first, last)| first..last.saturating_add(end.len()));
        range.and_then(|range| self.piece.get(range)).unwrap_or(start)
    }

    /// Takes the field at `at` with all that belongs to it; the place of the next.
    fn take(&self, at: usize, found: &mut Vec<Item>) -> usize {
        let text = self.text(at);
        let next = self.text(at + 1);
        if let Some((head, rest)) = self.thing(at) {
            let last = self.entries.len() - 1;
            let parts = Some(self.slice(rest, last).to_owned());
            found.push(Item { text: head.to_owned(), parts, options: None });
            return last + 1;
        }
        let following = words(next);
        let each = longest_at(&following, 0, &EACH);
        let joined_to_it = self.entries.get(at + 1).is_some_and(|entry| entry.joint == Joint::Comma);
        if each > 0 && joined_to_it && following.len() > each && !self.is_split(text) {
            let rest = from(next, &following, each);
            let last = self.last_part(text, at + 1);
            found.push(Item {
                text: text.to_owned(),
                parts: Some(self.slice(rest, last).to_owned()),
                options: None,
            });
            return last + 1;
        }
        if let Some((head, rest)) = self.opens_parts(text, at) {
            let last = self.last_part(head, at);
            found.push(Item {
                text: head.to_owned(),
                parts: Some(self.slice(rest, last).to_owned()),
                options: None,
            });
            return last + 1;
        }
        if let Some((head, rest, last)) = self.options(at) {
            found.push(Item {
                text: head.to_owned(),
                parts: None,
                options: Some(self.slice(rest, last).to_owned()),
            });
            return last + 1;
        }
        if self.entries.get(at + 1).is_some_and(|entry| entry.joint == Joint::Or) {
            // Alternatives that are no options of a named field are one field.
            let both = self.slice(text, at + 1);
            let short = words(text).len() <= 1 && words(next).len() <= 1;
            let plain = short && !self.is_field(text) && !self.is_field(next) && !self.is_split(both);
            found.push(Item { text: both.to_owned(), parts: None, options: plain.then(|| both.to_owned()) });
            return at + 2;
        }
        let pair = self.entries.get(at + 1).filter(|entry| entry.joint == Joint::And).map(|entry| entry.text);
        if let Some(both) = pair.and_then(|other| shared(text, other)) {
            found.extend(both.into_iter().map(|text| Item { text, ..Item::default() }));
            return at + 2;
        }
        found.push(Item { text: text.to_owned(), ..Item::default() });
        at + 1
    }

    /// `driver: name and licence number` as all of a piece: the thing, and the beginning of its parts.
    fn thing(&self, at: usize) -> Option<(&'a str, &'a str)> {
        let text = self.text(at);
        let place =
            find_open(text, |rest| rest.starts_with(": ")).filter(|_| at == 0 && self.entries.len() > 1)?;
        let (head, rest) = (text.get(..place)?.trim(), text.get(place + 1..)?.trim());
        let found = words(head);
        let chosen = found.last().is_none_or(|word| CHOICES.contains(&word.plain.as_str()));
        let plain =
            self.entries.iter().skip(1).all(|entry| entry.joint != Joint::Or && !entry.text.contains(':'));
        let known = self.entries.iter().skip(1).filter(|entry| self.is_field(entry.text)).count()
            + usize::from(self.is_field(rest));
        (found.len() <= 3 && !chosen && plain && known * 2 > self.entries.len()).then_some((head, rest))
    }

    /// Whether an entry has its own colon or parentheses.
    fn is_split(&self, text: &str) -> bool {
        text.contains(['(', ':', '"'])
    }

    /// A thing and the beginning of its parts, when an entry has both.
    fn opens_parts(&self, text: &'a str, at: usize) -> Option<(&'a str, &'a str)> {
        let open = find_open(text, |rest| rest.starts_with('(')).map_or(text, |end| &text[..end]);
        let found = words(open);
        let (place, count) = find(&found, &WITH)?;
        if place == 0 || place > 7 || found.len() <= place + count {
            return None;
        }
        let (head, rest) = (until(text, &found, place), from(text, &found, place + count));
        let head_words = found.get(..place)?;
        let alone =
            !self.entries.get(at + 1).is_some_and(|entry| matches!(entry.joint, Joint::Comma | Joint::And));
        let each = found.get(place).is_some_and(|word| word.plain == "each");
        let asking = infer(head_words, self.language).kind == Kind::Boolean;
        let thing = is_collection(head_words) || any(head_words, &OBJECTS) || each;
        let parts = words(rest);
        let measure = parts.first().is_some_and(|word| word.plain.starts_with(|c: char| c.is_ascii_digit()));
        (!asking && !measure && (thing || !alone)).then_some((head.trim_end_matches([',', ':']), rest))
    }

    /// The last entry that is a part of `head`, whose parts begin in the entry `first`.
    fn last_part(&self, head: &str, first: usize) -> usize {
        let place = words(head).last().is_some_and(|word| {
            ["address", "anschrift", "adresse", "direccion", "lieferadresse", "rechnungsadresse"]
                .contains(&stem(&word.plain))
        });
        let mut last = first;
        while let Some(entry) = self.entries.get(last + 1) {
            let found = words(entry.text);
            let opens = self.opens_parts(entry.text, last + 1).is_some();
            let foreign = place && !any(&found, &ADDRESS_PARTS);
            if opens || (foreign && entry.joint != Joint::Or) {
                break;
            }
            last += 1;
            if entry.joint == Joint::And && shared(self.text(last - 1), entry.text).is_none() {
                let ends = self.options(last).map_or(last, |(_, _, end)| end);
                return ends;
            }
        }
        last
    }

    /// The name of a field with options, the beginning of the options, and their last entry.
    fn options(&self, at: usize) -> Option<(&'a str, &'a str, usize)> {
        let text = self.text(at);
        let colon =
            find_open(text, |rest| rest.starts_with(':') || rest.starts_with(" - ") || rest.starts_with('='))
                .filter(|place| *place > 0);
        let colon =
            colon.map(|place| (text[..place].trim(), text[place..].trim_start_matches([' ', ':', '-', '='])));
        if let Some((head, rest)) = colon.filter(|(_, rest)| !rest.is_empty()) {
            let spec = Spec::read(rest, self.language);
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
        if let Some((head, rest)) = announced(text).filter(|_| open) {
            let last = self.last_alternative(at).unwrap_or_else(|| self.last_of_group(at));
            return Some((head, rest, last));
        }
        self.unannounced(at)
    }

    /// `size small, medium or large`: the name and the first option are one entry.
    fn unannounced(&self, at: usize) -> Option<(&'a str, &'a str, usize)> {
        let last = self.last_alternative(at)?;
        let text = self.text(at);
        let found = words(text);
        let (option, name) = found.split_last()?;
        let known = |word: &Word| FIELDS.contains(&word.plain.as_str());
        let chosen = name.last().is_some_and(|word| CHOICES.contains(&word.plain.as_str()))
            || any(name, &["preferred", "by", "via"]);
        let short = (at + 1..=last).all(|n| words(self.text(n)).len() <= if chosen { 3 } else { 1 });
        let fields = known(option) || (at + 1..=last).any(|n| words(self.text(n)).last().is_some_and(known));
        let plain = !text.contains(['(', '"']) && !name.is_empty() && short && (chosen || !fields);
        let first = from(text, &found, found.len() - 1);
        plain.then(|| (until(text, &found, found.len() - 1), first, last))
    }

    /// The last entry of the alternatives that go on after `at`: commas, then "or".
    fn last_alternative(&self, at: usize) -> Option<usize> {
        let mut last = None;
        if self.text(at).ends_with(" -") {
            return None;
        }
        for (n, entry) in self.entries.iter().enumerate().skip(at + 1).take(MAX_OPTIONS) {
            let short = words(entry.text).len() <= 5 && !entry.text.contains([':', '"', '?']);
            match entry.joint {
                // A dash after the last option closes the remark.
                Joint::Comma | Joint::Or if entry.text.ends_with(" -") => return Some(n).filter(|_| short),
                Joint::Or if short => last = Some(n),
                Joint::Comma if short && last.is_none() && !entry.text.contains('(') => {}
                _ => break,
            }
        }
        last
    }

    /// The last entry of a group that "and" ends; the last of all when none does.
    fn last_of_group(&self, at: usize) -> usize {
        for (n, entry) in self.entries.iter().enumerate().skip(at + 1).take(MAX_OPTIONS) {
            if entry.text.contains([':', '(', '"', '?'])
                || words(entry.text).len() > 4
                || self.is_field(entry.text)
            {
                return n - 1;
            }
            if entry.joint == Joint::And || entry.text.ends_with(" -") {
                return n;
            }
        }
        self.entries.len() - 1
    }

    /// Whether nothing but short plain words follows a name that has options.
    fn only_options_follow(&self, head: &str, at: usize) -> bool {
        let rest = self.entries.get(at + 1..).unwrap_or_default();
        let plain = |entry: &Entry<'_>| {
            words(entry.text).len() <= 3 && !self.is_split(entry.text) && !self.is_field(entry.text)
        };
        let chosen = any(&words(head), &CHOICES);
        !rest.is_empty()
            && (chosen || rest.len() >= 2)
            && rest.iter().all(plain)
            && !self.is_field(self.text(at).rsplit(':').next().unwrap_or_default())
    }

    /// Whether an entry is plainly a field of its own.
    fn is_field(&self, text: &str) -> bool {
        let found = words(text);
        let last = found.last().is_some_and(|word| FIELDS.contains(&word.plain.as_str()));
        last || infer(&found, self.language).kind != Kind::String
    }
}

/// Whether words name several things of a kind that have parts.
pub(super) fn is_collection(head: &[Word]) -> bool {
    let Some(last) = head.last().map(|word| stem(&word.plain)) else { return false };
    let listed = find(
        head,
        &[
            "list of",
            "liste",
            "lista",
            "array of",
            "one or more",
            "multiple",
            "each",
            "for each",
            "all",
            "several",
        ],
    )
    .is_some();
    let singular = [
        "address",
        "business",
        "status",
        "process",
        "class",
        "analysis",
        "adresse",
        "access",
        "gas",
        "bus",
        "details",
        "dimensions",
        "measurements",
        "vitals",
        "terms",
        "notes",
        "comments",
        "coordinates",
        "kin",
        "vehicle",
        "specs",
    ];
    let plural = (last.ends_with('s') && !singular.contains(&last))
        || [
            "people",
            "children",
            "positionen",
            "artikel",
            "posten",
            "teilnehmer",
            "produkte",
            "personen",
            "kinder",
        ]
        .contains(&last);
    listed || plural
}
