//! The local model as an adapter of gen-core's ports.

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use async_trait::async_trait;
use futures_channel::oneshot;
use gen_core::{
    EmbedModel, EmbedRequest, Embeddings, Fault, ListedModel, ModelKind, ModelList, ProviderError, Usage,
};
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::LocalModelError;
use crate::encoder::Encoder;
use crate::folder::ModelFolder;

/// An embedding model in memory with its own thread pool. Clones share both.
#[derive(Clone)]
pub struct LocalEmbeddings {
    name: String,
    encoder: Arc<Encoder>,
    threads: Arc<ThreadPool>,
}

impl fmt::Debug for LocalEmbeddings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let threads = self.threads.current_num_threads();
        f.debug_struct("LocalEmbeddings").field("name", &self.name).field("threads", &threads).finish()
    }
}

impl LocalEmbeddings {
    /// Loads a model from its folder. All calls share `threads` threads.
    ///
    /// # Errors
    /// [`LocalModelError`] when the folder has no usable model.
    pub fn open(folder: &Path, threads: usize) -> Result<Self, LocalModelError> {
        let folder = ModelFolder::new(folder);
        let name = folder.name()?;
        let encoder = Arc::new(Encoder::load(&folder)?);
        let threads = ThreadPoolBuilder::new()
            .num_threads(threads.max(1))
            .thread_name(|number| format!("embed-{number}"))
            .build()
            .map_err(LocalModelError::Threads)?;
        Ok(Self { name, encoder, threads: Arc::new(threads) })
    }

    /// The model's entry for a provider's list.
    #[must_use]
    pub fn to_listed_model(&self) -> ListedModel {
        ListedModel {
            model: self.name.clone(),
            name: None,
            kind: Some(ModelKind::TextToEmbedding),
            context_tokens: u32::try_from(self.encoder.max_tokens()).ok(),
            output_tokens: None,
        }
    }
}

#[async_trait]
impl EmbedModel for LocalEmbeddings {
    async fn embed(&self, request: EmbedRequest) -> Result<Embeddings, ProviderError> {
        let (sender, receiver) = oneshot::channel();
        let encoder = Arc::clone(&self.encoder);
        self.threads.spawn(move || {
            // A cancelled call needs no vectors.
            if !sender.is_canceled() {
                drop(sender.send(encoder.encode(&request.texts, request.purpose)));
            }
        });
        let failed = |source| ProviderError::new(Fault::Failed, "the local model failed").with_source(source);
        let encoded = receiver.await.map_err(|gone| failed(gone.into()))?.map_err(failed)?;
        if encoded.vectors.iter().flatten().any(|number| !number.is_finite()) {
            return Err(ProviderError::new(
                Fault::Failed,
                "the local model returned a vector with a number that is not finite",
            ));
        }
        let usage = Usage { input_tokens: encoded.tokens, ..Usage::default() };
        Ok(Embeddings { vectors: encoded.vectors, usage })
    }
}

#[async_trait]
impl ModelList for LocalEmbeddings {
    async fn list(&self) -> Result<Vec<ListedModel>, ProviderError> {
        Ok(vec![self.to_listed_model()])
    }
}
