//! Label context: whether a value is where its field is expected. Compares the labels of its place with this
//! field, other fields and other places, and booleans with the printed answers.

use language::fold::fold_letters;
use serde_json::Value;

use super::super::node::{Leaf, NestedFields, TextSpan};
use super::super::segment::Source;
use super::bounds;
use super::features::{Features, ValueKind};
use crate::labels::{FieldWords, LabelReader, PrintedAnswer, is_label};
use crate::{Field, FieldType};

// These two bound the time: labels are compared with all fields.
/// Fields whose labels are compared.
const MAX_FIELDS: usize = 80;
/// Values of a field whose labels are read; further cells of a column reuse the last label.
const MAX_READ: usize = 40;
// Fits as `FieldWords::fit` gives them. The trees learn what the features are worth, not these bounds. Chosen
// by hand; no measurement is recorded.
/// The match from which a text counts as a field's label.
const IS_LABEL: f32 = 0.75;
/// The match from which a printed answer belongs to a field.
const IS_ANSWERED: f32 = 0.4;
/// The weight of a sentence relative to a label.
const STATED: f32 = 0.8;
/// Labels of a field at most. Bounds the time.
const MAX_LABELS: usize = 40;

/// Concepts of fields whose values have digits, and of those whose values are names or other words.
const CODES: [&str; 4] = ["number", "plate", "registration", "account"];
const NAMES: [&str; 17] = [
    "name",
    "company",
    "vendor",
    "customer",
    "person",
    "city",
    "description",
    "employer",
    "doctor",
    "landlord",
    "tenant",
    "patient",
    "applicant",
    "bank",
    "title",
    "position",
    "guest",
];

/// A field by its address, with its words and the labels that the documents print for it.
#[derive(Debug)]
struct KnownField {
    address: *const Field,
    words: FieldWords,
    best: f32,
    /// The match of each label, and the text after it.
    labels: Vec<(f32, String)>,
    /// The answer printed for a boolean field, and the match of its label.
    answer: Option<(bool, f32)>,
    /// The number of labels read for its values, and the last result.
    read: usize,
    last: LabelFit,
}

/// The match of the label of a place.
#[derive(Clone, Copy, Debug, Default)]
struct LabelFit {
    /// With the field itself.
    own: f32,
    /// With the best other field.
    other: f32,
}

/// Reads the labels around values.
#[derive(Debug)]
pub(super) struct LabelContext<'a> {
    sources: &'a [Source<'a>],
    readers: Vec<LabelReader>,
    fields: Vec<KnownField>,
    readable: f32,
    /// The number of yes and no answers that belong to none of the fields.
    unclaimed: (usize, usize),
    /// Whether the documents print percentages.
    percents: bool,
}

impl<'a> LabelContext<'a> {
    pub(super) fn new(fields: &[Field], sources: &'a [Source<'a>]) -> Self {
        let readers: Vec<LabelReader> =
            sources.iter().map(|source| LabelReader::new(source.text())).collect();
        let answers: Vec<PrintedAnswer> = match fields.iter().any(asks_yes_or_no) {
            true => readers.iter().flat_map(LabelReader::answers).collect(),
            false => Vec::new(),
        };
        let mut known = Vec::new();
        collect(fields, "", &readers, &answers, &mut known);
        let found = known.iter().map(|field: &KnownField| field.best).sum::<f32>();
        let readable = found / known.len().max(1) as f32;
        let claimed = |answer: &&PrintedAnswer| {
            !known.iter().any(|field| field.answer.is_some() && field.words.fit(&answer.label) >= IS_ANSWERED)
        };
        let free: Vec<&PrintedAnswer> = answers.iter().filter(claimed).collect();
        let yes = free.iter().filter(|answer| answer.yes).count();
        let percents = sources.iter().any(|source| source.text().contains('%'));
        Self { sources, readers, fields: known, readable, unclaimed: (yes, free.len() - yes), percents }
    }

    /// Adds the features of a value's place.
    pub(super) fn read(&mut self, field: &Field, leaf: &Leaf, features: &mut Features) {
        features.readable = self.readable;
        let Some(at) = self.fields.iter().position(|known| std::ptr::eq(known.address, field)) else {
            return;
        };
        let Some(own) = self.fields.get(at) else { return };
        if let Value::Bool(value) = leaf.value {
            features.answer = self.answer(own, value);
        }
        let (Some(spot), Some(evidence)) = (leaf.span, &leaf.evidence) else { return };
        let (Some(source), Some(reader)) = (self.sources.get(spot.document), self.readers.get(spot.document))
        else {
            return;
        };
        let (Some(start), Some(end)) = (evidence.start, evidence.end) else { return };
        let mut said = own.last;
        let is_read = !features.listed || own.read < MAX_READ;
        if is_read {
            let others = self.fields.iter().enumerate().filter(|(other, _)| *other != at);
            let other = others.map(|(_, other)| reader.fit_at(&other.words, start, end)).fold(0.0, f32::max);
            said = LabelFit { own: reader.fit_at(&own.words, start, end), other };
        }
        features.label = said.own;
        features.own_label = said.own - said.other;
        features.best_place = (said.own - own.best).min(0.0);
        features.whole = match features.kind {
            ValueKind::Number | ValueKind::Date | ValueKind::Choice | ValueKind::Flag => {
                bounds::number_completeness(source.text(), spot)
            }
            ValueKind::Text | ValueKind::Code => {
                bounds::text_completeness(source.text(), spot, |words| is_read && self.is_label(words))
            }
        };
        features.shape = match features.kind {
            ValueKind::Number => shape_of_number(&own.words, source.text(), spot, self.percents),
            ValueKind::Text => shape_of_text(&own.words, false),
            ValueKind::Code => shape_of_text(&own.words, true),
            ValueKind::Date | ValueKind::Choice | ValueKind::Flag => 0.0,
        };
        if !features.listed {
            features.rivals = -rivals(own, said.own);
            features.alone &= !self.says_label(leaf, said.own);
        }
        if let Some(own) = self.fields.get_mut(at) {
            own.read += 1;
            own.last = said;
        }
    }

    /// The agreement of a boolean with the printed answers: the match of its label if they agree, its
    /// negative if they disagree. Without a matching label, less, by the answers that belong to no field;
    /// below 0 if there are none.
    fn answer(&self, own: &KnownField, value: bool) -> f32 {
        if let Some((yes, fit)) = own.answer {
            return if yes == value { fit } else { -fit };
        }
        let (yes, no) = self.unclaimed;
        match if value { (yes, no) } else { (no, yes) } {
            // A feature of the trees, monotonic in the evidence; only their order among the fits matters.
            // Chosen by hand; no measurement is recorded.
            (0, 0) => -0.2,
            (_, 0) => 0.5,
            (0, _) => -0.8,
            _ => 0.0,
        }
    }

    fn is_label(&self, words: &str) -> bool {
        let short = words.split_whitespace().nth(bounds::MAX_LABEL).is_none();
        short && (is_label(words) || self.fields.iter().any(|field| field.words.fit(words) >= IS_LABEL))
    }

    /// Whether a value is a label, or starts with one although no label `fits` its place.
    fn says_label(&self, leaf: &Leaf, fits: f32) -> bool {
        let (Some(text), Some(spot)) = (leaf.value.as_str(), leaf.span) else { return false };
        let Some(source) = self.sources.get(spot.document) else { return false };
        let after = source.text().get(spot.end..).unwrap_or_default().trim_start_matches(' ');
        let before = source.text().get(..spot.start).unwrap_or_default();
        let leads = fits < IS_LABEL && bounds::clause_before(before).is_empty();
        after.starts_with([':', '：'])
            || after.starts_with("..")
            || self.fields.iter().any(|field| field.words.fit(text) >= IS_LABEL)
            || leads && bounds::begins_with_label(text, |words| self.is_label(words))
    }
}

fn collect(
    fields: &[Field],
    parent: &str,
    readers: &[LabelReader],
    answers: &[PrintedAnswer],
    out: &mut Vec<KnownField>,
) {
    for field in fields {
        match NestedFields::of(field) {
            NestedFields::Parts(parts) => collect(parts, &field.name, readers, answers, out),
            NestedFields::Items(item) => match NestedFields::of(item) {
                // The columns of a table have names of their own.
                NestedFields::Parts(parts) => collect(parts, "", readers, answers, out),
                _ => push(item, "", &field.name, readers, answers, out),
            },
            NestedFields::None => push(field, parent, &field.name, readers, answers, out),
        }
    }
}

fn push(
    field: &Field,
    parent: &str,
    name: &str,
    readers: &[LabelReader],
    answers: &[PrintedAnswer],
    out: &mut Vec<KnownField>,
) {
    if out.len() >= MAX_FIELDS {
        return;
    }
    let words =
        FieldWords::new(&format!("{parent} {name}"), field.description.as_deref().unwrap_or_default())
            .with_aliases(&field.aliases);
    let found: Vec<(f32, &str)> = readers.iter().flat_map(|reader| reader.labels(&words)).collect();
    let best = found.iter().map(|(fit, _)| *fit).fold(0.0, f32::max);
    let fitting = found.into_iter().filter(|(fit, _)| *fit >= IS_ANSWERED).take(MAX_LABELS);
    let labels = fitting.map(|(fit, behind)| (fit, fold_letters(behind))).collect();
    let answer = match field.kind {
        FieldType::Boolean => answer(&words, readers, answers),
        _ => None,
    };
    out.push(KnownField { address: field, words, best, labels, answer, read: 0, last: LabelFit::default() });
}

/// The answer printed for a boolean field, and the match of its label.
fn answer(words: &FieldWords, readers: &[LabelReader], answers: &[PrintedAnswer]) -> Option<(bool, f32)> {
    let labelled = answers.iter().map(|answer| (answer.yes, words.fit(&answer.label)));
    let stated = readers.iter().filter_map(|reader| reader.statement(words));
    let all = labelled.chain(stated.map(|(yes, fit)| (yes, STATED * fit)));
    all.filter(|(_, fit)| *fit >= IS_ANSWERED).max_by(|a, b| a.1.total_cmp(&b.1))
}

/// The number of other texts after labels that match a field as well as the label of a place: 0 to 3.
fn rivals(own: &KnownField, fit: f32) -> f32 {
    let mut behind: Vec<&str> = own
        .labels
        .iter()
        .filter(|(other, _)| *other >= fit.max(IS_ANSWERED))
        .map(|(_, text)| text.as_str())
        .collect();
    behind.sort_unstable();
    behind.dedup();
    // More rivals make no difference. Chosen by hand; no measurement is recorded.
    behind.len().saturating_sub(1).min(3) as f32
}

fn asks_yes_or_no(field: &Field) -> bool {
    match NestedFields::of(field) {
        NestedFields::Parts(parts) => parts.iter().any(asks_yes_or_no),
        NestedFields::Items(item) => asks_yes_or_no(item),
        NestedFields::None => matches!(field.kind, FieldType::Boolean),
    }
}

/// Whether a number is a percentage if its field is one, and not otherwise: -1 to 1.
fn shape_of_number(words: &FieldWords, text: &str, spot: TextSpan, percents: bool) -> f32 {
    let within = text.get(spot.start..spot.end).unwrap_or_default();
    let after = text.get(spot.end..).unwrap_or_default().trim_start_matches(' ');
    let printed = within.ends_with('%') || after.starts_with('%');
    let asked = words.has("percent") || words.has("rate") && words.has("tax");
    match (asked, printed) {
        (true, true) => 1.0,
        (true, false) if percents => -1.0,
        (false, true) if !words.has("rate") => -1.0,
        _ => 0.0,
    }
}

/// Whether a text is a code if its field is one, and words if its field names a person or a thing: -1 to 1.
fn shape_of_text(words: &FieldWords, is_code: bool) -> f32 {
    let has = |concepts: &[&str]| concepts.iter().any(|concept| words.has(concept));
    match (has(&CODES), has(&NAMES)) {
        (true, false) if is_code => 1.0,
        (true, false) => -1.0,
        (false, true) if is_code => -1.0,
        _ => 0.0,
    }
}
