//! Answers that were paid for are not paid for again.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::common::{document, form, payer, says, scripted};
use async_trait::async_trait;
use forms_core::{
    AnswerStore, ExtractError, ExtractRequest, Extraction, ExtractionEngine, FormSchema, GroupDocument,
    MemoryAnswerStore, SavedAnswer,
};
use futures_executor::block_on;
use gen_core::scripted::ScriptedModel;
use gen_core::{ChatRequest, GenService, ModelId, Provider, ProviderError};
use serde_json::{Value, json};
use shared_core::{DomainError as _, ErrorKind, StoreError};

fn attempt(
    model: &Arc<ScriptedModel>,
    schema: &FormSchema,
    documents: &[GroupDocument],
    answers: &dyn AnswerStore,
) -> Result<Extraction, ExtractError> {
    let id = "m@openai".parse().unwrap();
    let generation = GenService::builder().with_chat(Provider::OpenAi, model.clone()).build();
    let request =
        ExtractRequest { payer: &payer(), schema, instructions: "", model: &id, documents, answers };
    block_on(ExtractionEngine::new(generation).extract(request))
}

/// A form of 90 values, which is asked for in three parts.
fn wide() -> FormSchema {
    let fields: serde_json::Map<String, Value> =
        (0..90).map(|n| (format!("f{n}"), json!({"type": "integer"}))).collect();
    form(&Value::Object(fields))
}

#[test]
fn a_group_that_is_begun_again_asks_only_for_what_was_not_answered() {
    let documents = [document("a.txt", "1 2 3")];
    let kept = MemoryAnswerStore::default();
    let part = |from: usize, to: usize, first: u64| {
        let member = |n| (format!("f{n}"), if n == from { json!(first) } else { Value::Null });
        says(Value::Object((from..to).map(member).collect()).to_string())
    };
    let model = scripted(vec![part(0, 40, 1), Err(ProviderError::timeout()), part(80, 90, 3)]);
    let error = attempt(&model, &wide(), &documents, &kept).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::ProviderTimeout);
    let answered = kept.count();
    assert!(answered > 0);
    let model = scripted((0..3 - answered).map(|_| part(40, 80, 2)).collect());
    let extraction = attempt(&model, &wide(), &documents, &kept).unwrap();
    assert_eq!(model.asked().len(), 3 - answered);
    assert_eq!((&extraction.record["f0"], &extraction.record["f40"]), (&json!(1), &json!(2)));
    assert_eq!(extraction.usage.input_tokens, 30, "kept answers count for the group that uses them");
}

#[test]
fn one_good_answer_is_not_kept_and_one_that_is_asked_about_is() {
    let schema = form(&json!({"a": {"type": "integer"}}));
    let documents = [document("a.txt", "7")];
    let kept = MemoryAnswerStore::default();
    attempt(&scripted(vec![says(r#"{"a": 7}"#)]), &schema, &documents, &kept).unwrap();
    assert_eq!(kept.count(), 0);
    let model = scripted(vec![says(r#"{"a": "much"}"#), says(r#"{"a": 7}"#)]);
    attempt(&model, &schema, &documents, &kept).unwrap();
    assert_eq!(kept.count(), 1);
    let model = scripted(vec![says(r#"{"a": 7}"#)]);
    let extraction = attempt(&model, &schema, &documents, &kept).unwrap();
    assert_eq!((&extraction.record["a"], model.asked().len()), (&json!(7), 1));
    assert_eq!(extraction.usage.input_tokens, 20);
}

#[test]
fn an_answer_of_no_use_does_not_stand_in_the_way_of_the_next_attempt() {
    let schema = form(&json!({"a": {"type": "integer"}}));
    let documents = [document("a.txt", "7")];
    let kept = MemoryAnswerStore::default();
    attempt(&scripted(vec![says("no"), says("none")]), &schema, &documents, &kept).unwrap_err();
    let model = scripted(vec![says(r#"{"a": 7}"#)]);
    assert_eq!(attempt(&model, &schema, &documents, &kept).unwrap().record["a"], 7);
}

#[derive(Debug)]
struct Broken {
    finds: bool,
}

#[async_trait]
impl AnswerStore for Broken {
    fn call_id(&self, _: &ModelId, _: &ChatRequest) -> Option<String> {
        Some("call".into())
    }

    async fn find(&self, _: &str) -> Result<Option<SavedAnswer>, StoreError> {
        if self.finds { Ok(None) } else { Err(StoreError::Full) }
    }

    async fn save(&self, _: &str, _: &SavedAnswer) -> Result<(), StoreError> {
        Err(StoreError::Full)
    }
}

#[test]
fn a_store_that_cannot_keep_stops_a_group_before_it_pays_for_more() {
    let documents = [document("a.txt", "1 2 3")];
    let model = scripted(vec![says("{}"), says("{}"), says("{}")]);
    let error = attempt(&model, &wide(), &documents, &Broken { finds: false }).unwrap_err();
    assert!(matches!(error, ExtractError::Store { .. }));
    assert_eq!(
        (model.asked().len(), error.usage().input_tokens, error.kind()),
        (0, 0, ErrorKind::StorageFull)
    );

    let schema = form(&json!({"a": {"type": "integer"}}));
    let model = scripted(vec![says(r#"{"a": "much"}"#), says(r#"{"a": 7}"#)]);
    let error = attempt(&model, &schema, &documents, &Broken { finds: true }).unwrap_err();
    assert!(matches!(error, ExtractError::Store { .. }));
    assert_eq!((model.asked().len(), error.usage().input_tokens), (1, 10));

    let model = scripted(vec![says(r#"{"a": 1}"#)]);
    assert_eq!(attempt(&model, &schema, &documents, &Broken { finds: true }).unwrap().record["a"], 1);
}

/// Answers of a group that is begun again when it fails in a way that may pass.
#[derive(Debug, Default)]
struct BegunAgain(MemoryAnswerStore);

#[async_trait]
impl AnswerStore for BegunAgain {
    fn call_id(&self, model: &ModelId, request: &ChatRequest) -> Option<String> {
        self.0.call_id(model, request)
    }

    async fn find(&self, call: &str) -> Result<Option<SavedAnswer>, StoreError> {
        self.0.find(call).await
    }

    fn will_retry(&self) -> bool {
        true
    }

    async fn save(&self, call: &str, answer: &SavedAnswer) -> Result<(), StoreError> {
        self.0.save(call, answer).await
    }
}

#[test]
fn a_further_question_that_fails_for_now_is_made_do_without_only_in_the_last_attempt() {
    let schema = form(&json!({"a": {"type": "integer"}, "b": {"type": "integer"}}));
    let documents = [document("a.txt", "7 and 8")];
    let first = r#"{"a": 7, "b": "much"}"#;
    let script = || scripted(vec![says(first), Err(ProviderError::timeout())]);
    let last = attempt(&script(), &schema, &documents, &MemoryAnswerStore::default()).unwrap();
    assert_eq!((&last.record["a"], &last.record["b"]), (&json!(7), &Value::Null));
    let kept = BegunAgain::default();
    let error = attempt(&script(), &schema, &documents, &kept).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::ProviderTimeout);
    let model = scripted(vec![says(r#"{"b": 8}"#)]);
    let whole = attempt(&model, &schema, &documents, &kept).unwrap();
    assert_eq!((&whole.record["a"], &whole.record["b"]), (&json!(7), &json!(8)));
    assert_eq!(model.asked().len(), 1, "the first answer was kept");
}

/// Answers of a group whose process is about to end.
#[derive(Debug, Default)]
struct Interrupted {
    answers: MemoryAnswerStore,
    /// Calls that may still be made.
    calls: AtomicUsize,
}

#[async_trait]
impl AnswerStore for Interrupted {
    fn call_id(&self, model: &ModelId, request: &ChatRequest) -> Option<String> {
        self.answers.call_id(model, request)
    }

    async fn find(&self, call: &str) -> Result<Option<SavedAnswer>, StoreError> {
        self.answers.find(call).await
    }

    fn may_call(&self) -> bool {
        self.calls.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |calls| calls.checked_sub(1)).is_ok()
    }

    async fn save(&self, call: &str, answer: &SavedAnswer) -> Result<(), StoreError> {
        self.answers.save(call, answer).await
    }
}

#[test]
fn a_group_that_may_make_no_further_call_fails_and_keeps_its_answers() {
    let schema = form(&json!({"a": {"type": "integer"}, "b": {"type": "integer"}}));
    let documents = [document("a.txt", "7 and 8")];
    let kept = Interrupted { calls: AtomicUsize::new(1), ..Interrupted::default() };
    let model = scripted(vec![says(r#"{"a": 7, "b": "much"}"#)]);
    let error = attempt(&model, &schema, &documents, &kept).unwrap_err();
    assert!(matches!(error, ExtractError::Interrupted { .. }), "{error:?}");
    assert_eq!((error.usage().input_tokens, model.asked().len()), (10, 1));
    let model = scripted(vec![says(r#"{"b": 8}"#)]);
    let whole = attempt(&model, &schema, &documents, &kept.answers).unwrap();
    assert_eq!((&whole.record["a"], &whole.record["b"]), (&json!(7), &json!(8)));
    assert_eq!(model.asked().len(), 1, "the first answer was kept");
}
