#![doc = include_str!("../README.md")]

mod anthropic;
mod call_ids;
mod chat_stream;
mod fetch;
mod google;
mod json_lines;
mod lenient;
mod model_listing;
mod oidc;
mod openai;
mod prompt;
mod rerank;
mod schema;
mod search;
mod tls;
mod transport;

pub use anthropic::{Anthropic, AnthropicSettings};
pub use fetch::{
    FetchSettings, FetcherError, GuardedFetcher, GuardedProxy, GuardedSender, GuardedToolServers,
    ProxySettings, Resolver, SystemResolver,
};
pub use google::{Google, GoogleSettings, GoogleStructured};
pub use oidc::{OidcProvider, OidcProviderSettings};
pub use openai::{MISTRAL_BASE_URL, MediaSettings, MistralBatches, OPENAI_BASE_URL, OpenAiCompatible};
pub use rerank::{RerankForm, Reranker};
pub use search::{BING_NEWS, Brave, FeedNews, FeedTemplate, FeedTemplateError, GOOGLE_NEWS, Searxng, Tavily};
pub use tls::{TlsError, client_builder};
pub use transport::{
    Auth, CONNECT_TIMEOUT, Endpoint, EndpointError, IDLE_CONNECTIONS, Limits, TraceContext, Transport,
    TransportError,
};
