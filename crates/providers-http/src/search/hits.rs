//! Parts shared by the answers of all providers.

use std::collections::HashSet;

use serde::de::{Deserialize, DeserializeOwned, Deserializer};
use serde_json::Value;
use utilities_core::search::RawHit;

use crate::lenient::{Scalar, first};

/// Maximum number of hits of an answer. Bounds the memory; twice what a call can ask for.
const MOST: usize = 200;

/// A list whose entries are parsed one by one; invalid entries are skipped.
pub(super) fn valid_entries<'de, T, D>(deserializer: D) -> Result<Vec<T>, D::Error>
where
    T: DeserializeOwned,
    D: Deserializer<'de>,
{
    let entries: Vec<MaybeValid<T>> = first::<MOST, _, _>(deserializer)?;
    Ok(entries.into_iter().filter_map(|entry| entry.0).collect())
}

struct MaybeValid<T>(Option<T>);

impl<'de, T: DeserializeOwned> Deserialize<'de> for MaybeValid<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Self(serde_json::from_value(Value::deserialize(deserializer)?).ok()))
    }
}

impl Scalar {
    /// The text; `None` if nothing in it is visible.
    pub(super) fn words(self) -> Option<String> {
        self.text().filter(|text| !text.trim().is_empty())
    }

    pub(super) fn flag(self) -> Option<bool> {
        match self {
            Self::Flag(flag) => Some(flag),
            Self::None | Self::Number(_) | Self::Text(_) => None,
        }
    }
}

/// The hits of consecutive pages.
#[derive(Debug, Default)]
pub(super) struct Pages {
    pub(super) hits: Vec<RawHit>,
    seen: HashSet<String>,
}

impl Pages {
    /// Adds a page; false if it has no new hits.
    pub(super) fn add(&mut self, page: Vec<RawHit>) -> bool {
        let before = self.hits.len();
        for hit in page {
            if self.seen.insert(hit.url.clone()) {
                self.hits.push(hit);
            }
        }
        self.hits.len() > before
    }
}

/// Implements both ports for a vendor with one API for web and news; the first argument of `find` selects.
macro_rules! searches_both {
    ($vendor:ty, $name:literal, web: $web:expr, news: $news:expr) => {
        #[async_trait::async_trait]
        impl utilities_core::search::SearchProvider for $vendor {
            fn name(&self) -> &'static str {
                $name
            }

            async fn search(
                &self,
                _: &shared_core::Scope,
                query: &utilities_core::search::Query,
            ) -> Result<utilities_core::search::ProviderHits, gen_core::ProviderError> {
                self.find($web, query).await
            }
        }

        #[async_trait::async_trait]
        impl utilities_core::search::NewsProvider for $vendor {
            fn name(&self) -> &'static str {
                $name
            }

            async fn news(
                &self,
                _: &shared_core::Scope,
                query: &utilities_core::search::Query,
            ) -> Result<utilities_core::search::ProviderHits, gen_core::ProviderError> {
                self.find($news, query).await
            }
        }
    };
}
pub(super) use searches_both;
