//! Documents that a request carries itself. They are read, and nothing of them stays.

use bytes::Bytes;
use document::ReadDocument;
use files_core::StagedFile;
use futures_util::StreamExt as _;
use shared_core::Scope;
use utilities_core::{Inputs, MAX_INPUTS, ReadInput};

use super::ApiError;
use super::utilities::inputs::{CallDocuments, uploaded};
use crate::app::AppState;

/// Reads documents by their names and contents, in order. `place`: the JSON pointer of a document in the request.
///
/// # Errors
/// When there are too many, or a document is too large or cannot be read.
pub(super) async fn read_inline(
    state: &AppState,
    scope: &Scope,
    documents: Vec<(String, Bytes)>,
    place: impl Fn(usize) -> String,
) -> Result<Vec<(String, ReadDocument)>, ApiError> {
    if documents.len() > MAX_INPUTS {
        let rule = format!("a request may carry at most {MAX_INPUTS} documents");
        return Err(ApiError::invalid(place(MAX_INPUTS), rule));
    }
    let staged = stage(state, documents).await?;
    // Their bytes are removed when they have been read.
    let CallDocuments { inputs, uploads } = uploaded(state, staged);
    let read = read_inputs(state, scope, inputs, place).await;
    drop(uploads);
    read
}

/// Stores the contents of documents without records.
///
/// # Errors
/// When one is too large or cannot be stored. Nothing is left behind then.
pub(super) async fn stage(
    state: &AppState,
    documents: Vec<(String, Bytes)>,
) -> Result<Vec<StagedFile>, ApiError> {
    let mut staged = Vec::with_capacity(documents.len());
    for (name, content) in documents {
        match state.files.store_blob(name, content).await {
            Ok(file) => staged.push(file),
            Err(error) => {
                state.files.discard(staged).await;
                return Err(error.into());
            }
        }
    }
    Ok(staged)
}

/// Reads documents of any kind, with their references.
///
/// # Errors
/// When a document cannot be read.
async fn read_inputs(
    state: &AppState,
    scope: &Scope,
    inputs: Inputs,
    place: impl Fn(usize) -> String,
) -> Result<Vec<(String, ReadDocument)>, ApiError> {
    let mut read = Vec::new();
    let mut results = state.utilities.each(scope, inputs, |input: ReadInput| input);
    while let Some(ReadInput { url, read: result }) = results.next().await {
        let found = result.map_err(|error| {
            ApiError::invalid(place(read.len()), format!("{url}: {} ({})", error.message, error.code))
        })?;
        read.push((url, found));
    }
    Ok(read)
}
