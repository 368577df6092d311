//! Recorded answers with their documents, forms and truths, and how they are scored, leaf by leaf.

use std::collections::BTreeSet;
use std::sync::Arc;

use document::Document;
use forms_core::{
    ExtractRequest, Extraction, ExtractionEngine, FormSchema, GroupDocument, Support, UnsupportedPolicy,
};
use futures_executor::block_on;
use gen_core::scripted::{ScriptedModel, text_answer};
use gen_core::{CallerContext, GenService, ModelId, Provider};
use rules_engine::Extractive;
use serde_json::Value;
use shared_core::{Scope, UserId, WorkspaceId};

/// The recorded answers, by theme.
const FILES: [(&str, &str); 7] = [
    ("wrapping", include_str!("answers/wrapping.txt")),
    ("syntax", include_str!("answers/syntax.txt")),
    ("numbers", include_str!("answers/numbers.txt")),
    ("dates", include_str!("answers/dates.txt")),
    ("words", include_str!("answers/words.txt")),
    ("shapes", include_str!("answers/shapes.txt")),
    ("clean", include_str!("answers/clean.txt")),
];

/// One recorded answer.
#[derive(Clone, Debug)]
pub(crate) struct Case {
    pub(crate) theme: &'static str,
    pub(crate) title: String,
    pub(crate) form: Value,
    pub(crate) documents: Vec<(String, String)>,
    pub(crate) answer: String,
    /// What the model says when it is asked again; itself once more when absent.
    pub(crate) again: Option<String>,
    pub(crate) truth: Value,
}

/// Every recorded answer.
pub(crate) fn all() -> Vec<Case> {
    FILES.iter().flat_map(|(theme, text)| text.split("=== ").skip(1).map(|part| case(theme, part))).collect()
}

fn case(theme: &'static str, text: &str) -> Case {
    let (title, rest) = text.split_once('\n').expect("a case has a title");
    let (mut form, mut answer, mut again, mut truth) = (None, None, None, None);
    let mut documents = Vec::new();
    for section in rest.split("--- ").skip(1) {
        let (name, content) = section.split_once('\n').expect("a section has a name");
        let content = content.trim_end_matches('\n').to_owned();
        match name.split_once(' ') {
            None if name == "form" => form = serde_json::from_str(&content).ok(),
            None if name == "answer" => answer = Some(content),
            None if name == "again" => again = Some(content),
            None if name == "truth" => truth = serde_json::from_str(&content).ok(),
            Some(("document", name)) => documents.push((name.to_owned(), content)),
            _ => panic!("'{title}' has an unknown section '{name}'"),
        }
    }
    let told = |part| format!("'{title}' has no {part}");
    Case {
        theme,
        title: title.to_owned(),
        form: form.unwrap_or_else(|| panic!("{}", told("form"))),
        documents,
        answer: answer.unwrap_or_else(|| panic!("{}", told("answer"))),
        again,
        truth: truth.unwrap_or_else(|| panic!("{}", told("truth"))),
    }
}

impl Case {
    pub(crate) fn schema(&self) -> FormSchema {
        FormSchema::parse(self.form.as_object().expect("a form")).expect("a valid form")
    }

    /// What the engine makes of the answer; `None` when there is no record in it.
    pub(crate) fn extract(&self, unsupported: UnsupportedPolicy) -> Option<Extraction> {
        let again = self.again.as_ref().unwrap_or(&self.answer);
        let model = Arc::new(ScriptedModel::new([Ok(text_answer(&self.answer)), Ok(text_answer(again))]));
        let documents: Vec<GroupDocument> =
            self.documents.iter().map(|(name, text)| document(name, text)).collect();
        extract(model, &self.schema(), &documents, unsupported)
    }
}

/// A document of plain text.
pub(crate) fn document(name: &str, text: &str) -> GroupDocument {
    let document = Document { text: text.to_owned(), ..Document::default() };
    GroupDocument { name: name.to_owned(), description: None, document: Arc::new(document), host: None }
}

/// Runs the engine with a scripted vendor, and the built-in model as second reader.
pub(crate) fn extract(
    model: Arc<ScriptedModel>,
    schema: &FormSchema,
    documents: &[GroupDocument],
    unsupported: UnsupportedPolicy,
) -> Option<Extraction> {
    let generation = GenService::builder()
        .with_chat(Provider::Formwork, Arc::new(Extractive))
        .with_chat(Provider::OpenAi, model)
        .build();
    let engine = ExtractionEngine::new(generation).with_unsupported(unsupported);
    let payer =
        CallerContext::keyless(Scope { workspace: WorkspaceId("w".into()), user: UserId("u".into()) });
    let model = ModelId { model: "recorded".to_owned(), provider: Provider::OpenAi };
    let request = ExtractRequest {
        payer: &payer,
        schema,
        instructions: "",
        model: &model,
        documents,
        answers: &forms_core::NoopAnswerStore,
    };
    block_on(engine.extract(request)).ok()
}

/// What became of one leaf.
#[derive(Clone, Debug)]
pub(crate) struct LeafScore {
    pub(crate) pointer: String,
    /// Whether the plain reading of the answer had it right.
    pub(crate) raw: bool,
    /// Whether the engine has.
    pub(crate) engine: bool,
    pub(crate) wanted: Value,
    pub(crate) got: Value,
    /// How the engine's value is supported, unless it is one that a text need not show.
    pub(crate) support: Option<Support>,
    pub(crate) confidence: Option<f32>,
}

/// Compares a raw answer and the engine's record with the truth, on every leaf that any of them has.
/// A missing leaf is `null`; of an answer that is no JSON object, no leaf is right.
pub(crate) fn score(
    form: &Value,
    answer: &str,
    extraction: Option<&Extraction>,
    truth: &Value,
) -> Vec<LeafScore> {
    let raw: Option<Value> = serde_json::from_str(answer).ok().filter(Value::is_object);
    let record = extraction.map(|extraction| Value::Object(extraction.record.clone())).unwrap_or_default();
    let mut pointers = BTreeSet::new();
    leaves(truth, "", &mut pointers);
    leaves(&record, "", &mut pointers);
    pointers
        .into_iter()
        .map(|pointer| {
            let at = |value: &Value| value.pointer(&pointer).cloned().unwrap_or_default();
            let (wanted, got) = (at(truth), at(&record));
            let evidence = extraction.and_then(|extraction| extraction.evidence.get(&pointer));
            LeafScore {
                raw: raw.as_ref().is_some_and(|raw| same(&at(raw), &wanted)),
                engine: extraction.is_some() && same(&got, &wanted),
                support: evidence.filter(|_| is_printed(form, &pointer)).map(|evidence| evidence.support),
                confidence: evidence.map(|evidence| evidence.confidence),
                pointer,
                wanted,
                got,
            }
        })
        .collect()
}

fn leaves(value: &Value, pointer: &str, out: &mut BTreeSet<String>) {
    match value {
        Value::Object(members) if !members.is_empty() => {
            for (name, member) in members {
                let token = name.replace('~', "~0").replace('/', "~1");
                leaves(member, &format!("{pointer}/{token}"), out);
            }
        }
        Value::Array(items) if !items.is_empty() => {
            for (index, item) in items.iter().enumerate() {
                leaves(item, &format!("{pointer}/{index}"), out);
            }
        }
        _ if pointer.is_empty() => {}
        _ => {
            out.insert(pointer.to_owned());
        }
    }
}

/// Numbers by value, an empty list as nothing, all else letter by letter.
fn same(a: &Value, b: &Value) -> bool {
    let is_nothing = |value: &Value| value.is_null() || value.as_array().is_some_and(Vec::is_empty);
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => a.as_f64() == b.as_f64(),
        _ => a == b || (is_nothing(a) && is_nothing(b)),
    }
}

/// Whether a document that states the leaf prints its value.
fn is_printed(form: &Value, pointer: &str) -> bool {
    let mut definition = Value::Object(
        [("properties".to_owned(), form.clone())].into_iter().collect::<serde_json::Map<_, _>>(),
    );
    for token in pointer.split('/').skip(1) {
        let name = token.replace("~1", "/").replace("~0", "~");
        definition = match definition.get("items") {
            Some(item) => item.clone(),
            None => definition["properties"][&name].clone(),
        };
    }
    definition["type"] != "boolean" && definition.get("enum").is_none()
}
