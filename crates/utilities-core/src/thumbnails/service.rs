//! Renders a picture once and creates links to it.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash as _, Hasher as _};
use std::sync::Arc;

use documents_core::{
    Origin, PageRenderer, ParseError, RENDERER_VERSION, Source, Thumbnail, ThumbnailOptions,
};
use files_core::{BlobStream, FileId, FilesError, FilesService};
use shared_core::{Clock, DomainError as _, Rng, Scope, capability_token};

use super::{LinkEnd, NewPicture, PictureKey, PictureLink, PictureSource, ShownPicture, ThumbnailRepository};
use crate::{ItemError, UtilitiesError};

/// TTL in seconds of a link to the picture of a document that is not a file. Chosen by hand; no measurement
/// is recorded.
pub const KEPT_SECONDS: i64 = 24 * 3_600;
/// Links and pictures that are removed in one batch. Bounds the transaction. Chosen by hand; no measurement
/// is recorded.
const SWEPT: u32 = 500;
/// Number of locks: pictures that can be rendered at the same time. More than processes that render. Chosen
/// by hand; no measurement is recorded.
const LOCKS: usize = 64;
/// Maximum characters of a name's extension. Longer ones are no extensions. Chosen by hand; no measurement is
/// recorded.
const MAX_EXTENSION: usize = 10;

/// Pictures of documents.
#[derive(Clone, Debug)]
pub struct Thumbnails {
    repository: Arc<dyn ThumbnailRepository>,
    renderer: Arc<dyn PageRenderer>,
    files: FilesService,
    clock: Arc<dyn Clock>,
    ids: Arc<dyn Rng>,
    locks: Arc<[async_lock::Mutex<()>; LOCKS]>,
}

/// The result of one document of a call.
#[derive(Debug)]
pub struct ThumbnailResult {
    /// The reference of the request, or the upload's name.
    pub url: String,
    /// The token of the picture's link.
    pub token: Result<String, ItemError>,
}

impl Thumbnails {
    /// Pictures rendered by `renderer`. Their bytes are stored beside those of `files`.
    #[must_use]
    pub fn new(
        repository: Arc<dyn ThumbnailRepository>,
        renderer: Arc<dyn PageRenderer>,
        files: FilesService,
        clock: Arc<dyn Clock>,
        ids: Arc<dyn Rng>,
    ) -> Self {
        let locks = Arc::new(std::array::from_fn(|_| async_lock::Mutex::new(())));
        Self { repository, renderer, files, clock, ids, locks }
    }

    /// The token of a link to the picture of a document. The picture is rendered unless it exists. When only
    /// a card can be rendered, the origin's fallback is tried.
    pub(crate) async fn make(
        &self,
        scope: &Scope,
        origin: &dyn PictureSource,
        reference: &str,
        options: ThumbnailOptions,
        is_file: bool,
    ) -> Result<String, ItemError> {
        let mut found = origin.find(scope, reference).await?;
        loop {
            let key = PictureKey { source: found.sha256.clone(), options, renderer: RENDERER_VERSION };
            let end = match FileId::parse(&found.id).filter(|_| is_file) {
                Some(file) => LinkEnd::File(file),
                None => LinkEnd::At(self.clock.now().plus_seconds(KEPT_SECONDS)),
            };
            let token = capability_token(self.ids.as_ref());
            let turn = self.lock(scope, &key).lock().await;
            if let Some(linked) = self.repository.link(scope, &key, end, &token).await.map_err(link_error)? {
                return Ok(linked.token);
            }
            let drawn = self.draw(scope, origin, &found, options).await?;
            if !drawn.is_card {
                return Ok(self.store(scope, key, drawn.bytes, end, &token).await?.token);
            }
            // Resolving the fallback may be slow, and others wait for the lock.
            drop(turn);
            match origin.fallback(scope, &found).await {
                Some(other) => found = other,
                None => return Ok(self.store(scope, key, drawn.bytes, end, &token).await?.token),
            }
        }
    }

    async fn draw(
        &self,
        scope: &Scope,
        origin: &dyn PictureSource,
        found: &Origin,
        options: ThumbnailOptions,
    ) -> Result<Thumbnail, ItemError> {
        let content = origin.open(scope, found).await?;
        let source = Source { name: name_hint(found), bytes: found.bytes, content };
        self.renderer.thumbnail(source, options).await.map_err(|error| render_error(&error))
    }

    async fn store(
        &self,
        scope: &Scope,
        key: PictureKey,
        bytes: Vec<u8>,
        end: LinkEnd,
        token: &str,
    ) -> Result<PictureLink, ItemError> {
        let staged =
            self.files.store_blob("thumbnail".to_owned(), bytes.into()).await.map_err(storage_error)?;
        let own = staged.blob().clone();
        let picture =
            NewPicture { key, blob: own.clone(), sha256: staged.sha256().to_owned(), bytes: staged.bytes() };
        let linked = self.repository.insert(scope, &picture, end, token).await;
        if linked.as_ref().map_or(true, |linked| linked.blob != own) {
            // Another server was faster, the workspace has the same bytes, or the store failed.
            self.files.remove_unreferenced(&[own]).await;
        }
        linked.map_err(link_error)
    }

    fn lock(&self, scope: &Scope, key: &PictureKey) -> &async_lock::Mutex<()> {
        let mut hasher = DefaultHasher::new();
        (&scope.workspace.0, key).hash(&mut hasher);
        let place = usize::try_from(hasher.finish() % LOCKS as u64).unwrap_or_default();
        &self.locks[place]
    }

    /// The picture of a link; `None` when the link does not exist or has expired.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn by_token(&self, token: &str) -> Result<Option<ShownPicture>, UtilitiesError> {
        Ok(self.repository.find_by_token(token, self.clock.now()).await?)
    }

    /// Streams a picture's bytes, or those of `range`, which must lie within the picture.
    ///
    /// # Errors
    /// As [`FilesService::open_blob_range`].
    pub async fn content(
        &self,
        picture: &ShownPicture,
        range: Option<std::ops::Range<u64>>,
    ) -> Result<BlobStream, FilesError> {
        self.files.open_blob_range(&picture.blob, range).await
    }

    /// Removes expired links, and pictures without links. Returns whether more may remain.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn sweep(&self) -> Result<bool, UtilitiesError> {
        let (orphans, more) = self.repository.sweep(self.clock.now(), SWEPT).await?;
        self.files.remove_unreferenced(&orphans).await;
        Ok(more)
    }
}

/// The name for the renderer. Files of equal content share a picture, so it may use only the extension of the
/// name.
fn name_hint(origin: &Origin) -> String {
    let extension = origin.name.rsplit_once('.').map(|(_, extension)| extension.to_lowercase());
    let plain = |text: &String| {
        (1..=MAX_EXTENSION).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_alphanumeric())
    };
    extension.filter(plain).map_or_else(String::new, |extension| format!(".{extension}"))
}

fn render_error(error: &ParseError) -> ItemError {
    ItemError::new(error.code(), error.to_string())
}

fn storage_error(error: FilesError) -> ItemError {
    ItemError::new(error.code(), error.to_string())
}

fn link_error(error: shared_core::StoreError) -> ItemError {
    match error {
        shared_core::StoreError::Missing(_) => {
            let gone = FilesError::NotFound;
            ItemError::new(gone.code(), gone.to_string())
        }
        cause => ItemError {
            code: cause.code(),
            message: "the thumbnail could not be stored".to_owned(),
            cause: Some(cause),
        },
    }
}
