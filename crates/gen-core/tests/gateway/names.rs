//! Names of models: which are known, which can be called, and who gets what.

use std::sync::Arc;

use gen_core::scripted::{CountingMeter, ScriptedModel, VirtualTimer, text_answer};
use gen_core::{Backend, ListedModel, ModelKind, Provider};
use shared_core::{DomainError as _, ErrorKind};

use crate::kit::{Kit, id};

pub(crate) fn listed(model: &str) -> ListedModel {
    ListedModel { model: model.into(), name: None, kind: None, context_tokens: None, output_tokens: None }
}

/// The built-in model, and the servers `gpu` (any model) and `fixed` (one model).
fn kit() -> Kit {
    let timer = Arc::new(VirtualTimer::default());
    let first = ScriptedModel::new([Ok(text_answer("built in"))]);
    let second = ScriptedModel::new([Ok(text_answer("served"))]);
    Kit::with(timer, CountingMeter::default(), first, second, |first, second, builder| {
        let fixed = Backend { list: None, models: vec![listed("only")], ..second.clone() };
        builder
            .provider(Provider::Formwork, first)
            .server("gpu".parse().unwrap(), second)
            .server("fixed".parse().unwrap(), fixed)
    })
}

#[test]
fn an_own_server_gets_the_name_without_its_own() {
    let kit = kit();
    let done = kit.ask(&["gpu/org/llama@q4@formwork"]).unwrap();
    assert_eq!((done.answer.text.as_str(), done.model), ("served", id("gpu/org/llama@q4@formwork")));
    assert_eq!(kit.second.asked()[0].model, "org/llama@q4");
    assert_eq!(kit.ask(&["extractive@formwork"]).unwrap().answer.text, "built in");
}

#[test]
fn unknown_models_are_refused_with_the_servers_that_there_are() {
    let kit = kit();
    for name in ["other@formwork", "nowhere/llama@formwork", "fixed/other@formwork", "gpu/@formwork"] {
        let error = kit.service.check_ready(&id(name)).unwrap_err();
        assert_eq!((error.code(), error.kind()), ("unknown_model", ErrorKind::Invalid), "{name}");
        let said = format!("there is no model '{name}'; own servers have fixed/…@formwork, gpu/…@formwork");
        let told = error.to_string();
        assert!(told.starts_with(&said) && told.contains("; the nearest names: "), "{told}");
        assert!(kit.service.check(&id(name)).is_err());
    }
    let near = kit.service.check(&id("extractve@formwork")).unwrap_err().to_string();
    assert!(near.contains("; the nearest names: extractive@formwork"), "{near}");
    for name in ["fixed/only@formwork", "gpu/anything@formwork", "extractive@formwork"] {
        assert!(kit.service.check_ready(&id(name)).is_ok(), "{name}");
    }
}

#[test]
fn a_vendor_without_a_key_may_be_named_and_not_called() {
    let kit = kit();
    assert!(kit.service.check(&id("m@openai")).is_ok());
    let error = kit.service.check_ready(&id("m@openai")).unwrap_err();
    assert_eq!(error.to_string(), "the provider OpenAI is not configured");
    assert_eq!((error.code(), error.kind()), ("provider_not_configured", ErrorKind::NotConfigured));
}

#[test]
fn kinds_are_known_from_the_catalogue_and_the_vendors_way_of_naming() {
    let kit = kit();
    for (name, kind) in [
        ("gpt-image-2@openai", ModelKind::TextToImage),
        ("gpt-image-9@openai", ModelKind::TextToImage),
        ("text-embedding-3-small@openai", ModelKind::TextToEmbedding),
        ("new-tts@google", ModelKind::TextToSpeech),
        ("whatever@mistral", ModelKind::TextToText),
        ("gpu/flux-coder@formwork", ModelKind::TextToText),
    ] {
        assert_eq!(kit.service.kind(&id(name)), kind, "{name}");
    }
}

#[test]
fn a_model_is_described_without_asking_anybody() {
    let kit = kit();
    let known = kit.service.describe(&id("claude-haiku-4-5-20251001@anthropic"));
    assert_eq!((known.name.as_str(), known.context_tokens), ("Claude Haiku 4.5", Some(200_000)));
    let unknown = kit.service.describe(&id("gpu/llama@formwork"));
    assert_eq!((unknown.name.as_str(), unknown.context_tokens, unknown.price), ("llama", None, None));
    assert_eq!(kit.second.listed(), 0);
}
