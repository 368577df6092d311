//! People who answer in place of an agent.

use agents_core::chat::Takeover;
use schemars::JsonSchema;
use serde::Serialize;

/// The person who answers in place of the agent.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "TakeoverPerson")]
pub(in crate::http) struct PersonRecord {
    #[serde(rename = "userName")]
    user_name: String,
    #[serde(rename = "userEmail")]
    user_email: String,
    /// Time of the takeover: `YYYY-MM-DD hh:mm:ss`, UTC.
    since: String,
}

impl From<Takeover> for PersonRecord {
    fn from(held: Takeover) -> Self {
        Self { user_name: held.by.name, user_email: held.by.email, since: held.since.record_text() }
    }
}
