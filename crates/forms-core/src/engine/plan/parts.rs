//! Splits a form into parts that a model can answer in one call, and joins the parts' answers.

use std::collections::HashMap;

use gen_core::structured::{self, Dialect};

use super::super::node::{NestedFields, Node, TextSpan};
use crate::{Field, FieldType, FormSchema};

/// Output tokens of a single value with its name. Chosen by hand; no measurement is recorded.
pub(in super::super) const TOKENS_OF_VALUE: usize = 12;
/// Leading values of a list's entries that every part repeats, to match the entries. Chosen by hand; no
/// measurement is recorded.
const KEYS: usize = 2;

/// The form in parts, each with at most so many values and within the limits of the dialect, if there is one. A
/// field that exceeds these alone is divided, if it has members.
pub(super) fn parts(schema: &FormSchema, most: usize, dialect: Option<Dialect>) -> Vec<FormSchema> {
    let takes = |fields: &[Field]| {
        let is_expressible =
            |dialect| structured::fits(&schema_of(fields.to_vec()).to_json_schema(), &[dialect]).is_ok();
        count_leaves(fields) <= most && dialect.is_none_or(is_expressible)
    };
    if takes(&schema.fields) {
        return vec![schema.clone()];
    }
    let mut parts: Vec<Vec<Field>> = Vec::new();
    for piece in schema.fields.iter().flat_map(|field| divide_field(field, &takes)) {
        add_to_parts(&mut parts, piece, &takes);
    }
    parts.into_iter().map(schema_of).collect()
}

/// Adds a field to the last part, or starts another part with it.
fn add_to_parts(parts: &mut Vec<Vec<Field>>, field: Field, takes: &dyn Fn(&[Field]) -> bool) {
    if let Some(last) = parts.last_mut()
        && last.iter().all(|other| other.name != field.name)
    {
        last.push(field);
        if takes(last) {
            return;
        }
        // It was pushed above.
        let Some(field) = last.pop() else { return };
        if last.is_empty() {
            last.push(field);
        } else {
            parts.push(vec![field]);
        }
        return;
    }
    parts.push(vec![field]);
}

/// A whole field, or its pieces if it is too large alone.
fn divide_field(field: &Field, takes: &dyn Fn(&[Field]) -> bool) -> Vec<Field> {
    if takes(std::slice::from_ref(field)) {
        return vec![field.clone()];
    }
    match &field.kind {
        FieldType::Object(inner) => {
            let with = |inner: Vec<Field>| Field { kind: FieldType::Object(inner), ..field.clone() };
            let fits = |inner: &[Field]| takes(&[with(inner.to_vec())]);
            let mut divided: Vec<Vec<Field>> = Vec::new();
            for piece in inner.iter().flat_map(|part| divide_field(part, &fits)) {
                add_to_parts(&mut divided, piece, &fits);
            }
            divided.into_iter().map(with).collect()
        }
        FieldType::Array(item) => match &item.kind {
            FieldType::Object(inner) => divide_list(field, item, inner, takes),
            _ => vec![field.clone()],
        },
        _ => vec![field.clone()],
    }
}

/// Divides a list by the members of its entries; each piece repeats the key members.
fn divide_list(field: &Field, item: &Field, inner: &[Field], takes: &dyn Fn(&[Field]) -> bool) -> Vec<Field> {
    let is_single = |part: &&Field| matches!(NestedFields::of(part), NestedFields::None);
    let keys: Vec<Field> = inner.iter().filter(is_single).take(KEYS).cloned().collect();
    let with = |inner: Vec<Field>| {
        let item = Field { kind: FieldType::Object(inner), ..item.clone() };
        Field { kind: FieldType::Array(Box::new(item)), ..field.clone() }
    };
    let keyed = |inner: &[Field]| {
        let missing = keys.iter().filter(|key| inner.iter().all(|part| part.name != key.name));
        missing.chain(inner).cloned().collect::<Vec<_>>()
    };
    let fits = |inner: &[Field]| takes(&[with(keyed(inner))]);
    let mut divided: Vec<Vec<Field>> = Vec::new();
    for piece in inner.iter().flat_map(|part| divide_field(part, &fits)) {
        add_to_parts(&mut divided, piece, &fits);
    }
    divided.into_iter().map(|inner| with(keyed(&inner))).collect()
}

/// A form of these fields, written in the order of the query.
pub(in super::super) fn schema_of(fields: Vec<Field>) -> FormSchema {
    let written_order = fields.iter().map(|field| field.name.clone()).collect();
    FormSchema { fields, written_order, examples: Vec::new() }
}

/// The number of scalars in the fields; those of list items count once.
pub(in super::super) fn count_leaves(fields: &[Field]) -> usize {
    let of = |field: &Field| match &field.kind {
        FieldType::Object(parts) => count_leaves(parts),
        FieldType::Array(item) => count_leaves(std::slice::from_ref(item)),
        _ => 1,
    };
    fields.iter().map(of).sum()
}

/// Joins the answers to parts of `fields` into their nodes.
pub(in super::super) fn join(fields: &[Field], answers: Vec<(&[Field], Vec<Node>)>) -> Vec<Node> {
    let mut by_name: HashMap<&str, Vec<(&Field, Node)>> = HashMap::new();
    for (own, nodes) in answers {
        for (field, node) in own.iter().zip(nodes) {
            by_name.entry(&field.name).or_default().push((field, node));
        }
    }
    fields
        .iter()
        .map(|field| join_field(field, by_name.remove(field.name.as_str()).unwrap_or_default()))
        .collect()
}

/// Joins the answers to the pieces of one field.
fn join_field(field: &Field, mut pieces: Vec<(&Field, Node)>) -> Node {
    if pieces.len() < 2 {
        return pieces.pop().map_or(Node::Absent, |(_, node)| node);
    }
    match NestedFields::of(field) {
        NestedFields::None => {
            let place = pieces.iter().position(|(_, node)| matches!(node, Node::Leaf(_)));
            pieces.swap_remove(place.unwrap_or(0)).1
        }
        NestedFields::Parts(fields) => {
            let said = pieces.iter().any(|(_, node)| matches!(node, Node::Group(_)));
            if !said {
                let failed = pieces.iter().position(|(_, node)| matches!(node, Node::Failed(_)));
                return pieces.swap_remove(failed.unwrap_or(0)).1;
            }
            let answers =
                pieces.into_iter().filter_map(|(piece, node)| match (NestedFields::of(piece), node) {
                    (NestedFields::Parts(own), Node::Group(nodes)) => Some((own, nodes)),
                    (NestedFields::Parts(own), Node::Failed(why)) => {
                        Some((own, vec![Node::Failed(why); own.len()]))
                    }
                    _ => None,
                });
            Node::Group(join(fields, answers.collect()))
        }
        NestedFields::Items(item) => join_list(item, pieces),
    }
}

/// Joins the pieces of entries whose members were queried separately.
fn join_list(item: &Field, pieces: Vec<(&Field, Node)>) -> Node {
    let mut problem = None;
    let mut lists: Vec<(&[Field], Vec<Node>)> = Vec::new();
    for (piece, node) in pieces {
        match (NestedFields::of(piece), node) {
            (NestedFields::Items(own), Node::List { items, problem: own_problem }) => {
                problem = problem.or(own_problem);
                if let NestedFields::Parts(fields) = NestedFields::of(own) {
                    lists.push((fields, items));
                }
            }
            (_, Node::Failed(why)) => problem = problem.or(Some(why)),
            _ => {}
        }
    }
    if lists.is_empty() {
        return problem.map_or(Node::Absent, Node::Failed);
    }
    let NestedFields::Parts(fields) = NestedFields::of(item) else { return Node::Absent };
    let longest = (0..lists.len()).rev().max_by_key(|at| lists.get(*at).map_or(0, |(_, items)| items.len()));
    let (own, first) = lists.remove(longest.unwrap_or(0));
    let mut rows: Vec<Vec<(&[Field], Vec<Node>)>> =
        first.into_iter().map(|row| vec![(own, parts_of(row))]).collect();
    for (own, items) in lists {
        join_rows(&mut rows, own, items);
    }
    Node::List { items: rows.into_iter().map(|row| Node::Group(join(fields, row))).collect(), problem }
}

fn parts_of(row: Node) -> Vec<Node> {
    match row {
        Node::Group(parts) => parts,
        _ => Vec::new(),
    }
}

/// Matches entries by the position of their shared values, or by index if the counts are equal. An entry
/// without a match is added as its own.
fn join_rows<'f>(rows: &mut Vec<Vec<(&'f [Field], Vec<Node>)>>, own: &'f [Field], items: Vec<Node>) {
    let mut by_key: HashMap<Vec<TextSpan>, usize> = HashMap::new();
    for (number, row) in rows.iter().enumerate() {
        if let Some(key) = row.first().and_then(|(fields, nodes)| row_key(fields, nodes, own)) {
            by_key.entry(key).or_insert(number);
        }
    }
    let as_many = items.len() == rows.len();
    let mut taken = vec![false; rows.len()];
    for (number, item) in items.into_iter().enumerate() {
        let nodes = parts_of(item);
        let shared = rows.first().and_then(|row| row.first()).map(|(fields, _)| *fields).unwrap_or_default();
        let found = row_key(own, &nodes, shared).and_then(|key| by_key.get(&key).copied());
        let place = found.or(as_many.then_some(number)).filter(|place| taken.get(*place) == Some(&false));
        match place.and_then(|place| Some((rows.get_mut(place)?, taken.get_mut(place)?))) {
            Some((row, taken)) => {
                row.push((own, nodes));
                *taken = true;
            }
            None => rows.push(vec![(own, nodes)]),
        }
    }
}

/// The positions of the values that both pieces contain.
fn row_key(fields: &[Field], nodes: &[Node], others: &[Field]) -> Option<Vec<TextSpan>> {
    let shared =
        fields.iter().zip(nodes).filter(|(field, _)| others.iter().any(|other| other.name == field.name));
    let spots: Vec<TextSpan> = shared
        .filter_map(|(_, node)| match node {
            Node::Leaf(leaf) => leaf.span,
            _ => None,
        })
        .collect();
    (!spots.is_empty()).then_some(spots)
}

#[cfg(test)]
mod tests {
    use super::super::super::node::Leaf;
    use super::*;
    use serde_json::{Map, Value, json};

    fn form(fields: impl Iterator<Item = (String, Value)>) -> FormSchema {
        FormSchema::parse(&fields.collect::<Map<_, _>>()).unwrap()
    }

    fn many(count: usize) -> Value {
        Value::Object((0..count).map(|n| (format!("p{n}"), json!({"type": "string"}))).collect())
    }

    #[test]
    fn a_wide_form_is_asked_for_in_parts_that_keep_its_order() {
        let row = json!({"type": "array", "items": {"type": "object", "properties": {
            "a": {"type": "string"}, "b": {"type": "number"}}}});
        let fields = (0..90)
            .map(|n| (format!("f{n}"), if n % 10 == 0 { row.clone() } else { json!({"type": "date"}) }));
        let schema = form(fields);
        let parts = parts(&schema, 40, Some(Dialect::OpenAi));
        assert_eq!(parts.len(), 3);
        assert!(parts.iter().all(|part| count_leaves(&part.fields) <= 40));
        let names = |fields: &[Field]| fields.iter().map(|field| field.name.clone()).collect::<Vec<_>>();
        let asked: Vec<String> = parts.iter().flat_map(|part| names(&part.fields)).collect();
        assert_eq!(asked, names(&schema.fields));
    }

    #[test]
    fn a_dialect_of_few_unions_gets_smaller_parts() {
        // Each row takes three unions.
        let row = json!({"type": "array", "items": {"type": "object", "properties": {
            "a": {"type": "number"}, "b": {"type": "number"}, "c": {"type": "boolean"}}}});
        let schema = form((0..12).map(|n| (format!("f{n}"), row.clone())));
        assert_eq!(parts(&schema, 40, Some(Dialect::OpenAi)).len(), 1);
        assert!(parts(&schema, 40, Some(Dialect::Anthropic)).len() > 1);
    }

    #[test]
    fn an_object_or_an_entry_that_is_too_much_by_itself_is_divided() {
        let schema = form(
            [
                (
                    "o".to_owned(),
                    json!({"type": "object", "properties": {"first": {"type": "string"},
                    "deep": {"type": "object", "properties": many(90)}}}),
                ),
                (
                    "l".to_owned(),
                    json!({"type": "array", "items": {"type": "object", "properties": many(60)}}),
                ),
                ("x".to_owned(), json!({"type": "string"})),
            ]
            .into_iter(),
        );
        let parts = parts(&schema, 40, Some(Dialect::OpenAi));
        assert!(parts.iter().all(|part| count_leaves(&part.fields) <= 40), "{}", parts.len());
        assert!(parts.len() <= 6);
        // The joined answers equal the whole.
        let leaf = |text: String| {
            let value = Value::String(text);
            Node::Leaf(Box::new(Leaf::new(value)))
        };
        fn answer(fields: &[Field], leaf: &dyn Fn(String) -> Node) -> Vec<Node> {
            let node = |field: &Field| match NestedFields::of(field) {
                NestedFields::None => leaf(field.name.clone()),
                NestedFields::Parts(fields) => Node::Group(answer(fields, leaf)),
                NestedFields::Items(item) => {
                    let NestedFields::Parts(fields) = NestedFields::of(item) else { return Node::Absent };
                    let row = Node::Group(answer(fields, leaf));
                    Node::List { items: vec![row.clone(), row], problem: None }
                }
            };
            fields.iter().map(node).collect()
        }
        let answers =
            parts.iter().map(|part| (part.fields.as_slice(), answer(&part.fields, &leaf))).collect();
        assert_eq!(join(&schema.fields, answers), answer(&schema.fields, &leaf));
    }

    #[test]
    fn entries_are_put_beside_those_at_the_same_place() {
        let schema = form(
            [("l".to_owned(), json!({"type": "array", "items": {"type": "object", "properties": many(60)}}))]
                .into_iter(),
        );
        let parts = parts(&schema, 40, Some(Dialect::OpenAi));
        assert_eq!(parts.len(), 2);
        let entry = |part: &FormSchema, at: usize| {
            let NestedFields::Items(item) = NestedFields::of(&part.fields[0]) else { panic!("a list") };
            let NestedFields::Parts(fields) = NestedFields::of(item) else { panic!("an object") };
            let leaf = |field: &Field| {
                let spot =
                    field.name.ends_with("p0").then_some(TextSpan { document: 0, start: at, end: at + 1 });
                let value = json!(format!("{} at {at}", field.name));
                Node::Leaf(Box::new(Leaf { span: spot, ..Leaf::new(value) }))
            };
            Node::Group(fields.iter().map(leaf).collect())
        };
        let list = |items: Vec<Node>| vec![Node::List { items, problem: None }];
        let first = list(vec![entry(&parts[0], 10), entry(&parts[0], 20), entry(&parts[0], 30)]);
        let second = list(vec![entry(&parts[1], 30), entry(&parts[1], 10)]);
        let joined = join(&schema.fields, vec![(&parts[0].fields, first), (&parts[1].fields, second)]);
        let Node::List { items, .. } = &joined[0] else { panic!("a list") };
        let value = |row: usize, part: usize| match &items[row] {
            Node::Group(parts) => match &parts[part] {
                Node::Leaf(leaf) => leaf.value.clone(),
                _ => Value::Null,
            },
            _ => Value::Null,
        };
        assert_eq!(items.len(), 3);
        assert_eq!(
            (value(0, 59), value(1, 59), value(2, 59)),
            (json!("p59 at 10"), Value::Null, json!("p59 at 30"))
        );
    }
}
