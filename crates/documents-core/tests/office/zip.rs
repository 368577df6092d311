//! ZIP files.

/// A ZIP file of stored files.
pub(crate) fn zip(files: &[(&str, &str)]) -> Vec<u8> {
    let files: Vec<(&str, &[u8])> = files.iter().map(|(name, content)| (*name, content.as_bytes())).collect();
    document_samples::archive(&files, false)
}

/// A ZIP file of deflated files.
pub(crate) fn deflated(files: &[(&str, &[u8])]) -> Vec<u8> {
    document_samples::archive(files, true)
}
