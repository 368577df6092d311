#![doc = include_str!("../README.md")]

mod forbidden_listener;
mod postgres;
pub mod tesseract;
pub mod upstream;
pub mod vendor;

pub use forbidden_listener::ForbiddenListener;
pub use postgres::PostgresServer;
