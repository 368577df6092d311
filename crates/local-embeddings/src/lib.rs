#![doc = include_str!("../README.md")]

mod bert;
mod elementwise;
mod encoder;
mod error;
mod folder;
mod model;

pub use error::LocalModelError;
pub use model::LocalEmbeddings;
