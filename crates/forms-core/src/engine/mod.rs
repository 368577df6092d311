//! The extraction engine: a form and documents in, a checked record with its evidence out.
//!
//! Plan → prompt → model → parse or repair → coerce and check → ask again for what failed → evidence
//! → merge → record. Everything but the model is plain code. It must not know where documents come
//! from or where records go.

mod align;
mod coerce;
mod error;
mod merge;
mod node;
mod plan;
mod prompt;
mod record;
mod text;
mod trust;

use std::collections::HashMap;

use gen_core::structured::{self, Dialect, Parsed, Root};
use gen_core::{ChatAnswer, ChatRequest, Citation, Finish, GenService, ModelId, Payer, Usage};
use serde_json::{Map, Value};

use crate::{Extraction, FormSchema, GroupDocument};
use coerce::Coercion;
pub use error::ExtractError;
use node::{Fields, Node, pointer_token};
use plan::Plan;
use text::Printing;
pub use trust::Unsupported;

/// The version of the engine's results. It grows with every change that can alter a record, so that
/// stored answers of older versions are not taken for the same work.
pub const ENGINE_VERSION: u32 = 2;

/// The object in a model's answer: plain, repaired, or as far as it came.
pub(crate) fn parse_answer(text: &str) -> Option<Map<String, Value>> {
    match structured::parse(text, Root::Object)?.value {
        Value::Object(object) => Some(object),
        _ => None,
    }
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
    unsupported: Unsupported,
}

impl ExtractionEngine {
    /// An engine that asks its models through `generation`.
    #[must_use]
    pub fn new(generation: GenService) -> Self {
        Self { generation, unsupported: Unsupported::default() }
    }

    /// The engine, doing so with values that the documents do not show.
    #[must_use]
    pub fn with_unsupported(self, unsupported: Unsupported) -> Self {
        Self { unsupported, ..self }
    }

    /// Fills the form from the documents. A value that breaks a rule is `null` and listed in the
    /// errors, as is a required field that the documents do not state. Without documents no model is
    /// asked and every field is `null`.
    ///
    /// # Errors
    /// [`ExtractError`], when there is no record at all.
    pub async fn extract(&self, request: ExtractRequest<'_>) -> Result<Extraction, ExtractError> {
        let plan = Plan::new(request.model, request.schema, request.documents.len());
        let texts = request.documents.iter().map(|document| document.document.text.as_str());
        let printing = &Printing::of(texts);
        let mut usage = Usage::default();
        let mut answers = Vec::new();
        for documents in &plan.calls {
            let question =
                prompt::request(request.schema, request.instructions, request.documents, documents);
            let mut nodes = Vec::new();
            for part in &plan.parts {
                let asks_again = plan.asks_again;
                let call =
                    Call { request: &request, question: &question, part, documents, printing, asks_again };
                nodes.extend(self.fill(&call, &mut usage).await?);
            }
            align::attach(&request.schema.fields, &mut nodes, request.documents, documents);
            answers.push(nodes);
        }
        if answers.is_empty() {
            answers.push(vec![Node::Absent; request.schema.fields.len()]);
        }
        let (mut nodes, mut conflicts) = merge::merge(&request.schema.fields, answers);
        trust::settle(&self.generation, self.unsupported, &request, printing, &mut nodes, &mut conflicts)
            .await;
        let assembled = record::assemble(&request.schema.fields, nodes);
        Ok(Extraction {
            record: assembled.record,
            evidence: assembled.evidence,
            conflicts,
            errors: assembled.errors,
            usage,
        })
    }

    /// Asks for every field of a part, then once more for those whose values cannot be used, with more
    /// room where the first answer was cut off.
    async fn fill(&self, call: &Call<'_>, usage: &mut Usage) -> Result<Vec<Node>, ExtractError> {
        let answer = self.ask(call, call.held_to(call.question.clone(), call.part), usage).await?;
        let mut nodes = call.read(call.part, &answer);
        if let (Unsupported::Ask, true, Some(nodes)) = (self.unsupported, call.asks_again, &mut nodes) {
            align::attach(&call.part.fields, nodes, call.request.documents, call.documents);
            trust::doubt(&call.part.fields, nodes);
        }
        let failed = failed_fields(call.part, nodes.as_deref());
        if failed.schema.fields.is_empty() || !call.asks_again {
            return nodes.ok_or(ExtractError::Unusable { usage: *usage });
        }
        let mut second =
            call.held_to(prompt::again(call.question, &answer.text, &failed.problems), &failed.schema);
        if answer.finish == Finish::Length {
            second.max_tokens = structured::doubled_cap(call.question, &answer);
        }
        match (self.ask(call, second, usage).await, &mut nodes) {
            (Ok(answer), None) => nodes = call.read(call.part, &answer),
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
    /// The documents and what to do with them.
    question: &'a ChatRequest,
    /// The fields that are asked for.
    part: &'a FormSchema,
    documents: &'a [usize],
    printing: &'a Printing<'a>,
    asks_again: bool,
}

impl Call<'_> {
    fn held_to(&self, question: ChatRequest, part: &FormSchema) -> ChatRequest {
        prompt::held_to(question, part, Dialect::of(self.request.model))
    }

    /// The nodes of an answer to `schema`; `None` when there is no record in it.
    fn read(&self, schema: &FormSchema, answer: &ChatAnswer) -> Option<Vec<Node>> {
        let Parsed { value: Value::Object(object), cut, cut_at } =
            coerce::answer::parse(&schema.fields, &answer.text)?
        else {
            return None;
        };
        let citations: HashMap<&str, &Citation> =
            answer.citations.iter().map(|citation| (citation.pointer.as_str(), citation)).collect();
        let cut_at = (cut || answer.finish == Finish::Length).then_some(cut_at.as_str());
        let coercion = Coercion { printing: self.printing, citations, documents: self.documents, cut_at };
        Some(coercion.record(&schema.fields, &object))
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
    Failed { schema: plan::of_fields(fields), indices, problems }
}
