//! Pages, pictures, drawings and thumbnails.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

mod colours;
mod drawings;
mod hostile;
mod pages;
mod pictures;
mod support;
mod thumbnails;
