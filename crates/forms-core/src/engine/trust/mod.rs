//! How far each value of a record can be trusted: what the documents show, what the built-in model
//! reads in the same place, and what the form can check make one probability. Values that nothing
//! shows are kept, or dropped, as the engine is set. It must not know how the values came about.

mod agreement;
mod confidence;
mod second;
mod walk;
mod words;

use std::collections::HashMap;

use gen_core::GenService;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::ExtractRequest;
use super::node::{Leaf, Node};
use super::segment::Source;
use super::text::Printing;
use super::text::fold::folded;
use crate::{Conflict, Field, FieldType, Support};
use agreement::Opinion;
use confidence::Signs;
pub(super) use confidence::preliminary;
use walk::Seen;

/// What becomes of a value that the documents do not show, unless it is one that a text need not show
/// (yes or no, an option of an `enum`) or the built-in model reads the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Unsupported {
    /// It stays, with the confidence that it deserves.
    #[default]
    Keep,
    /// The model is told that it is not found and asked once more, in the same question as for other
    /// values that cannot be used; if it is still not found, it is `null` and listed in the errors.
    Ask,
    /// It is `null` and listed in the errors.
    Null,
}

/// Judges every value: gives it its confidence, and drops what is not to be kept.
pub(super) async fn settle(
    generation: &GenService,
    unsupported: Unsupported,
    request: &ExtractRequest<'_>,
    sources: &[Source<'_>],
    printing: &Printing<'_>,
    nodes: &mut [Node],
    conflicts: &mut [Conflict],
) {
    let fields = &request.schema.fields;
    words::tidy(fields, nodes);
    let second = match request.model.is_extractive() {
        true => None,
        false => second::read(generation, request, sources, printing, nodes).await,
    };
    let contested: HashMap<String, usize> =
        conflicts.iter().enumerate().map(|(at, conflict)| (conflict.path.clone(), at)).collect();
    walk::leaves(fields, nodes, second.as_deref(), &mut |seen: Seen<'_>, node: &mut Node| {
        let Node::Leaf(leaf) = node else { return };
        let conflict = contested.get(seen.path).and_then(|at| conflicts.get_mut(*at));
        let opinion = agreement::of(&leaf.value, seen.second);
        judge(seen.field, leaf, opinion, conflict.is_some(), request.model.is_extractive());
        for side in conflict.into_iter().flat_map(|conflict| conflict.values.iter_mut()) {
            let mut signs = signs(seen.field, &side.value, side.evidence.support);
            signs.opinion = agreement::of(&side.value, seen.second);
            signs.contested = true;
            side.evidence.confidence = match side.value == leaf.value {
                true => leaf.evidence.as_ref().map_or(0.5, |evidence| evidence.confidence),
                false => confidence::of(&signs),
            };
        }
        if unsupported != Unsupported::Keep && is_doubtful(seen.field, leaf, opinion) {
            *node = Node::Failed(not_found(seen.field));
        }
    });
}

/// Turns the values that a model's first answer gives and that `nodes`' own evidence does not show into
/// failures, so that they are asked for again.
pub(super) fn doubt(fields: &[Field], nodes: &mut [Node]) {
    words::tidy(fields, nodes);
    walk::leaves(fields, nodes, None, &mut |seen: Seen<'_>, node: &mut Node| {
        if let Node::Leaf(leaf) = node
            && is_doubtful(seen.field, leaf, Opinion::Silent)
        {
            *node = Node::Failed(not_found(seen.field));
        }
    });
}

fn judge(field: &Field, leaf: &mut Leaf, opinion: Opinion, contested: bool, is_own: bool) {
    let score = leaf.hint.filter(|_| is_own).map(|hint| hint.confidence);
    if let Some(evidence) = &mut leaf.evidence {
        let signs = signs(field, &leaf.value, evidence.support);
        let mentions = leaf.mentions;
        evidence.confidence = confidence::of(&Signs { opinion, contested, score, mentions, ..signs });
    }
}

/// What field and value themselves tell.
fn signs(field: &Field, value: &Value, support: Support) -> Signs {
    let brief = match value {
        Value::String(text) => folded(text).chars().nth(2).is_none(),
        Value::Number(number) => number.to_string().len() <= 2,
        _ => false,
    };
    Signs { support, brief, checked: is_checked(field), literal: is_literal(field), ..Signs::NONE }
}

/// Whether nothing speaks for a value that should stand in the documents.
fn is_doubtful(field: &Field, leaf: &Leaf, opinion: Opinion) -> bool {
    let shown = leaf.evidence.as_ref().is_none_or(|evidence| evidence.support != Support::Unsupported);
    !shown && is_literal(field) && !matches!(opinion, Opinion::Agrees(_))
}

fn not_found(field: &Field) -> String {
    format!("the value given for '{}' is not found in the documents", field.name)
}

/// Whether a document that states the field prints its value: not so for yes and no, and for options,
/// which stand for what a document says in its own words.
fn is_literal(field: &Field) -> bool {
    !matches!(field.kind, FieldType::Boolean) && field.options.is_empty()
}

/// Whether the form's type and rules rule most wrong values out.
fn is_checked(field: &Field) -> bool {
    match field.kind {
        FieldType::Email | FieldType::Url | FieldType::Date => true,
        FieldType::String => field.pattern.is_some() || field.format.is_some(),
        FieldType::Number | FieldType::Integer => field.minimum.is_some() && field.maximum.is_some(),
        FieldType::Boolean | FieldType::Array(_) | FieldType::Object(_) => false,
    }
}
