//! A stored picture and the links under which it is shown.

use documents_core::{ImageFormat, ThumbnailOptions};
use files_core::{BlobKey, FileId};
use shared_core::Timestamp;

/// What a picture shows and how: pictures of equal keys in a workspace are one.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PictureKey {
    /// SHA-256 of the document, lower-case hex.
    pub source: String,
    /// Page, width and format, as asked for.
    pub options: ThumbnailOptions,
    /// Version of the renderer.
    pub renderer: u32,
}

/// A picture whose bytes are in the blob store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewPicture {
    /// What it shows.
    pub key: PictureKey,
    /// Where its bytes are. If the workspace has the same bytes already, the stored picture refers to those instead,
    /// and this blob is superfluous.
    pub blob: BlobKey,
    /// SHA-256 of its bytes, lower-case hex.
    pub sha256: String,
    /// How many there are.
    pub bytes: u64,
}

/// Until when a link shows its picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LinkEnd {
    /// Until the file is deleted.
    File(FileId),
    /// Until a time: for documents that are no files.
    At(Timestamp),
}

/// A picture as it is shown under a link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShownPicture {
    /// Where its bytes are.
    pub blob: BlobKey,
    /// SHA-256 of its bytes, lower-case hex.
    pub sha256: String,
    /// How many there are.
    pub bytes: u64,
    /// What they are.
    pub format: ImageFormat,
    /// When the link ends, where that is a time.
    pub until: Option<Timestamp>,
}

impl ShownPicture {
    /// Media type of the bytes.
    #[must_use]
    pub fn content_type(&self) -> &'static str {
        match self.format {
            ImageFormat::Png => "image/png",
            ImageFormat::WebP => "image/webp",
        }
    }
}
