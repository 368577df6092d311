#![doc = include_str!("../README.md")]

mod postgres;
pub mod tesseract;
mod trap;
pub mod upstream;
pub mod vendor;

pub use postgres::PostgresServer;
pub use trap::Trap;
