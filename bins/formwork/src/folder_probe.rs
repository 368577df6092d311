//! Whether a folder can be written to, and the free space of its disk.

use std::path::{Path, PathBuf};

/// The folder, or its nearest existing ancestor.
fn nearest(folder: &Path) -> PathBuf {
    let there = folder.ancestors().find(|folder| folder.exists() && !folder.as_os_str().is_empty());
    there.map_or_else(|| PathBuf::from("."), Path::to_path_buf)
}

/// Creates and removes a file in a folder, or in its nearest existing ancestor. Not for concurrent calls with one
/// folder.
pub(crate) fn write_probe(folder: &Path) -> std::io::Result<()> {
    let probe = nearest(folder).join(format!(".formwork-probe-{}", std::process::id()));
    let written = std::fs::write(&probe, b"formwork");
    // On a full disk the file exists though it could not be filled.
    let removed = std::fs::remove_file(probe);
    written.and(removed)
}

/// Free bytes on the file system of a folder, for this user.
pub(crate) fn free_space(folder: &Path) -> std::io::Result<u64> {
    let found = rustix::fs::statvfs(nearest(folder))?;
    Ok(found.f_bavail.saturating_mul(found.f_frsize))
}
