//! A scripted model and short ways to build what the engine takes.

use std::sync::Arc;

use document::{Document, Page, Rect, Span};
use forms_core::{
    ExtractError, ExtractRequest, Extraction, ExtractionEngine, FormSchema, GroupDocument, NoopAnswerStore,
    UnsupportedPolicy,
};
use futures_executor::block_on;
use gen_core::scripted::ScriptedModel;
use gen_core::{
    CallerContext, ChatAnswer, ChatModel, Citation, GenService, ModelId, Provider, ProviderError,
};
use rules_engine::Extractive;
use serde_json::Value;
use shared_core::{Scope, UserId, WorkspaceId};

/// Who pays in these tests.
pub(crate) fn payer() -> CallerContext {
    CallerContext::keyless(Scope { workspace: WorkspaceId("w".into()), user: UserId("u".into()) })
}

/// A model that gives these answers.
pub(crate) fn scripted(answers: Vec<Result<ChatAnswer, ProviderError>>) -> Arc<ScriptedModel> {
    Arc::new(ScriptedModel::new(answers))
}

/// An answer that costs ten tokens in and one out.
pub(crate) fn says(text: impl Into<String>) -> Result<ChatAnswer, ProviderError> {
    Ok(gen_core::scripted::text_answer(text))
}

/// The same with citations: pointer, document, and the first place of the words in that document's text.
pub(crate) fn cites(
    text: &str,
    citations: &[(&str, usize, &str, &str)],
) -> Result<ChatAnswer, ProviderError> {
    let mut answer = says(text)?;
    for (pointer, document, content, words) in citations {
        let start = content[..content.find(words).unwrap()].chars().count();
        let end = start + words.chars().count();
        let pointer = (*pointer).to_owned();
        answer.citations.push(Citation { pointer, document: *document, start, end, confidence: 0.8 });
    }
    Ok(answer)
}

pub(crate) fn form(schema: &Value) -> FormSchema {
    FormSchema::parse(schema.as_object().unwrap()).unwrap()
}

/// A document of one page with a span for each line.
pub(crate) fn document(name: &str, text: &str) -> GroupDocument {
    let mut spans = Vec::new();
    let mut start = 0;
    for (number, line) in text.split('\n').enumerate() {
        let end = start + line.chars().count();
        let y0 = number as f64 * 10.0;
        spans.push(Span { start, end, page: 1, rect: Rect { x0: 0.0, y0, x1: 100.0, y1: y0 + 10.0 } });
        start = end + 1;
    }
    let pages = vec![Page {
        number: 1,
        width: 100.0,
        height: 100.0,
        start: 0,
        end: text.chars().count(),
        ..document::Page::default()
    }];
    let document = Document { text: text.to_owned(), pages, spans, ..Document::default() };
    GroupDocument { name: name.to_owned(), description: None, document: Arc::new(document), host: None }
}

/// Runs the engine; evidence is checked against the texts.
pub(crate) fn run<M: ChatModel>(
    model: Arc<M>,
    id: &str,
    schema: &FormSchema,
    documents: &[GroupDocument],
) -> Result<Extraction, ExtractError> {
    run_with(model, id, schema, documents, UnsupportedPolicy::Keep)
}

/// The same, doing so with values that the documents do not show. The built-in model is the script
/// where it is the one that is asked, else itself.
pub(crate) fn run_with<M: ChatModel>(
    model: Arc<M>,
    id: &str,
    schema: &FormSchema,
    documents: &[GroupDocument],
    unsupported: UnsupportedPolicy,
) -> Result<Extraction, ExtractError> {
    let id: ModelId = id.parse().unwrap();
    let built_in: Arc<dyn ChatModel> = if id.is_extractive() { model.clone() } else { Arc::new(Extractive) };
    let generation = GenService::builder().with_chat(Provider::Formwork, built_in);
    let generation = generation.with_chat(Provider::OpenAi, model).build();
    let engine = ExtractionEngine::new(generation).with_unsupported(unsupported);
    let request = ExtractRequest {
        payer: &payer(),
        schema,
        instructions: "Be exact.",
        model: &id,
        documents,
        answers: &NoopAnswerStore,
    };
    let extraction = block_on(engine.extract(request))?;
    check(&extraction, documents);
    Ok(extraction)
}

/// What holds of every extraction: each value that is not null has evidence, and a quote is what
/// stands at its offsets.
pub(crate) fn check(extraction: &Extraction, documents: &[GroupDocument]) {
    let record = Value::Object(extraction.record.clone());
    leaves(&record, String::new(), &mut |pointer| {
        assert!(extraction.evidence.contains_key(pointer), "{pointer} has no evidence");
    });
    let texts: Vec<Vec<char>> =
        documents.iter().map(|document| document.document.text.chars().collect()).collect();
    for (pointer, evidence) in &extraction.evidence {
        assert!(
            record.pointer(pointer).is_some_and(|value| !value.is_null()),
            "{pointer} is not in the record"
        );
        assert!((0.0..=1.0).contains(&evidence.confidence));
        let (Some(start), Some(end)) = (evidence.start, evidence.end) else {
            assert!(evidence.quote.is_none() && evidence.document.is_none());
            continue;
        };
        let found = documents.iter().zip(&texts).any(|(document, text)| {
            let slice = text.get(start..end).map(|slice| slice.iter().collect::<String>());
            Some(&document.name) == evidence.document.as_ref() && slice == evidence.quote
        });
        assert!(found, "{pointer}: {evidence:?}");
    }
}

fn leaves(value: &Value, pointer: String, visit: &mut impl FnMut(&str)) {
    match value {
        Value::Null => {}
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                leaves(item, format!("{pointer}/{index}"), visit);
            }
        }
        Value::Object(members) => {
            for (key, member) in members {
                leaves(member, format!("{pointer}/{}", key.replace('~', "~0").replace('/', "~1")), visit);
            }
        }
        _ => visit(&pointer),
    }
}
