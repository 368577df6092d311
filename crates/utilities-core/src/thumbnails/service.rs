//! Drawing a picture once and giving it a link.

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

/// Seconds that the picture of a document that is no file is shown for.
pub const KEPT_SECONDS: i64 = 24 * 3_600;
/// Links and pictures that are removed in one step.
const SWEPT: u32 = 500;
/// Pictures that can be drawn at the same time: each has one of so many locks.
const LOCKS: usize = 64;
/// Characters of a name's extension.
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

/// What became of one document of a call.
#[derive(Debug)]
pub struct ThumbnailResult {
    /// The reference as it was given, or the upload's name.
    pub url: String,
    /// The token of the picture's link.
    pub token: Result<String, ItemError>,
}

impl Thumbnails {
    /// Pictures drawn by `renderer`, their bytes beside those of `files`.
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

    /// The token of a link to the picture of a document, which is drawn if it was not before. Where a card is all that can
    /// be drawn of what was found, what is drawn instead is asked for.
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
            // What is drawn instead may take long, and others wait for the turn.
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

    /// The picture under a link; `None` where there is none, or not any more.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn by_token(&self, token: &str) -> Result<Option<ShownPicture>, UtilitiesError> {
        Ok(self.repository.find_by_token(token, self.clock.now()).await?)
    }

    /// Streams a picture's bytes, or those of `range`, which must lie within it.
    ///
    /// # Errors
    /// As [`FilesService::open_range`].
    pub async fn content(
        &self,
        picture: &ShownPicture,
        range: Option<std::ops::Range<u64>>,
    ) -> Result<BlobStream, FilesError> {
        self.files.open_blob_range(&picture.blob, range).await
    }

    /// Removes links that have ended, and pictures that no link shows any more. Whether there may be more.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn sweep(&self) -> Result<bool, UtilitiesError> {
        let (orphans, more) = self.repository.sweep(self.clock.now(), SWEPT).await?;
        self.files.remove_unreferenced(&orphans).await;
        Ok(more)
    }
}

/// The name that the renderer is told: files of equal content share a picture, so it must show nothing of the name
/// but the kind.
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
