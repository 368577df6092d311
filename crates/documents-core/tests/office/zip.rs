//! ZIP files.

#[path = "../shared/zip.rs"]
mod writer;

/// A ZIP file of stored files.
pub(crate) fn zip(files: &[(&str, &str)]) -> Vec<u8> {
    let files: Vec<(&str, &[u8])> = files.iter().map(|(name, content)| (*name, content.as_bytes())).collect();
    writer::archive(&files, false)
}

/// A ZIP file of deflated files.
pub(crate) fn deflated(files: &[(&str, &[u8])]) -> Vec<u8> {
    writer::archive(files, true)
}
