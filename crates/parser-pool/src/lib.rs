#![doc = include_str!("../README.md")]

mod fallback;
mod frame;
mod pool;
mod process;
mod settings;
pub mod worker;

pub use pool::ParserPool;
pub use settings::PoolSettings;
