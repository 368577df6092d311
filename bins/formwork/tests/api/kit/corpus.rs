//! The open corpus, where it is at hand.

use std::path::PathBuf;

/// A folder of the corpus, or `None` after saying what is skipped.
#[expect(clippy::disallowed_methods, reason = "tests are told where the corpus is by the environment")]
pub(crate) fn corpus(below: &str) -> Option<PathBuf> {
    let Ok(root) = std::env::var("FORMWORK_CORPUS") else {
        eprintln!("FORMWORK_CORPUS is not set: {below} is SKIPPED");
        return None;
    };
    let path = PathBuf::from(root).join(below);
    assert!(path.exists(), "{} is not there", path.display());
    Some(path)
}
