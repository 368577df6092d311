//! The features of a value: numeric evidence for and against it, the input of a learned model.

use language::fold::fold_letters;
use serde_json::Value;

use super::super::node::Leaf;
use super::agreement::Vote;
use crate::{Field, FieldType, Support};

/// The names of the features in the order of `Features::values`. Those from [`FIRST_EVIDENCE`] on are
/// evidence: a greater value never lowers the probability. The earlier ones state what kind of value is
/// assessed, and how.
pub const FEATURE_NAMES: [&str; 27] = [
    "text",
    "code",
    "date",
    "number",
    "flag",
    "option",
    "listed",
    "reader",
    "readable",
    "support",
    "opinion",
    "mentions",
    "length",
    "checked",
    "uncontested",
    "label",
    "own_label",
    "best_place",
    "whole",
    "rivals",
    "answer",
    "shape",
    "alone",
    "row",
    "sums",
    "peers",
    "score",
];

/// The first of the features that are evidence.
pub const FIRST_EVIDENCE: usize = 9;

/// The kind of a value, as far as it matters for confidence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ValueKind {
    Text,
    /// A text with digits: a single word, or at least as many digits as letters.
    Code,
    /// A value with a format: a date, a time, an e-mail address or a URL.
    Date,
    Number,
    /// A boolean.
    Flag,
    /// An option of an `enum`.
    Choice,
}

impl ValueKind {
    pub(super) fn of(field: &Field, value: &Value) -> Self {
        match (&field.kind, value) {
            (FieldType::Boolean, _) => Self::Flag,
            _ if !field.options.is_empty() => Self::Choice,
            (FieldType::Currency, _) => Self::Choice,
            (FieldType::Email | FieldType::Url | FieldType::Date, _) => Self::Date,
            (_, Value::Number(_)) => Self::Number,
            _ if field.format.is_some() => Self::Date,
            (_, Value::String(text)) => {
                let spaces = text.split_whitespace().count();
                let digits = text.chars().filter(char::is_ascii_digit).count();
                let letters = text.chars().filter(|c| c.is_alphabetic()).count();
                if digits > 0 && (spaces <= 1 || digits >= letters) { Self::Code } else { Self::Text }
            }
            _ => Self::Text,
        }
    }
}

/// The evidence for and against a value.
#[derive(Clone, Copy, Debug)]
pub(super) struct Features {
    pub(super) kind: ValueKind,
    /// Whether it is in a list.
    pub(super) listed: bool,
    /// Whether a second reader read the documents.
    pub(super) reader: bool,
    /// How well the labels of the documents match the fields of the form, 0 to 1.
    pub(super) readable: f32,
    /// How the documents support it.
    pub(super) support: Support,
    /// The vote of the second readers.
    pub(super) vote: Vote,
    /// The number of candidate places; `None` when they were not counted.
    pub(super) mentions: Option<u32>,
    /// Letters and digits; a short value occurs anywhere by coincidence.
    pub(super) length: usize,
    /// Whether its type and rules exclude most wrong values.
    pub(super) checked: bool,
    /// Whether documents of the group contradict each other on it.
    pub(super) contested: bool,
    /// How well the label of its place matches its field, 0 to 1.
    pub(super) label: f32,
    /// How much better that label matches this field than the best other one: -1 to 1.
    pub(super) own_label: f32,
    /// How much better the label of its place matches than the best label of the documents: -1 to 0.
    pub(super) best_place: f32,
    /// The completeness of its span, 0 to 1: whether its ends are those of a cell, a line or a clause, or
    /// follow a label.
    pub(super) whole: f32,
    /// Minus the number of other texts after labels that match as well: -3 to 0.
    pub(super) rivals: f32,
    /// For a boolean, whether the documents print the same answer, -1 to 1.
    pub(super) answer: f32,
    /// Whether it is a percentage, a code or words as its field requires, -1 to 1.
    pub(super) shape: f32,
    /// Whether no other field of the record uses its place, and it is no label itself.
    pub(super) alone: bool,
    /// The share of the other cells of its row that are on its line; 0.5 when unknown.
    pub(super) row: f32,
    /// Arithmetic and date checks that hold for it, minus those that it violates.
    pub(super) sums: f32,
    /// The mean quality of the other values of the record, 0 to 1.
    pub(super) peers: f32,
    /// The built-in model's own score; `None` for other models.
    pub(super) score: Option<f32>,
}

impl Features {
    /// The features of a value of which only the support is known.
    pub(super) fn new(field: &Field, value: &Value, support: Support) -> Self {
        let length = match value {
            Value::String(text) => fold_letters(text).chars().count(),
            Value::Number(number) => number.to_string().len(),
            _ => 4,
        };
        Self {
            kind: ValueKind::of(field, value),
            listed: false,
            reader: false,
            readable: 0.0,
            support,
            vote: Vote::Abstains,
            mentions: None,
            length,
            checked: is_checked(field),
            contested: false,
            label: 0.0,
            own_label: 0.0,
            best_place: 0.0,
            whole: 0.0,
            rivals: 0.0,
            answer: 0.0,
            shape: 0.0,
            alone: true,
            // 0.5 where unknown: between found and not found.
            row: 0.5,
            sums: 0.0,
            peers: 0.5,
            score: None,
        }
    }

    pub(super) fn from_leaf(field: &Field, leaf: &Leaf) -> Self {
        let support = leaf.evidence.as_ref().map_or(Support::Unsupported, |evidence| evidence.support);
        Self { mentions: leaf.mentions, ..Self::new(field, &leaf.value, support) }
    }

    /// The quality of a value by itself, 0 to 1, as evidence for the others of its record; `None` when
    /// unknown.
    pub(super) fn quality(&self) -> Option<f32> {
        let support = match self.support {
            Support::Exact | Support::Normalised => 1.0,
            _ if matches!(self.kind, ValueKind::Flag | ValueKind::Choice) => return None,
            Support::Fuzzy => 0.5,
            Support::Unsupported | Support::Pictured | Support::Computed => 0.0,
        };
        let opinion = match self.vote {
            Vote::Abstains => 0.0,
            Vote::Agrees(sure) => sure,
            Vote::Disagrees(sure) => -sure,
        };
        let alone = if self.alone { 0.0 } else { -0.5 };
        let place = self.best_place + self.own_label.min(0.0);
        Some(
            // A feature of the other values (`peers`), whose thresholds the trees learn
            // (`examples/confidence`). Chosen by hand; no measurement is recorded.
            (0.5 * support + 0.25 * opinion + 0.25 + 0.25 * place + 0.25 * self.sums.min(0.0) + alone)
                .clamp(0.0, 1.0),
        )
    }

    /// The features as numbers, in the order of [`FEATURE_NAMES`].
    pub(super) fn values(&self) -> [f32; FEATURE_NAMES.len()] {
        let kind = |kind: ValueKind| indicator(self.kind == kind);
        let score = self.score.map_or(0.5, |score| if score.is_nan() { 0.5 } else { score });
        [
            kind(ValueKind::Text),
            kind(ValueKind::Code),
            kind(ValueKind::Date),
            kind(ValueKind::Number),
            kind(ValueKind::Flag),
            kind(ValueKind::Choice),
            indicator(self.listed),
            indicator(self.reader),
            self.readable,
            match self.support {
                // The text does not tell of it, and the function was learned without pictures.
                Support::Unsupported | Support::Pictured | Support::Computed => 0.0,
                Support::Fuzzy => 1.0,
                Support::Normalised => 2.0,
                Support::Exact => 3.0,
            },
            match self.vote {
                Vote::Abstains => 0.0,
                Vote::Agrees(sure) => sure.clamp(0.0, 1.0),
                Vote::Disagrees(sure) => -sure.clamp(0.0, 1.0),
            },
            // More places, and longer texts, prove no more; the trees learn the thresholds below. Chosen by
            // hand; no measurement is recorded.
            self.mentions.map_or(0.0, |mentions| mentions.min(6) as f32),
            self.length.min(12) as f32,
            indicator(self.checked),
            indicator(!self.contested),
            self.label,
            self.own_label,
            self.best_place,
            self.whole,
            self.rivals,
            self.answer,
            self.shape,
            indicator(self.alone),
            self.row,
            self.sums,
            self.peers,
            score,
        ]
    }
}

fn indicator(flag: bool) -> f32 {
    f32::from(u8::from(flag))
}

/// Whether a document that states the field prints its value. Booleans and options are not printed: a
/// document states them in its own words.
pub(super) fn is_literal(field: &Field) -> bool {
    !matches!(field.kind, FieldType::Boolean | FieldType::Currency) && field.options.is_empty()
}

/// Whether the form's type and rules exclude most wrong values.
fn is_checked(field: &Field) -> bool {
    match field.kind {
        FieldType::Email | FieldType::Url | FieldType::Date | FieldType::Currency => true,
        FieldType::String => field.pattern.is_some() || field.format.is_some(),
        FieldType::Number | FieldType::Integer => field.minimum.is_some() && field.maximum.is_some(),
        FieldType::Boolean | FieldType::Array(_) | FieldType::Object(_) => false,
    }
}
