//! The intermediate record: a tree parallel to the form's fields, with what is known of each value. It must
//! not know models or texts.

use language::measure::Unit;
use serde_json::Value;

use crate::Evidence;

/// The result for one field.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Node {
    /// The documents do not state it.
    Absent,
    /// It was stated, but breaks a rule; the message.
    Failed(String),
    /// A single value.
    Leaf(Box<Leaf>),
    /// The items of an array.
    List {
        items: Vec<Node>,
        /// The message for a rule that the list as a whole breaks.
        problem: Option<String>,
    },
    /// The members of an object, parallel to its fields.
    Group(Vec<Node>),
}

/// A single value.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Leaf {
    /// The value for the record.
    pub(super) value: Value,
    /// The model's text, if it was normalised.
    pub(super) verbatim: Option<String>,
    /// The place that the model cites.
    pub(super) hint: Option<CitedSpan>,
    /// Whether the model returned a number for a text field.
    pub(super) was_number: bool,
    /// The number of a measure as the model states it; `value` is in the field's unit.
    pub(super) measure: Option<StatedMeasure>,
    /// Whether it is a date that is less precise than a day.
    pub(super) is_reduced_date: bool,
    /// The verified source of the value.
    pub(super) evidence: Option<Evidence>,
    /// The span of the source in bytes; for a copied line, that of its first occurrence.
    pub(super) span: Option<TextSpan>,
    /// Whether the source is a copied line.
    pub(super) is_copy: bool,
    /// The number of candidate places; `None` when they were not counted.
    pub(super) mentions: Option<u32>,
}

impl Leaf {
    /// A value without further information.
    pub(super) fn new(value: Value) -> Self {
        Self {
            value,
            verbatim: None,
            hint: None,
            was_number: false,
            measure: None,
            is_reduced_date: false,
            evidence: None,
            span: None,
            is_copy: false,
            mentions: None,
        }
    }
}

/// A number with its unit, as a model states it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct StatedMeasure {
    pub(super) number: Value,
    /// `None` where the model states none.
    pub(super) unit: Option<Unit>,
}

/// A span in the text of a document of the group, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct TextSpan {
    pub(super) document: usize,
    pub(super) start: usize,
    pub(super) end: usize,
}

/// A span cited by the model: a segment of the prompt, and Unicode characters of the segment as shown.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct CitedSpan {
    pub(super) document: usize,
    pub(super) start: usize,
    pub(super) end: usize,
    /// The model's confidence, 0 to 1.
    pub(super) confidence: f32,
}

impl Node {
    /// The number of broken rules in the node.
    pub(super) fn failures(&self) -> usize {
        match self {
            Self::Absent | Self::Leaf(_) => 0,
            Self::Failed(_) => 1,
            Self::List { items, problem } => {
                items.iter().map(Self::failures).sum::<usize>() + usize::from(problem.is_some())
            }
            Self::Group(parts) => parts.iter().map(Self::failures).sum(),
        }
    }

    /// Appends each broken rule with its JSON pointer; `path` is the pointer of this node.
    pub(super) fn problems(&self, fields: NestedFields<'_>, path: &str, out: &mut Vec<(String, String)>) {
        match (self, fields) {
            (Self::Failed(message), _) => out.push((path.to_owned(), message.clone())),
            (Self::List { items, problem }, NestedFields::Items(item)) => {
                out.extend(problem.iter().map(|message| (path.to_owned(), message.clone())));
                for (index, node) in items.iter().enumerate() {
                    node.problems(NestedFields::of(item), &format!("{path}/{index}"), out);
                }
            }
            (Self::Group(parts), NestedFields::Parts(fields)) => {
                for (field, node) in fields.iter().zip(parts) {
                    let path = format!("{path}/{}", pointer_token(&field.name));
                    node.problems(NestedFields::of(field), &path, out);
                }
            }
            _ => {}
        }
    }

    /// Replaces what failed by a second answer. A valid value is never replaced.
    pub(super) fn patch(&mut self, second: Self) {
        match (self, second) {
            (own @ Self::Failed(_), second) if !matches!(second, Self::Failed(_)) => *own = second,
            (Self::Group(own), Self::Group(second)) => {
                own.iter_mut().zip(second).for_each(|(own, second)| own.patch(second));
            }
            (own @ Self::List { .. }, second @ Self::List { .. }) => own.patch_list(second),
            _ => {}
        }
    }

    fn patch_list(&mut self, second: Self) {
        let fewer = second.failures() < self.failures();
        let (Self::List { items, problem }, Self::List { items: new, problem: left }) = (&mut *self, &second)
        else {
            return;
        };
        if new.len() == items.len() {
            items.iter_mut().zip(new.clone()).for_each(|(own, second)| own.patch(second));
            problem.clone_from(left);
        } else if fewer && new.len() > items.len() {
            *self = second;
        }
    }
}

/// The fields below a node.
#[derive(Clone, Copy, Debug)]
pub(super) enum NestedFields<'a> {
    /// None: a scalar.
    None,
    /// The field of an array's items.
    Items(&'a crate::Field),
    /// The members of an object.
    Parts(&'a [crate::Field]),
}

impl<'a> NestedFields<'a> {
    pub(super) fn of(field: &'a crate::Field) -> Self {
        match &field.kind {
            crate::FieldType::Array(item) => Self::Items(item),
            crate::FieldType::Object(parts) => Self::Parts(parts),
            _ => Self::None,
        }
    }
}

/// One token of a JSON pointer (RFC 6901).
pub(super) fn pointer_token(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn leaf(value: Value) -> Node {
        Node::Leaf(Box::new(Leaf::new(value)))
    }

    fn failed() -> Node {
        Node::Failed("broken".into())
    }

    fn list(items: Vec<Node>) -> Node {
        Node::List { items, problem: None }
    }

    #[test]
    fn a_second_answer_mends_and_never_spoils() {
        let mut own = Node::Group(vec![leaf(json!(1)), failed(), failed(), failed()]);
        own.patch(Node::Group(vec![leaf(json!(9)), leaf(json!(2)), Node::Absent, failed()]));
        assert_eq!(own, Node::Group(vec![leaf(json!(1)), leaf(json!(2)), Node::Absent, failed()]));
    }

    #[test]
    fn a_list_is_mended_item_by_item_and_never_gets_shorter() {
        let mut own = list(vec![leaf(json!(1)), failed()]);
        own.patch(list(vec![leaf(json!(8)), leaf(json!(2))]));
        assert_eq!(own, list(vec![leaf(json!(1)), leaf(json!(2))]));
        let mut own = list(vec![leaf(json!(1)), failed()]);
        own.patch(list(vec![leaf(json!(1))]));
        assert_eq!(own, list(vec![leaf(json!(1)), failed()]));
        own.patch(list(vec![leaf(json!(1)), leaf(json!(2)), leaf(json!(3))]));
        assert_eq!(own.failures(), 0);
    }
}
