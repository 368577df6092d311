#![doc = include_str!("../README.md")]

mod postgres;
pub mod upstream;
pub mod vendor;

pub use postgres::PostgresServer;
