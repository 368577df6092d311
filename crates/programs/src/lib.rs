#![doc = include_str!("../README.md")]

mod bounds;
mod find;
mod group;
mod orphans;
mod output;
mod process;

pub use bounds::{Bounds, Memory};
pub use find::{find_program, is_executable};
pub use group::ProcessGroup;
pub use orphans::{create_temp_folder, sweep};
pub use output::{KeptPart, read_error_output, with_sources};
pub use process::{Pipes, RunningProcess};
