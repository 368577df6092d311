//! File records, capability URLs and the blob port.

mod model;
mod ports;

pub use model::{BlobKey, File, FileId, NewFile};
pub use ports::{BlobError, BlobStore, BlobWriter, Deleted, FileRepository};
