#![doc = include_str!("../README.md")]

#[cfg(feature = "contract")]
#[allow(clippy::expect_used, clippy::missing_panics_doc, reason = "a conformance suite asserts")]
pub mod contract;
mod error;
mod memory;
mod model;
#[cfg(feature = "documents")]
mod origin;
mod ports;
mod refs;
mod service;
mod signing;
mod upload;
mod urls;

pub use error::FilesError;
pub use memory::{MemoryBlobs, MemoryFiles};
pub use model::{BlobKey, File, FileId, NewFile};
#[cfg(feature = "documents")]
pub use origin::FileOrigin;
pub use ports::{BlobError, BlobStore, BlobWriter, DeletedFile, FileRepository};
pub use refs::MemoryRefs;
pub use service::{BlobStream, FilesConfig, FilesService};
pub use signing::{UrlQuery, UrlSigning};
pub use upload::{Sniff, StagedFile, Upload};
pub use urls::{FileUrls, ReferenceTarget};
