//! The work on one group: read its documents, extract, and say how it ended.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use documents_core::{DocumentReader, Origin, PARSER_VERSION, ReadError};
use forms_core::{ExtractError, ExtractRequest, Extraction, ExtractionEngine, FormSchema, GroupDocument};
use futures_util::{FutureExt as _, StreamExt as _, stream};
use gen_core::{ModelId, Payer, Spend};
use shared_core::{Clock, IdSource, StoreError, Timestamp, new_id};

use crate::calls::GroupCalls;
use crate::{
    DocumentFailure, DocumentRef, ErrorClass, ItemError, Response, RunPlan, SourceDocument, all_failed,
    fingerprint,
};

/// Documents of one group that are read at the same time.
const READ_TOGETHER: usize = 4;
/// The pause before a group is read again whose documents could not be read for a reason that passes.
const READ_AGAIN: Duration = Duration::from_secs(2);
/// The longest such pause, where a site asks for one.
const READ_LATEST: Duration = Duration::from_secs(60);

/// What every group of a run is worked on with.
#[derive(Clone, Debug)]
pub(crate) struct Workshop {
    pub(crate) plan: RunPlan,
    pub(crate) payer: Payer,
    pub(crate) documents: DocumentReader,
    pub(crate) engine: ExtractionEngine,
    pub(crate) schema: Arc<FormSchema>,
    pub(crate) model: ModelId,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) ids: Arc<dyn IdSource>,
}

/// A group's documents, read.
#[derive(Debug)]
pub(crate) struct Read {
    documents: Vec<GroupDocument>,
    /// The documents that could be read.
    pub(crate) sources: Vec<SourceDocument>,
    /// Those that could not.
    pub(crate) failures: Vec<DocumentFailure>,
    /// What the work is the same as.
    pub(crate) fingerprint: String,
    began: Timestamp,
    parsed: Timestamp,
}

/// Why there is nothing to extract from.
#[derive(Debug)]
pub(crate) enum Unread {
    /// Documents have errors of their own.
    Failed(Vec<DocumentFailure>),
    /// It may go better later.
    Later {
        error: ItemError,
        after: Duration,
    },
    Store(StoreError),
}

/// Why there is no response.
#[derive(Debug)]
pub(crate) enum Unmade {
    Extract(ExtractError),
    Panicked,
}

/// The error of a group that a defect ended.
pub(crate) fn panicked() -> ItemError {
    internal("internal", "the group could not be worked on because of a defect".to_owned())
}

/// The error of a group for a reason on this side.
pub(crate) fn internal(code: &str, message: String) -> ItemError {
    ItemError { class: ErrorClass::Internal, code: code.to_owned(), message }
}

impl Workshop {
    /// Reads the documents of a group.
    pub(crate) async fn read(&self, documents: &[DocumentRef]) -> Result<Read, Unread> {
        let began = self.clock.now();
        // Collected, since a closure over references that lives across an await is not `Send`.
        let reading: Vec<_> =
            documents.iter().map(|one| self.documents.read(&self.payer.scope, &one.url)).collect();
        let results: Vec<_> = stream::iter(reading).buffered(READ_TOGETHER).collect().await;
        let (mut read, mut sources, mut failures) = (Vec::new(), Vec::new(), Vec::new());
        for (index, (document, result)) in documents.iter().zip(results).enumerate() {
            match result {
                Ok(found) => {
                    let named = u32::try_from(index).ok().map(|index| (index, document.url.clone()));
                    let unread = found.document.pages_needing_ocr();
                    read.push(GroupDocument {
                        name: found.origin.name.clone(),
                        description: Some(document.description.clone()).filter(|text| !text.is_empty()),
                        document: found.document,
                    });
                    sources.push(SourceDocument { named, unread, ..source(found.origin, found.version) });
                }
                Err(ReadError::Unusable { code, message }) => {
                    let error = unread(code, message);
                    if passes(code) {
                        return Err(Unread::Later { error, after: READ_AGAIN });
                    }
                    failures.push(DocumentFailure { document: document.clone(), error });
                }
                Err(ReadError::Passing { code, message, after }) => {
                    let after =
                        after.map_or(READ_AGAIN, |seconds| Duration::from_secs(seconds).min(READ_LATEST));
                    return Err(Unread::Later { error: unread(code, message), after });
                }
                Err(ReadError::Store(error)) => return Err(Unread::Store(error)),
            }
        }
        if read.is_empty() || (!failures.is_empty() && !self.plan.partial) {
            return Err(Unread::Failed(failures));
        }
        let described = |(source, document): (&SourceDocument, &GroupDocument)| {
            // What OCR read depends on more than the content.
            let content = match source.parser_version {
                PARSER_VERSION => source.sha256.clone(),
                version => format!("{}@{version}", source.sha256),
            };
            (content, document.description.clone().unwrap_or_default())
        };
        let pairs: Vec<(String, String)> = sources.iter().zip(&read).map(described).collect();
        let pairs: Vec<(&str, &str)> =
            pairs.iter().map(|(hash, text)| (hash.as_str(), text.as_str())).collect();
        let fingerprint = fingerprint(&self.plan, &self.engine.settings_text(), &pairs);
        Ok(Read { documents: read, sources, failures, fingerprint, began, parsed: self.clock.now() })
    }

    /// Extracts from what was read.
    pub(crate) async fn extract(&self, read: &Read, calls: &GroupCalls) -> Result<(Response, Spend), Unmade> {
        let request = ExtractRequest {
            payer: &self.payer,
            schema: &self.schema,
            instructions: &self.plan.instructions,
            model: &self.model,
            documents: &read.documents,
            answers: calls,
        };
        let extracted = AssertUnwindSafe(self.engine.extract(request)).catch_unwind().await;
        match extracted {
            Ok(Ok(mut extraction)) => {
                let named: Vec<_> = read.sources.iter().map(|source| source.named.clone()).collect();
                extraction.name_documents(&named);
                let spent = Spend { usage: extraction.usage, cost: extraction.cost };
                Ok((self.response(extraction, read), spent))
            }
            Ok(Err(error)) => Err(Unmade::Extract(error)),
            Err(_panic) => Err(Unmade::Panicked),
        }
    }

    fn response(&self, extraction: Extraction, read: &Read) -> Response {
        let done = self.clock.now();
        Response {
            gid: new_id("resp", done, self.ids.as_ref()),
            record: extraction.record,
            evidence: extraction.evidence,
            conflicts: extraction.conflicts,
            errors: extraction.errors,
            sources: read.sources.clone(),
            generation_duration: seconds(read.parsed, done),
            scraping_duration: seconds(read.began, read.parsed),
            total_duration: seconds(read.began, done),
            created: done,
            reused_from: None,
        }
    }

    /// A response of identical work as this group's own.
    pub(crate) fn again(&self, response: Response, read: &Read) -> Response {
        let now = self.clock.now();
        Response {
            gid: new_id("resp", now, self.ids.as_ref()),
            generation_duration: 0.0,
            scraping_duration: seconds(read.began, read.parsed),
            total_duration: seconds(read.began, now),
            created: now,
            ..response
        }
    }
}

/// A clock that was set back must not give negative durations.
fn seconds(from: Timestamp, to: Timestamp) -> f64 {
    to.seconds_since(from).max(0.0)
}

/// What a response remembers of a document.
fn source(origin: Origin, version: u32) -> SourceDocument {
    SourceDocument {
        name: origin.name,
        sha256: origin.sha256,
        parser_version: version,
        named: None,
        unread: Vec::new(),
    }
}

/// Whether the document may be read another time.
fn passes(code: &str) -> bool {
    matches!(code, "parser_unavailable" | "document_source_failed")
}

fn unread(code: &'static str, message: String) -> ItemError {
    let parsing =
        code.starts_with("document_") && code != "document_source_failed" || code.starts_with("parser_");
    let class = if parsing { ErrorClass::Parse } else { ErrorClass::Fetch };
    ItemError { class, code: code.to_owned(), message }
}

/// A group failed after reading: each document has its own error, or the group's.
pub(crate) fn failures(
    documents: &[DocumentRef],
    own: &[DocumentFailure],
    error: &ItemError,
) -> Vec<DocumentFailure> {
    let mut failures = all_failed(documents, error);
    for known in own {
        if let Some(failure) = failures.iter_mut().find(|one| one.document == known.document) {
            *failure = known.clone();
        }
    }
    failures
}
