//! Reranking in requests.

use std::fmt;

use gen_core::RerankOptions;
use kb_core::rules::MAX_RERANK_DEPTH;
use schemars::JsonSchema;
use serde::de::{IgnoredAny, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};

/// Reranks the best results of the first stage by a model.
#[derive(Debug, Default, JsonSchema)]
#[schemars(rename = "RerankOptions")]
pub(in crate::http) struct RerankBody {
    /// The reranking model, as `model@provider`; that of the knowledge base when absent.
    model: Option<String>,
    /// Number of the best results that are reranked, 0 for none; that of the knowledge base when absent.
    #[schemars(range(min = 0, max = MAX_RERANK_DEPTH))]
    depth: Option<i64>,
}

/// A derived deserialiser would accept an array for an object.
impl<'de> Deserialize<'de> for RerankBody {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(RerankVisitor)
    }
}

struct RerankVisitor;

impl<'de> Visitor<'de> for RerankVisitor {
    type Value = RerankBody;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a map")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<RerankBody, A::Error> {
        let mut body = RerankBody::default();
        while let Some(key) = map.next_key::<String>()? {
            match key.as_str() {
                "model" => body.model = map.next_value()?,
                "depth" => body.depth = map.next_value()?,
                _ => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        Ok(body)
    }
}

impl From<RerankBody> for RerankOptions {
    fn from(RerankBody { model, depth }: RerankBody) -> Self {
        // The service rejects out-of-range values with the rule.
        Self { model, depth: depth.map(|depth| usize::try_from(depth).unwrap_or(usize::MAX)) }
    }
}
