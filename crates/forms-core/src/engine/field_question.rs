//! Queries a model for fields until their values are valid: once, then again for those that failed, with the
//! violations, and with a higher token limit after truncation.

use std::collections::HashMap;

use gen_core::structured::{self, Dialect, ParsedJson};
use gen_core::{ChatAnswer, ChatRequest, Citation, Finish, ModelId};
use serde_json::Value;

use super::coerce::{Coercion, RequiredFields};
use super::error::Failure;
use super::model_caller::ModelCaller;
use super::node::{NestedFields, Node, pointer_token};
use super::pictures::{self, NamedPlace, ShownPicture};
use super::segment::{Segment, Source};
use super::text::PrintConventions;
use super::{align, coerce, plan, prompt, trust};
use crate::FormSchema;

/// Correction calls for failed fields at most. Each is paid for. Chosen by hand; no measurement is recorded.
const MAX_AGAIN: usize = 2;

/// A question for a part of a form.
#[derive(Clone, Copy, Debug)]
pub(super) struct FieldQuestion<'a> {
    pub(super) asking: &'a ModelCaller<'a>,
    pub(super) model: &'a ModelId,
    /// The prompt: the documents and instructions.
    pub(super) request: &'a ChatRequest,
    /// The requested fields.
    pub(super) part: &'a FormSchema,
    pub(super) printing: &'a PrintConventions<'a>,
    /// The texts in which values are verified, if unsupported values are to be corrected.
    pub(super) recheck: Option<(&'a [Source<'a>], &'a [Segment])>,
    /// The number of segments in the prompt.
    pub(super) shown: usize,
    /// Whether the model can use corrections.
    pub(super) can_reask: bool,
    /// The fields that an answer must contain.
    pub(super) required: RequiredFields,
    /// The pictures in the prompt.
    pub(super) pictures: &'a [ShownPicture],
}

/// The result of a question.
#[derive(Debug)]
pub(super) struct FilledFields {
    /// Parallel to the part's fields.
    pub(super) nodes: Vec<Node>,
    /// Where the answer was truncated, as a JSON pointer; lists may continue after it.
    pub(super) cut_at: Option<String>,
    /// Where the model says that it saw values in pictures.
    pub(super) places: Vec<NamedPlace>,
}

/// A parsed answer.
struct ReadAnswer {
    /// Parallel to the requested fields; `None` when the answer contains no record.
    nodes: Option<Vec<Node>>,
    cut_at: Option<String>,
    places: Vec<NamedPlace>,
}

impl FilledFields {
    /// Whether the list at a pointer was truncated.
    pub(super) fn is_cut(&self, pointer: &str) -> bool {
        is_cut_within(self.cut_at.as_deref(), pointer)
    }
}

/// Whether a truncation lies within the value at a pointer, with or without a wrapper's member in front.
fn is_cut_within(cut_at: Option<&str>, pointer: &str) -> bool {
    let Some(cut) = cut_at else { return false };
    let within = |cut: &str| cut.strip_prefix(pointer).is_some_and(|rest| rest.starts_with('/'));
    let unwrapped = || cut.get(1..).and_then(|rest| Some(&rest[rest.find('/')?..]));
    within(cut) || unwrapped().is_some_and(within)
}

impl FieldQuestion<'_> {
    /// The nodes of every field of the part. Truncated lists with some entries are not corrected here: their
    /// rest is requested separately.
    pub(super) async fn fill(&self) -> Result<FilledFields, Failure> {
        let mut asked = self.asking.ask(self.with_schema(self.request.clone(), self.part)).await?;
        let ReadAnswer { mut nodes, mut cut_at, mut places } =
            self.read(self.part, self.request, &asked.answer);
        if nodes.is_some() {
            self.asking.save_useful(&mut asked).await;
        }
        if let (Some((sources, shown)), true, Some(nodes)) = (self.recheck, self.can_reask, &mut nodes) {
            align::attach_evidence(&self.part.fields, nodes, sources, shown);
            pictures::attach_places(&self.part.fields, nodes, sources, self.pictures, &places);
            trust::fail_unsupported(&self.part.fields, nodes);
        }
        let mut told: Vec<(String, String)> = Vec::new();
        for _ in 0..MAX_AGAIN {
            let failed = failed_fields(self.part, nodes.as_deref(), cut_at.as_deref());
            // If an answer corrected nothing, the next one would not either.
            if !self.can_reask || failed.schema.fields.is_empty() || failed.problems == told {
                break;
            }
            self.asking.save(&mut asked).await;
            let text = &asked.answer.text;
            let mut again = self.with_schema(
                prompt::correction_request(self.request, text, &failed.problems),
                &failed.schema,
            );
            if asked.answer.finish == Finish::Length {
                again.max_tokens = structured::doubled_cap(self.request, &asked.answer);
            }
            match (self.asking.ask(again.clone()).await, &mut nodes) {
                (Ok(next), nodes) => {
                    asked = next;
                    let ReadAnswer { nodes: mended, cut_at: cut, places: new } =
                        self.read(&failed.schema, &again, &asked.answer);
                    if nodes.is_none() {
                        cut_at = cut;
                    }
                    places.extend(new);
                    if mended.is_some() {
                        self.asking.save_useful(&mut asked).await;
                    }
                    patch(nodes, &failed.indices, mended);
                }
                (Err(error), _) if self.asking.is_worth_retrying(&error) => return Err(error),
                // Keep the first answer if the correction fails.
                (Err(Failure::Model(_) | Failure::Refused), Some(_)) => break,
                (Err(error), _) => return Err(error),
            }
            told = failed.problems;
        }
        nodes.map(|nodes| FilledFields { nodes, cut_at, places }).ok_or(Failure::Unusable)
    }

    fn with_schema(&self, request: ChatRequest, part: &FormSchema) -> ChatRequest {
        let key = self.places_key(part);
        prompt::with_schema(request, part, Dialect::of(self.model), key.as_deref())
    }

    fn places_key(&self, part: &FormSchema) -> Option<String> {
        (!self.pictures.is_empty()).then(|| pictures::places_key(&part.fields))
    }

    /// The nodes of an answer to `schema`.
    fn read(&self, schema: &FormSchema, asked: &ChatRequest, answer: &ChatAnswer) -> ReadAnswer {
        let text = prompt::without_echo(asked, &answer.text);
        let Some(ParsedJson { value: Value::Object(mut object), cut, cut_at }) =
            coerce::answer_object::parse_object(&schema.fields, &text)
        else {
            return ReadAnswer { nodes: None, cut_at: None, places: Vec::new() };
        };
        let key = self.places_key(schema);
        let places = key.map(|key| pictures::take_places(&mut object, &key)).unwrap_or_default();
        let citations: HashMap<&str, &Citation> =
            answer.citations.iter().map(|citation| (citation.pointer.as_str(), citation)).collect();
        let cut_at = (cut || answer.finish == Finish::Length).then_some(cut_at);
        let documents: Vec<usize> = (0..self.shown).collect();
        let coercion = Coercion {
            required: self.required,
            printing: self.printing,
            citations,
            documents: &documents,
            cut_at: cut_at.as_deref(),
        };
        let nodes = Some(coercion.record(&schema.fields, &object));
        ReadAnswer { nodes, cut_at, places }
    }
}

/// Replaces failed nodes by corrected ones; the first record is used whole if there was none.
fn patch(nodes: &mut Option<Vec<Node>>, indices: &[usize], mended: Option<Vec<Node>>) {
    let Some(own) = nodes else {
        *nodes = mended;
        return;
    };
    for (index, node) in indices.iter().zip(mended.unwrap_or_default()) {
        if let Some(own) = own.get_mut(*index) {
            own.patch(node);
        }
    }
}

/// The fields that need a correction.
struct FailedFields {
    /// A form of these fields alone.
    schema: FormSchema,
    /// Their indices in the whole form.
    indices: Vec<usize>,
    /// Every broken rule with its JSON pointer.
    problems: Vec<(String, String)>,
}

fn failed_fields(schema: &FormSchema, nodes: Option<&[Node]>, cut_at: Option<&str>) -> FailedFields {
    let mut problems = Vec::new();
    let Some(nodes) = nodes else {
        problems.push(("/".to_owned(), "the answer must be one JSON object".to_owned()));
        return FailedFields {
            schema: schema.clone(),
            indices: (0..schema.fields.len()).collect(),
            problems,
        };
    };
    let (mut fields, mut indices) = (Vec::new(), Vec::new());
    for (index, (field, node)) in schema.fields.iter().zip(nodes).enumerate() {
        let path = format!("/{}", pointer_token(&field.name));
        let goes_on =
            matches!(node, Node::List { items, .. } if items.len() > 1) && is_cut_within(cut_at, &path);
        if node.failures() > 0 && !goes_on {
            node.problems(NestedFields::of(field), &path, &mut problems);
            fields.push(field.clone());
            indices.push(index);
        }
    }
    FailedFields { schema: plan::schema_of(fields), indices, problems }
}
