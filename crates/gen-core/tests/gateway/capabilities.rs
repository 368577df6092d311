//! What models can do, and what is said when they cannot.

use std::sync::Arc;

use gen_core::scripted::{CountingMeter, ScriptedModel, VirtualTimer};
use gen_core::{Backend, EmbedRequest, GenError, ImageRequest, Provider, RerankRequest, SpeechRequest};
use shared_core::{DomainError as _, ErrorKind};

use crate::kit::{Kit, choice, id, payer};

fn kit() -> Kit {
    let timer = Arc::new(VirtualTimer::default());
    let (first, second) = (ScriptedModel::default(), ScriptedModel::default());
    Kit::with(timer, CountingMeter::default(), first, second, |first, second, builder| {
        let text = Backend { chat: second.chat.clone(), ..Backend::default() };
        builder
            .provider(Provider::OpenAi, first)
            .provider(Provider::Anthropic, text.clone())
            .provider(Provider::Formwork, text)
    })
}

fn image(kit: &Kit, ids: &[&str]) -> Result<String, GenError> {
    let request = ImageRequest { prompt: "a house".into(), ..ImageRequest::default() };
    let made = kit.run(kit.service.image(&payer(), &choice(ids), request))?;
    Ok(String::from_utf8(made.answer.images[0].bytes.to_vec()).unwrap())
}

#[test]
fn pictures_sounds_and_vectors_come_from_the_models_that_make_them() {
    let kit = kit();
    assert_eq!(image(&kit, &["gpt-image-2@openai"]).unwrap(), "gpt-image-2");
    let request = SpeechRequest { text: "hello".into(), ..SpeechRequest::default() };
    let spoken = kit.run(kit.service.speech(&payer(), &choice(&["tts-1@openai"]), request)).unwrap();
    assert_eq!(spoken.answer.audio.bytes.as_ref(), b"tts-1");
    let request = EmbedRequest { texts: vec!["ab".into()], ..EmbedRequest::default() };
    let made = kit.run(kit.service.embed(&payer(), &id("text-embedding-3-small@openai"), request)).unwrap();
    assert_eq!(made.answer.vectors, [[2.0, 1.0]]);
    assert_eq!(kit.meter.log().settled.len(), 3);
}

#[test]
fn scores_come_from_rerankers_alone_and_are_settled() {
    let kit = kit();
    let request = || RerankRequest { query: "a".into(), texts: vec!["abc".into()], ..Default::default() };
    let made = kit.run(kit.service.rerank(&payer(), &id("rerank-1@openai"), request())).unwrap();
    assert_eq!(made.answer.scores, [3.0]);
    assert_eq!(kit.meter.log().settled.len(), 1);
    let error = kit.run(kit.service.rerank(&payer(), &id("gpt-5@anthropic"), request())).unwrap_err();
    assert_eq!(error.code(), "model_cannot");
    assert!(error.to_string().starts_with("gpt-5@anthropic cannot rerank texts"), "{error}");
    assert_eq!(kit.ask(&["rerank-1@openai"]).unwrap_err().code(), "model_cannot");
    assert_eq!(kit.meter.log().settled.len(), 1);
}

#[test]
fn a_model_that_cannot_is_named_with_some_that_can() {
    let kit = kit();
    let error = image(&kit, &["extractive@formwork"]).unwrap_err();
    assert_eq!((error.code(), error.kind()), ("model_cannot", ErrorKind::Invalid));
    let said = error.to_string();
    assert!(said.starts_with("extractive@formwork cannot make pictures; models that can: "), "{said}");
    assert!(said.contains("gpt-image-2@openai"), "{said}");
    assert!(!said.contains("gemini"), "only of configured providers: {said}");
    let error = image(&kit, &["gpt-image-2@openai", "claude-opus-5@anthropic"]).unwrap_err();
    assert!(error.to_string().starts_with("claude-opus-5@anthropic cannot make pictures"), "{error}");
    assert!(kit.meter.log().reserved.is_empty());
}

#[test]
fn a_model_of_another_kind_cannot_even_if_its_provider_could() {
    let kit = kit();
    let error = kit.ask(&["gpt-image-2@openai"]).unwrap_err();
    let said = error.to_string();
    assert!(said.starts_with("gpt-image-2@openai cannot answer in words; models that can: "), "{said}");
    assert!(said.contains("extractive@formwork") && said.contains("@anthropic"), "{said}");
    assert!(image(&kit, &["gpt-6-sol@openai"]).is_err());
}

#[test]
fn where_no_model_can_that_is_said() {
    let timer = Arc::new(VirtualTimer::default());
    let first = ScriptedModel::default();
    let kit =
        Kit::with(timer, CountingMeter::default(), first, ScriptedModel::default(), |first, _, builder| {
            builder.provider(Provider::Formwork, Backend { chat: first.chat, ..Backend::default() })
        });
    let error = image(&kit, &["extractive@formwork"]).unwrap_err();
    assert_eq!(error.to_string(), "extractive@formwork cannot make pictures; no configured model can");
}
