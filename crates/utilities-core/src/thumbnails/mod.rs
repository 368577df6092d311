//! Pictures of documents: rendered once for each content, and served under links that end with the file.

mod memory;
mod model;
mod options;
mod repository;
mod service;

pub use memory::MemoryThumbnails;
pub use model::{LinkEnd, NewPicture, PictureKey, ShownPicture};
pub use options::{MAX_PAGE, MAX_WIDTH, MIN_WIDTH, PictureOptions};
pub use repository::{PictureLink, PictureSource, ThumbnailRepository};
pub use service::{KEPT_SECONDS, ThumbnailResult, Thumbnails};
