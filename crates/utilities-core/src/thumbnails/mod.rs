//! Pictures of documents: drawn once for each content, shown under links that end with the file.

mod draw;
mod memory;
mod model;
mod repository;
mod wish;

pub use draw::{KEPT_SECONDS, ThumbnailMade, Thumbnails};
pub use memory::MemoryThumbnails;
pub use model::{LinkEnd, NewPicture, PictureKey, ShownPicture};
pub use repository::{Linked, PictureSource, ThumbnailRepository};
pub use wish::{MAX_PAGE, MAX_WIDTH, MIN_WIDTH, PictureWish};
