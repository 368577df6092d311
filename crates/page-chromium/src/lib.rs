#![doc = include_str!("../README.md")]

mod arguments;
mod picture;
mod process;
mod program;
mod settings;

pub use program::{Chromium, FindError};
pub use settings::ChromiumSettings;
