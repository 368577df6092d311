//! Opens the store of files' contents that the settings name.

use blobs::ObjectBlobs;

use crate::settings::Settings;

/// Opens the store, and checks the access to a bucket.
///
/// # Errors
/// One sentence for the operator.
pub(crate) async fn open_blobs(settings: &Settings) -> anyhow::Result<ObjectBlobs> {
    let blobs = ObjectBlobs::open(&settings.blob_location()?, &(&settings.s3).into())?;
    blobs.check_access().await?;
    Ok(blobs)
}
