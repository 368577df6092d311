//! The fields that filters and facets name: those of the meta, and what the server knows of an item.

use std::borrow::Cow;

use serde_json::Value;
use shared_core::{Timestamp, Violation};

use super::field::found;
use crate::ItemAttributes;
use crate::service::rules::MAX_FIELD;

/// What the server knows of an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum ItemField {
    File,
    Title,
    Created,
    Updated,
    Language,
    Source,
}

impl ItemField {
    const NAMED: [(&str, Self); 6] = [
        ("$file", Self::File),
        ("$title", Self::Title),
        ("$created", Self::Created),
        ("$updated", Self::Updated),
        ("$language", Self::Language),
        ("$source", Self::Source),
    ];

    /// Its value. Times are microseconds of Unix time; an unknown language is null.
    fn value(self, item: &ItemAttributes) -> Value {
        match self {
            Self::File => item.id.0.clone().into(),
            Self::Title => item.name.clone().into(),
            Self::Created => item.created.micros().into(),
            Self::Updated => item.updated.micros().into(),
            Self::Language => item.language.clone().into(),
            Self::Source => item.source.name().into(),
        }
    }

    fn is_time(self) -> bool {
        matches!(self, Self::Created | Self::Updated)
    }
}

/// The name of a field. Names with a `$` are those of [`ItemField`]; a second `$` quotes the first of a key of
/// the meta.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum FieldName {
    Meta(String),
    Item(ItemField),
}

impl FieldName {
    /// Reads a name; an error is the rule that it breaks.
    pub(super) fn parse(name: &str) -> Result<Self, String> {
        if name.is_empty() || name.chars().nth(MAX_FIELD).is_some() {
            return Err(format!("the name of a field has 1 to {MAX_FIELD} characters"));
        }
        let Some(rest) = name.strip_prefix('$') else { return Ok(Self::Meta(name.to_owned())) };
        if rest.starts_with('$') {
            return Ok(Self::Meta(rest.to_owned()));
        }
        let known = ItemField::NAMED.into_iter().find(|(own, _)| *own == name);
        known.map(|(_, field)| Self::Item(field)).ok_or_else(|| {
            let known = ItemField::NAMED.map(|(own, _)| own).join(", ");
            format!("a name with '$' must be one of {known}; '$$' begins the name of a key with '$'")
        })
    }

    /// Calls `each` with the values of the field: none, its value, or its elements too. Returns the values that
    /// were visited.
    pub(super) fn with_values<T>(
        &self,
        item: &ItemAttributes,
        each: impl FnOnce(&[&Value]) -> T,
    ) -> (T, u64) {
        match self {
            Self::Meta(name) => {
                let found = found(&item.meta, name);
                (each(&found.values), found.steps)
            }
            Self::Item(field) => (each(&[&field.value(item)]), 1),
        }
    }

    /// Whether its values are times.
    pub(super) fn is_time(&self) -> bool {
        matches!(self, Self::Item(field) if field.is_time())
    }

    /// The operand of a filter in the form that its values have: times as microseconds.
    pub(super) fn operand<'a>(
        &self,
        given: &'a Value,
        path: &str,
        wrong: &mut Vec<Violation>,
    ) -> Cow<'a, Value> {
        if !self.is_time() {
            return Cow::Borrowed(given);
        }
        Cow::Owned(match given {
            Value::Array(values) => {
                let each = values.iter().enumerate();
                each.map(|(at, value)| time(value, &format!("{path}/{at}"), wrong)).collect()
            }
            value => time(value, path, wrong),
        })
    }
}

/// A time as microseconds; 0, with a violation, for what is none.
fn time(given: &Value, path: &str, wrong: &mut Vec<Violation>) -> Value {
    let Some(time) = given.as_str().and_then(Timestamp::of_rfc3339) else {
        let rule = "'$created' and '$updated' compare with times in RFC 3339, such as 2026-01-31T12:00:00Z";
        wrong.push(Violation::new(path, rule));
        return 0.into();
    };
    time.micros().into()
}
