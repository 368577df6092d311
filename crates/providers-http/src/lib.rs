#![doc = include_str!("../README.md")]

mod tls;

pub use tls::{TlsError, client_builder};
