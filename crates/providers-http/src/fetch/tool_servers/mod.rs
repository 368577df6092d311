//! Calls the tools of servers of the Model Context Protocol (Streamable HTTP), only at addresses that the fetcher may
//! reach.

mod failure;
mod response;
mod session;
mod wire;

use std::sync::Arc;
use std::time::Duration;

use agents_core::{ToolServer, ToolServerError, ToolServers};
use async_trait::async_trait;
use gen_core::Tool;
use serde_json::{Map, Value, json};
use sha2::{Digest as _, Sha256};
use shared_core::{Capacity, TtlCache};
use tokio::time::timeout;
use utilities_core::web::FetchError;

use self::failure::ToolFailure;
use self::session::Session;
use super::fetcher::GuardedFetcher;
use super::state::FetcherState;

// Chosen by hand; no measurement is recorded.
/// Time limit of a list, which a user waits for before the model is asked.
const LIST_TIME: Duration = Duration::from_secs(15);
/// Time limit of a call.
const CALL_TIME: Duration = Duration::from_secs(60);
/// Most pages of a list.
const MAX_PAGES: usize = 10;
/// Seconds that a list is used again.
const LIST_SECONDS: u32 = 300;
/// Lists that are kept.
const LISTS: Capacity = Capacity { entries: 256, bytes: 16 << 20 };

/// URL of a server, and hash of its authorisation.
type ListKey = (String, Vec<u8>);

/// Calls tools with the clients and the policy of a fetcher. Redirects are not followed.
#[derive(Clone, Debug)]
pub struct GuardedToolServers {
    state: Arc<FetcherState>,
    lists: Arc<TtlCache<ListKey, Arc<Vec<Tool>>>>,
}

impl GuardedFetcher {
    /// The reach to tool servers with the policy of this fetcher.
    #[must_use]
    pub fn tool_servers(&self) -> GuardedToolServers {
        let clock = Arc::clone(&self.0.clock);
        GuardedToolServers { state: Arc::clone(&self.0), lists: Arc::new(TtlCache::new(clock, LISTS)) }
    }
}

#[async_trait]
impl ToolServers for GuardedToolServers {
    fn check(&self, url: &str) -> Result<(), String> {
        match self.state.policy.target(url) {
            Ok(_) => Ok(()),
            Err(FetchError::InvalidUrl(rule) | FetchError::Denied(rule)) => Err(rule.to_owned()),
            Err(error) => Err(error.to_string()),
        }
    }

    async fn list(&self, server: &ToolServer) -> Result<Vec<Tool>, ToolServerError> {
        let secret = server.authorization.as_ref().map(|value| Sha256::digest(value.expose()).to_vec());
        let key = (server.url.clone(), secret.unwrap_or_default());
        if let Some(listed) = self.lists.get(&key) {
            return Ok(listed.as_ref().clone());
        }
        let tools = within(LIST_TIME, list(&self.state, server)).await?;
        let bytes = tools.iter().map(|tool| tool.parameters.to_string().len() + 512).sum();
        self.lists.insert(key, Arc::new(tools.clone()), bytes, LIST_SECONDS);
        Ok(tools)
    }

    async fn call(
        &self,
        server: &ToolServer,
        tool: &str,
        arguments: Map<String, Value>,
    ) -> Result<String, ToolServerError> {
        let call = async {
            let session = Session::open(&self.state, server).await?;
            let called = session.request("tools/call", json!({"name": tool, "arguments": arguments})).await;
            session.close().await;
            wire::result_text(called?)
        };
        Ok(within(CALL_TIME, call).await?)
    }
}

async fn within<T>(
    time: Duration,
    work: impl Future<Output = Result<T, ToolFailure>>,
) -> Result<T, ToolFailure> {
    timeout(time, work).await.unwrap_or(Err(ToolFailure::Fetch(FetchError::Timeout)))
}

async fn list(state: &FetcherState, server: &ToolServer) -> Result<Vec<Tool>, ToolFailure> {
    let session = Session::open(state, server).await?;
    let (mut tools, mut params) = (Vec::new(), json!({}));
    for _ in 0..MAX_PAGES {
        let mut page = session.request("tools/list", params).await?;
        tools.extend(wire::tools(&mut page));
        match page["nextCursor"].as_str() {
            Some(cursor) => params = json!({"cursor": cursor}),
            None => break,
        }
    }
    session.close().await;
    Ok(tools)
}
