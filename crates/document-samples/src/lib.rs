#![doc = include_str!("../README.md")]
#![allow(
    clippy::unwrap_used,
    clippy::missing_panics_doc,
    reason = "a sample that cannot be made is a defect"
)]

mod compound;
pub mod doc;
pub mod invoices;
pub mod msg;
pub mod pdf;
pub mod ppt;
pub mod xls;
pub mod xlsb;
mod zip;

pub use compound::compound;
pub use zip::archive;

/// The text in UTF-16, little-endian.
#[must_use]
pub fn utf16(text: &str) -> Vec<u8> {
    text.encode_utf16().flat_map(u16::to_le_bytes).collect()
}

/// Numbers of four bytes, little-endian.
#[must_use]
pub fn numbers(values: &[u32]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_le_bytes()).collect()
}
