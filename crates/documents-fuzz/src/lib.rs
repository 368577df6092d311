#![doc = include_str!("../README.md")]

mod child;
mod container;
mod examine;
mod findings;
mod hunt;
mod invariants;
mod minimise;
mod mutate;
mod pages;
mod planted;
mod random;
mod seeds;
mod targets;

pub use child::serve;
pub use examine::look;
pub use findings::Finding;
pub use hunt::{Bounds, Hunt, Summary};
pub use planted::Planted;
pub use targets::{TARGETS, Target};
