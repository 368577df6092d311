//! The ports of pictures: their sources, and the store of pictures and links.

use std::fmt;

use async_trait::async_trait;
use document::{DocumentOrigin, Origin};
use files_core::{BlobKey, FileOrigin};
use shared_core::{Scope, StoreError, Timestamp};

use super::{LinkEnd, NewPicture, PictureKey, ShownPicture};

/// Resolves references to what is rendered.
#[async_trait]
pub trait PictureSource: DocumentOrigin {
    /// The fallback for an origin that cannot be rendered; `None` when there is none.
    async fn fallback(&self, scope: &Scope, undrawn: &Origin) -> Option<Origin>;
}

/// A file is rendered itself.
#[async_trait]
impl PictureSource for FileOrigin {
    async fn fallback(&self, _: &Scope, _: &Origin) -> Option<Origin> {
        None
    }
}

/// A link to a picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PictureLink {
    /// Its token. An existing link of the document to the picture keeps its token.
    pub token: String,
    /// Key of the picture's bytes.
    pub blob: BlobKey,
}

/// Stores pictures by key, and the links to them. Implementations must pass `thumbnail_repository_contract!`.
/// The blobs are reference-counted together with those of files.
#[async_trait]
pub trait ThumbnailRepository: fmt::Debug + Send + Sync + 'static {
    /// Links a stored picture. A file has one link to it. All documents that are not files share one link,
    /// whose expiry is extended to the later time. `token` is used for a new link. `None` when there is no
    /// such picture; [`StoreError::Missing`] when there is no such file.
    async fn link(
        &self,
        scope: &Scope,
        key: &PictureKey,
        end: LinkEnd,
        token: &str,
    ) -> Result<Option<PictureLink>, StoreError>;
    /// Stores a picture, unless one with the same key exists, and links it as [`ThumbnailRepository::link`]
    /// does, in one transaction.
    async fn insert(
        &self,
        scope: &Scope,
        picture: &NewPicture,
        end: LinkEnd,
        token: &str,
    ) -> Result<PictureLink, StoreError>;
    /// The picture of a link that has not expired, in any workspace. The links of a deleted file have
    /// expired.
    async fn find_by_token(&self, token: &str, now: Timestamp) -> Result<Option<ShownPicture>, StoreError>;
    /// Removes up to `limit` expired links and as many pictures without links, in all workspaces. Returns the
    /// blobs that are no longer referenced, and whether more may remain.
    async fn sweep(&self, now: Timestamp, limit: u32) -> Result<(Vec<BlobKey>, bool), StoreError>;
}
