//! Web and news search behind the ports of `utilities-core`: SearXNG, Brave, Tavily, and feeds.

mod brave;
mod feeds;
mod hits;
mod searxng;
mod tavily;

pub use brave::Brave;
pub use feeds::{BING_NEWS, FeedNews, FeedTemplate, FeedTemplateError, GOOGLE_NEWS};
pub use searxng::Searxng;
pub use tavily::Tavily;
