//! The extraction engine: a form and documents in, a checked record with its evidence out.
//!
//! Plan → prompt → model → parse or repair → coerce and check → ask again for what failed → evidence
//! → merge → record. Everything but the model is plain code. It must not know where documents come
//! from or where records go.

mod align;
mod answer;
mod coerce;
mod error;
mod merge;
mod node;
mod plan;
mod prompt;
mod record;
mod text;

use std::collections::HashMap;

use gen_core::{ChatAnswer, ChatRequest, Citation, Finish, GenService, ModelId, Payer, Usage};

use crate::{Extraction, FormSchema, GroupDocument};
use coerce::Coercion;
pub use error::ExtractError;
use node::{Fields, Node, pointer_token};
use plan::Plan;
use text::Convention;

/// The version of the engine's results. It grows with every change that can alter a record, so that
/// stored answers of older versions are not taken for the same work.
pub const ENGINE_VERSION: u32 = 1;

/// The object in a model's answer: plain, repaired, or as far as it came.
pub(crate) fn parse_answer(text: &str) -> Option<serde_json::Map<String, serde_json::Value>> {
    answer::parse(text).map(|answer| answer.object)
}

/// What to extract, from what, with which model.
#[derive(Clone, Copy, Debug)]
pub struct ExtractRequest<'a> {
    /// Who pays for the model.
    pub payer: &'a Payer,
    /// The form.
    pub schema: &'a FormSchema,
    /// What the agent is told beyond the form; may be empty.
    pub instructions: &'a str,
    /// The model to ask.
    pub model: &'a ModelId,
    /// The documents of one group.
    pub documents: &'a [GroupDocument],
}

/// Extracts records from documents.
#[derive(Clone, Debug)]
pub struct ExtractionEngine {
    generation: GenService,
}

impl ExtractionEngine {
    /// An engine that asks its models through `generation`.
    #[must_use]
    pub fn new(generation: GenService) -> Self {
        Self { generation }
    }

    /// Fills the form from the documents. A value that breaks a rule is `null` and listed in the
    /// errors, as is a required field that the documents do not state. Without documents no model is
    /// asked and every field is `null`.
    ///
    /// # Errors
    /// [`ExtractError`], when there is no record at all.
    pub async fn extract(&self, request: ExtractRequest<'_>) -> Result<Extraction, ExtractError> {
        let plan = Plan::new(request.model, request.documents.len());
        let texts = request.documents.iter().map(|document| document.document.text.as_str());
        let convention = Convention::of(texts);
        let mut usage = Usage::default();
        let mut answers = Vec::new();
        for documents in &plan.calls {
            let call = Call { request: &request, documents, convention, asks_again: plan.asks_again };
            let mut nodes = self.fill(&call, &mut usage).await?;
            align::attach(&request.schema.fields, &mut nodes, request.documents, documents);
            answers.push(nodes);
        }
        if answers.is_empty() {
            answers.push(vec![Node::Absent; request.schema.fields.len()]);
        }
        let (nodes, conflicts) = merge::merge(&request.schema.fields, answers);
        let assembled = record::assemble(&request.schema.fields, nodes);
        Ok(Extraction {
            record: assembled.record,
            evidence: assembled.evidence,
            conflicts,
            errors: assembled.errors,
            usage,
        })
    }

    /// Asks for every field, then once more for those whose values cannot be used.
    async fn fill(&self, call: &Call<'_>, usage: &mut Usage) -> Result<Vec<Node>, ExtractError> {
        let request = &call.request;
        let first = prompt::request(request.schema, request.instructions, request.documents, call.documents);
        let answer = self.ask(call, first.clone(), usage).await?;
        let mut nodes = call.read(request.schema, &answer);
        let failed = failed_fields(request.schema, nodes.as_deref());
        if failed.schema.fields.is_empty() || !call.asks_again {
            return nodes.ok_or(ExtractError::Unusable { usage: *usage });
        }
        let second = prompt::again(first, &answer.text, &failed.schema, &failed.problems);
        match (self.ask(call, second, usage).await, &mut nodes) {
            (Ok(answer), None) => nodes = call.read(request.schema, &answer),
            (Ok(answer), Some(nodes)) => {
                let mended = call.read(&failed.schema, &answer).unwrap_or_default();
                for (index, node) in failed.indices.into_iter().zip(mended) {
                    if let Some(own) = nodes.get_mut(index) {
                        own.patch(node);
                    }
                }
            }
            // What the first answer gave is not thrown away because the second did not come.
            (Err(_), Some(_)) => {}
            (Err(error), None) => return Err(error),
        }
        nodes.ok_or(ExtractError::Unusable { usage: *usage })
    }

    async fn ask(
        &self,
        call: &Call<'_>,
        question: ChatRequest,
        usage: &mut Usage,
    ) -> Result<ChatAnswer, ExtractError> {
        let answer = match self.generation.chat(call.request.payer, call.request.model, question).await {
            Ok(answer) => answer,
            Err(source) => {
                *usage += source.spent().usage;
                return Err(ExtractError::Model { source, usage: *usage });
            }
        };
        *usage += answer.usage;
        match answer.finish {
            Finish::Refused => Err(ExtractError::Refused { usage: *usage }),
            Finish::Stop | Finish::Length => Ok(answer),
        }
    }
}

/// One call of the plan.
#[derive(Clone, Copy, Debug)]
struct Call<'a> {
    request: &'a ExtractRequest<'a>,
    documents: &'a [usize],
    convention: Convention,
    asks_again: bool,
}

impl Call<'_> {
    /// The nodes of an answer to `schema`; `None` when there is no record in it.
    fn read(&self, schema: &FormSchema, answer: &ChatAnswer) -> Option<Vec<Node>> {
        let parsed = answer::parse(&answer.text)?;
        let citations: HashMap<&str, &Citation> =
            answer.citations.iter().map(|citation| (citation.pointer.as_str(), citation)).collect();
        let cut = parsed.cut || answer.finish == Finish::Length;
        let coercion = Coercion { convention: self.convention, citations, documents: self.documents, cut };
        Some(coercion.record(&schema.fields, &parsed.object))
    }
}

/// The fields that must be asked for again.
struct Failed {
    /// A form of them alone.
    schema: FormSchema,
    /// Their places in the whole form.
    indices: Vec<usize>,
    /// Every broken rule with its path.
    problems: Vec<(String, String)>,
}

fn failed_fields(schema: &FormSchema, nodes: Option<&[Node]>) -> Failed {
    let mut problems = Vec::new();
    let Some(nodes) = nodes else {
        problems.push(("/".to_owned(), "the answer must be one JSON object".to_owned()));
        return Failed { schema: schema.clone(), indices: (0..schema.fields.len()).collect(), problems };
    };
    let (mut fields, mut indices) = (Vec::new(), Vec::new());
    for (index, (field, node)) in schema.fields.iter().zip(nodes).enumerate() {
        if node.failures() > 0 {
            node.problems(Fields::of(field), &format!("/{}", pointer_token(&field.name)), &mut problems);
            fields.push(field.clone());
            indices.push(index);
        }
    }
    let written_order = fields.iter().map(|field| field.name.clone()).collect();
    Failed { schema: FormSchema { fields, written_order }, indices, problems }
}
