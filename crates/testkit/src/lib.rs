#![doc = include_str!("../README.md")]

mod postgres;

pub use postgres::PostgresServer;
