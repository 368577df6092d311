//! A service over sources in memory.

use std::sync::Arc;

use async_trait::async_trait;
use futures_executor::block_on;
use futures_util::StreamExt as _;
use gen_core::scripted::ScriptedModel;
use gen_core::{
    Backend, BaseQuery, CallerContext, DocumentSource, GenService, GenerateAnswer, GenerateError,
    GenerateEvent, GenerateLimits, GeneratePorts, GenerateRequest, GenerateService, KnowledgeQuery,
    KnowledgeSource, Media, MediaStore, PageLayout, Passage, Passages, Provider, SourceDocument, SourceError,
};
use parking_lot::Mutex;
use rules_engine::Extractive;
use shared_core::{Scope, StoreError, UserId, WorkspaceId};

#[derive(Debug, Default)]
pub(crate) struct Shelf {
    pub(crate) kept: Mutex<Vec<(String, Media)>>,
    pub(crate) read: Mutex<usize>,
    /// What the knowledge bases were asked.
    pub(crate) asked: Mutex<Vec<String>>,
}

pub(crate) const LEASE: &str = "# Lease\n\nThe lease starts on 1 May 2031.\n\nThe rent is £900 a month.\n";

#[async_trait]
impl DocumentSource for Shelf {
    async fn read(&self, _: &Scope, reference: &str) -> Result<SourceDocument, SourceError> {
        *self.read.lock() += 1;
        let text: Arc<str> = match reference {
            "1" => LEASE.into(),
            "2" => "The garden has nine beds.".into(),
            "long" => format!("{}The gate code is 4711.", "Some words about hedges. ".repeat(9_000)).into(),
            _ => {
                let message = format!("there is no file '{reference}'");
                return Err(SourceError::Unusable { code: "file_not_found", message });
            }
        };
        let title = format!("file {reference}");
        Ok(SourceDocument { pages: vec![0], ..SourceDocument::new(reference, title, text) })
    }

    /// A picture of as many bytes as the reference says.
    async fn picture(&self, _: &Scope, reference: &str, most: u64) -> Result<Media, SourceError> {
        let bytes: usize = reference.parse().unwrap();
        match bytes as u64 <= most {
            true => Ok(Media { bytes: vec![7; bytes].into(), content_type: "image/png".to_owned() }),
            false => {
                Err(SourceError::Unusable { code: "picture_too_large", message: "too large".to_owned() })
            }
        }
    }
}

#[async_trait]
impl KnowledgeSource for Shelf {
    async fn passages(&self, _: &Scope, question: KnowledgeQuery<'_>) -> Result<Passages, SourceError> {
        self.asked.lock().push(question.query.to_owned());
        if question.bases.iter().any(|base| base.id == "none") {
            return Err(SourceError::Unusable {
                code: "knowledgebase_not_found",
                message: "there is no knowledge base 'none'".into(),
            });
        }
        let passage = |BaseQuery { id: base, .. }: &BaseQuery| Passage {
            knowledge_id: Some(base.clone()),
            id: "item".into(),
            title: "Handbook".into(),
            sha256: None,
            page: Some(4),
            score: 0.9,
            text: format!("Base {base}: the office opens at 8:30."),
            stretches: Vec::new(),
        };
        let passages = question.bases.iter().filter(|base| base.id != "bare").map(passage).collect();
        let halved = question.bases.iter().filter(|base| base.id == "halved");
        let warnings = halved.map(|base| format!("{} was searched by words alone", base.id)).collect();
        Ok(Passages { passages, warnings })
    }

    async fn layout(&self, _: &Scope, _: &str) -> Option<Arc<dyn PageLayout>> {
        None
    }
}

#[async_trait]
impl MediaStore for Shelf {
    async fn store(&self, _: &Scope, name: &str, media: Media) -> Result<String, StoreError> {
        self.kept.lock().push((name.to_owned(), media));
        Ok(format!("https://example.org/f/{name}"))
    }
}

pub(crate) fn payer() -> CallerContext {
    CallerContext::keyless(Scope { workspace: WorkspaceId("w".into()), user: UserId("u".into()) })
}

/// The built-in model, and a script that serves as OpenAI.
pub(crate) fn service(script: ScriptedModel) -> (GenerateService, Arc<ScriptedModel>, Arc<Shelf>) {
    let script = Arc::new(script);
    let own = Arc::new(Extractive);
    let own = Backend { chat: Some(own.clone()), stream: Some(own), ..Backend::default() };
    let models = GenService::builder()
        .provider(Provider::OpenAi, script.backend())
        .provider(Provider::Formwork, own)
        .build();
    let shelf = Arc::new(Shelf::default());
    let sources = GeneratePorts { documents: shelf.clone(), knowledge: shelf.clone(), media: shelf.clone() };
    (GenerateService::new(models, sources, GenerateLimits::default()), script, shelf)
}

pub(crate) fn asking(model: &str, prompt: &str) -> GenerateRequest {
    GenerateRequest { model_id: model.into(), prompt: prompt.into(), ..GenerateRequest::default() }
}

pub(crate) fn with_files(model: &str, prompt: &str, files: &[&str]) -> GenerateRequest {
    GenerateRequest { urls: files.iter().map(|file| (*file).to_owned()).collect(), ..asking(model, prompt) }
}

pub(crate) fn generate(
    service: &GenerateService,
    request: GenerateRequest,
) -> Result<GenerateAnswer, GenerateError> {
    block_on(service.generate(&payer(), request))
}

/// The texts of a stream, and its record.
pub(crate) fn streamed(service: &GenerateService, request: GenerateRequest) -> (Vec<String>, GenerateAnswer) {
    let events = block_on(async {
        service.stream(&payer(), request).await.unwrap().map(Result::unwrap).collect::<Vec<_>>().await
    });
    let (mut texts, mut record) = (Vec::new(), None);
    for event in events {
        match event {
            GenerateEvent::Text(text) => {
                assert!(record.is_none() && !text.is_empty());
                texts.push(text);
            }
            GenerateEvent::ToolCall(delta) => assert_eq!(delta.index, 0),
            GenerateEvent::End(answer) => record = Some(*answer),
        }
    }
    (texts, record.unwrap())
}
