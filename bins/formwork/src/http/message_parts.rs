//! A message of another protocol: texts, and documents by reference or by value.

use agents_core::chat::AgentChatRequest;
use base64::Engine as _;
use base64::prelude::{BASE64_STANDARD, BASE64_STANDARD_NO_PAD, BASE64_URL_SAFE, BASE64_URL_SAFE_NO_PAD};
use bytes::Bytes;
use shared_core::Scope;

use super::ApiError;
use super::inline_documents::stage;
use crate::app::AppState;

/// What a message consists of.
#[derive(Debug, Default)]
pub(super) struct MessageParts {
    /// Texts, which become paragraphs.
    pub(super) texts: Vec<String>,
    /// Ids and URLs of documents.
    pub(super) urls: Vec<String>,
    /// Names and contents of documents.
    pub(super) documents: Vec<(String, Bytes)>,
}

impl MessageParts {
    /// Adds a document by value.
    ///
    /// # Errors
    /// When it is not in Base64.
    pub(super) fn push_base64(
        &mut self,
        name: Option<&str>,
        content: &str,
        path: &str,
    ) -> Result<(), ApiError> {
        let trimmed = content.trim();
        let alphabets = [BASE64_STANDARD, BASE64_URL_SAFE, BASE64_STANDARD_NO_PAD, BASE64_URL_SAFE_NO_PAD];
        let bytes = alphabets.iter().find_map(|alphabet| alphabet.decode(trimmed).ok());
        let bytes = bytes.ok_or_else(|| ApiError::invalid(path, "the content must be in Base64"))?;
        let name = name.map(str::trim).filter(|name| !name.is_empty());
        let name = name.map_or_else(|| format!("document-{}", self.documents.len() + 1), str::to_owned);
        self.documents.push((name, bytes.into()));
        Ok(())
    }

    /// The message to the agent. Documents by value are stored as files.
    ///
    /// # Errors
    /// When it has no text, or a file cannot be stored. The service checks the rest.
    pub(super) async fn into_request(
        self,
        state: &AppState,
        scope: &Scope,
    ) -> Result<AgentChatRequest, ApiError> {
        let Self { texts, mut urls, documents } = self;
        let message = texts.join("\n\n");
        if message.trim().is_empty() {
            // Before files are stored for it.
            return Err(ApiError::invalid("/message", "the message must have a text, also beside documents"));
        }
        let staged = stage(state, documents).await?;
        if !staged.is_empty() {
            let files = state.files.store(scope, staged).await?;
            urls.extend(files.iter().map(|file| file.id.0.to_string()));
        }
        Ok(AgentChatRequest { message, urls, ..AgentChatRequest::default() })
    }
}
