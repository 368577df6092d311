//! Models that the service runs itself, beside the built-in one.

use std::sync::Arc;

use futures_executor::block_on;
use gen_core::scripted::ScriptedModel;
use gen_core::{
    Backend, CallerContext, EmbedRequest, GenError, GenService, ListedModel, ModelId, ModelKind, Provider,
};
use shared_core::{Scope, UserId, WorkspaceId};

fn service() -> GenService {
    let scripted = Arc::new(ScriptedModel::default());
    let listed = ListedModel {
        model: "small-embedder".to_owned(),
        name: None,
        kind: Some(ModelKind::TextToEmbedding),
        context_tokens: Some(256),
        output_tokens: None,
    };
    let backend = Backend { chat: Some(scripted.clone()), embed: Some(scripted), ..Backend::default() };
    let backend = Backend { models: vec![listed], ..backend };
    GenService::builder().provider(Provider::Formwork, backend).build()
}

fn payer() -> CallerContext {
    CallerContext::keyless(Scope { workspace: WorkspaceId("w".to_owned()), user: UserId("u".to_owned()) })
}

#[test]
fn a_model_of_the_service_itself_is_listed_and_makes_vectors_and_nothing_else() {
    let service = service();
    let id: ModelId = "small-embedder@formwork".parse().unwrap();
    let listed: Vec<_> = block_on(service.models()).into_iter().map(|model| (model.id, model.kind)).collect();
    assert!(listed.contains(&(id.clone(), ModelKind::TextToEmbedding)), "{listed:?}");
    assert!(listed.contains(&(ModelId::extractive(), ModelKind::TextToText)), "{listed:?}");
    assert_eq!(service.kind(&id), ModelKind::TextToEmbedding);
    assert_eq!(service.describe(&id).context_tokens, Some(256));
    let request = || EmbedRequest { texts: vec!["oak".to_owned()], ..EmbedRequest::default() };
    let made = block_on(service.embed(&payer(), &id, request())).unwrap();
    assert_eq!(made.answer.vectors.len(), 1);
    let chat = block_on(service.chat(&payer(), &id, Default::default()));
    assert!(matches!(chat, Err(GenError::UnsupportedKind { .. })), "{chat:?}");
    let extractive = block_on(service.embed(&payer(), &ModelId::extractive(), request()));
    assert!(matches!(extractive, Err(GenError::UnsupportedKind { .. })), "{extractive:?}");
}

#[test]
fn a_model_that_the_service_has_not_is_unknown() {
    let id: ModelId = "other-embedder@formwork".parse().unwrap();
    assert!(matches!(service().check(&id), Err(GenError::UnknownModel { .. })));
}
