//! What the engine says of values whose truth is known: support, confidence and the signs behind it.

use std::sync::Arc;
use std::time::Instant;

use forms_core::{ExtractRequest, Extraction, ExtractionEngine, FormSchema, Support};
use futures_executor::block_on;
use gen_core::scripted::{ScriptedModel, text_answer};
use gen_core::{CallerContext, ChatModel, GenService, ModelId, Provider};
use rules_engine::Extractive;
use serde_json::{Map, Value};
use shared_core::{Scope, UserId, WorkspaceId};

use crate::absent::ABSENT;
use crate::cases::document;
use crate::score::{Compare, Half, same};

/// A document whose truth is known.
#[derive(Clone, Debug)]
pub(crate) struct Paper {
    pub(crate) kind: &'static str,
    pub(crate) half: Half,
    pub(crate) text: String,
    /// What is asked for, as JSON Schema.
    pub(crate) schema: Value,
    pub(crate) truth: Vec<Stated>,
}

/// A value that a document states.
#[derive(Clone, Debug)]
pub(crate) struct Stated {
    pub(crate) name: &'static str,
    pub(crate) compare: Compare,
    pub(crate) truth: Value,
}

/// One value of a record.
#[derive(Clone, Debug)]
pub(crate) struct Observation {
    pub(crate) kind: &'static str,
    pub(crate) half: Half,
    pub(crate) field: String,
    pub(crate) right: bool,
    pub(crate) support: Support,
}

impl Paper {
    /// The form that the engine takes.
    pub(crate) fn form(&self) -> Map<String, Value> {
        let properties = self.schema["properties"].as_object().cloned().unwrap_or_default();
        let definition = |(name, mut definition): (String, Value)| {
            definition["type"] = definition["type"][0].clone();
            (name, definition)
        };
        properties.into_iter().map(definition).collect()
    }

    /// Whether a value is right; `None` where nobody knows.
    pub(crate) fn judge(&self, field: &str, value: &Value) -> Option<bool> {
        if let Some(stated) = self.truth.iter().find(|stated| stated.name == field) {
            return Some(same(stated.compare, value, &stated.truth));
        }
        let lower = self.text.to_lowercase();
        ABSENT.iter().any(|absent| absent.name == field && absent.lacks(&lower)).then_some(false)
    }

    /// Every value of a record whose truth is known.
    pub(crate) fn observe(&self, extraction: &Extraction) -> Vec<Observation> {
        let observe = |(field, value): (&String, &Value)| {
            let evidence = extraction.evidence.get(&format!("/{field}"))?;
            Some(Observation {
                kind: self.kind,
                half: self.half,
                field: field.clone(),
                right: self.judge(field, value)?,
                support: evidence.support,
            })
        };
        extraction.record.iter().filter_map(observe).collect()
    }
}

/// What the engine makes of a paper with a model, with the built-in one or without.
pub(crate) fn extract(
    paper: &Paper,
    form: &Map<String, Value>,
    model: Arc<dyn ChatModel>,
    id: &ModelId,
    reader: bool,
) -> Option<Extraction> {
    let schema = FormSchema::parse(form).ok()?;
    let mut generation = GenService::builder();
    if reader {
        generation = generation.with_chat(Provider::Formwork, Arc::new(Extractive));
    }
    if !id.is_extractive() {
        generation = generation.with_chat(id.provider, model);
    }
    let payer =
        CallerContext::keyless(Scope { workspace: WorkspaceId("w".into()), user: UserId("u".into()) });
    let documents = [document("paper", &paper.text)];
    let request = ExtractRequest {
        payer: &payer,
        schema: &schema,
        instructions: "",
        model: id,
        documents: &documents,
        answers: &forms_core::NoopAnswerStore,
    };
    block_on(ExtractionEngine::new(generation.build()).extract(request)).ok()
}

/// Prints what the engine's work on a paper costs beside another model, with the second reader and without.
pub(crate) fn print_cost(papers: &[Paper]) {
    let id = ModelId { model: "made-up".to_owned(), provider: Provider::OpenAi };
    let receipts: Vec<&Paper> = papers.iter().filter(|paper| paper.kind == "receipts").collect();
    let cost = |reader: bool| {
        let mut least = f64::INFINITY;
        for _ in 0..5 {
            let begun = Instant::now();
            for paper in &receipts {
                let record: Map<String, Value> =
                    paper.truth.iter().map(|one| (one.name.to_owned(), one.truth.clone())).collect();
                let model =
                    Arc::new(ScriptedModel::new([Ok(text_answer(Value::Object(record).to_string()))]));
                extract(paper, &paper.form(), model, &id, reader);
            }
            least = least.min(begun.elapsed().as_secs_f64());
        }
        1_000.0 * least / receipts.len().max(1) as f64
    };
    let (with, without) = (cost(true), cost(false));
    println!(
        "\nthe engine's work on a receipt, {} fields: {without:.2} ms, with the second reader {with:.2} ms",
        receipts.first().map_or(0, |paper| paper.form().len())
    );
}

/// The engine with the built-in model on every paper.
pub(crate) fn by_built_in(papers: &[Paper]) -> Vec<Observation> {
    let observe = |paper: &Paper| {
        let extraction = extract(paper, &paper.form(), Arc::new(Extractive), &ModelId::extractive(), true);
        extraction.map(|extraction| paper.observe(&extraction)).unwrap_or_default()
    };
    papers.iter().flat_map(observe).collect()
}

/// Prints how the right values are supported; the open half's values that are not, by name, if `verbose`.
pub(crate) fn print_evidence(observations: &[Observation], verbose: bool) {
    let weak = |one: &&Observation| {
        one.right && one.half == Half::Open && !matches!(one.support, Support::Exact | Support::Normalised)
    };
    for one in observations.iter().filter(weak).filter(|_| verbose) {
        println!("{} {}: {:?}", one.kind, one.field, one.support);
    }
    println!("\nevidence of the built-in model's right values, by the engine");
    println!("  {:<36}{:>8}{:>8}{:>12}{:>8}{:>8}", "", "right", "exact", "normalised", "fuzzy", "share");
    for kind in ["receipts", "invoices"] {
        for half in [Half::Open, Half::Blind] {
            let of = |observation: &&Observation| {
                observation.kind == kind && observation.half == half && observation.right
            };
            let right: Vec<&Observation> = observations.iter().filter(of).collect();
            let count = |support: Support| right.iter().filter(|one| one.support == support).count();
            let (exact, normalised) = (count(Support::Exact), count(Support::Normalised));
            println!(
                "  {:<36}{:>8}{:>8}{:>12}{:>8}{:>7.1}%",
                format!("{kind}, {half:?} half"),
                right.len(),
                exact,
                normalised,
                count(Support::Fuzzy),
                100.0 * (exact + normalised) as f64 / right.len().max(1) as f64
            );
        }
    }
}
