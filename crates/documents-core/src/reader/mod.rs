//! From a reference to a parsed document, each content once.

mod flights;

use std::sync::Arc;

use shared_core::{Clock, DomainError as _, Scope, StoreError};

use crate::{
    Document, DocumentOrigin, DocumentParser, Origin, PARSER_VERSION, ParseError, ParsedDocuments, Source,
};
use flights::{Flights, Unreadable};

/// Reads documents by the references that requests use. Clones share what is being parsed.
#[derive(Clone, Debug)]
pub struct DocumentReader {
    origin: Arc<dyn DocumentOrigin>,
    parser: Arc<dyn DocumentParser>,
    parsed: Arc<dyn ParsedDocuments>,
    clock: Arc<dyn Clock>,
    flights: Arc<Flights>,
    /// Whether what is parsed is stored.
    stores: bool,
}

/// A document and where it came from.
#[derive(Clone, Debug)]
pub struct ReadDocument {
    /// Where it came from.
    pub origin: Origin,
    /// What it says.
    pub document: Arc<Document>,
}

/// Why a document was not read. `Display` is shown to the user.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The document's own error.
    #[error("{message}")]
    Unusable {
        /// Stable, in snake case.
        code: &'static str,
        /// One sentence.
        message: String,
    },
    /// The store's, which says nothing about the document.
    #[error("the document could not be read")]
    Store(#[from] StoreError),
}

impl ReadError {
    /// An error of the document's own.
    pub fn unusable(code: &'static str, message: impl Into<String>) -> Self {
        Self::Unusable { code, message: message.into() }
    }
}

impl DocumentReader {
    /// A reader on its ports.
    #[must_use]
    pub fn new(
        origin: Arc<dyn DocumentOrigin>,
        parser: Arc<dyn DocumentParser>,
        parsed: Arc<dyn ParsedDocuments>,
        clock: Arc<dyn Clock>,
    ) -> Self {
        Self { origin, parser, parsed, clock, flights: Arc::default(), stores: true }
    }

    /// A reader of documents from elsewhere, which shares the parser, what was parsed, and what is being
    /// parsed.
    #[must_use]
    pub fn with_origin(&self, origin: Arc<dyn DocumentOrigin>) -> Self {
        Self { origin, ..self.clone() }
    }

    /// A reader of documents from elsewhere that leaves nothing behind: what was parsed before is used, and what is
    /// parsed is not stored.
    #[must_use]
    pub fn passing(&self, origin: Arc<dyn DocumentOrigin>) -> Self {
        Self { stores: false, ..self.with_origin(origin) }
    }

    /// The document of a file id, own file URL or web URL.
    ///
    /// # Errors
    /// [`ReadError`].
    pub async fn read(&self, scope: &Scope, reference: &str) -> Result<ReadDocument, ReadError> {
        let origin = self.origin.find(scope, reference).await?;
        let document = self.parse(scope, &origin).await?;
        Ok(ReadDocument { origin, document })
    }

    /// A document that was parsed before, by the hash of its content and the version of the parser.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn parsed(
        &self,
        scope: &Scope,
        sha256: &str,
        version: u32,
    ) -> Result<Option<Arc<Document>>, StoreError> {
        self.parsed.find(scope, sha256, version).await
    }

    async fn parse(&self, scope: &Scope, origin: &Origin) -> Result<Arc<Document>, ReadError> {
        let key = format!("{}/{}", scope.workspace, origin.sha256);
        let flight = self.flights.of(&key);
        let _turn = flight.lock().await;
        if let Some(document) = self.parsed.find(scope, &origin.sha256, PARSER_VERSION).await? {
            return Ok(document);
        }
        if let Some((code, message)) = self.flights.remembered(&key, self.clock.as_ref()) {
            return Err(ReadError::Unusable { code, message });
        }
        let content = self.origin.open(scope, origin).await?;
        let source = Source { name: origin.name.clone(), bytes: origin.bytes, content };
        let document = self.parser.parse(source).await.map_err(|error| self.unread(key, &error))?;
        if self.stores {
            self.parsed.store(scope, &origin.sha256, PARSER_VERSION, &document).await?;
        }
        Ok(Arc::new(document))
    }

    /// What the content itself is to blame for is remembered; what may pass is not.
    fn unread(&self, key: String, error: &ParseError) -> ReadError {
        let (code, message) = (error.code(), error.to_string());
        if error.lasts() {
            let since = self.clock.now();
            self.flights.remember(Unreadable { key, code, message: message.clone(), since });
        }
        ReadError::Unusable { code, message }
    }
}
