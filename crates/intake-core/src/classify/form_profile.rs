//! What a form asks for, as far as documents print it.

use std::collections::HashSet;

use forms_core::labels::{Concepts, concepts};
use forms_core::{Field, FieldType, FormSchema, FormVersion};
use language::form_kinds::kinds_named;

use crate::page::folded_words;

/// Fields of a form that are compared with the labels of documents. Bounds the time; documents of forms with more
/// fields are told by these.
const MAX_FIELDS: usize = 60;

/// A form as documents are compared with it.
#[derive(Clone, Debug)]
pub struct FormProfile {
    /// As the workspace names it.
    pub id: String,
    /// As its author wrote it.
    pub title: String,
    /// Kinds of documents that its title names.
    pub(super) kinds: Vec<&'static str>,
    /// Folded words of its title.
    pub(super) title_words: HashSet<String>,
    pub(super) fields: Vec<FieldProfile>,
    /// Whether a field asks when a payment is due.
    pub(super) asks_due: bool,
    /// Whether a field asks how a payment was made.
    pub(super) asks_paid: bool,
    /// Names and descriptions of its fields, for a model.
    pub(super) outline: String,
}

/// A field as labels are compared with it.
#[derive(Clone, Debug)]
pub(super) struct FieldProfile {
    pub(super) concepts: Concepts,
    pub(super) content: Content,
    /// How much the field counts: a required one more, one of a list less.
    pub(super) weight: f64,
}

impl FieldProfile {
    fn asks_paid(&self) -> bool {
        self.concepts.has("payment") && !self.concepts.has("due") && !self.concepts.has("date")
    }
}

/// What the text of a value must have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Content {
    Any,
    Digits,
    At,
}

// Chosen by hand; the learned weights depend on them.
const REQUIRED: f64 = 2.0;
const PLAIN: f64 = 1.0;
const LISTED: f64 = 0.5;

impl FormProfile {
    /// The profile of a form at a version. A schema that is no longer valid has no fields.
    #[must_use]
    pub fn of_version(form: &FormVersion) -> Self {
        let schema = FormSchema::parse(&form.schema).ok();
        let fields = schema.as_ref().map(|schema| schema.fields.as_slice()).unwrap_or_default();
        let (mut flat, mut outline) = (Vec::new(), Vec::new());
        flatten(fields, "", PLAIN, &mut flat, &mut outline);
        Self {
            id: form.form_id.clone(),
            title: form.title.clone(),
            kinds: kinds_named(&form.title),
            title_words: folded_words(&form.title).collect(),
            asks_due: flat.iter().any(|field| field.concepts.has("due")),
            asks_paid: flat.iter().any(|field| field.asks_paid()),
            fields: flat,
            outline: outline.join("; "),
        }
    }
}

fn flatten(
    fields: &[Field],
    prefix: &str,
    weight: f64,
    flat: &mut Vec<FieldProfile>,
    outline: &mut Vec<String>,
) {
    for field in fields {
        if flat.len() >= MAX_FIELDS {
            return;
        }
        let name = format!("{prefix}{}", field.name);
        match &field.kind {
            FieldType::Object(parts) => flatten(parts, &format!("{name} "), weight, flat, outline),
            FieldType::Array(item) => match &item.kind {
                FieldType::Object(parts) => flatten(parts, "", LISTED, flat, outline),
                _ => push(field, &name, LISTED, flat, outline),
            },
            _ => push(field, &name, if field.required { weight * REQUIRED } else { weight }, flat, outline),
        }
    }
}

fn push(field: &Field, name: &str, weight: f64, flat: &mut Vec<FieldProfile>, outline: &mut Vec<String>) {
    let description = field.description.as_deref().unwrap_or_default();
    let content = match field.kind {
        FieldType::Number | FieldType::Integer | FieldType::Date => Content::Digits,
        FieldType::Email => Content::At,
        _ => Content::Any,
    };
    let concepts = concepts(name, description).with_aliases(field.aliases.iter().map(String::as_str));
    flat.push(FieldProfile { concepts, content, weight });
    outline.push(match description {
        "" => name.to_owned(),
        description => format!("{name} ({description})"),
    });
}

impl Content {
    /// Whether a value beside a label may be one of the field.
    pub(super) fn fits(self, value: &str) -> bool {
        match self {
            Self::Any => true,
            Self::Digits => value.chars().any(char::is_numeric),
            Self::At => value.contains('@'),
        }
    }
}
