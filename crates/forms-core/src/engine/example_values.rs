//! Where the document of an example prints the values of its record.

use std::collections::HashMap;

use serde_json::{Map, Value};

use super::align::attach_evidence;
use super::coerce::{Coercion, RequiredFields};
use super::node::Node;
use super::record::assemble;
use super::segment::{Segment, Source};
use super::text::PrintConventions;
use crate::{Field, FormSchema, GroupDocument, Support};

/// The values of a record that a document prints: their JSON pointers, with start and end in Unicode characters.
pub(crate) fn find_values(
    schema: &FormSchema,
    record: &Map<String, Value>,
    document: &GroupDocument,
) -> Vec<(String, usize, usize)> {
    let source = Source::new(document);
    let printing = PrintConventions::learn([source.text()].into_iter());
    let coercion = Coercion {
        printing: &printing,
        citations: HashMap::new(),
        documents: &[],
        cut_at: None,
        required: RequiredFields::None,
    };
    let node =
        |field: &Field| record.get(&field.name).map_or(Node::Absent, |value| coercion.answer(field, value));
    let mut nodes: Vec<Node> = schema.fields.iter().map(node).collect();
    let segments = [Segment::whole(0, &source)];
    attach_evidence(&schema.fields, &mut nodes, std::slice::from_ref(&source), &segments);
    let found = assemble(schema, &schema.fields, nodes, Vec::new()).evidence;
    let printed = found.into_iter().filter(|(_, evidence)| evidence.support != Support::Unsupported);
    printed.filter_map(|(pointer, evidence)| Some((pointer, evidence.start?, evidence.end?))).collect()
}
