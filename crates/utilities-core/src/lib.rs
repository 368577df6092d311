#![doc = include_str!("../README.md")]

mod error;
mod inputs;
mod read;
mod service;
mod uploads;

pub use error::{ItemError, UtilitiesError};
pub use inputs::{Inputs, MAX_INPUTS, MAX_REFERENCE};
pub use read::{Parsed, ReadInput};
pub use service::{AT_ONCE, UtilitiesService};
