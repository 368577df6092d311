#![doc = include_str!("../README.md")]

mod fallback;
mod figures;
mod frame;
mod pool;
mod process;
mod settings;
pub mod worker;

pub use figures::{CallObserver, CallReport, PoolFigures};
pub use pool::ParserPool;
pub use settings::PoolSettings;
