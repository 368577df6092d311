//! The ports of pictures: what is drawn, and where pictures and their links are.

use std::fmt;

use async_trait::async_trait;
use documents_core::{DocumentOrigin, Origin};
use files_core::{BlobKey, FileOrigin};
use shared_core::{Scope, StoreError, Timestamp};

use super::{LinkEnd, NewPicture, PictureKey, ShownPicture};

/// Finds what is drawn of documents.
#[async_trait]
pub trait PictureSource: DocumentOrigin {
    /// What is drawn instead of what was found and cannot be drawn; `None` where there is nothing else.
    async fn fallback(&self, scope: &Scope, undrawn: &Origin) -> Option<Origin>;
}

/// A file is drawn itself.
#[async_trait]
impl PictureSource for FileOrigin {
    async fn fallback(&self, _: &Scope, _: &Origin) -> Option<Origin> {
        None
    }
}

/// A link that a picture is shown under.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PictureLink {
    /// Its token: the one that it had, where the document had a link to the picture already.
    pub token: String,
    /// Where the picture's bytes are.
    pub blob: BlobKey,
}

/// Stores pictures by what they show, and the links to them. Implementations must pass
/// `contract::thumbnail_repository!`. The bytes are counted as references among those of files.
#[async_trait]
pub trait ThumbnailRepository: fmt::Debug + Send + Sync + 'static {
    /// Links a stored picture: a file has one link to it, and all documents that are no files share one, whose end is
    /// put off to the later time. `token` is that of a new link. `None` when there is no such picture;
    /// [`StoreError::Missing`] when there is no such file.
    async fn link(
        &self,
        scope: &Scope,
        key: &PictureKey,
        end: LinkEnd,
        token: &str,
    ) -> Result<Option<PictureLink>, StoreError>;
    /// Stores a picture, unless there is one of the same key, and links it as [`ThumbnailRepository::link`] does, in
    /// one unit.
    async fn insert(
        &self,
        scope: &Scope,
        picture: &NewPicture,
        end: LinkEnd,
        token: &str,
    ) -> Result<PictureLink, StoreError>;
    /// The picture under a link that has not ended, of any workspace. A deleted file's links have ended.
    async fn find_by_token(&self, token: &str, now: Timestamp) -> Result<Option<ShownPicture>, StoreError>;
    /// Removes up to `limit` links that have ended and as many pictures without links, of all workspaces. Answers the
    /// blobs that nobody refers to any more, and whether there may be more.
    async fn sweep(&self, now: Timestamp, limit: u32) -> Result<(Vec<BlobKey>, bool), StoreError>;
}
