//! The ports within the process, for tests and for embedders that trust their documents.

use async_trait::async_trait;
use document::{
    Document, DocumentParser, PageRenderer, ParseError, RecognisedPage, RecognisedParser, RenderSize, Source,
    Thumbnail, ThumbnailOptions,
};
use futures_util::StreamExt as _;

use crate::{Limits, PARSER_VERSION, RENDERER_VERSION, parse, parse_recognised, render, thumbnail};

/// Parses on the calling thread, without process isolation.
#[derive(Clone, Copy, Debug, Default)]
pub struct DirectParser {
    /// Limits of each parse.
    pub limits: Limits,
}

#[async_trait]
impl DocumentParser for DirectParser {
    fn parser_version(&self) -> u32 {
        PARSER_VERSION
    }

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
    fn renderer_version(&self) -> u32 {
        RENDERER_VERSION
    }

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
