//! Processing of one group: read its documents, extract, and build the response.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use document::{DocumentReader, DocumentUnit, Origin, ReadError, ReadPages};
use forms_core::{
    DocumentGroup, DocumentPictures, ExtractError, Extraction, ExtractionEngine, FormSchema, PictureReport,
};
use futures_util::{FutureExt as _, StreamExt as _, stream};
use gen_core::{CallerContext, ModelId, Spend};
use indexmap::IndexMap;
use shared_core::{Clock, DomainError as _, Rng, StoreError, Timestamp, new_id};

use crate::group_answers::GroupAnswers;
use crate::{
    DocumentClass, DocumentFailure, DocumentRef, ErrorClass, ItemError, Response, RunForm, RunPlan,
    SourceDocument, fail_all, fingerprint,
};

/// Documents of one group that are read concurrently. Groups go on beside each other too. Chosen by hand; no
/// measurement is recorded.
const READ_CONCURRENCY: usize = 4;
// As `retry::BACKOFF` begins, and a minute, by when limits of sites end. Chosen by hand; no measurement is
// recorded.
/// The back-off before a group is read again after a retryable failure of its documents.
const READ_RETRY_DELAY: Duration = Duration::from_secs(2);
/// The longest such back-off that a source may ask for.
const MAX_READ_RETRY_DELAY: Duration = Duration::from_secs(60);

/// What the groups of a run need for processing.
#[derive(Clone, Debug)]
pub(crate) struct RunContext {
    pub(crate) plan: RunPlan,
    pub(crate) payer: CallerContext,
    pub(crate) documents: DocumentReader,
    pub(crate) engine: ExtractionEngine,
    pub(crate) schema: Arc<FormSchema>,
    /// The forms of a run with a classification.
    pub(crate) forms: Vec<(RunForm, Arc<FormSchema>)>,
    /// The form of the group in such a run.
    pub(crate) class: Option<Box<DocumentClass>>,
    pub(crate) model: ModelId,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) rng: Arc<dyn Rng>,
}

/// The documents of a group after reading.
#[derive(Debug)]
pub(crate) struct GroupInput {
    pub(crate) documents: DocumentGroup,
    /// The origins of `sources`.
    origins: Vec<Origin>,
    /// Documents without text, of which the model may see pictures: the index in `sources`, and the failure if it sees
    /// none.
    textless: Vec<(usize, DocumentFailure)>,
    /// The documents that were read.
    pub(crate) sources: Vec<SourceDocument>,
    /// The documents that could not be read.
    pub(crate) failures: Vec<DocumentFailure>,
    /// The fingerprint of the work, for deduplication.
    pub(crate) fingerprint: String,
    began: Timestamp,
    parsed: Timestamp,
}

/// Why the documents of a group could not be read.
#[derive(Debug)]
pub(crate) enum ReadFailure {
    /// Documents with permanent errors.
    Failed(Vec<DocumentFailure>),
    /// A retryable failure.
    Retryable {
        error: ItemError,
        after: Duration,
    },
    Store(StoreError),
}

/// Why extraction gave no response.
#[derive(Debug)]
pub(crate) enum ExtractFailure {
    Extract(ExtractError),
    /// Documents without text whose pages the model did not see.
    Unread(Vec<DocumentFailure>, Spend),
    Panicked,
}

/// The error of a group whose processing panicked.
pub(crate) fn panic_error() -> ItemError {
    internal_error("internal", "the group could not be processed because of a defect".to_owned())
}

/// An error of this service.
pub(crate) fn internal_error(code: &str, message: String) -> ItemError {
    ItemError { class: ErrorClass::Internal, code: code.to_owned(), message }
}

impl RunContext {
    /// Reads the documents of a group.
    pub(crate) async fn read(&self, documents: &[DocumentRef]) -> Result<GroupInput, ReadFailure> {
        let began = self.clock.now();
        // Collected, since a closure over references that lives across an await is not `Send`.
        let reading: Vec<_> = documents.iter().map(|one| self.read_document(&one.url)).collect();
        let results: Vec<_> = stream::iter(reading).buffered(READ_CONCURRENCY).collect().await;
        let (mut sources, mut failures) = (Vec::new(), Vec::new());
        let (mut origins, mut textless) = (Vec::new(), Vec::new());
        let (mut read, mut descriptions) = (DocumentGroup::default(), Vec::new());
        for (index, (document, result)) in documents.iter().zip(results).enumerate() {
            match result {
                Ok(ReadPages { read: found, textless: cause }) => {
                    let named = u32::try_from(index).ok().map(|index| (index, document.url.clone()));
                    let description = Some(document.description.clone()).filter(|text| !text.is_empty());
                    let part = match found.document.selection(document.pages.as_ref(), document.unit) {
                        Ok(part) => part,
                        Err(error) => {
                            let error = read_error(error.code(), error.to_string());
                            failures.push(DocumentFailure { document: document.clone(), error });
                            continue;
                        }
                    };
                    if let Some(ReadError::Unusable { code, message }) = cause {
                        let error = read_error(code, message);
                        let failure = DocumentFailure { document: document.clone(), error };
                        textless.push((sources.len(), failure));
                    }
                    origins.push(found.origin.clone());
                    let shown = part.as_ref().map_or(found.document.as_ref(), |part| &part.document);
                    let unread = shown.pages_needing_ocr();
                    match part {
                        Some(part) => read.add_part(found.origin.name.clone(), description, part),
                        None => read.add(found.origin.name.clone(), description, found.document),
                    }
                    descriptions.push(document.description.as_str());
                    sources.push(SourceDocument {
                        named,
                        unread,
                        pages: document.pages.clone(),
                        unit: document.unit,
                        ..to_source_document(found.origin, found.version)
                    });
                }
                Err(ReadError::Unusable { code, message }) => {
                    let error = read_error(code, message);
                    if is_retryable(code) {
                        return Err(ReadFailure::Retryable { error, after: READ_RETRY_DELAY });
                    }
                    failures.push(DocumentFailure { document: document.clone(), error });
                }
                Err(ReadError::Transient { code, message, after }) => {
                    let after = after.map_or(READ_RETRY_DELAY, |seconds| {
                        Duration::from_secs(seconds).min(MAX_READ_RETRY_DELAY)
                    });
                    return Err(ReadFailure::Retryable { error: read_error(code, message), after });
                }
                Err(ReadError::Store(error)) => return Err(ReadFailure::Store(error)),
            }
        }
        if self.is_unclassified() {
            failures.extend(documents.iter().map(unclassified));
            return Err(ReadFailure::Failed(failures));
        }
        if sources.is_empty() || (!failures.is_empty() && !self.plan.partial) {
            return Err(ReadFailure::Failed(failures));
        }
        let parser = self.documents.parser_version();
        let described = |source: &SourceDocument| {
            // With OCR, the text depends on the recogniser too, so the version is part of the key.
            let content = match source.parser_version {
                version if version == parser => source.sha256.clone(),
                version => format!("{}@{version}", source.sha256),
            };
            let content = match &source.pages {
                None => content,
                Some(pages) => format!("{content}#{pages}"),
            };
            match source.unit {
                None => content,
                Some(DocumentUnit::Row(number)) => format!("{content}#row{number}"),
                Some(DocumentUnit::Section(number)) => format!("{content}#section{number}"),
            }
        };
        let contents: Vec<String> = sources.iter().map(described).collect();
        let pairs: Vec<(&str, &str)> = contents.iter().map(String::as_str).zip(descriptions).collect();
        let fingerprint = fingerprint(&self.plan, parser, &self.engine.settings_text(), &pairs);
        let parsed = self.clock.now();
        Ok(GroupInput { documents: read, origins, textless, sources, failures, fingerprint, began, parsed })
    }

    /// A document; where the model may see pictures, also one that has none but pages to draw.
    async fn read_document(&self, reference: &str) -> Result<ReadPages, ReadError> {
        let scope = &self.payer.scope;
        let origin = self.documents.find(scope, reference).await?;
        if self.engine.may_show_pictures(&self.model) && !self.is_unclassified() {
            return self.documents.read_pages(scope, origin).await;
        }
        let read = self.documents.read_found(scope, origin).await?;
        Ok(ReadPages { read, textless: None })
    }

    /// Extracts the record from the documents. Documents that turn out to be unreadable are added to the failures of
    /// `read` if the run goes on without them.
    pub(crate) async fn extract(
        &self,
        read: &mut GroupInput,
        calls: &GroupAnswers,
    ) -> Result<(Response, Spend), ExtractFailure> {
        let request = self.request(&read.documents, calls);
        let pictures = DocumentPictures {
            reader: &self.documents,
            scope: &self.payer.scope,
            group: &read.documents,
            origins: &read.origins,
        };
        let extracting = self.engine.extract_with_pictures(request, &pictures);
        let extracted = AssertUnwindSafe(extracting).catch_unwind().await;
        match extracted {
            Ok(Ok(mut extraction)) => {
                let named: Vec<_> = read.sources.iter().map(|source| source.named.clone()).collect();
                read.documents.name_documents(&mut extraction, &named);
                let spent = Spend { usage: extraction.usage, cost: extraction.cost };
                for (index, source) in read.sources.iter_mut().enumerate() {
                    source.note_pictures(index, &extraction.pictures);
                }
                let unread = read.take_unread(&extraction.pictures);
                if !unread.is_empty() && (!self.plan.partial || unread.len() == read.sources.len()) {
                    return Err(ExtractFailure::Unread(unread, spent));
                }
                read.failures.extend(unread);
                Ok((self.build_response(extraction, read), spent))
            }
            Ok(Err(error)) => Err(ExtractFailure::Extract(error)),
            Err(_panic) => Err(ExtractFailure::Panicked),
        }
    }

    fn build_response(&self, extraction: Extraction, read: &GroupInput) -> Response {
        let done = self.clock.now();
        self.calibrated(Response {
            gid: new_id("resp", done, self.rng.as_ref()),
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
            reviews: IndexMap::new(),
            class: self.class.clone(),
        })
    }

    /// The response with the confidence that reviewers' decisions taught.
    fn calibrated(&self, mut response: Response) -> Response {
        response.calibrate(self.plan.calibration.as_ref(), self.engine.lowest_accepted(&self.model));
        response
    }

    /// Returns a response of identical work under a new id, with this group's durations.
    pub(crate) fn reuse_response(&self, response: Response, read: &GroupInput) -> Response {
        let now = self.clock.now();
        self.calibrated(Response {
            gid: new_id("resp", now, self.rng.as_ref()),
            generation_duration: 0.0,
            scraping_duration: seconds(read.began, read.parsed),
            total_duration: seconds(read.began, now),
            created: now,
            class: self.class.clone(),
            ..response
        })
    }
}

impl GroupInput {
    /// The failures of the documents without text of which the model saw no page.
    fn take_unread(&mut self, report: &PictureReport) -> Vec<DocumentFailure> {
        let is_seen = |index: usize| report.seen.iter().any(|seen| seen.document == index);
        let textless = std::mem::take(&mut self.textless);
        textless.into_iter().filter(|(index, _)| !is_seen(*index)).map(|(_, failure)| failure).collect()
    }
}

/// Never negative, also when the clock was set back.
fn seconds(from: Timestamp, to: Timestamp) -> f64 {
    to.seconds_since(from).max(0.0)
}

/// The stored description of a document.
fn to_source_document(origin: Origin, version: u32) -> SourceDocument {
    SourceDocument {
        name: origin.name,
        sha256: origin.sha256,
        parser_version: version,
        named: None,
        unread: Vec::new(),
        unseen: Vec::new(),
        pages: None,
        unit: None,
    }
}

/// Whether reading the document may succeed later.
pub(crate) fn is_retryable(code: &str) -> bool {
    matches!(code, "parser_unavailable" | "document_source_failed")
}

/// The failure of a document that could not be read when its form was to be found, and can be now.
fn unclassified(document: &DocumentRef) -> DocumentFailure {
    let message =
        "the document could not be read when the run was started, so that its form is not known".to_owned();
    let error = ItemError { class: ErrorClass::Parse, code: "document_not_classified".to_owned(), message };
    DocumentFailure { document: document.clone(), error }
}

fn read_error(code: &'static str, message: String) -> ItemError {
    let parsing =
        code.starts_with("document_") && code != "document_source_failed" || code.starts_with("parser_");
    let class = if parsing { ErrorClass::Parse } else { ErrorClass::Fetch };
    ItemError { class, code: code.to_owned(), message }
}

/// The failures of a group after reading: each document has its own error, or else the group's.
pub(crate) fn document_failures(
    documents: &[DocumentRef],
    own: &[DocumentFailure],
    error: &ItemError,
) -> Vec<DocumentFailure> {
    let mut failures = fail_all(documents, error);
    for known in own {
        if let Some(failure) = failures.iter_mut().find(|one| one.document == known.document) {
            *failure = known.clone();
        }
    }
    failures
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failures_to_fetch_and_to_parse_a_document_are_told_apart() {
        for (code, class) in [
            ("document_empty", ErrorClass::Parse),
            ("parser_unavailable", ErrorClass::Parse),
            ("document_source_failed", ErrorClass::Fetch),
            ("file_not_found", ErrorClass::Fetch),
        ] {
            let error = read_error(code, "a sentence".to_owned());
            assert_eq!(
                (error.class, error.code.as_str(), error.message.as_str()),
                (class, code, "a sentence")
            );
        }
        let retryable = ["parser_unavailable", "document_source_failed", "document_empty", "file_not_found"];
        assert_eq!(retryable.map(is_retryable), [true, true, false, false]);
    }

    #[test]
    fn a_duration_is_never_negative() {
        let at = |micros| Timestamp::from_micros(micros).unwrap();
        assert_eq!([seconds(at(0), at(1_500_000)), seconds(at(1_500_000), at(0))], [1.5, 0.0]);
    }

    #[test]
    fn documents_have_their_own_errors_and_the_others_that_of_the_group() {
        let documents = ["1", "2"].map(DocumentRef::new);
        let own = internal_error("own", "its own".to_owned());
        let known = DocumentFailure { document: documents[1].clone(), error: own.clone() };
        let failures = document_failures(&documents, &[known], &panic_error());
        let errors: Vec<ItemError> = failures.into_iter().map(|failure| failure.error).collect();
        assert_eq!(errors, [panic_error(), own]);
    }
}
