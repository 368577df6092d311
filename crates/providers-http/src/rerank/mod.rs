//! Reranking in the interfaces of Jina, Cohere, Voyage and Text Embeddings Inference (TEI). Own servers such as
//! vLLM and llama.cpp have Jina's.

mod client;
mod form;
mod scores;

pub use client::Reranker;
pub use form::RerankForm;
