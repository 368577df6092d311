//! The models of a folder as an adapter of gen-core's ports.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use futures_channel::oneshot;
use gen_core::{
    EmbedModel, EmbedRequest, Embeddings, Fault, ListedModel, ModelKind, ModelList, ProviderError, Usage,
};
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::LocalModelError;
use crate::encoder::{EncodedTexts, Encoder};
use crate::error::EncodeError;
use crate::folder::ModelFolder;

/// Embedding models with one thread pool. A model is loaded into memory by its first call. Clones share all.
#[derive(Clone)]
pub struct LocalModels {
    models: Arc<[LocalModel]>,
    threads: Arc<ThreadPool>,
}

struct LocalModel {
    name: String,
    folder: ModelFolder,
    max_tokens: usize,
    encoder: Mutex<Option<Arc<Encoder>>>,
}

impl fmt::Debug for LocalModels {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = self.models.iter().map(|model| model.name.as_str()).collect();
        f.debug_struct("LocalModels")
            .field("models", &names)
            .field("threads", &self.threads.current_num_threads())
            .finish()
    }
}

impl LocalModels {
    /// Reads the descriptions of the models in these folders, one in each. All calls share `threads` threads.
    ///
    /// # Errors
    /// [`LocalModelError`] when a folder has no supported model, or two have the same name. Whether the weights can be
    /// used is found out by the first call.
    pub fn open(folders: &[PathBuf], threads: usize) -> Result<Self, LocalModelError> {
        let models: Vec<LocalModel> =
            folders.iter().map(|folder| LocalModel::describe(folder)).collect::<Result<_, _>>()?;
        let names: std::collections::BTreeSet<&str> =
            models.iter().map(|model| model.name.as_str()).collect();
        if names.len() < models.len() {
            return Err(LocalModelError::Unsupported("two models have the same name".to_owned()));
        }
        let threads = ThreadPoolBuilder::new()
            .num_threads(threads.max(1))
            .thread_name(|number| format!("embed-{number}"))
            .build()
            .map_err(LocalModelError::Threads)?;
        Ok(Self { models: models.into(), threads: Arc::new(threads) })
    }

    /// The models' entries for a provider's list.
    #[must_use]
    pub fn to_listed_models(&self) -> Vec<ListedModel> {
        self.models.iter().map(LocalModel::to_listed_model).collect()
    }

    /// The position of a model.
    fn position(&self, name: &str) -> Result<usize, ProviderError> {
        let unknown =
            || ProviderError::new(Fault::UnknownModel, "the server has no local model of this name");
        self.models.iter().position(|model| model.name == name).ok_or_else(unknown)
    }
}

/// Whether the folder has the description of a supported model. Its weights are not read.
///
/// # Errors
/// [`LocalModelError`] says what is missing or wrong.
pub fn check_folder(folder: &Path) -> Result<(), LocalModelError> {
    LocalModel::describe(folder).map(drop)
}

/// The folders in `parent` that hold a model, in the order of their names. A parent that does not exist has none.
///
/// # Errors
/// [`LocalModelError::Unreadable`].
pub fn list_model_folders(parent: &Path) -> Result<Vec<PathBuf>, LocalModelError> {
    let unreadable = |source| LocalModelError::Unreadable { path: parent.to_owned(), source };
    let entries = match std::fs::read_dir(parent) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries.map_err(unreadable)?,
    };
    let mut folders = Vec::new();
    for entry in entries {
        let path = entry.map_err(unreadable)?.path();
        let is_hidden = path.file_name().is_none_or(|name| name.as_encoded_bytes().first() == Some(&b'.'));
        if !is_hidden && path.join("config.json").is_file() {
            folders.push(path);
        }
    }
    folders.sort();
    Ok(folders)
}

impl LocalModel {
    fn describe(folder: &Path) -> Result<Self, LocalModelError> {
        let folder = ModelFolder::new(folder);
        let name = folder.name()?;
        let max_tokens = folder.max_tokens(&folder.config()?)?;
        Ok(Self { name, folder, max_tokens, encoder: Mutex::new(None) })
    }

    /// The encoder, loaded if it is not yet.
    fn encoder(&self) -> Result<Arc<Encoder>, LocalModelError> {
        let mut encoder = self.encoder.lock().unwrap_or_else(PoisonError::into_inner);
        match &*encoder {
            Some(encoder) => Ok(Arc::clone(encoder)),
            None => {
                let loaded = Arc::new(Encoder::load(&self.folder)?);
                *encoder = Some(Arc::clone(&loaded));
                Ok(loaded)
            }
        }
    }

    fn to_listed_model(&self) -> ListedModel {
        ListedModel {
            model: self.name.clone(),
            name: None,
            kind: Some(ModelKind::TextToEmbedding),
            context_tokens: u32::try_from(self.max_tokens).ok(),
            output_tokens: None,
        }
    }
}

#[async_trait]
impl EmbedModel for LocalModels {
    async fn embed(&self, request: EmbedRequest) -> Result<Embeddings, ProviderError> {
        let (sender, receiver) = oneshot::channel();
        let (models, at) = (Arc::clone(&self.models), self.position(&request.model)?);
        self.threads.spawn(move || {
            // A cancelled call needs no vectors.
            if !sender.is_canceled() {
                let encoded = models.get(at).map(|model| encode(model, &request));
                drop(sender.send(encoded));
            }
        });
        let failed = |source| ProviderError::new(Fault::Failed, "the local model failed").with_source(source);
        let encoded = receiver.await.map_err(|gone| failed(gone.into()))?;
        let encoded = encoded.transpose().map_err(failed)?.unwrap_or_default();
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

fn encode(model: &LocalModel, request: &EmbedRequest) -> Result<EncodedTexts, EncodeError> {
    model.encoder()?.encode(&request.texts, request.purpose)
}

#[async_trait]
impl ModelList for LocalModels {
    async fn list(&self) -> Result<Vec<ListedModel>, ProviderError> {
        Ok(self.to_listed_models())
    }
}
