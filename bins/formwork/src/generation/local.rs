//! The embedding model that runs in the server, in builds that support it and when the settings name one.

use gen_core::Backend;

/// Adds the model in `folder` to the backend; an empty folder adds none.
///
/// # Errors
/// One sentence for the operator.
#[cfg(feature = "local-embeddings")]
pub(super) fn add(own: Backend, folder: &str, threads: usize) -> anyhow::Result<Backend> {
    use anyhow::Context as _;

    if folder.is_empty() {
        return Ok(own);
    }
    let model = local_embeddings::LocalEmbeddings::open(std::path::Path::new(folder), threads)
        .context("the setting models.local_embeddings is not valid")?;
    let listed = model.listed();
    Ok(Backend { embed: Some(std::sync::Arc::new(model)), models: vec![listed], ..own })
}

/// This build supports no local embedding model.
///
/// # Errors
/// One sentence for the operator, when the settings name one.
#[cfg(not(feature = "local-embeddings"))]
pub(super) fn add(own: Backend, folder: &str, _: usize) -> anyhow::Result<Backend> {
    anyhow::ensure!(
        folder.is_empty(),
        "the setting models.local_embeddings needs a server that is built with --features local-embeddings"
    );
    Ok(own)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_a_folder_nothing_is_added_and_a_wrong_one_is_refused_with_the_setting() {
        assert!(add(Backend::default(), "", 1).unwrap().embed.is_none());
        let refused = add(Backend::default(), "/nowhere/at-all", 1).unwrap_err();
        assert!(refused.to_string().contains("models.local_embeddings"), "{refused}");
    }
}
