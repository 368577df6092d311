//! Decodes an answer: reverses what the compiler added to the schema.

use serde_json::{Map, Value};

/// The property with the answer, if the root had to become an object.
pub(super) const WRAPPED: &str = "value";

/// How an absent property is encoded in an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AbsenceEncoding {
    /// Not at all; decoding leaves the property as it is.
    Unchanged,
    /// As `null`; decoding removes the property.
    NullRemoved,
    /// As `""`; decoding makes it `null`.
    EmptyToNull,
    /// As `""`; decoding removes the property.
    EmptyRemoved,
    /// It is missing; decoding makes it `null`.
    MissingToNull,
}

/// A property of a compiled object.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Member {
    pub(super) name: String,
    pub(super) undo: DecodePlan,
    pub(super) absent: AbsenceEncoding,
}

/// How to decode a value.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum DecodePlan {
    /// The value is unchanged.
    Keep,
    /// The value is a property of a root that the compiler added.
    Wrapped(Box<DecodePlan>),
    /// Decode the members of an object, in the order of the schema, or the items of a list.
    Inside { members: Vec<Member>, items: Box<DecodePlan> },
    /// Decode by the first of these compiled schemas that the value matches.
    Any(Vec<(Value, DecodePlan)>),
}

impl DecodePlan {
    pub(super) fn of_items(self) -> Self {
        match self {
            Self::Keep => Self::Keep,
            inner => Self::Inside { members: Vec::new(), items: Box::new(inner) },
        }
    }

    pub(super) fn any(branches: Vec<(Value, Self)>) -> Self {
        match branches.iter().all(|(_, undo)| *undo == Self::Keep) {
            true => Self::Keep,
            false => Self::Any(branches),
        }
    }

    /// Adds members to a plan for items, for a value that may be an object or a list.
    pub(super) fn with_members(self, members: Vec<Member>) -> Self {
        let items = match self {
            Self::Inside { items, .. } => items,
            _ => Box::new(Self::Keep),
        };
        Self::Inside { members, items }
    }

    pub(super) fn apply(&self, value: Value) -> Value {
        match (self, value) {
            (Self::Wrapped(inner), Value::Object(mut object)) if object.len() == 1 => {
                match object.shift_remove(WRAPPED) {
                    Some(value) => inner.apply(value),
                    None => Value::Object(object),
                }
            }
            (Self::Inside { members, .. }, Value::Object(object)) if !members.is_empty() => {
                Value::Object(restore_members(members, object))
            }
            (Self::Inside { items, .. }, Value::Array(list)) => {
                list.into_iter().map(|item| items.apply(item)).collect()
            }
            (Self::Any(branches), value) => {
                match branches.iter().find(|(schema, _)| super::super::validate::is_valid(schema, &value)) {
                    Some((_, undo)) => undo.apply(value),
                    None => value,
                }
            }
            (_, value) => value,
        }
    }
}

fn restore_members(members: &[Member], mut object: Map<String, Value>) -> Map<String, Value> {
    let mut out = Map::new();
    for member in members {
        let value = object.shift_remove(&member.name);
        let empty = value.as_ref().and_then(Value::as_str).is_some_and(str::is_empty);
        let value = match (member.absent, value) {
            (AbsenceEncoding::NullRemoved, Some(Value::Null)) => continue,
            (AbsenceEncoding::EmptyRemoved, Some(_)) if empty => continue,
            (AbsenceEncoding::EmptyToNull, Some(_)) if empty => Value::Null,
            (AbsenceEncoding::MissingToNull, None) => Value::Null,
            (_, None) => continue,
            (_, Some(value)) => member.undo.apply(value),
        };
        out.insert(member.name.clone(), value);
    }
    out.extend(object);
    out
}
