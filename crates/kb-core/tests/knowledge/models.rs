//! A parser and an embedding model that count their calls, and fail on request.

use parking_lot::Mutex;
use shared_core::Offload;
use std::collections::BTreeSet;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use async_trait::async_trait;
use document::{Document, DocumentParser, ParseError, Source};
use documents_core::DirectParser;
use gen_core::scripted::turn;
use gen_core::{
    CallerContext, EmbedModel, EmbedRequest, Embeddings, Estimate, Fault, LimitReached, Meter, MeterError,
    NoopMeter, ProviderError, Reservation, Usage,
};

/// Takes one of what is left; false when nothing is.
pub(crate) fn take_one(left: &AtomicU32) -> bool {
    left.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| left.checked_sub(1)).is_ok()
}

/// Parses, except texts that begin with `panic`.
#[derive(Debug, Default)]
pub(crate) struct CountingParser {
    pub(crate) calls: AtomicU32,
    /// Calls that find no free place.
    pub(crate) busy: AtomicU32,
}

#[async_trait]
impl DocumentParser for CountingParser {
    fn parser_version(&self) -> u32 {
        documents_core::PARSER_VERSION
    }

    async fn parse(&self, source: Source) -> Result<Document, ParseError> {
        self.calls.fetch_add(1, Ordering::SeqCst);
        turn().await;
        if take_one(&self.busy) {
            return Err(ParseError::Unavailable("all places are taken".into()));
        }
        let mut document = DirectParser::default().parse(source).await?;
        document.metadata.truncated |= document.text.starts_with("endless");
        assert!(!document.text.starts_with("panic"), "as the test says");
        Ok(document)
    }
}

const DIMENSIONS: usize = 64;

/// Makes vectors in which texts with the same words are near each other.
#[derive(Debug, Default)]
pub(crate) struct BagOfWords {
    pub(crate) calls: AtomicU32,
    /// All texts that were embedded.
    pub(crate) texts: Mutex<Vec<String>>,
    /// Calls that are still to fail.
    pub(crate) failures: AtomicU32,
    /// Whether the account has no money, until it is paid.
    pub(crate) unpaid: AtomicBool,
    /// Whether it never answers.
    pub(crate) hangs: AtomicBool,
    /// Whether it gives a vector too few, and counts no tokens.
    pub(crate) forgets: AtomicBool,
}

impl BagOfWords {
    /// The texts since the last time.
    pub(crate) fn taken(&self) -> BTreeSet<String> {
        std::mem::take(&mut *self.texts.lock()).into_iter().collect()
    }
}

#[async_trait]
impl EmbedModel for BagOfWords {
    async fn embed(&self, request: EmbedRequest) -> Result<Embeddings, ProviderError> {
        self.calls.fetch_add(1, Ordering::SeqCst);
        turn().await;
        if take_one(&self.failures) {
            return Err(ProviderError::new(Fault::Overloaded, "as the test says"));
        }
        if self.hangs.load(Ordering::SeqCst) {
            std::future::pending::<()>().await;
        }
        if self.forgets.load(Ordering::SeqCst) {
            let vectors = request.texts.iter().skip(1).map(|text| vector(text)).collect();
            return Ok(Embeddings { vectors, usage: Usage::default() });
        }
        if self.unpaid.load(Ordering::SeqCst) {
            return Err(ProviderError::new(Fault::Billing, "as the test says"));
        }
        let vectors = request.texts.iter().map(|text| vector(text)).collect();
        self.texts.lock().extend(request.texts);
        Ok(Embeddings { vectors, usage: Usage { input_tokens: 3, ..Usage::default() } })
    }
}

fn vector(text: &str) -> Vec<f32> {
    let mut vector = vec![0.0; DIMENSIONS];
    for word in text.to_lowercase().split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()) {
        let mut hasher = DefaultHasher::new();
        word.hash(&mut hasher);
        vector[usize::try_from(hasher.finish() % DIMENSIONS as u64).unwrap()] += 1.0;
    }
    vector
}

/// Gives leave, but for so many times.
#[derive(Debug, Default)]
pub(crate) struct Limits {
    pub(crate) refusals: AtomicU32,
}

#[async_trait]
impl Meter for Limits {
    async fn reserve(
        &self,
        payer: &CallerContext,
        estimate: &Estimate,
    ) -> Result<Box<dyn Reservation>, MeterError> {
        if take_one(&self.refusals) {
            let limit = "tokens per minute";
            return Err(MeterError::Limit(LimitReached { limit, allowed: "10".into(), retry_after: 7 }));
        }
        NoopMeter.reserve(payer, estimate).await
    }
}

/// Workers that count their tasks, and may be stopped.
#[derive(Debug, Default)]
pub(crate) struct CountingWorkers {
    pub(crate) jobs: AtomicU32,
    pub(crate) gone: AtomicBool,
}

impl Offload for CountingWorkers {
    fn run(&self, job: Box<dyn FnOnce() + Send + 'static>) {
        self.jobs.fetch_add(1, Ordering::SeqCst);
        if !self.gone.load(Ordering::SeqCst) {
            job();
        }
    }
}
