//! Documents of a message: parsing and extraction.

use std::collections::HashSet;
use std::sync::Arc;

use document::{Document, Origin, ReadError, ReadPages};
use forms_core::{
    DocumentGroup, DocumentPictures, ExtractRequest, Extraction, FormSchema, GroupDocument, NoopAnswerStore,
    PictureReport,
};
use shared_core::Violation;

use super::{AgentCall, ChatService};
use crate::chat::ChatError;

/// The documents of a message.
#[derive(Debug, Default)]
pub(super) struct MessageDocuments {
    pub(super) group: DocumentGroup,
    /// The origin of each document of the message.
    origins: Vec<Origin>,
    /// Documents without text: their index among the documents, that of their reference, and the failure if the model
    /// sees none of their pages.
    textless: Vec<(usize, usize, ReadError)>,
}

impl ChatService {
    /// The documents of a message, in its order. A document that is referenced twice is parsed once. Where the model may
    /// see pictures, a document may have none but pages to draw.
    pub(super) async fn documents(&self, call: &AgentCall<'_>) -> Result<MessageDocuments, ChatError> {
        let mut documents = MessageDocuments::default();
        for (index, reference) in distinct_references(&call.request.urls) {
            let read = self.read_document(call, reference).await;
            let ReadPages { read, textless } = read.map_err(|error| document_error(error, index))?;
            documents.textless.extend(textless.map(|error| (documents.origins.len(), index, error)));
            documents.group.add(read.origin.name.clone(), None, read.document);
            documents.origins.push(read.origin);
        }
        Ok(documents)
    }

    async fn read_document(&self, call: &AgentCall<'_>, reference: &str) -> Result<ReadPages, ReadError> {
        let (reader, scope) = (&self.ports.documents, &call.payer.scope);
        let origin = reader.find(scope, reference).await?;
        if self.ports.engine.may_show_pictures(&call.model) {
            return reader.read_pages(scope, origin).await;
        }
        Ok(ReadPages { read: reader.read_found(scope, origin).await?, textless: None })
    }

    /// Extracts a record for `schema` from the documents of a message, with pictures of their pages. Also returns a
    /// sentence for each document of which pages were not read or not seen.
    pub(super) async fn extract_documents(
        &self,
        call: &AgentCall<'_>,
        schema: &FormSchema,
        documents: &mut MessageDocuments,
    ) -> Result<(Extraction, Vec<String>), ChatError> {
        let MessageDocuments { group, origins, textless } = documents;
        let pictures =
            DocumentPictures { reader: &self.ports.documents, scope: &call.payer.scope, group, origins };
        let request = extract_request(call, schema, group.documents());
        let found = self.ports.engine.extract_with_pictures(request, &pictures).await?;
        let is_seen = |document: &usize| {
            let mut seen = found.pictures.seen.iter().filter_map(|seen| group.added_index(seen.document));
            seen.any(|seen| seen == *document)
        };
        let unread = textless.iter().position(|(document, ..)| !is_seen(document));
        if let Some((_, index, error)) = unread.map(|at| textless.swap_remove(at)) {
            return Err(document_error(error, index));
        }
        let warnings = page_warnings(group.documents(), &found.pictures);
        Ok((found, warnings))
    }

    /// Extracts a record for `schema` from the documents.
    pub(super) async fn extract(
        &self,
        call: &AgentCall<'_>,
        schema: &FormSchema,
        documents: &[GroupDocument],
    ) -> Result<Extraction, ChatError> {
        Ok(self.ports.engine.extract(extract_request(call, schema, documents)).await?)
    }
}

fn extract_request<'a>(
    call: &'a AgentCall<'_>,
    schema: &'a FormSchema,
    documents: &'a [GroupDocument],
) -> ExtractRequest<'a> {
    ExtractRequest {
        payer: call.payer,
        schema,
        instructions: &call.agent.instructions,
        model: &call.model,
        documents,
        answers: &NoopAnswerStore,
    }
}

/// The references with their indexes in `urls`, without duplicates.
fn distinct_references(urls: &[String]) -> impl Iterator<Item = (usize, &String)> {
    let mut known = HashSet::new();
    urls.iter().enumerate().filter(move |(_, reference)| known.insert(reference.trim()))
}

/// Index and reference of each document of a message, in the order of [`ChatService::documents`].
pub(super) fn document_names(urls: &[String]) -> Vec<Option<(u32, String)>> {
    let named = |(index, reference): (usize, &String)| {
        u32::try_from(index).ok().map(|index| (index, reference.trim().to_owned()))
    };
    distinct_references(urls).map(named).collect()
}

/// One sentence for each document of which pages were neither read nor seen, and for each reason why pages were not seen.
fn page_warnings(documents: &[GroupDocument], report: &PictureReport) -> Vec<String> {
    let told = documents.iter().enumerate().flat_map(|(index, one)| {
        let notices = report.notices(index, one.document.pages_needing_ocr()).into_iter();
        notices.map(|notice| format!("'{}': {notice}", one.name))
    });
    told.collect()
}

/// A document made of a text.
pub(super) fn text_document(name: &str, text: String) -> GroupDocument {
    let document = Document { text, ..Document::default() };
    GroupDocument { name: name.to_owned(), description: None, document: Arc::new(document), host: None }
}

fn document_error(error: ReadError, index: usize) -> ChatError {
    let is_unreadable = error.is_unreadable();
    match error {
        ReadError::Unusable { code, message } => {
            let violation = [Violation::new(format!("/urls/{index}"), message)];
            ChatError::Document { code, is_unreadable, violation }
        }
        ReadError::Transient { code, message, after } => ChatError::NotReady { code, message, after },
        ReadError::Store(error) => ChatError::Store(error),
    }
}
