//! The port of rendering within the process, for tests and for embedders that trust their documents.

use async_trait::async_trait;
use document::{PageColours, PageRenderer, ParseError, RenderSize, Source, Thumbnail, ThumbnailOptions};

use crate::direct_parser::{DirectParser, read};
use crate::{RENDERER_VERSION, render, thumbnail};

#[async_trait]
impl PageRenderer for DirectParser {
    fn renderer_version(&self) -> u32 {
        RENDERER_VERSION
    }

    async fn page(
        &self,
        source: Source,
        number: u32,
        size: RenderSize,
        colours: PageColours,
    ) -> Result<Vec<u8>, ParseError> {
        let (name, bytes) = read(source).await?;
        render::page(&bytes, &name, number, size, &self.limits)?.to_page_image(colours)
    }

    async fn thumbnail(&self, source: Source, options: ThumbnailOptions) -> Result<Thumbnail, ParseError> {
        let (name, bytes) = read(source).await?;
        Ok(thumbnail(&bytes, &name, &options, &self.limits))
    }
}
