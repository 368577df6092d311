//! AG-UI: the conversation with an agent as events for chat kits. The form is the state that they share.

mod events;
mod examples;
mod input;
mod run;

use actix_web::http::Method;

use super::openapi::events as event_schema;
use super::operation::Registry;
use super::sse;
use input::RunInput;
use serde_json::json;

/// Registers the operation of this folder.
pub(super) fn register(registry: &mut Registry) {
    registry
        .operation(
            Method::POST,
            "/v1/agent/{namespace}/ag-ui",
            "run_ag_ui",
            "Sends the last message of an AG-UI thread to an agent and answers its events (AG-UI 1.0). The thread's \
             session is continued, or started. Without a message, the stored messages and the form are answered.",
        )
        .body::<RunInput>()
        .example(examples::input)
        .raw_answer(sse::STREAM, event_schema(&["message"]))
        .example(|| json!(examples::EVENTS))
        .fails(&[404, 409, 413, 422, 502, 504])
        .to(run::run_ag_ui);
}
