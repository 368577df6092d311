#![doc = include_str!("../README.md")]

pub mod builtin;
mod error;
mod models;
mod ports;
mod service;

pub use builtin::Extractive;
pub use error::GenError;
pub use models::{EXTRACTIVE, Model, ModelId, ModelIdError, Provider};
pub use ports::{
    ChatAnswer, ChatModel, ChatRequest, Citation, Finish, Message, Part, ProviderError, ResponseSchema, Role,
    Usage,
};
pub use service::{GenService, GenServiceBuilder};
