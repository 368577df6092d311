//! The use cases: reading the documents of a call, a few at the same time, answered in their order.

use std::sync::Arc;

use documents_core::{DocumentOrigin, DocumentReader, ThumbnailOptions};
use files_core::{FilesService, Staged};
use futures_util::FutureExt as _;
use futures_util::stream::{self, BoxStream, StreamExt as _};
use gen_core::{Workers, offload};
use shared_core::Scope;

use crate::tasks::started;
use crate::uploads::UploadOrigin;
use crate::{Inputs, ItemError, ReadInput, Tasks, ThumbnailMade, Thumbnails};

/// Documents of one call that are worked on, or wait for their turn in the answer, at the same time.
pub const AT_ONCE: usize = 4;

/// Utilities on documents.
#[derive(Clone, Debug)]
pub struct UtilitiesService {
    documents: DocumentReader,
    origin: Arc<dyn DocumentOrigin>,
    files: FilesService,
    workers: Arc<dyn Workers>,
    tasks: Arc<dyn Tasks>,
    thumbnails: Thumbnails,
}

/// What the service is built on.
#[derive(Debug)]
pub struct UtilitiesPorts {
    /// Reads documents.
    pub documents: DocumentReader,
    /// Finds documents by their references, as `documents` does.
    pub origin: Arc<dyn DocumentOrigin>,
    /// Where the bytes of uploads and pictures are.
    pub files: FilesService,
    /// Work on the processor.
    pub workers: Arc<dyn Workers>,
    /// Work that goes on while the reader of an answer takes his time.
    pub tasks: Arc<dyn Tasks>,
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

    /// Pictures that were made.
    #[must_use]
    pub fn thumbnails(&self) -> &Thumbnails {
        &self.thumbnails
    }

    /// Makes a picture of each document of a call, in the order of the call; one that was made before is not drawn
    /// again. A document that cannot be read has a picture all the same, one that cannot be found has an error.
    pub async fn make_thumbnails(
        &self,
        scope: &Scope,
        inputs: &Inputs,
        options: ThumbnailOptions,
    ) -> Vec<ThumbnailMade> {
        let origin = match inputs {
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
                ThumbnailMade { url, made }
            }
        };
        stream::iter(0..inputs.len()).map(one).buffered(AT_ONCE).collect().await
    }

    /// Reads the documents of a call and makes something of each, in the order of the call. What was parsed for
    /// another purpose is not parsed again; of uploads nothing is stored. At most [`AT_ONCE`] documents are held at
    /// the same time, and no new one is begun until the first of them was taken. `make` works on the processor and
    /// runs on the workers. Dropping the stream ends the work.
    pub fn each<T: Send + 'static>(
        &self,
        scope: &Scope,
        inputs: Inputs,
        make: impl Fn(ReadInput) -> T + Clone + Send + Sync + 'static,
    ) -> BoxStream<'static, T> {
        let (documents, workers, scope) = (self.reader(&inputs), Arc::clone(&self.workers), scope.clone());
        let (count, tasks) = (inputs.len(), Arc::clone(&self.tasks));
        let one = move |place: usize| {
            let (documents, workers, scope) = (documents.clone(), Arc::clone(&workers), scope.clone());
            let (url, again) = (inputs.name(place), make.clone());
            let (inputs, make) = (inputs.clone(), make.clone());
            let work = started(tasks.as_ref(), async move {
                let input = read(&documents, &scope, &inputs, place).await;
                offload(workers.as_ref(), move || make(input)).await
            });
            work.map(move |made| {
                made.flatten().unwrap_or_else(|| again(ReadInput { url, read: Err(unmade()) }))
            })
        };
        stream::iter(0..count).map(one).buffered(AT_ONCE).boxed()
    }

    fn reader(&self, inputs: &Inputs) -> DocumentReader {
        match inputs {
            Inputs::References(_) => self.documents.clone(),
            Inputs::Uploads(staged) => self.documents.passing(self.uploads(staged)),
        }
    }

    fn uploads(&self, staged: &Arc<[Staged]>) -> Arc<dyn DocumentOrigin> {
        Arc::new(UploadOrigin { files: self.files.clone(), staged: Arc::clone(staged) })
    }
}

async fn read(documents: &DocumentReader, scope: &Scope, inputs: &Inputs, place: usize) -> ReadInput {
    let url = inputs.name(place);
    let read = match inputs {
        Inputs::References(_) => documents.read(scope, &url).await,
        Inputs::Uploads(_) => documents.read(scope, &place.to_string()).await,
    };
    ReadInput { url, read: read.map_err(ItemError::from) }
}

fn unmade() -> ItemError {
    ItemError::new("internal", "the document was read, but the answer could not be made of it")
}
