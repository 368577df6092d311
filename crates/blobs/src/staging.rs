//! Files of unfinished uploads, left when the process was killed midway. The object store writes to
//! `<name>#<number>` first and hides these files from its own lists.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use files_core::{BlobError, BlobKey};

/// Whether a key is that of an unfinished file: no id contains `#`.
pub(crate) fn is_staged(key: &BlobKey) -> bool {
    key.0.contains('#')
}

/// The unfinished files with the time of their last write, in seconds since 1970. Files that cannot be read,
/// or vanish meanwhile, are skipped.
pub(crate) fn list(folder: &Path) -> impl Iterator<Item = (BlobKey, u64)> + use<> {
    let folders = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let files = folders.flat_map(|folder| std::fs::read_dir(folder.path()).into_iter().flatten().flatten());
    files.filter_map(|file| {
        let key = BlobKey(file.file_name().into_string().ok()?);
        let modified = is_staged(&key).then(|| file.metadata().ok()?.modified().ok())??;
        let seconds = modified.duration_since(SystemTime::UNIX_EPOCH).map_or(0, |since| since.as_secs());
        Some((key, seconds))
    })
}

/// Removes an unfinished file.
pub(crate) fn delete(folder: &Path, key: &BlobKey) -> Result<(), BlobError> {
    match std::fs::remove_file(path(folder, &key.0)) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(BlobError::Failed(error.into())),
        _ => Ok(()),
    }
}

/// The staging file lies beside its target. A name that could point elsewhere has no path.
fn path(folder: &Path, name: &str) -> PathBuf {
    let name = name.replace('/', "_");
    let finished = name.split('#').next().unwrap_or_default();
    let start = finished.char_indices().rev().nth(1).map_or(0, |(index, _)| index);
    folder.join(finished.get(start..).unwrap_or_default().replace('.', "_")).join(&name)
}
