#![doc = include_str!("../README.md")]

mod archive;
mod builder;
mod cell_coverage;
mod container;
mod direct_parser;
mod doc;
mod encoding;
mod html;
mod json;
mod limits;
mod mail;
mod nested;
mod office;
mod ole;
mod ole_properties;
mod outline;
mod parse;
mod pdf;
mod plain;
mod ppt;
pub mod render;
mod sheets;
mod sniff;
mod table_text;
mod thumbnail;
mod xml;
mod xml_text;

pub use direct_parser::DirectParser;
pub use encoding::charset;
pub use limits::Limits;
pub use parse::{parse, parse_recognised, raw_text};
pub use render::Raster;
pub use sniff::sniff;
pub use thumbnail::{card, thumbnail};

/// Version of the parsers' output. It grows with every change that alters a document's text, so that cached
/// documents of older versions are parsed again.
pub const PARSER_VERSION: u32 = 6;

/// Version of the renderer's output. It grows with every change that alters thumbnails, so that they are
/// rendered again.
pub const RENDERER_VERSION: u32 = 2;
