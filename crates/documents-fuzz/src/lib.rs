#![doc = include_str!("../README.md")]

mod container;
mod examine;
mod findings;
mod fuzz_loop;
mod invariants;
mod minimise;
mod mutate;
mod page_invariants;
mod random;
mod seeded_faults;
mod seeds;
mod targets;
mod worker;

pub use examine::check_file;
pub use findings::Finding;
pub use fuzz_loop::{Bounds, FuzzSettings, Summary};
pub use seeded_faults::SeededFault;
pub use targets::{TARGETS, Target};
pub use worker::serve;
