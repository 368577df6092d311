#![doc = include_str!("../README.md")]

mod arguments;
mod picture;
mod process;
mod program;

pub use program::{Chromium, ChromiumSettings, FindError};
