//! The port of parsing within the process, for tests and for embedders that trust their documents.

use async_trait::async_trait;
use document::{Document, DocumentParser, ParseError, RecognisedPage, RecognisedParser, Source};
use futures_util::StreamExt as _;

use crate::{Limits, PARSER_VERSION, parse, parse_recognised};

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

/// The name and all bytes of a source.
pub(crate) async fn read(mut source: Source) -> Result<(String, Vec<u8>), ParseError> {
    let mut bytes = Vec::new();
    while let Some(part) = source.content.next().await {
        bytes.extend_from_slice(&part.map_err(ParseError::Source)?);
    }
    Ok((source.name, bytes))
}
