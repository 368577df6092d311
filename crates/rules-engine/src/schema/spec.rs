//! Parses remarks in parentheses or after a colon: type, range, unit, options, obligation.
//!
//! Counts of words that decide here were set on the phrases of `tests/schema`; none was measured alone.

use super::attribute::FieldAttribute;
use super::draft::{DraftKind, FieldDraft};
use super::range::{NumberRange, RangeUnit};
use super::snake_case::fold;
use super::split::{Separator, pieces};
use super::words::{Lexicon, longest_at, text_before, text_from, words};

/// The parsed attributes, and the remaining entries.
#[derive(Clone, Debug, Default)]
pub(super) struct FieldSpec {
    pub(super) kind: Option<DraftKind>,
    pub(super) many: bool,
    pub(super) required: Option<bool>,
    pub(super) range: Option<NumberRange>,
    pub(super) unit: bool,
    pub(super) format: Option<&'static str>,
    /// Options, parts or a note, as written.
    pub(super) rest: Vec<String>,
    /// Whether "or", a slash or a phrase such as "one of" makes `rest` options.
    pub(super) alternatives: bool,
    /// Whether it is of the form "list with a, b and c", which enumerates parts.
    pub(super) lists_parts: bool,
    /// Whether it only gives examples.
    pub(super) examples: bool,
}

impl FieldSpec {
    /// Parses the content of parentheses or the text after a colon.
    pub(super) fn read(text: &str, lexicon: Lexicon) -> Self {
        let mut spec = Self::default();
        let text = text.trim().trim_matches(|c: char| matches!(c, '.' | ':' | ',' | '-')).trim();
        let found = words(text);
        if let Some((place, _)) = text.match_indices(" - ").last()
            && let Some(fact) = FieldAttribute::parse(text.get(place + 3..).unwrap_or_default(), lexicon)
                .filter(|fact| !matches!(fact, FieldAttribute::Range { .. }))
        {
            let mut spec = Self::read(text.get(..place).unwrap_or_default(), lexicon);
            spec.take(fact);
            return spec;
        }
        if longest_at(&found, 0, lexicon.list("example")) > 0 {
            spec.examples = true;
            spec.rest.push(text.to_owned());
            return spec;
        }
        let lone = FieldAttribute::parse(text, lexicon);
        if let Some(fact) = lone {
            spec.take(fact);
            return spec;
        }
        let mut entries = Vec::new();
        let mut joined = false;
        for piece in pieces(text) {
            for entry in super::split::entries(piece, lexicon) {
                spec.alternatives |= entry.joint == Separator::Or;
                joined |= entry.joint == Separator::And;
                entries.push((entry.text, FieldAttribute::parse(entry.text, lexicon)));
            }
        }
        spec.entries(&entries, lexicon);
        spec.lists_parts = joined && spec.many && !spec.alternatives;
        spec.read_yes_and_no(lexicon);
        spec
    }

    /// Classifies entries as attributes or options. A type among plain words, or one of two units, is an
    /// option.
    fn entries(&mut self, entries: &[(&str, Option<FieldAttribute>)], lexicon: Lexicon) {
        let count = |of: fn(&FieldAttribute) -> bool| {
            entries.iter().filter(|(_, fact)| fact.as_ref().is_some_and(of)).count()
        };
        let plain = entries.iter().any(|(_, fact)| fact.is_none());
        let types = count(|fact| matches!(fact, FieldAttribute::Type { .. }));
        let units = count(|fact| matches!(fact, FieldAttribute::Unit));
        let ranges = count(|fact| matches!(fact, FieldAttribute::Range { .. }));
        let listed = plain || types > 1 || units > 1 || ranges > 1;
        for (index, (text, fact)) in entries.iter().enumerate() {
            match fact {
                None => self.entry(text, lexicon),
                Some(FieldAttribute::Type { sure: true, .. })
                    if index == 0 && types == 1 && !self.alternatives =>
                {
                    self.take_fact(fact.as_ref())
                }
                Some(FieldAttribute::Range { sure: true, .. }) if ranges == 1 => {
                    self.take_fact(fact.as_ref())
                }
                Some(FieldAttribute::Type { .. } | FieldAttribute::Unit | FieldAttribute::Range { .. })
                    if listed =>
                {
                    self.push(text, lexicon)
                }
                Some(_) => self.take_fact(fact.as_ref()),
            }
        }
    }

    fn take_fact(&mut self, fact: Option<&FieldAttribute>) {
        if let Some(fact) = fact {
            self.take(*fact);
        }
    }

    fn take(&mut self, fact: FieldAttribute) {
        match fact {
            FieldAttribute::Required(required) => self.required = Some(required),
            FieldAttribute::List => self.many = true,
            FieldAttribute::Type { kind, many, .. } => {
                (self.kind, self.many) = (Some(kind), self.many || many)
            }
            FieldAttribute::Format(format) => {
                (self.kind, self.format) = (Some(DraftKind::String), Some(format))
            }
            FieldAttribute::Unit => self.unit = true,
            FieldAttribute::Range { range, unit, kind, .. } => {
                self.kind = kind.or(self.kind);
                self.unit |= unit;
                self.range = Some(range);
            }
        }
    }

    /// Classifies one entry that is no attribute.
    fn entry(&mut self, text: &str, lexicon: Lexicon) {
        let found = words(text);
        let (list, choice) =
            (longest_at(&found, 0, lexicon.list("list")), longest_at(&found, 0, lexicon.list("choice")));
        if list.max(choice) > 0 && found.len() > list.max(choice) {
            self.many |= list > 0 && list >= choice;
            // "List of name and amount" may enumerate parts; "one or more of" introduces options.
            self.alternatives |= choice > list || longest_at(&found, 0, lexicon.list("list_of")) != list;
            let rest = text_from(text, &found, list.max(choice)).trim_start_matches([':', '-', ' ']);
            match FieldAttribute::parse(rest, lexicon).filter(|_| list > 0) {
                Some(fact) => self.take(fact),
                None => self.push(rest, lexicon),
            }
        } else if choice > 0 {
            self.alternatives = true;
        } else {
            self.push(text, lexicon);
        }
    }

    /// Adds to `rest`, split at slashes and at letter ranges such as "A to G".
    fn push(&mut self, text: &str, lexicon: Lexicon) {
        let text = text.trim().trim_matches('"').trim();
        if let Some(letters) = letter_options(text, lexicon) {
            self.alternatives = true;
            self.rest.extend(letters);
            return;
        }
        let parts: Vec<&str> = text.split('/').map(str::trim).collect();
        let options = parts.len() > 1
            && parts.iter().all(|part| !part.is_empty() && part.split(' ').count() <= 3)
            && !text.contains(':')
            && !lexicon.list("and_or").iter().any(|joint| text.contains(joint.as_str()));
        if options && !lexicon.has("unit", &fold(text)) {
            self.alternatives = true;
            self.rest.extend(parts.into_iter().map(str::to_owned));
        } else if !text.is_empty() {
            self.rest.push(text.to_owned());
        }
    }

    /// Two options "yes" and "no" make the field boolean.
    fn read_yes_and_no(&mut self, lexicon: Lexicon) {
        let answers = |text: &String| {
            let text = fold(text);
            lexicon.has("true", &text) || lexicon.has("false", &text)
        };
        if self.rest.len() == 2 && self.rest.iter().all(answers) {
            self.kind = Some(DraftKind::Boolean);
            self.rest.clear();
        }
    }

    /// Sets the attributes on `draft`. Options and parts are left to the caller.
    pub(super) fn apply(&self, draft: &mut FieldDraft) {
        if let Some(kind) = self.kind {
            draft.kind = kind;
        }
        draft.many |= self.many;
        draft.required = self.required.or(draft.required);
        draft.format = self.format.or(draft.format);
        if let Some(range) = self.range {
            apply_range(&range, draft);
        }
    }
}

/// Sets the bounds of `range` on the property that it limits.
pub(super) fn apply_range(range: &NumberRange, draft: &mut FieldDraft) {
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "bounded before")]
    let count =
        // Lengths and counts; larger ones are no limits of a form.
        |value: Option<f64>| value.filter(|value| (0.0..=1e9).contains(value)).map(|value| value as u64);
    match range.counted {
        RangeUnit::Value => (draft.minimum, draft.maximum) = (range.low, range.high),
        RangeUnit::Characters => (draft.min_length, draft.max_length) = (count(range.low), count(range.high)),
        RangeUnit::Entries => (draft.min_items, draft.max_items) = (count(range.low), count(range.high)),
    }
}

/// `A to G` or `A-G` as single letters.
fn letter_options(text: &str, lexicon: Lexicon) -> Option<Vec<String>> {
    let joint = |word: &String| text.split_once(&format!(" {word} "));
    let (first, last) = text.split_once('-').or_else(|| lexicon.list("range_to").iter().find_map(joint))?;
    let letter =
        |text: &str| text.trim().chars().next().filter(|c| c.is_ascii_uppercase() && text.trim().len() == 1);
    let (first, last) = (letter(first)?, letter(last)?);
    (first < last).then(|| (first..=last).map(String::from).collect())
}

/// Splits `text` before a phrase that introduces options: name and options.
pub(super) fn split_before_options(text: &str, lexicon: Lexicon) -> Option<(&str, &str)> {
    let found = words(text);
    (1..found.len()).find_map(|at| {
        let count = longest_at(&found, at, lexicon.list("choice"));
        let strong = count > 1
            || (count == 1 && found.get(at).is_some_and(|word| lexicon.has("choice_word", &word.plain)));
        let rest = text_from(text, &found, at + count).trim_start_matches([':', '-', ' ']);
        (strong && !rest.is_empty())
            .then(|| (text_before(text, &found, at).trim_end_matches([':', '-', ' ', ',']), rest))
    })
}
