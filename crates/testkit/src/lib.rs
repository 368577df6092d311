#![doc = include_str!("../README.md")]

mod postgres;
pub mod upstream;

pub use postgres::PostgresServer;
