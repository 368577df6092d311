#![doc = include_str!("../README.md")]

pub mod builtin;
mod error;
mod models;
mod ports;
mod service;

pub use builtin::Extractive;
pub use error::GenError;
pub use models::{EXTRACTIVE, Model, ModelId, ModelIdError, ModelKind, Provider};
pub use ports::*;
pub use service::{GenService, GenServiceBuilder};
