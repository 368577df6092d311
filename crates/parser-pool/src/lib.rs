#![doc = include_str!("../README.md")]

mod fallback;
mod frame;
mod pool;
mod process;
pub mod worker;

pub use pool::{ParserPool, PoolSettings};
