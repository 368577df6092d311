#![doc = include_str!("../README.md")]

mod arguments;
mod error_page;
mod picture;
mod process;
mod program;
mod settings;

pub use program::{BrowserLoad, Chromium, FindError};
pub use settings::ChromiumSettings;
