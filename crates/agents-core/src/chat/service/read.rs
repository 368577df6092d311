//! What a message and its documents say: documents read, records extracted, the message heard.

use std::collections::HashSet;
use std::sync::Arc;

use documents_core::{Document, ReadError};
use forms_core::{ExtractRequest, Extraction, FormSchema, GroupDocument, NoKeptAnswers};
use shared_core::Violation;

use super::{Call, ChatService};
use crate::chat::ChatError;

impl ChatService {
    /// The documents of a message, in its order; one that is named twice is read once.
    pub(super) async fn documents(&self, call: &Call<'_>) -> Result<Vec<GroupDocument>, ChatError> {
        let (mut documents, mut known) = (Vec::new(), HashSet::new());
        for (index, reference) in call.request.urls.iter().enumerate() {
            if !known.insert(reference.trim()) {
                continue;
            }
            let read = self.ports.documents.read(&call.payer.scope, reference).await;
            let read = read.map_err(|error| unread(error, index))?;
            documents.push(GroupDocument {
                name: read.origin.name,
                description: None,
                document: read.document,
            });
        }
        Ok(documents)
    }

    /// What documents say of the form.
    pub(super) async fn extract(
        &self,
        call: &Call<'_>,
        schema: &FormSchema,
        documents: &[GroupDocument],
    ) -> Result<Extraction, ChatError> {
        let request = ExtractRequest {
            payer: call.payer,
            schema,
            instructions: &call.agent.instructions,
            model: &call.model,
            documents,
            answers: &NoKeptAnswers,
        };
        Ok(self.ports.engine.extract(request).await?)
    }
}

/// A text as a document.
pub(super) fn text_document(name: &str, text: String) -> GroupDocument {
    let document = Document { text, ..Document::default() };
    GroupDocument { name: name.to_owned(), description: None, document: Arc::new(document) }
}

fn unread(error: ReadError, index: usize) -> ChatError {
    let is_unreadable = error.is_unreadable();
    match error {
        ReadError::Unusable { code, message } => {
            let violation = [Violation::new(format!("/urls/{index}"), message)];
            ChatError::Document { code, is_unreadable, violation }
        }
        ReadError::Passing { code, message, after } => ChatError::Later { code, message, after },
        ReadError::Store(error) => ChatError::Store(error),
    }
}
