//! A record on its way: a tree beside the form's fields, in their order, with what is known of each
//! value. It must not know models or texts.

use serde_json::Value;

use crate::Evidence;

/// What was made of one field.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Node {
    /// The documents do not say it.
    Absent,
    /// It was said, but breaks a rule: one sentence.
    Failed(String),
    /// A single value.
    Leaf(Box<Leaf>),
    /// Items of an array.
    List {
        items: Vec<Node>,
        /// The rule that the list as a whole breaks.
        problem: Option<String>,
    },
    /// Parts of an object, parallel to its fields.
    Group(Vec<Node>),
}

/// A single value.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Leaf {
    /// As it goes into the record.
    pub(super) value: Value,
    /// The model's own words, where they were put in another form.
    pub(super) verbatim: Option<String>,
    /// Where the model says it stands.
    pub(super) hint: Option<CitedSpan>,
    /// Whether the model wrote a number where text was asked for.
    pub(super) was_number: bool,
    /// Where it was found to stand.
    pub(super) evidence: Option<Evidence>,
    /// The same by document and bytes; of what is printed again, where it stands first.
    pub(super) span: Option<TextSpan>,
    /// Whether it was found where something is printed again.
    pub(super) is_copy: bool,
    /// In how many places it stands; `None` where they were not counted.
    pub(super) mentions: Option<u32>,
}

impl Leaf {
    /// A value of which nothing is known yet.
    pub(super) fn new(value: Value) -> Self {
        Self {
            value,
            verbatim: None,
            hint: None,
            was_number: false,
            evidence: None,
            span: None,
            is_copy: false,
            mentions: None,
        }
    }
}

/// A place in the text of a document of the group, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct TextSpan {
    pub(super) document: usize,
    pub(super) start: usize,
    pub(super) end: usize,
}

/// A place that the model claims: a segment of those it was shown, and Unicode characters of what it was
/// shown of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct CitedSpan {
    pub(super) document: usize,
    pub(super) start: usize,
    pub(super) end: usize,
    /// 0 to 1.
    pub(super) confidence: f32,
}

impl Node {
    /// How many rules are broken in it.
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

    /// Adds each broken rule with its place, `path` being this node's own.
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

    /// Takes from a second answer what the first one got wrong. A good value is never given up.
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

/// The fields that lie below a node.
#[derive(Clone, Copy, Debug)]
pub(super) enum NestedFields<'a> {
    /// None: a single value.
    None,
    /// The kind of an array's items.
    Items(&'a crate::Field),
    /// The parts of an object.
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
