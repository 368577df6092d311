//! The ports within the process, for tests and for embedders that trust their documents.

use std::collections::HashMap;
use std::sync::Arc;

use async_trait::async_trait;
use futures_util::StreamExt as _;
use parking_lot::Mutex;
use shared_core::{Scope, StoreError, WorkspaceId};

use crate::{
    Document, DocumentParser, Limits, PageRenderer, ParseError, ParsedDocuments, RecognisedPage,
    RecognisedParser, RenderSize, Source, Thumbnail, ThumbnailOptions, parse, parse_recognised, render,
    thumbnail,
};

/// Parses on the calling thread, without process isolation.
#[derive(Clone, Copy, Debug, Default)]
pub struct DirectParser {
    /// Limits of each parse.
    pub limits: Limits,
}

#[async_trait]
impl DocumentParser for DirectParser {
    async fn parse(&self, source: Source) -> Result<Document, ParseError> {
        let (name, bytes) = read(source).await?;
        parse(&bytes, &name, &self.limits)
    }
}

#[async_trait]
impl RecognisedParser for DirectParser {
    async fn parse_recognised(
        &self,
        source: Source,
        pages: Vec<RecognisedPage>,
    ) -> Result<Document, ParseError> {
        let (name, bytes) = read(source).await?;
        parse_recognised(&bytes, &name, &pages, &self.limits)
    }
}

#[async_trait]
impl PageRenderer for DirectParser {
    async fn page(&self, source: Source, number: u32, size: RenderSize) -> Result<Vec<u8>, ParseError> {
        let (name, bytes) = read(source).await?;
        render::page(&bytes, &name, number, size, &self.limits)?.to_png(true)
    }

    async fn thumbnail(&self, source: Source, options: ThumbnailOptions) -> Result<Thumbnail, ParseError> {
        let (name, bytes) = read(source).await?;
        Ok(thumbnail(&bytes, &name, &options, &self.limits))
    }
}

/// The name and all bytes of a source.
async fn read(mut source: Source) -> Result<(String, Vec<u8>), ParseError> {
    let mut bytes = Vec::new();
    while let Some(part) = source.content.next().await {
        bytes.extend_from_slice(&part.map_err(ParseError::Source)?);
    }
    Ok((source.name, bytes))
}

type Key = (WorkspaceId, String, u32);

/// Parsed documents in memory. Nothing survives the process.
#[derive(Debug, Default)]
pub struct MemoryParsedDocuments(Mutex<HashMap<Key, Arc<Document>>>);

#[async_trait]
impl ParsedDocuments for MemoryParsedDocuments {
    async fn find(
        &self,
        scope: &Scope,
        sha256: &str,
        version: u32,
    ) -> Result<Option<Arc<Document>>, StoreError> {
        let key = (scope.workspace.clone(), sha256.to_owned(), version);
        Ok(self.0.lock().get(&key).cloned())
    }

    async fn store(
        &self,
        scope: &Scope,
        sha256: &str,
        version: u32,
        document: &Document,
    ) -> Result<(), StoreError> {
        let key = (scope.workspace.clone(), sha256.to_owned(), version);
        let mut rows = self.0.lock();
        rows.entry(key).or_insert_with(|| Arc::new(document.clone()));
        Ok(())
    }
}
