#![doc = include_str!("../README.md")]

mod failure;
mod staging;
mod store;
mod writer;

pub use store::{ObjectBlobs, OpenError};
