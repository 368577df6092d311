//! The documents of an extraction: those by reference, then those in the arguments.

use async_trait::async_trait;
use bytes::Bytes;
use document::{DocumentReader, Origin, ReadError, ReadPages};
use forms_core::{DocumentGroup, DocumentPictures, PagePictures, PictureReport};
use gen_core::Media;
use shared_core::{BoxError, Scope};
use utilities_core::{Inputs, ItemError, MAX_INPUTS};

use super::documents::DOCUMENTS;
use crate::app::AppState;
use crate::http::ApiError;
use crate::http::inline_documents::stage;
use crate::http::utilities::inputs::{CallDocuments, Uploads, uploaded};

/// The documents of an extraction.
#[derive(Default)]
pub(super) struct ExtractionDocuments {
    pub(super) group: DocumentGroup,
    /// The callers' names of the documents.
    pub(super) references: Vec<String>,
    origins: Vec<Origin>,
    /// For each document its pages with text that was not read, and why it has no text, if it has none.
    unread: Vec<(Vec<u32>, Option<ReadError>)>,
    /// The reader of the documents by reference, and their number.
    referenced: Option<(DocumentReader, usize)>,
    /// The reader of those in the arguments, whose bytes live as long.
    sent: Option<(DocumentReader, Uploads)>,
}

/// Draws pages of the documents of an extraction.
#[derive(Debug)]
pub(super) struct ExtractionPictures<'a> {
    documents: &'a DocumentGroup,
    referenced: Option<DocumentPictures<'a>>,
    sent: Option<DocumentPictures<'a>>,
    /// The number of documents by reference.
    count: usize,
}

impl ExtractionDocuments {
    /// Reads documents. With `sees`, one may have no text but pages to draw.
    ///
    /// # Errors
    /// When there are too many, or one cannot be read.
    pub(super) async fn read(
        state: &AppState,
        scope: &Scope,
        urls: Vec<String>,
        inline: Vec<(String, Bytes)>,
        sees: bool,
    ) -> Result<Self, ApiError> {
        let mut all = Self::default();
        if !urls.is_empty() {
            let count = urls.len();
            let reader = all.add(state, scope, &Inputs::references(urls)?, sees).await?;
            all.referenced = Some((reader, count));
        }
        if inline.len() > MAX_INPUTS {
            let rule = format!("a request may carry at most {MAX_INPUTS} documents");
            return Err(ApiError::invalid(format!("/{DOCUMENTS}/{MAX_INPUTS}"), rule));
        }
        if !inline.is_empty() {
            let CallDocuments { inputs, uploads } = uploaded(state, stage(state, inline).await?);
            let reader = all.add(state, scope, &inputs, sees).await?;
            all.sent = Some((reader, uploads));
        }
        Ok(all)
    }

    async fn add(
        &mut self,
        state: &AppState,
        scope: &Scope,
        inputs: &Inputs,
        sees: bool,
    ) -> Result<DocumentReader, ApiError> {
        let (reader, read) = state.utilities.read_pages(scope, inputs, sees).await;
        for (reference, result) in read {
            let ReadPages { read, textless } =
                result.map_err(|error| unreadable(self.references.len(), &reference, &error))?;
            self.unread.push((read.document.pages_needing_ocr(), textless));
            self.group.add(read.origin.name.clone(), None, read.document);
            self.origins.push(read.origin);
            self.references.push(reference);
        }
        Ok(reader)
    }

    /// Draws their pages.
    pub(super) fn pictures<'a>(&'a self, scope: &'a Scope) -> ExtractionPictures<'a> {
        let drawn_by =
            |reader| DocumentPictures { reader, scope, group: &self.group, origins: &self.origins };
        ExtractionPictures {
            documents: &self.group,
            referenced: self.referenced.as_ref().map(|(reader, _)| drawn_by(reader)),
            sent: self.sent.as_ref().map(|(reader, _)| drawn_by(reader)),
            count: self.referenced.as_ref().map_or(0, |(_, count)| *count),
        }
    }

    /// Sentences on pages that were neither read nor seen. `report` counts the documents of the call.
    ///
    /// # Errors
    /// When a document has no text, and the model saw none of its pages.
    pub(super) fn warnings(self, report: &PictureReport) -> Result<Vec<String>, ApiError> {
        let mut told = Vec::new();
        for (index, (reference, (unread, textless))) in self.references.iter().zip(self.unread).enumerate() {
            let is_seen = report.seen.iter().any(|seen| seen.document == index);
            if let Some(error) = textless.filter(|_| !is_seen) {
                return Err(unreadable(index, reference, &error.into()));
            }
            let notices = report.notices(index, unread).into_iter();
            told.extend(notices.map(|notice| format!("{reference}: {notice}")));
        }
        Ok(told)
    }
}

fn unreadable(place: usize, reference: &str, error: &ItemError) -> ApiError {
    ApiError::invalid(
        format!("/{DOCUMENTS}/{place}"),
        format!("{reference}: {} ({})", error.message, error.code),
    )
}

impl ExtractionPictures<'_> {
    fn of(&self, document: usize) -> Option<&DocumentPictures<'_>> {
        let is_referenced = self.documents.added_index(document)? < self.count;
        if is_referenced { self.referenced.as_ref() } else { self.sent.as_ref() }
    }
}

#[async_trait]
impl PagePictures for ExtractionPictures<'_> {
    async fn picture(&self, document: usize, page: u32) -> Result<Media, BoxError> {
        let own = self.of(document).ok_or("the document has no reader")?;
        own.picture(document, page).await
    }

    async fn page_size(&self, document: usize, page: u32) -> Option<(f32, f32)> {
        self.of(document)?.page_size(document, page).await
    }
}
