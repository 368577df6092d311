//! The work on one group: read its documents, extract, and say how it ended.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use documents_core::{DocumentReader, Origin, PARSER_VERSION, ReadError};
use forms_core::{ExtractRequest, Extraction, ExtractionEngine, FormSchema, GroupDocument, NoKeptAnswers};
use futures_util::{FutureExt as _, StreamExt as _, stream};
use gen_core::{ModelId, Payer, Usage};
use shared_core::{Clock, IdSource, StoreError, Timestamp, new_id};

use crate::error::GroupError;
use crate::{DocumentFailure, DocumentRef, GroupOutcome, ItemError, QueuedGroup, Response, SourceDocument};

/// Documents of one group that are read at the same time.
const READ_TOGETHER: usize = 4;

/// What every group of a run is worked on with.
#[derive(Clone, Debug)]
pub(crate) struct Workshop {
    pub(crate) payer: Payer,
    pub(crate) documents: DocumentReader,
    pub(crate) engine: ExtractionEngine,
    pub(crate) schema: Arc<FormSchema>,
    pub(crate) model: ModelId,
    pub(crate) instructions: Arc<str>,
    pub(crate) partial: bool,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) ids: Arc<dyn IdSource>,
}

impl Workshop {
    /// Works on a group. Only the store's failure is an error; all else is an outcome.
    pub(crate) async fn work(&self, group: &QueuedGroup) -> Result<GroupOutcome, StoreError> {
        let worked = AssertUnwindSafe(self.attempt(group)).catch_unwind().await;
        worked.unwrap_or_else(|_| Ok(failed(&group.documents, &[], &GroupError::Panicked, Usage::default())))
    }

    async fn attempt(&self, group: &QueuedGroup) -> Result<GroupOutcome, StoreError> {
        let began = self.clock.now();
        let (read, errors) = self.read(&group.documents).await?;
        let failures: Vec<DocumentFailure> = failures(&group.documents, &errors).collect();
        if read.is_empty() || (!failures.is_empty() && !self.partial) {
            return Ok(GroupOutcome { response: None, failures, usage: Usage::default() });
        }
        let parsed = self.clock.now();
        let documents: Vec<GroupDocument> = read.iter().map(|(_, document)| document.clone()).collect();
        let request = ExtractRequest {
            payer: &self.payer,
            schema: &self.schema,
            instructions: &self.instructions,
            model: &self.model,
            documents: &documents,
            answers: &NoKeptAnswers,
        };
        let extraction = match self.engine.extract(request).await {
            Ok(extraction) => extraction,
            Err(error) => {
                let usage = error.usage();
                return Ok(failed(&group.documents, &errors, &GroupError::Extract(error), usage));
            }
        };
        let done = self.clock.now();
        let usage = extraction.usage;
        // A clock that was set back must not give negative durations.
        let seconds = |from: Timestamp, to: Timestamp| to.seconds_since(from).max(0.0);
        let durations = (seconds(parsed, done), seconds(began, parsed), seconds(began, done));
        let response = self.response(extraction, read, durations);
        Ok(GroupOutcome { response: Some(response), failures, usage })
    }

    /// The documents that could be read, in order; and for each document its error, if it has one.
    async fn read(
        &self,
        documents: &[DocumentRef],
    ) -> Result<(Vec<(Origin, GroupDocument)>, Vec<Option<ItemError>>), StoreError> {
        // Collected, since a closure over references that lives across an await is not `Send`.
        let reading: Vec<_> =
            documents.iter().map(|one| self.documents.read(&self.payer.scope, &one.url)).collect();
        let results: Vec<_> = stream::iter(reading).buffered(READ_TOGETHER).collect().await;
        let (mut read, mut errors) = (Vec::new(), Vec::new());
        for (document, result) in documents.iter().zip(results) {
            match result {
                Ok(found) => {
                    let description = Some(document.description.clone()).filter(|text| !text.is_empty());
                    let group = GroupDocument {
                        name: found.origin.name.clone(),
                        description,
                        document: Arc::clone(&found.document),
                    };
                    read.push((found.origin, group));
                    errors.push(None);
                }
                Err(ReadError::Unusable { code, message }) => {
                    errors.push(Some(ItemError { code: code.to_owned(), message }));
                }
                Err(ReadError::Store(error)) => return Err(error),
            }
        }
        Ok((read, errors))
    }

    fn response(
        &self,
        extraction: Extraction,
        read: Vec<(Origin, GroupDocument)>,
        (generation, scraping, total): (f64, f64, f64),
    ) -> Response {
        let created = self.clock.now();
        Response {
            gid: new_id("resp", created, self.ids.as_ref()),
            record: extraction.record,
            evidence: extraction.evidence,
            conflicts: extraction.conflicts,
            errors: extraction.errors,
            sources: read.into_iter().map(|(origin, _)| source(origin)).collect(),
            generation_duration: generation,
            scraping_duration: scraping,
            total_duration: total,
            created,
        }
    }
}

/// What a response remembers of a document.
fn source(origin: Origin) -> SourceDocument {
    SourceDocument { name: origin.name, sha256: origin.sha256, parser_version: PARSER_VERSION }
}

/// The documents that have an error of their own.
fn failures<'a>(
    documents: &'a [DocumentRef],
    errors: &'a [Option<ItemError>],
) -> impl Iterator<Item = DocumentFailure> + 'a {
    let failed = documents.iter().zip(errors);
    failed.filter_map(|(document, error)| {
        Some(DocumentFailure { document: document.clone(), error: error.clone()? })
    })
}

/// A group failed: every document has its own error (`errors`, in order, may be shorter), or the group's.
fn failed(
    documents: &[DocumentRef],
    errors: &[Option<ItemError>],
    error: &GroupError,
    usage: Usage,
) -> GroupOutcome {
    let shared = ItemError { code: error.code().to_owned(), message: error.to_string() };
    let own = errors.iter().cloned().chain(std::iter::repeat(None));
    let failures = documents.iter().zip(own).map(|(document, own)| DocumentFailure {
        document: document.clone(),
        error: own.unwrap_or_else(|| shared.clone()),
    });
    GroupOutcome { response: None, failures: failures.collect(), usage }
}
