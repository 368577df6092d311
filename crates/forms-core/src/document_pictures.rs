//! The port of pictures over the documents that a reader finds.

use async_trait::async_trait;
use document::{DocumentReader, Origin, PageColours, RenderSize, png_size};
use gen_core::{Media, picture_type};
use shared_core::{BoxError, Scope};

use crate::{DocumentGroup, PICTURE_SIZE, PagePictures};

/// Draws pages of the documents of a group.
#[derive(Clone, Copy, Debug)]
pub struct DocumentPictures<'a> {
    /// The reader of the documents.
    pub reader: &'a DocumentReader,
    /// The workspace that may read them.
    pub scope: &'a Scope,
    /// The documents as the engine reads them.
    pub group: &'a DocumentGroup,
    /// The origin of each document that was added to the group.
    pub origins: &'a [Origin],
}

/// At this resolution a pixel is a point.
const POINTS: RenderSize = RenderSize::Dpi(72);

impl DocumentPictures<'_> {
    async fn draw(
        &self,
        document: usize,
        page: u32,
        size: RenderSize,
        colours: PageColours,
    ) -> Result<Vec<u8>, BoxError> {
        let origin = self.group.added_index(document).and_then(|index| self.origins.get(index));
        let origin = origin.ok_or("the document has no origin")?;
        Ok(self.reader.page_picture(self.scope, origin, page, size, colours).await?)
    }
}

#[async_trait]
impl PagePictures for DocumentPictures<'_> {
    async fn picture(&self, document: usize, page: u32) -> Result<Media, BoxError> {
        let bytes = self.draw(document, page, PICTURE_SIZE, PageColours::WhereUsed).await?;
        let content_type = picture_type(&bytes).ok_or("the renderer gave no picture")?.to_owned();
        Ok(Media { bytes: bytes.into(), content_type })
    }

    async fn page_size(&self, document: usize, page: u32) -> Option<(f32, f32)> {
        let (width, height) = png_size(&self.draw(document, page, POINTS, PageColours::Gray).await.ok()?)?;
        Some((width as f32, height as f32))
    }
}
