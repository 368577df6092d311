#![doc = include_str!("../README.md")]

mod address;
mod content;
mod decode;
mod embedded_data;
mod limits;
mod links;
mod markdown;
mod metadata;
mod page;
mod parse;
mod redirection;
mod script_content;
mod text;

pub use limits::PageLimits;
pub use page::{LinkKind, PageKind, RelatedLink, WebPage};
pub use parse::parse_page;
