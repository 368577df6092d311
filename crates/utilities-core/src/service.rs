//! The use cases: reading the documents of a call, a few at the same time, answered in their order.

use std::sync::Arc;

use documents_core::{DocumentOrigin, DocumentReader};
use files_core::FilesService;
use futures_util::stream::{self, BoxStream, StreamExt as _};
use gen_core::{Workers, offload};
use shared_core::Scope;

use crate::uploads::UploadOrigin;
use crate::{Inputs, ItemError, ReadInput};

/// Documents of one call that are worked on, or wait for their turn in the answer, at the same time.
pub const AT_ONCE: usize = 4;

/// Utilities on documents.
#[derive(Clone, Debug)]
pub struct UtilitiesService {
    documents: DocumentReader,
    files: FilesService,
    workers: Arc<dyn Workers>,
}

impl UtilitiesService {
    /// A service that reads references by `documents`, and uploads from the contents of `files`.
    #[must_use]
    pub fn new(documents: DocumentReader, files: FilesService, workers: Arc<dyn Workers>) -> Self {
        Self { documents, files, workers }
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
        let count = inputs.len();
        let one = move |place: usize| {
            let (documents, workers, scope) = (documents.clone(), Arc::clone(&workers), scope.clone());
            let (inputs, make) = (inputs.clone(), make.clone());
            async move {
                let input = read(&documents, &scope, &inputs, place).await;
                let (url, again) = (input.url.clone(), make.clone());
                match offload(workers.as_ref(), move || make(input)).await {
                    Some(made) => made,
                    None => again(ReadInput { url, read: Err(unmade()) }),
                }
            }
        };
        stream::iter(0..count).map(one).buffered(AT_ONCE).boxed()
    }

    fn reader(&self, inputs: &Inputs) -> DocumentReader {
        match inputs {
            Inputs::References(_) => self.documents.clone(),
            Inputs::Uploads(staged) => {
                let origin: Arc<dyn DocumentOrigin> =
                    Arc::new(UploadOrigin { files: self.files.clone(), staged: Arc::clone(staged) });
                self.documents.passing(origin)
            }
        }
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
