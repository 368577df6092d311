#![doc = include_str!("../README.md")]

pub mod batch_vendor;
mod bucket;
mod certificates;
mod embedding_model;
mod forbidden_listener;
pub mod oidc;
mod postgres;
mod proxy;
pub mod tesseract;
pub mod upstream;
pub mod vendor;

pub use bucket::{BucketServer, create_bucket, request_bucket};
pub use certificates::TestCertificates;
pub use embedding_model::write_embedding_model;
pub use forbidden_listener::ForbiddenListener;
pub use postgres::PostgresServer;
pub use proxy::TcpProxy;
