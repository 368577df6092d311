//! The use cases: the documents of a call are read with bounded concurrency and answered in order.

use std::sync::Arc;

use document::{DocumentReader, Origin, ReadError, ReadPages, ThumbnailOptions};
use files_core::{FilesService, StagedFile};
use futures_util::FutureExt as _;
use futures_util::stream::{self, BoxStream, StreamExt as _};
use shared_core::{Offload, Scope, Spawn, offload, spawn_with_result};

use crate::uploads::UploadOrigin;
use crate::{Inputs, ItemError, PictureSource, ReadInput, ThumbnailResult, Thumbnails};

/// Maximum documents of one call that are being processed, or wait to be sent. Chosen by hand; no measurement
/// is recorded.
pub const AT_ONCE: usize = 4;
/// Maximum documents of one call that are resolved ahead. For those of the web this means that they are
/// fetched, which is waiting and not work; larger ones are stored in files meanwhile. As `fetch.concurrency`:
/// 1.03 times the ideal time (docs/benchmarks/web.md).
pub const FOUND_AHEAD: usize = 32;

/// Utilities on documents.
#[derive(Clone, Debug)]
pub struct UtilitiesService {
    documents: DocumentReader,
    origin: Arc<dyn PictureSource>,
    files: FilesService,
    workers: Arc<dyn Offload>,
    tasks: Arc<dyn Spawn>,
    thumbnails: Thumbnails,
}

/// The name of a document of a call, and the document.
pub type NamedPages = (String, Result<ReadPages, ItemError>);

/// The ports of the service.
#[derive(Debug)]
pub struct UtilitiesPorts {
    /// Reads documents.
    pub documents: DocumentReader,
    /// Resolves the references to what is rendered, as `documents` resolves them.
    pub origin: Arc<dyn PictureSource>,
    /// The bytes of uploads and pictures.
    pub files: FilesService,
    /// Work on the processor.
    pub workers: Arc<dyn Offload>,
    /// Work that goes on while the reader of an answer takes his time.
    pub tasks: Arc<dyn Spawn>,
    /// Pictures.
    pub thumbnails: Thumbnails,
}

impl UtilitiesService {
    /// Builds the service on its ports.
    #[must_use]
    pub fn new(ports: UtilitiesPorts) -> Self {
        let UtilitiesPorts { documents, origin, files, workers, tasks, thumbnails } = ports;
        Self { documents, origin, files, workers, tasks, thumbnails }
    }

    /// The pictures.
    #[must_use]
    pub fn thumbnails(&self) -> &Thumbnails {
        &self.thumbnails
    }

    /// Renders a picture of each document of a call, in the order of the call. A picture that exists is not
    /// rendered again. A document that cannot be parsed still has a picture; one that cannot be resolved has
    /// an error.
    pub async fn make_thumbnails(
        &self,
        scope: &Scope,
        inputs: &Inputs,
        options: ThumbnailOptions,
    ) -> Vec<ThumbnailResult> {
        let origin: Arc<dyn PictureSource> = match inputs {
            Inputs::References(_) => Arc::clone(&self.origin),
            Inputs::Uploads(staged) => self.uploads(staged),
        };
        let one = |place: usize| {
            let origin = Arc::clone(&origin);
            async move {
                let url = inputs.name(place);
                let made = match inputs {
                    Inputs::References(_) => {
                        self.thumbnails.make(scope, origin.as_ref(), &url, options, true).await
                    }
                    Inputs::Uploads(_) => {
                        let place = place.to_string();
                        self.thumbnails.make(scope, origin.as_ref(), &place, options, false).await
                    }
                };
                ThumbnailResult { url, token: made }
            }
        };
        stream::iter(0..inputs.len()).map(one).buffered(AT_ONCE).collect().await
    }

    /// Reads the documents of a call and maps each, in the order of the call. Documents in the parse cache
    /// are not parsed again, and uploads are not stored. At most [`AT_ONCE`] documents are held at the same
    /// time, and no new one is read until the first has been consumed; [`FOUND_AHEAD`] more are resolved
    /// ahead. `make` is CPU-bound and runs on the workers. Dropping the stream cancels the work.
    pub fn each<T: Send + 'static>(
        &self,
        scope: &Scope,
        inputs: Inputs,
        make: impl Fn(ReadInput) -> T + Clone + Send + Sync + 'static,
    ) -> BoxStream<'static, T> {
        let (documents, workers, scope) = (self.reader(&inputs), Arc::clone(&self.workers), scope.clone());
        let (count, tasks) = (inputs.len(), Arc::clone(&self.tasks));
        let finding = (documents.clone(), scope.clone(), Arc::clone(&tasks));
        let find = move |place: usize| {
            let ((documents, scope, tasks), inputs) = (finding.clone(), inputs.clone());
            let url = inputs.name(place);
            let reference = if inputs.are_uploads() { place.to_string() } else { url.clone() };
            let work =
                spawn_with_result(tasks.as_ref(), async move { documents.find(&scope, &reference).await });
            work.map(move |found| (url, found))
        };
        let one = move |(url, found): (String, Option<Result<Origin, ReadError>>)| {
            let (documents, workers, scope) = (documents.clone(), Arc::clone(&workers), scope.clone());
            let (named, again, make) = (url.clone(), make.clone(), make.clone());
            let work = spawn_with_result(tasks.as_ref(), async move {
                let read = match found {
                    Some(Ok(origin)) => documents.read_found(&scope, origin).await.map_err(ItemError::from),
                    Some(Err(error)) => Err(ItemError::from(error)),
                    None => Err(worker_error()),
                };
                offload(workers.as_ref(), move || make(ReadInput { url: named, read })).await
            });
            work.map(move |made| {
                made.flatten().unwrap_or_else(|| again(ReadInput { url, read: Err(worker_error()) }))
            })
        };
        stream::iter(0..count).map(find).buffered(FOUND_AHEAD).map(one).buffered(AT_ONCE).boxed()
    }

    /// Reads the documents of a call for extraction, in its order, with their names. With `sees`, a document may have no
    /// text but pages to draw. Also returns the reader, which draws them.
    pub async fn read_pages(
        &self,
        scope: &Scope,
        inputs: &Inputs,
        sees: bool,
    ) -> (DocumentReader, Vec<NamedPages>) {
        let reader = self.reader(inputs);
        let one = |place: usize| {
            let (reader, scope, url) = (reader.clone(), scope.clone(), inputs.name(place));
            let reference = if inputs.are_uploads() { place.to_string() } else { url.clone() };
            let work = spawn_with_result(self.tasks.as_ref(), async move {
                let origin = reader.find(&scope, &reference).await?;
                match sees {
                    true => reader.read_pages(&scope, origin).await,
                    false => {
                        let read = reader.read_found(&scope, origin).await?;
                        Ok(ReadPages { read, textless: None })
                    }
                }
            });
            work.map(move |read| {
                (url, read.map_or_else(|| Err(worker_error()), |read| read.map_err(Into::into)))
            })
        };
        // Collected, since a closure over references that lives across an await is not `Send`.
        let reading: Vec<_> = (0..inputs.len()).map(one).collect();
        let read = stream::iter(reading).buffered(AT_ONCE).collect().await;
        (reader, read)
    }

    fn reader(&self, inputs: &Inputs) -> DocumentReader {
        match inputs {
            Inputs::References(_) => self.documents.clone(),
            Inputs::Uploads(staged) => self.documents.without_storing(self.uploads(staged)),
        }
    }

    fn uploads(&self, staged: &Arc<[StagedFile]>) -> Arc<UploadOrigin> {
        Arc::new(UploadOrigin { files: self.files.clone(), staged: Arc::clone(staged) })
    }
}

fn worker_error() -> ItemError {
    ItemError::new("internal", "the document was read, but its answer could not be built")
}
