#![doc = include_str!("../README.md")]

mod about;
mod address;
mod completed;
mod content;
mod decode;
mod elsewhere;
mod embedded;
mod html;
mod limits;
mod links;
mod markdown;
mod page;
mod parse;
mod text;

pub use limits::PageLimits;
pub use page::{LinkKind, PageKind, RelatedLink, WebPage};
pub use parse::parse_page;
