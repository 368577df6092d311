#![doc = include_str!("../README.md")]

mod arguments;
mod process;
mod program;
mod watch;

pub use program::{Chromium, ChromiumSettings, FindError};
