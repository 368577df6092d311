//! Conversations of visitors with the agent of a public key. They see no costs, no passages of knowledge bases, and no
//! list of sessions: the identifier of a session is what permits to continue it.

use accounts_core::Publication;
use actix_web::http::Method;
use actix_web::{HttpResponse, web};
use agents_core::chat::{Speaker, Turn};
use gen_core::MAX_REFERENCE;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::examples;
use crate::app::AppState;
use crate::http::chat::{FormRecord, SessionQuery, form_record, visible_reply};
use crate::http::message_parts::MessageParts;
use crate::http::operation::Registry;
use crate::http::operation_parts::Access;
use crate::http::request::{Caller, PictureBody, Query, Segment};
use crate::http::rules::NOT_BLANK;
use crate::http::{ApiError, HandlerResult, rules};

/// Maximum number of files of a message.
const MAX_FILES: usize = 5;
/// Maximum size in bytes of all files of a message: a few photographs or a long scan.
const MAX_FILE_BYTES: usize = 10 << 20;
/// Maximum length of the name of a file in characters, as in most file systems.
const MAX_FILE_NAME: usize = 255;

/// Registers the operations of this file.
pub(super) fn register(registry: &mut Registry) {
    registry
        .operation(
            Method::GET,
            "/v1/public/form",
            "get_public_form",
            "What the agent of a public key asks for.",
        )
        .access(Access::Public)
        .answers::<PublicForm>()
        .example(examples::form)
        .fails(&[404])
        .to(get_public_form);
    registry
        .operation(
            Method::POST,
            "/v1/public/chat",
            "chat_publicly",
            "Sends a visitor's message to the agent of a public key, which must be used by a page of its origins.",
        )
        .access(Access::Public)
        .body::<PublicMessage>()
        .example(examples::message)
        .answers::<PublicAnswer>()
        .example(examples::answer)
        .fails(&[404, 409, 422, 502, 504])
        .to(chat_publicly);
    registry
        .operation(
            Method::GET,
            "/v1/public/sessions/{session_id}",
            "get_public_session",
            "Retrieves a visitor's conversation with its last messages, at most 1,000, and the state of its form.",
        )
        .access(Access::Public)
        .query("after", rules::message_number(), "Only the messages after the one with this number.")
        .answers::<PublicSession>()
        .example(examples::session)
        .fails(&[404])
        .to(get_public_session);
}

/// What a page tells before the conversation.
#[derive(Serialize, JsonSchema)]
struct PublicForm {
    /// Title of the form, or name of an agent without one.
    title: String,
    /// Description of the agent; empty when there is none.
    description: String,
}

#[derive(Deserialize, JsonSchema)]
struct PublicMessage {
    /// The visitor's message.
    #[schemars(extend("pattern" = NOT_BLANK))]
    message: String,
    /// The session to continue; absent to start a new one.
    #[schemars(length(max = MAX_REFERENCE))]
    session_id: Option<String>,
    /// Documents to fill the form from; together at most 10 MiB. They are stored as files of the workspace.
    #[schemars(length(max = MAX_FILES))]
    files: Option<Vec<PublicFile>>,
}

/// A document by value.
#[derive(Deserialize, JsonSchema)]
struct PublicFile {
    #[schemars(length(max = MAX_FILE_NAME))]
    name: Option<String>,
    /// Its content as a `data:` URL in Base64. Base64 alone counts as JSON, which has 2 MiB by default.
    content: String,
}

#[derive(Serialize, JsonSchema)]
struct PublicAnswer {
    /// The session. Send it with the next message to continue.
    session_id: String,
    /// The agent's message as Markdown.
    text: String,
    /// The state of the form; null when the agent has none.
    form: Option<FormRecord>,
    /// True while a person answers in place of the agent: the message is stored, and `text` is empty. Else absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    taken_over: Option<bool>,
}

#[derive(Serialize, JsonSchema)]
struct PublicSession {
    session_id: String,
    /// The last messages, oldest first.
    messages: Vec<PublicTurn>,
    /// The form's state after the last answer; null when the agent has none.
    form: Option<FormRecord>,
    /// True while a person answers in place of the agent; else absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    taken_over: Option<bool>,
}

#[derive(Serialize, JsonSchema)]
struct PublicTurn {
    /// Its place in the conversation, from 1.
    number: u32,
    #[schemars(extend("enum" = ["user", "assistant"]))]
    role: &'static str,
    content: String,
    /// `YYYY-MM-DD hh:mm:ss`, UTC.
    timestamp: String,
    /// True where a person wrote it in place of the agent; else absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    by_person: Option<bool>,
}

impl From<Turn> for PublicTurn {
    fn from(turn: Turn) -> Self {
        let role = match turn.speaker {
            Speaker::User => "user",
            Speaker::Assistant => "assistant",
        };
        Self {
            number: turn.number,
            role,
            content: turn.text,
            timestamp: turn.at.record_text(),
            by_person: turn.details.author.map(|_| true),
        }
    }
}

impl PublicMessage {
    fn parts(&self) -> Result<MessageParts, ApiError> {
        let files = self.files.as_deref().unwrap_or_default();
        if files.len() > MAX_FILES {
            return Err(ApiError::invalid(
                "/files",
                format!("'files' must have at most {MAX_FILES} entries"),
            ));
        }
        let mut parts = MessageParts { texts: vec![self.message.clone()], ..MessageParts::default() };
        for (index, file) in files.iter().enumerate() {
            let content = match file.content.strip_prefix("data:") {
                Some(url) => url.split_once(";base64,").map_or("*", |(_, content)| content),
                None => &file.content,
            };
            let name = file.name.as_deref().map(short_name);
            parts.push_base64(name, content, &format!("/files/{index}/content"))?;
        }
        let bytes: usize = parts.documents.iter().map(|(_, content)| content.len()).sum();
        if bytes > MAX_FILE_BYTES {
            let rule = format!("'files' must have at most {MAX_FILE_BYTES} bytes together");
            return Err(ApiError::invalid("/files", rule));
        }
        Ok(parts)
    }
}

fn short_name(name: &str) -> &str {
    name.char_indices().nth(MAX_FILE_NAME).map_or(name, |(end, _)| &name[..end])
}

/// The publication of the caller's key, which `check_access` has found.
fn publication(caller: &Caller) -> Result<&Publication, ApiError> {
    caller.0.publication.as_ref().ok_or_else(|| ApiError::restricted_key("the API key is not public"))
}

async fn get_public_form(state: web::Data<AppState>, caller: Caller) -> HandlerResult {
    let scope = &caller.0.scope;
    let agent = state.agents.get(scope, &publication(&caller)?.agent).await?;
    let form = state.agents.form_of(scope, &agent).await?;
    let title = form.map_or(agent.name, |form| form.title);
    Ok(HttpResponse::Ok().json(PublicForm { title, description: agent.description }))
}

async fn chat_publicly(
    state: web::Data<AppState>,
    caller: Caller,
    PictureBody(body): PictureBody<PublicMessage>,
) -> HandlerResult {
    let agent = &publication(&caller)?.agent;
    let (payer, author) = (caller.payer(), &caller.0.author);
    let parts = body.parts()?;
    let session_id = body.session_id.filter(|id| !id.is_empty());
    if let Some(id) = session_id.as_ref().filter(|_| !parts.documents.is_empty()) {
        // Before files are stored for it. Without any, the chat finds out.
        state.sessions.get(&payer.scope, agent, id).await?;
    }
    let mut request = parts.into_request(&state, &payer.scope).await?;
    request.session_id = session_id;
    let said = state.chat.chat(&payer, author, agent, request).await?;
    let session_id = said.session.clone();
    let taken_over = said.taken_over.as_ref().map(|_| true);
    let (text, form) = visible_reply(said.reply);
    Ok(HttpResponse::Ok().json(PublicAnswer { session_id, text, form, taken_over }))
}

async fn get_public_session(
    state: web::Data<AppState>,
    caller: Caller,
    Segment(id): Segment,
    Query(query): Query<SessionQuery>,
) -> HandlerResult {
    let (scope, agent) = (&caller.0.scope, &publication(&caller)?.agent);
    let (session, turns) = query.read(&state, scope, agent, &id).await?;
    Ok(HttpResponse::Ok().json(PublicSession {
        session_id: session.id.clone(),
        taken_over: session.taken_over.as_ref().map(|_| true),
        messages: turns.into_iter().map(PublicTurn::from).collect(),
        form: form_record(&state, scope, agent, session).await?,
    }))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn parts(files: Value) -> Result<MessageParts, ApiError> {
        let body: PublicMessage = serde_json::from_value(json!({"message": "m", "files": files})).unwrap();
        body.parts()
    }

    #[test]
    fn files_are_taken_in_base64_and_as_data_urls() {
        let taken =
            parts(json!([{"name": "a.txt", "content": "aGk="}, {"content": "data:text/plain;base64,aG8="}]));
        let told: Vec<_> = taken
            .unwrap()
            .documents
            .into_iter()
            .map(|(name, bytes)| (name, String::from_utf8(bytes.to_vec()).unwrap()))
            .collect();
        let all = [("a.txt", "hi"), ("document-2", "ho")].map(|(name, text)| (name.into(), text.into()));
        assert_eq!(told, all);
        let long = parts(json!([{"name": "\u{e4}".repeat(300), "content": ""}])).unwrap();
        assert_eq!(long.documents[0].0.chars().count(), MAX_FILE_NAME);
    }

    #[test]
    fn too_many_too_large_and_unreadable_files_are_refused_at_their_place() {
        let place = |files: Value| {
            serde_json::to_value(parts(files).unwrap_err().body()).unwrap()["errors"][0]["path"].clone()
        };
        assert_eq!(place(json!(vec![json!({"content": "aGk="}); MAX_FILES + 1])), "/files");
        assert_eq!(place(json!([{"content": "aGk="}, {"content": "%"}])), "/files/1/content");
        assert_eq!(place(json!([{"content": "data:text/plain,plain"}])), "/files/0/content");
        let large = "AAAA".repeat(MAX_FILE_BYTES / 3 + 1);
        assert_eq!(place(json!([{"content": large}])), "/files");
    }
}
