//! What the engine sees of values whose truth is known.

use std::sync::Arc;

use forms_core::{ExtractRequest, ExtractionEngine, FEATURE_NAMES, FormSchema, NoopAnswerStore};
use futures_executor::block_on;
use gen_core::scripted::{ScriptedModel, text_answer};
use gen_core::{
    CallerContext, ChatRequest, GenService, Message, ModelId, Part, Provider, ResponseSchema, Role,
};
use parking_lot::Mutex;
use rules_engine::Extractive;
use rules_engine::answer as read_by_rules;
use serde_json::{Map, Value};
use shared_core::{Scope, UserId, WorkspaceId};

use crate::cases::document;
use crate::faults;
use crate::papers::{Half, Paper};
use crate::random::Random;

/// Who answered, and whether there was a second reading.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Regime {
    BuiltIn,
    Beside,
    Alone,
}

/// One value of a record.
#[derive(Clone, Debug)]
pub(crate) struct Seen {
    pub(crate) source: &'static str,
    pub(crate) half: Half,
    pub(crate) part: Option<usize>,
    pub(crate) regime: Regime,
    pub(crate) kind: &'static str,
    /// The share of values that the model that answered was made to get wrong.
    pub(crate) rate: f64,
    pub(crate) features: [f32; FEATURE_NAMES.len()],
    pub(crate) right: bool,
    pub(crate) weight: f64,
}

impl Seen {
    pub(crate) fn feature(&self, name: &str) -> f32 {
        FEATURE_NAMES.iter().position(|known| *known == name).map_or(0.0, |at| self.features[at])
    }
}

/// What the engine sees of a paper that models of several strengths and the built-in one answer.
pub(crate) fn observe(paper: &Paper, random: &mut Random) -> Vec<Seen> {
    let Ok(schema) = FormSchema::parse(&paper.form) else { return Vec::new() };
    let read = read(paper, &schema);
    let mut seen = judged(paper, &schema, Regime::BuiltIn, "", 0.0);
    for regime in [Regime::Beside, Regime::Beside, Regime::Alone] {
        let rate = *random.pick(faults::rates(paper.half));
        let answer = faults::answer(paper, &read, rate, random);
        seen.extend(judged(paper, &schema, regime, &answer.to_string(), rate));
    }
    seen
}

fn read(paper: &Paper, schema: &FormSchema) -> Map<String, Value> {
    let text =
        Part::Document { name: "paper".to_owned(), description: None, text: paper.text.as_str().into() };
    let request = ChatRequest {
        messages: vec![Message { role: Role::User, parts: vec![text] }],
        response_schema: Some(ResponseSchema { name: "form".to_owned(), schema: schema.to_native_schema() }),
        ..ChatRequest::default()
    };
    let answer = read_by_rules(&request).ok();
    answer.and_then(|answer| serde_json::from_str(&answer.text).ok()).unwrap_or_default()
}

fn judged(paper: &Paper, schema: &FormSchema, regime: Regime, answer: &str, rate: f64) -> Vec<Seen> {
    let mut generation = GenService::builder();
    if regime != Regime::Alone {
        generation = generation.with_chat(Provider::Formwork, Arc::new(Extractive));
    }
    let id = match regime {
        Regime::BuiltIn => ModelId::extractive(),
        _ => {
            let model = Arc::new(ScriptedModel::new([Ok(text_answer(answer.to_owned()))]));
            generation = generation.with_chat(Provider::OpenAi, model);
            ModelId { model: "scripted".to_owned(), provider: Provider::OpenAi }
        }
    };
    let payer =
        CallerContext::keyless(Scope { workspace: WorkspaceId("w".into()), user: UserId("u".into()) });
    let documents = [document("paper", &paper.text)];
    let request = ExtractRequest {
        payer: &payer,
        schema,
        instructions: "",
        model: &id,
        documents: &documents,
        answers: &NoopAnswerStore,
    };
    let told: Mutex<Vec<(String, Vec<f32>)>> = Mutex::default();
    let mut observer = |path: &str, features: &[f32]| {
        told.lock().push((path.to_owned(), features.to_vec()));
    };
    let engine = ExtractionEngine::new(generation.build());
    let extraction = block_on(engine.extract_observed(request, &mut observer)).ok();
    let Some(extraction) = extraction else { return Vec::new() };
    let record = Value::Object(extraction.record);
    let truth = Value::Object(paper.truth.clone());
    let told = told.into_inner();
    let one = |(path, features): (String, Vec<f32>)| {
        let value = record.pointer(&path).filter(|value| !value.is_null())?;
        let top = path.get(1..)?.split('/').next()?;
        // Rows that were lost or added have no counterpart.
        if let (Some(Value::Array(own)), Some(Value::Array(rows))) = (record.get(top), truth.get(top))
            && own.len() != rows.len()
        {
            return None;
        }
        let features: [f32; FEATURE_NAMES.len()] = features.try_into().ok()?;
        Some(Seen {
            source: paper.source,
            half: paper.half,
            part: paper.part,
            regime,
            kind: kind(&features, value),
            rate,
            right: same(value, truth.pointer(&path)?),
            features,
            weight: 1.0,
        })
    };
    told.into_iter().filter_map(one).collect()
}

fn kind(features: &[f32], value: &Value) -> &'static str {
    let is = |name: &str| {
        FEATURE_NAMES.iter().position(|known| *known == name).is_some_and(|at| features[at] > 0.5)
    };
    match () {
        () if is("listed") => "list cell",
        () if value.is_boolean() => "boolean",
        () if is("option") => "enum",
        () if is("number") => "number",
        () if is("date") => "date",
        () if is("code") => "id, code",
        () => "string",
    }
}

/// Whether a value is the truth: numbers to the cent, texts by letters and digits.
fn same(value: &Value, truth: &Value) -> bool {
    match (value.as_f64(), truth.as_f64()) {
        (Some(a), Some(b)) => (a - b).abs() < 0.005,
        _ => {
            let bare = |value: &Value| -> String {
                let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
                text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
            };
            !truth.is_null() && bare(value) == bare(truth)
        }
    }
}
