//! Models, their ports and routing, and the built-in extractive model.

mod ports;

pub use ports::{
    ChatAnswer, ChatModel, ChatRequest, Citation, Finish, Message, Part, ProviderError, ResponseSchema, Role,
    Usage,
};
