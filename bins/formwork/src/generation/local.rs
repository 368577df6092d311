//! The embedding models that run in the server.

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::Context as _;
use gen_core::Backend;
use local_embeddings::{LocalModels, check_folder, list_model_folders};

use crate::settings::Settings;

/// The folders of the models that were added, and the one that `models.local_embeddings` names. A folder of the former
/// that cannot be used is left out with a warning.
///
/// # Errors
/// One sentence for the operator.
pub(crate) fn folders(settings: &Settings) -> anyhow::Result<Vec<PathBuf>> {
    let mut folders = list_model_folders(&settings.models_folder())?;
    folders.retain(|folder| {
        let checked = check_folder(folder);
        if let Err(error) = &checked {
            tracing::warn!("a local model cannot be used: {error}");
        }
        checked.is_ok()
    });
    let own = &settings.models.local_embeddings;
    if !own.is_empty() {
        let folder = PathBuf::from(own);
        check_folder(&folder).context("the setting models.local_embeddings is not valid")?;
        folders.push(folder);
    }
    Ok(folders)
}

/// Adds the models in these folders to the backend.
///
/// # Errors
/// One sentence for the operator.
pub(super) fn add(own: Backend, folders: &[PathBuf], threads: usize) -> anyhow::Result<Backend> {
    if folders.is_empty() {
        return Ok(own);
    }
    let models = LocalModels::open(folders, threads).context("the local models cannot be used")?;
    let listed = models.to_listed_models();
    Ok(Backend { embed: Some(Arc::new(models)), models: listed, ..own })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::ModelSettings;

    #[test]
    fn a_setting_that_names_no_model_is_refused_and_a_damaged_model_is_left_out() {
        let data = tempfile::tempdir().unwrap();
        let mut settings = Settings { data_dir: data.path().to_owned(), ..Settings::default() };
        assert!(folders(&settings).unwrap().is_empty());
        std::fs::create_dir_all(data.path().join("models/broken")).unwrap();
        std::fs::write(data.path().join("models/broken/config.json"), "{").unwrap();
        assert!(folders(&settings).unwrap().is_empty());
        settings.models = ModelSettings { local_embeddings: "/nowhere/at-all".to_owned(), ..settings.models };
        let refused = folders(&settings).unwrap_err().to_string();
        assert!(refused.contains("models.local_embeddings"), "{refused}");
    }
}
