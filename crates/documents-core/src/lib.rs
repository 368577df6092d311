#![doc = include_str!("../README.md")]
#![cfg_attr(
    not(all(
        feature = "pdf",
        feature = "office",
        feature = "sheets",
        feature = "legacy",
        feature = "mail",
        feature = "web",
        feature = "render"
    )),
    allow(dead_code, reason = "formats that are left out do not use what all share")
)]

mod archive;
mod builder;
mod cell_coverage;
mod cms;
mod container;
mod direct_parser;
#[cfg(feature = "render")]
mod direct_renderer;
#[cfg(feature = "legacy")]
mod doc;
mod e_invoice;
mod encoding;
#[cfg(feature = "web")]
mod html;
mod json;
mod kind;
mod limits;
#[cfg(feature = "mail")]
mod mail;
mod nested;
mod new_cell;
#[cfg(feature = "office")]
mod office;
mod ole;
mod ole_properties;
mod outline;
mod package;
mod parse;
#[cfg(feature = "pdf")]
mod pdf;
mod plain;
#[cfg(feature = "legacy")]
mod ppt;
mod readers;
#[cfg(feature = "render")]
pub mod render;
mod same_invoice;
#[cfg(feature = "sheets")]
mod sheets;
mod sniff;
mod table_text;
#[cfg(feature = "render")]
mod thumbnail;
mod xml;
mod xml_text;

pub use direct_parser::DirectParser;
pub use encoding::charset;
pub use limits::Limits;
pub use parse::{parse, parse_recognised, raw_text};
#[cfg(feature = "render")]
pub use render::Raster;
pub use sniff::sniff;
#[cfg(feature = "render")]
pub use thumbnail::{card, thumbnail};

/// Version of the parsers' output. It grows with every change that alters a document's text, so that cached
/// documents of older versions are parsed again.
pub const PARSER_VERSION: u32 = 9;

/// Version of the renderer's output. It grows with every change that alters thumbnails, so that they are
/// rendered again.
pub const RENDERER_VERSION: u32 = 2;
