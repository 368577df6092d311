//! OpenAI's API and compatible ones: Mistral, and own servers such as llama.cpp, vLLM, Ollama and LM Studio.

mod batches;
mod client;
mod embeddings;
mod map;
mod messages;
mod mistral_batches;
mod model_page;
mod models;
mod profile;
mod stream;
mod tools;
mod vector;
mod wire;

pub use client::{MediaSettings, OpenAiCompatible};
pub use mistral_batches::MistralBatches;
pub use profile::{MISTRAL_BASE_URL, OPENAI_BASE_URL};
