#![doc = include_str!("../README.md")]

mod bounds;
mod find;
mod group;
mod leftovers;
mod running;
mod words;

pub use bounds::{Bounds, Memory};
pub use find::{is_executable, search};
pub use group::Group;
pub use leftovers::{folder, sweep};
pub use running::{Pipes, Running};
pub use words::{Kept, complaint, with_sources};
