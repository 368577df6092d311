//! A run: a message is sent to the agent, and its answer is told.

use actix_web::web;
use agents_core::AgentsError;
use agents_core::chat::{AgentChatRequest, Speaker};
use bytes::Bytes;
use futures_util::stream::{self, StreamExt as _};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use shared_core::{Scope, hex};

use super::events::RunEvents;
use super::input::RunInput;
use crate::app::AppState;
use crate::http::chat::{AnswerPiece, answer, form_record, pieces};
use crate::http::generate_stream::{PULSE, streamed};
use crate::http::request::{Body, Caller, Segment};
use crate::http::{ApiError, HandlerResult};

/// Start of the ids of sessions.
const SESSION: &str = "session_";

/// Serves the operation.
pub(super) async fn run_ag_ui(
    state: web::Data<AppState>,
    caller: Caller,
    Segment(namespace): Segment,
    Body(mut input): Body<RunInput>,
) -> HandlerResult {
    let (payer, author) = (caller.payer(), &caller.0.author);
    let message = input.message()?;
    let session = session_id(&state, &payer.scope, &namespace, &input.thread_id).await?;
    let mut run = RunEvents::new(input.thread_id, input.run_id, input.state.into());
    let Some(message) = message else {
        let stored = stored(&state, &payer.scope, &namespace, &session, &mut run).await?;
        return Ok(streamed(stream::iter([run.started(), stored])));
    };
    let request = AgentChatRequest {
        session_id: Some(session),
        starts_session: true,
        ..message.into_request(&state, &payer.scope).await?
    };
    let said = state.chat.stream(&payer, author, &namespace, request).await?;
    let started = run.started();
    let told = pieces(&state, said).map(move |piece| match piece {
        AnswerPiece::Text(text) => run.text(&text),
        AnswerPiece::Silence => PULSE,
        AnswerPiece::Done(said) => run.finished(&json!(answer(*said, false))),
        AnswerPiece::Failed(error) => run.failed(&error),
    });
    Ok(streamed(stream::iter([started]).chain(told)))
}

/// The session of a thread: the one that it names, or else one whose id is made of the name, so that the same name
/// means the same session.
async fn session_id(
    state: &AppState,
    scope: &Scope,
    namespace: &str,
    thread: &str,
) -> Result<String, AgentsError> {
    let agent = state.agents.get(scope, namespace).await?;
    if thread.starts_with(SESSION) {
        match state.sessions.find(scope, namespace, thread).await {
            Ok(_) => return Ok(thread.to_owned()),
            Err(AgentsError::SessionNotFound) => {}
            Err(error) => return Err(error),
        }
    }
    let mut hash = Sha256::new();
    for part in [scope.workspace.as_str(), &agent.id, thread] {
        hash.update(part.as_bytes());
        hash.update([0]);
    }
    let digest = hash.finalize();
    Ok(format!("{SESSION}{}", hex(digest.get(..16).unwrap_or_default())))
}

/// The stored messages and the form of a session; nothing where there is none yet.
async fn stored(
    state: &AppState,
    scope: &Scope,
    namespace: &str,
    id: &str,
    run: &mut RunEvents,
) -> Result<Bytes, ApiError> {
    let (session, turns) = match state.sessions.get(scope, namespace, id).await {
        Ok(found) => found,
        Err(AgentsError::SessionNotFound) => return Ok(run.restored(&json!([]), &Value::Null)),
        Err(error) => return Err(error.into()),
    };
    let messages: Vec<Value> = turns
        .into_iter()
        .map(|turn| {
            let role = match turn.speaker {
                Speaker::User => "user",
                Speaker::Assistant => "assistant",
            };
            json!({"id": format!("turn-{}", turn.number), "role": role, "content": turn.text})
        })
        .collect();
    let form = form_record(state, scope, namespace, session).await?;
    Ok(run.restored(&json!(messages), &json!(form)))
}
