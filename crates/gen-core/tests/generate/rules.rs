//! What requests may not do, and what is said of it.

use gen_core::scripted::ScriptedModel;
use gen_core::{GenerateRequest, HistoryMessage};
use serde_json::json;
use shared_core::{DomainError as _, ErrorKind};

use crate::kit::{asking, generate, service};

const OWN: &str = "extractive@formwork";

fn ok() -> GenerateRequest {
    asking(OWN, "Hello")
}

#[test]
fn each_broken_rule_is_named_with_its_place() {
    let turn = |role: &str, content: &str| HistoryMessage::text(role, content);
    let cases: Vec<(GenerateRequest, &str)> = vec![
        (asking(OWN, " \n"), "/prompt"),
        (asking(OWN, &"x".repeat(400_001)), "/prompt"),
        (GenerateRequest { system: Some("x".repeat(400_001)), ..ok() }, "/system"),
        (
            GenerateRequest { messages: vec![turn("user", "a"), turn("system", "b")], ..ok() },
            "/messages/1/role",
        ),
        (GenerateRequest { messages: vec![turn("user", " ")], ..ok() }, "/messages/0/content"),
        (GenerateRequest { messages: vec![turn("user", "a"); 201], ..ok() }, "/messages"),
        (GenerateRequest { messages: vec![turn("user", &"x".repeat(300_000)); 2], ..ok() }, "/messages"),
        (GenerateRequest { urls: vec!["1".into(), String::new()], ..ok() }, "/urls/1"),
        (GenerateRequest { urls: vec!["1".into(); 51], ..ok() }, "/urls"),
        (GenerateRequest { knowledge: vec!["".into()], ..ok() }, "/knowledge/0/id"),
        (GenerateRequest { temperature: Some(2.5), ..ok() }, "/temperature"),
        (GenerateRequest { temperature: Some(f64::NAN), ..ok() }, "/temperature"),
        (GenerateRequest { top_p: Some(1.5), ..ok() }, "/topP"),
        (GenerateRequest { stop: vec!["x".into(); 5], ..ok() }, "/stop"),
        (GenerateRequest { stop: vec![String::new()], ..ok() }, "/stop"),
        (GenerateRequest { stop: vec!["x".repeat(257)], ..ok() }, "/stop"),
        (GenerateRequest { max_tokens: Some(0), ..ok() }, "/maxTokens"),
        (GenerateRequest { response_format: Some(json!({"type": "yaml"})), ..ok() }, "/responseFormat/type"),
        (GenerateRequest { fallback_models: vec![OWN.into(); 6], ..ok() }, "/fallbackModels"),
        (GenerateRequest { fallback_models: vec!["gpt-image-1@openai".into()], ..ok() }, "/fallbackModels/0"),
    ];
    for (request, path) in cases {
        let (service, _, shelf) = service(ScriptedModel::default());
        let error = generate(&service, request).unwrap_err();
        assert_eq!((error.kind(), error.code()), (ErrorKind::Invalid, "validation_failed"), "{path}");
        assert_eq!(error.violations()[0].path, path);
        assert_eq!(*shelf.read.lock(), 0, "nothing is read for a request that is wrong");
    }
}

#[test]
fn all_broken_rules_are_told_at_once() {
    let (service, _, _) = service(ScriptedModel::default());
    let error =
        generate(&service, GenerateRequest { max_tokens: Some(0), ..asking("nothing", "") }).unwrap_err();
    let paths: Vec<&str> = error.violations().iter().map(|violation| violation.path.as_str()).collect();
    assert_eq!(paths, ["/modelId", "/prompt", "/maxTokens"]);
}

#[test]
fn an_unknown_model_has_a_code_of_its_own() {
    let (service, _, _) = service(ScriptedModel::default());
    for model in ["gpt", "gpt@nobody", "other@formwork"] {
        assert_eq!(
            generate(&service, asking(model, "Hello")).unwrap_err().code(),
            "unknown_model",
            "{model}"
        );
    }
}

#[test]
fn what_is_wrong_comes_before_what_is_not_configured() {
    let (service, _, shelf) = service(ScriptedModel::default());
    let wrong = generate(&service, asking("claude-sonnet-5@anthropic", "")).unwrap_err();
    assert_eq!(wrong.kind(), ErrorKind::Invalid);
    let request = GenerateRequest { urls: vec!["1".into()], ..asking("claude-sonnet-5@anthropic", "Hello") };
    let missing = generate(&service, request).unwrap_err();
    assert_eq!((missing.kind(), missing.code()), (ErrorKind::NotConfigured, "provider_not_configured"));
    assert_eq!(*shelf.read.lock(), 0);
}

#[test]
fn a_source_that_cannot_be_used_is_named() {
    let (service, _, _) = service(ScriptedModel::default());
    let file =
        generate(&service, GenerateRequest { urls: vec!["1".into(), "77".into()], ..ok() }).unwrap_err();
    assert_eq!((file.code(), file.violations()[0].path.as_str()), ("file_not_found", "/urls/1"));
    assert!(file.to_string().contains("77"));
    let base = generate(&service, GenerateRequest { knowledge_id: Some("none".into()), ..ok() }).unwrap_err();
    assert_eq!(
        (base.code(), base.violations()[0].path.as_str()),
        ("knowledgebase_not_found", "/knowledgeId")
    );
}
