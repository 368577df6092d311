#![doc = include_str!("../README.md")]

mod agents;
mod chat;
mod client;
mod document;
mod error;
mod events;
mod extraction;
mod files;
mod fit;
mod forms;
mod generation;
mod knowledge;
mod pages;
mod prompt;
mod records;
mod request;
mod results;
mod retry;
mod reviews;
mod runs;
mod templates;
mod transport;
mod violation;

pub use agents::Agents;
pub use chat::Conversation;
pub use client::{ByteStream, Client, ClientBuilder};
pub use document::Document;
pub use error::{ApiError, Error, Result};
pub use events::{Event, EventStream};
pub use extraction::{Conflict, ConflictValue, Evidence, Extraction, Extractor, Warning};
pub use files::Files;
pub use forms::{ConvertedSchema, Forms};
pub use knowledge::Knowledge;
pub use pages::Items;
pub use prompt::Prompt;
pub use records::{
    Agent, ChatAnswer, Form, Generation, GroupError, KnowledgeBase, KnowledgeFile, Passage, RunRecord,
    RunState, StoredFile, Template,
};
pub use request::{Request, segment};
pub use reqwest::Method;
pub use results::GroupOutcome;
pub use reviews::{Review, Reviews};
pub use runs::Run;
pub use templates::Templates;
pub use violation::Violation;
