//! The folder of a model, in the format of sentence-transformers.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::LocalModelError;

/// The part of `config.json` that the encoder needs.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Config {
    pub(crate) hidden_size: usize,
    pub(crate) num_hidden_layers: usize,
    pub(crate) num_attention_heads: usize,
    pub(crate) max_position_embeddings: usize,
    pub(crate) layer_norm_eps: f32,
    #[serde(default)]
    hidden_act: String,
    #[serde(default)]
    model_type: String,
}

#[derive(Debug, Deserialize)]
struct SentenceBertConfig {
    max_seq_length: Option<usize>,
}

#[derive(Debug, Deserialize)]
struct Pooling {
    #[serde(default)]
    pooling_mode_mean_tokens: bool,
}

/// The part of `config_sentence_transformers.json` that the encoder needs.
#[derive(Debug, Deserialize)]
struct SentenceTransformersConfig {
    #[serde(default)]
    prompts: Option<HashMap<String, String>>,
}

/// What the model expects before a text, by the purpose of its vector.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Prompts {
    pub(crate) query: String,
    pub(crate) document: String,
}

/// Whether a folder of this name can hold a model.
pub(crate) fn is_model_name(name: &str) -> bool {
    let allowed = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-' || b == b'.';
    let valid = !name.is_empty() && name.len() <= 64 && name.bytes().all(allowed) && !name.starts_with('.');
    valid && name != gen_core::EXTRACTIVE
}

/// The folder with a model's files.
#[derive(Debug)]
pub(crate) struct ModelFolder(PathBuf);

impl ModelFolder {
    pub(crate) fn new(path: &Path) -> Self {
        Self(path.to_owned())
    }

    /// The model's name: the name of the folder.
    pub(crate) fn name(&self) -> Result<String, LocalModelError> {
        // A path such as `.` has a name only after it is resolved.
        let full = self.0.canonicalize();
        let full = full.map_err(|source| LocalModelError::Unreadable { path: self.0.clone(), source })?;
        let name = full.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        match is_model_name(name) {
            true => Ok(name.to_owned()),
            false => Err(LocalModelError::Name(full)),
        }
    }

    pub(crate) fn config(&self) -> Result<Config, LocalModelError> {
        let config: Config = self.read_json("config.json")?;
        let unsupported = |what: &str| Err(LocalModelError::Unsupported(what.to_owned()));
        if config.model_type != "bert" || config.hidden_act != "gelu" {
            return unsupported("only BERT models (model_type 'bert', hidden_act 'gelu') are supported");
        }
        let heads = config.num_attention_heads;
        if heads == 0 || config.hidden_size == 0 || !config.hidden_size.is_multiple_of(heads) {
            return unsupported("its hidden size is not a multiple of its attention heads");
        }
        let pooling: Option<Pooling> = self.read_optional_json("1_Pooling/config.json")?;
        if pooling.is_some_and(|pooling| !pooling.pooling_mode_mean_tokens) {
            return unsupported("only mean pooling (pooling_mode_mean_tokens) is supported");
        }
        Ok(config)
    }

    /// Maximum tokens of a text: `max_seq_length` where it is set, at most the number of position embeddings.
    pub(crate) fn max_tokens(&self, config: &Config) -> Result<usize, LocalModelError> {
        let reading: Option<SentenceBertConfig> = self.read_optional_json("sentence_bert_config.json")?;
        let own = reading.and_then(|reading| reading.max_seq_length).unwrap_or(usize::MAX);
        Ok(own.min(config.max_position_embeddings).max(2))
    }

    /// The prompts that sentence-transformers uses for `encode_query` and `encode_document`; mostly empty.
    pub(crate) fn prompts(&self) -> Result<Prompts, LocalModelError> {
        let config: Option<SentenceTransformersConfig> =
            self.read_optional_json("config_sentence_transformers.json")?;
        let mut prompts = config.and_then(|config| config.prompts).unwrap_or_default();
        let query = prompts.remove("query").unwrap_or_default();
        let document = ["document", "passage", "corpus"].into_iter().find_map(|name| prompts.remove(name));
        Ok(Prompts { query, document: document.unwrap_or_default() })
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    pub(crate) fn read(&self, name: &str) -> Result<Vec<u8>, LocalModelError> {
        let path = self.path(name);
        fs::read(&path).map_err(|source| LocalModelError::Unreadable { path, source })
    }

    fn read_json<T: DeserializeOwned>(&self, name: &str) -> Result<T, LocalModelError> {
        let bytes = self.read(name)?;
        serde_json::from_slice(&bytes)
            .map_err(|source| LocalModelError::Invalid { path: self.path(name), source: source.into() })
    }

    fn read_optional_json<T: DeserializeOwned>(&self, name: &str) -> Result<Option<T>, LocalModelError> {
        match self.read_json(name) {
            Err(LocalModelError::Unreadable { source, .. })
                if source.kind() == std::io::ErrorKind::NotFound =>
            {
                Ok(None)
            }
            other => other.map(Some),
        }
    }
}
