//! Documents of a message: parsing and extraction.

use std::collections::HashSet;
use std::sync::Arc;

use document::{Document, ReadError};
use forms_core::{DocumentGroup, ExtractRequest, Extraction, FormSchema, GroupDocument, NoopAnswerStore};
use shared_core::Violation;

use super::{AgentCall, ChatService};
use crate::chat::ChatError;

impl ChatService {
    /// The documents of a message, in its order. A document that is referenced twice is parsed once.
    pub(super) async fn documents(&self, call: &AgentCall<'_>) -> Result<DocumentGroup, ChatError> {
        let mut documents = DocumentGroup::default();
        for (index, reference) in distinct_references(&call.request.urls) {
            let read = self.ports.documents.read(&call.payer.scope, reference).await;
            let read = read.map_err(|error| document_error(error, index))?;
            documents.add(read.origin.name, None, read.document);
        }
        Ok(documents)
    }

    /// Extracts a record for `schema` from the documents.
    pub(super) async fn extract(
        &self,
        call: &AgentCall<'_>,
        schema: &FormSchema,
        documents: &[GroupDocument],
    ) -> Result<Extraction, ChatError> {
        let request = ExtractRequest {
            payer: call.payer,
            schema,
            instructions: &call.agent.instructions,
            model: &call.model,
            documents,
            answers: &NoopAnswerStore,
        };
        Ok(self.ports.engine.extract(request).await?)
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

/// One sentence for each document that was parsed only in part.
pub(super) fn unread_pages(documents: &[GroupDocument]) -> Vec<String> {
    let told = |one: &GroupDocument| Some(format!("'{}': {}", one.name, one.document.unread_notice()?));
    documents.iter().filter_map(told).collect()
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
