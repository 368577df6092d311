#![doc = include_str!("../README.md")]

mod lenient;
mod prompt;
mod tls;
mod transport;

pub use tls::{TlsError, client_builder};
pub use transport::{Auth, CONNECT_TIMEOUT, Endpoint, EndpointError, Limits, Transport, TransportError};
