//! A stored picture and its links.

use document::{ImageFormat, ThumbnailOptions};
use files_core::{BlobKey, FileId};
use shared_core::Timestamp;

/// Identity of a picture: within a workspace, equal keys share one picture.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PictureKey {
    /// SHA-256 of the document, lower-case hex.
    pub source: String,
    /// Requested page, width and format.
    pub options: ThumbnailOptions,
    /// Version of the renderer.
    pub renderer: u32,
}

/// A picture to store. Its bytes are in the blob store already.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewPicture {
    /// Its identity.
    pub key: PictureKey,
    /// Key of its bytes. If the workspace has the same bytes already, the stored picture refers to those and
    /// this blob is unreferenced.
    pub blob: BlobKey,
    /// SHA-256 of its bytes, lower-case hex.
    pub sha256: String,
    /// Size in bytes.
    pub bytes: u64,
}

/// When a link expires.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LinkEnd {
    /// When the file is deleted.
    File(FileId),
    /// At a time: for documents that are not files.
    At(Timestamp),
}

/// A picture as served under a link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShownPicture {
    /// Key of its bytes.
    pub blob: BlobKey,
    /// SHA-256 of its bytes, lower-case hex.
    pub sha256: String,
    /// Size in bytes.
    pub bytes: u64,
    /// Image format.
    pub format: ImageFormat,
    /// When the link expires, if that is a time.
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
