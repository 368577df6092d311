//! Parses remarks in parentheses or after a colon: type, range, unit, options, obligation.
//!
//! Counts of words that decide here were set on the phrases of `tests/generator`; none was measured alone.

use super::attribute::{FieldAttribute, LIST};
use super::draft::{DraftKind, FieldDraft};
use super::language::Language;
use super::lexicon::UNITS;
use super::range::{NumberRange, RangeUnit};
use super::split::{Separator, pieces};
use super::words::{Phrases, longest_at, text_before, text_from, words};

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

/// Phrases that introduce options.
pub(super) static CHOICE: Phrases = Phrases::new(
    "one of, either, choice of, a choice of, choose from, choose between, choose one of, select, \
    select one, select from, options, options are, dropdown, drop-down, dropdown of, dropdown with, \
    radio, enum, enum of, choice, choices, can be, may be, is one of, must be one of, \
    should be one of, being, entweder, eines von, eine von, auswahl, auswahl aus, l'un de, soit, \
    au choix, choix, uno de, una de, a elegir entre, opciones, possible values, allowed values, \
    values, pick one, pick from, single choice, single select, selected from, chosen from, any of",
);
static EXAMPLES: Phrases = Phrases::new(
    "e.g, eg, for example, such as, like, z.b, par exemple, p. ej, por ejemplo, ex, i.e, zum beispiel, \
    incl, including, ie, example, comme, como",
);

impl FieldSpec {
    /// Parses the content of parentheses or the text after a colon.
    pub(super) fn read(text: &str, language: Language) -> Self {
        let mut spec = Self::default();
        let text = text.trim().trim_matches(|c: char| matches!(c, '.' | ':' | ',' | '-')).trim();
        let found = words(text);
        if let Some((place, _)) = text.match_indices(" - ").last()
            && let Some(fact) = FieldAttribute::parse(text.get(place + 3..).unwrap_or_default())
                .filter(|fact| !matches!(fact, FieldAttribute::Range { .. }))
        {
            let mut spec = Self::read(text.get(..place).unwrap_or_default(), language);
            spec.take(fact);
            return spec;
        }
        if longest_at(&found, 0, &EXAMPLES) > 0 {
            spec.examples = true;
            spec.rest.push(text.to_owned());
            return spec;
        }
        let lone = FieldAttribute::parse(text);
        if let Some(fact) = lone {
            spec.take(fact);
            return spec;
        }
        let mut entries = Vec::new();
        let mut joined = false;
        for piece in pieces(text) {
            for entry in super::split::entries(piece, language) {
                spec.alternatives |= entry.joint == Separator::Or;
                joined |= entry.joint == Separator::And;
                entries.push((entry.text, FieldAttribute::parse(entry.text)));
            }
        }
        spec.entries(&entries);
        spec.lists_parts = joined && spec.many && !spec.alternatives;
        spec.read_yes_and_no();
        spec
    }

    /// Classifies entries as attributes or options. A type among plain words, or one of two units, is an
    /// option.
    fn entries(&mut self, entries: &[(&str, Option<FieldAttribute>)]) {
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
                None => self.entry(text),
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
                    self.push(text)
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
    fn entry(&mut self, text: &str) {
        let found = words(text);
        let (list, choice) = (longest_at(&found, 0, &LIST), longest_at(&found, 0, &CHOICE));
        if list.max(choice) > 0 && found.len() > list.max(choice) {
            self.many |= list > 0 && list >= choice;
            // "List of name and amount" may enumerate parts; "one or more of" introduces options.
            let listing = [
                "list of",
                "list with",
                "a list with",
                "list containing",
                "a list of",
                "array of",
                "an array of",
                "liste de",
                "liste von",
                "lista de",
                "eine liste von",
                "une liste de",
                "una lista de",
                "collection of",
            ];
            self.alternatives |= choice > list || longest_at(&found, 0, &listing) != list;
            let rest = text_from(text, &found, list.max(choice)).trim_start_matches([':', '-', ' ']);
            match FieldAttribute::parse(rest).filter(|_| list > 0) {
                Some(fact) => self.take(fact),
                None => self.push(rest),
            }
        } else if choice > 0 {
            self.alternatives = true;
        } else {
            self.push(text);
        }
    }

    /// Adds to `rest`, split at slashes and at letter ranges such as "A to G".
    fn push(&mut self, text: &str) {
        let text = text.trim().trim_matches('"').trim();
        if let Some(letters) = letter_options(text) {
            self.alternatives = true;
            self.rest.extend(letters);
            return;
        }
        let parts: Vec<&str> = text.split('/').map(str::trim).collect();
        let options = parts.len() > 1
            && parts.iter().all(|part| !part.is_empty() && part.split(' ').count() <= 3)
            && !text.contains(':')
            && !text.contains("and/or");
        if options && !UNITS.contains(&text.to_lowercase().as_str()) {
            self.alternatives = true;
            self.rest.extend(parts.into_iter().map(str::to_owned));
        } else if !text.is_empty() {
            self.rest.push(text.to_owned());
        }
    }

    /// Two options "yes" and "no" make the field boolean.
    fn read_yes_and_no(&mut self) {
        const ANSWERS: &[&str] =
            &["yes", "no", "y", "n", "true", "false", "ja", "nein", "oui", "non", "si", "sí"];
        if self.rest.len() == 2
            && self.rest.iter().all(|answer| ANSWERS.contains(&answer.to_lowercase().as_str()))
        {
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
fn letter_options(text: &str) -> Option<Vec<String>> {
    let (first, last) =
        text.split_once(" to ").or_else(|| text.split_once('-')).or_else(|| text.split_once(" bis "))?;
    let letter =
        |text: &str| text.trim().chars().next().filter(|c| c.is_ascii_uppercase() && text.trim().len() == 1);
    let (first, last) = (letter(first)?, letter(last)?);
    (first < last).then(|| (first..=last).map(String::from).collect())
}

/// Splits `text` before a phrase that introduces options: name and options.
pub(super) fn split_before_options(text: &str) -> Option<(&str, &str)> {
    let found = words(text);
    (1..found.len()).find_map(|at| {
        let count = longest_at(&found, at, &CHOICE);
        let strong = count > 1
            || (count == 1
                && matches!(
                    found.get(at).map(|word| word.plain.as_str()),
                    Some("either" | "entweder" | "soit" | "being")
                ));
        let rest = text_from(text, &found, at + count).trim_start_matches([':', '-', ' ']);
        (strong && !rest.is_empty())
            .then(|| (text_before(text, &found, at).trim_end_matches([':', '-', ' ', ',']), rest))
    })
}
