#![doc = include_str!("../README.md")]

mod batch;
mod bug;
pub mod faults;
pub mod operator;
pub mod ports;
pub mod queue;
mod random;
mod requests;
mod run;
mod scenario;
mod sessions;
mod trace;
mod usage;
mod webhooks;
mod world;

pub use bug::PlantedBug;
pub use random::Random;
pub use run::{Failure, Subject, Summary, simulate};
pub use world::{OUTSIDE, ProcessId, World};
