//! A vendor that counts its calls: its answers take long, fail, or are useless.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use delta_core::{GroupId, RunId};
use gen_core::{ChatAnswer, ChatModel, ChatRequest, Fault, Part, ProviderError, Usage};
use serde_json::json;

use super::group_ledger::GroupLedger;
use crate::world::{ProcessId, World};

/// Tokens of each call.
pub(super) const TOKENS: u64 = 10;

/// The vendor as one process sees it.
#[derive(Debug)]
pub(super) struct SimulatedVendor {
    pub(super) world: World,
    pub(super) process: ProcessId,
    pub(super) groups: Arc<GroupLedger>,
}

/// The text of the document of a group.
pub(super) fn document_text(run: i64, index: u32) -> String {
    format!("document {run} {index}")
}

/// The group of a document's text.
fn group_of(text: &str) -> Option<GroupId> {
    let (run, index) = text.trim().strip_prefix("document ")?.split_once(' ')?;
    Some(GroupId { sid: RunId(run.parse().ok()?), index: index.parse().ok()? })
}

#[async_trait]
impl ChatModel for SimulatedVendor {
    async fn chat(&self, request: ChatRequest) -> Result<ChatAnswer, ProviderError> {
        let mut parts = request.messages.iter().flat_map(|message| &message.parts);
        let text = parts.find_map(|part| match part {
            Part::Document { text, .. } => Some(text.clone()),
            _ => None,
        });
        let group = text.as_deref().and_then(group_of);
        if let Some(group) = group {
            self.world.log(|| format!("{} pays for {}/{}", self.process.0, group.sid.0, group.index));
            self.groups.call(self.process, group);
        }
        let random = self.world.random();
        self.world.sleep(random.millis(10, if random.happens(100) { 50_000 } else { 5_000 })).await;
        let usage = Usage { input_tokens: TOKENS, ..Usage::default() };
        if !self.world.is_calm() && random.happens(100) {
            let retry_after = random.happens(500).then_some(Duration::from_secs(3));
            return Err(ProviderError {
                usage,
                retry_after,
                ..ProviderError::new(Fault::Overloaded, "a simulated failure")
            });
        }
        if !self.world.is_calm() && random.happens(50) {
            return Ok(ChatAnswer { text: "no record".into(), usage, ..ChatAnswer::default() });
        }
        Ok(ChatAnswer { text: json!({ "a": text }).to_string(), usage, ..ChatAnswer::default() })
    }
}
