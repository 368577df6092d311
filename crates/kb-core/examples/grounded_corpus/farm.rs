//! The service on in-memory stores, and generation on top of it.

use std::sync::Arc;

use async_trait::async_trait;
use document::{DocumentReader, MemoryParsedDocuments};
use documents_core::DirectParser;
use files_core::{FileOrigin, FileUrls, FilesConfig, FilesService, MemoryBlobs, MemoryFiles};
use gen_core::{
    Backend, CallerContext, DocumentSource, GenService, GenerateLimits, GeneratePorts, GenerateRequest,
    GenerateService, Media, MediaStore, Provider, SourceDocument, SourceError,
};
use jobs_core::DispatcherHandle;
use kb_core::{
    BaseId, ChangeFeed as _, Grounding, IndexMark, IndexProgress, IndexedItem, KnowledgeLimits,
    KnowledgePorts, KnowledgeService, LexicalIndex as _, MemoryKnowledge, MemoryLexicalIndex,
    MemoryVectorIndex, NewBase, NewData, NewPassage,
};
use rules_engine::Extractive;
use shared_core::{
    Author, FixedClock, InlineOffload, InstantTimer, Scope, SeededRng, StoreError, UserId, WorkspaceId,
};

/// An answer, with the titles of the passages in the prompt and of the citations.
pub(crate) struct Answer {
    pub(crate) text: String,
    pub(crate) titles: Vec<String>,
    pub(crate) cited: Vec<String>,
}

pub(crate) struct Farm {
    service: KnowledgeService,
    generation: GenerateService,
    store: Arc<MemoryKnowledge>,
    words: MemoryLexicalIndex,
    applied: IndexProgress,
}

fn payer() -> CallerContext {
    CallerContext::keyless(Scope { workspace: WorkspaceId("w".into()), user: UserId("u".into()) })
}

impl Farm {
    pub(crate) fn new() -> Self {
        let (clock, ids) = (Arc::new(FixedClock::default()), Arc::new(SeededRng::new(1)));
        let own = Arc::new(Extractive);
        let own = Backend { chat: Some(own.clone()), stream: Some(own), ..Backend::default() };
        let models = GenService::builder().provider(Provider::Formwork, own).build();
        let config = FilesConfig {
            max_bytes: 1_000_000,
            sniff: documents_core::sniff,
            urls: FileUrls::new("https://forms.example"),
        };
        let (records, blobs) = (Arc::new(MemoryFiles::default()), Arc::new(MemoryBlobs::default()));
        let files = FilesService::new(records, blobs, clock.clone(), ids.clone(), config);
        let (store, words) = (Arc::new(MemoryKnowledge::default()), MemoryLexicalIndex::new());
        let ports = KnowledgePorts {
            bases: store.clone(),
            items: store.clone(),
            ingest: store.clone(),
            chunks: store.clone(),
            embeddings: store.clone(),
            feed: store.clone(),
            words: Arc::new(words.clone()),
            vectors: Arc::new(MemoryVectorIndex::new(store.clone())),
            documents: DocumentReader::new(
                Arc::new(FileOrigin(files.clone())),
                Arc::new(DirectParser::default()),
                Arc::new(MemoryParsedDocuments::default()),
                clock.clone(),
            ),
            web: Arc::new(FileOrigin(files.clone())),
            files,
            generation: models.clone(),
            jobs: DispatcherHandle::default(),
            workers: Arc::new(InlineOffload),
            clock,
            timer: Arc::new(InstantTimer),
            ids,
        };
        let applied = IndexProgress::default();
        let service = KnowledgeService::new(ports, KnowledgeLimits::default(), applied.clone());
        let knowledge = Arc::new(Grounding(service.clone()));
        let sources = GeneratePorts { documents: Arc::new(Nothing), knowledge, media: Arc::new(Nothing) };
        let generation = GenerateService::new(models, sources, GenerateLimits::default());
        Self { service, generation, store, words, applied }
    }

    /// A base of texts, each an item of one chunk, with their titles.
    pub(crate) async fn base(&self, texts: Vec<(String, String)>) -> BaseId {
        let author = Author { id: UserId("u".into()), name: String::new(), email: String::new() };
        let new = NewBase { name: "Paragraphs".into(), ..NewBase::default() };
        let base = self.service.create(&payer().scope, &author, new).await.unwrap_or_else(|e| fail(&e)).id;
        let passage = |(title, content)| NewPassage { title, content, ..NewPassage::default() };
        let data = NewData { chunks: texts.into_iter().map(passage).collect(), ..NewData::default() };
        self.service.add(&payer(), &base, data).await.unwrap_or_else(|e| fail(&e));
        self.index().await;
        base
    }

    /// Rebuilds the index.
    async fn index(&self) {
        let items: Vec<IndexedItem> = self.store.items(0, u32::MAX).await.unwrap_or_default();
        for item in items {
            self.words.remove(&[item.number], &[]).await.unwrap_or_default();
            let chunks = self.store.chunks(item.number, 0, u32::MAX).await.unwrap_or_default();
            let chunks = chunks.into_iter().map(|chunk| item.chunk(chunk)).collect();
            self.words.put(chunks).await.unwrap_or_default();
        }
        let latest = self.store.state().await.unwrap_or_default().latest;
        self.words.commit(IndexMark { sequence: latest, generation: 0 }).await.unwrap_or_default();
        self.applied.announce(latest);
    }

    pub(crate) async fn ask(&self, base: &BaseId, question: &str) -> Answer {
        let request = GenerateRequest {
            model_id: "extractive@formwork".into(),
            prompt: question.to_owned(),
            knowledge_id: Some(base.0.clone()),
            ..GenerateRequest::default()
        };
        let answer = self.generation.generate(&payer(), request).await.unwrap_or_else(|e| fail(&e));
        let title = |item: &gen_core::ContextItem| item.title.clone();
        let cited = answer.context.iter().filter(|item| answer.text.contains(&format!("[{}]", item.n)));
        Answer {
            titles: answer.context.iter().map(title).collect(),
            cited: cited.map(title).collect(),
            text: answer.text,
        }
    }
}

#[allow(clippy::panic, reason = "a measurement that cannot be made ends")]
fn fail<T>(error: &dyn std::error::Error) -> T {
    panic!("{error}")
}

#[derive(Debug)]
struct Nothing;

#[async_trait]
impl DocumentSource for Nothing {
    async fn read(&self, _: &Scope, _: &str) -> Result<SourceDocument, SourceError> {
        Err(SourceError::Unusable { code: "file_not_found", message: "there are no files".to_owned() })
    }
}

#[async_trait]
impl MediaStore for Nothing {
    async fn store(&self, _: &Scope, _: &str, _: Media) -> Result<String, StoreError> {
        Err(StoreError::Full)
    }
}
