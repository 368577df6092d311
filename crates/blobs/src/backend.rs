//! An object store, and what differs between its kinds.

use std::path::PathBuf;
use std::sync::Arc;

use files_core::BlobError;
use object_store::ObjectStore;

use crate::failure::to_blob_error;
use crate::s3;

/// Most bytes of a part of a large blob in a folder or in memory. Most files are smaller and are stored in one step.
const PART_BYTES: usize = 1 << 20;

#[derive(Clone)]
pub(crate) struct Backend {
    pub(crate) store: Arc<dyn ObjectStore>,
    pub(crate) kind: Kind,
}

/// What differs between the stores.
#[derive(Clone)]
pub(crate) enum Kind {
    Memory,
    Folder(PathBuf),
    Bucket,
}

impl Kind {
    pub(crate) fn part_bytes(&self) -> usize {
        match self {
            Self::Memory | Self::Folder(_) => PART_BYTES,
            Self::Bucket => s3::PART_BYTES,
        }
    }

    pub(crate) fn to_error(&self) -> fn(object_store::Error) -> BlobError {
        match self {
            Self::Memory | Self::Folder(_) => to_blob_error,
            Self::Bucket => s3::to_blob_error,
        }
    }
}
