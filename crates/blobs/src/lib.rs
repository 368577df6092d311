#![doc = include_str!("../README.md")]

mod backend;
mod failure;
mod location;
mod s3;
mod staging;
mod store;
mod writer;

pub use location::{BlobLocation, LocationError};
pub use s3::{RequestLimits, S3Access};
pub use store::{ObjectBlobs, OpenError};
