#![doc = include_str!("../README.md")]

#[cfg(feature = "web")]
mod computed;
#[cfg(feature = "contract")]
#[allow(clippy::expect_used, clippy::missing_panics_doc, reason = "a conformance suite asserts")]
pub mod contract;
mod error;
mod inputs;
mod read_input;
#[cfg(feature = "scripted")]
pub mod scripted;
#[cfg(feature = "web")]
pub mod search;
mod service;
mod thumbnails;
mod uploads;
#[cfg(feature = "web")]
pub mod web;

pub use error::{ItemError, UtilitiesError};
pub use inputs::{Inputs, MAX_INPUTS, MAX_REFERENCE};
pub use read_input::{ParsedInput, ReadInput};
pub use service::{AT_ONCE, FOUND_AHEAD, NamedPages, UtilitiesPorts, UtilitiesService};
pub use thumbnails::{
    KEPT_SECONDS, LinkEnd, MAX_PAGE, MAX_WIDTH, MIN_WIDTH, MemoryThumbnails, NewPicture, PictureKey,
    PictureLink, PictureOptions, PictureSource, ShownPicture, ThumbnailRepository, ThumbnailResult,
    Thumbnails,
};
