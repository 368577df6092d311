#![doc = include_str!("../README.md")]

mod postgres;
pub mod tesseract;
pub mod upstream;
pub mod vendor;

pub use postgres::PostgresServer;
