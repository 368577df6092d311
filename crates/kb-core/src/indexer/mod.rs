//! Keeps the indexes up to date with the store.

mod applied;

pub use applied::Applied;
