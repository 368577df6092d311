//! Calls Anthropic or Google, or a server with their API: models, a question whole and streamed, an answer
//! with a schema. `ask_vendor anthropic|google URL KEY MODEL QUESTION`
#![allow(clippy::print_stdout, reason = "it is for people")]

use std::sync::Arc;

use futures_util::StreamExt as _;
use gen_core::{ChatModel, ChatRequest, Message, ModelList, Part, ResponseSchema, Role, StreamingChatModel};
use providers_http::{
    Anthropic, AnthropicSettings, CONNECT_TIMEOUT, Endpoint, Google, GoogleSettings, IDLE_CONNECTIONS,
    Transport,
};
use secrecy::SecretString;
use serde_json::json;
use shared_core::SystemClock;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [vendor, url, key, model, question] = &arguments[..] else {
        return Err("usage: ask_vendor anthropic|google URL KEY MODEL QUESTION".into());
    };
    let transport = Transport::new(CONNECT_TIMEOUT, IDLE_CONNECTIONS, Arc::new(SystemClock))?;
    let (endpoint, key) = (Endpoint::new(&transport, url)?, SecretString::from(key.as_str()));
    let request = ChatRequest {
        model: model.clone(),
        messages: vec![Message { role: Role::User, parts: vec![Part::Text(question.clone())] }],
        ..ChatRequest::default()
    };
    match vendor.as_str() {
        "anthropic" => ask(&Anthropic::new(endpoint, key, AnthropicSettings::default())?, request).await,
        "google" => ask(&Google::new(endpoint, key, GoogleSettings::default())?, request).await,
        other => return Err(format!("no vendor is called {other}").into()),
    }
    Ok(())
}

async fn ask(vendor: &(impl ChatModel + StreamingChatModel + ModelList), request: ChatRequest) {
    println!("models: {:?}", vendor.list().await);
    println!("whole: {:?}", vendor.chat(request.clone()).await);
    match vendor.stream(request.clone()).await {
        Ok(mut events) => {
            while let Some(event) = events.next().await {
                println!("streamed: {event:?}");
            }
        }
        Err(error) => println!("streamed: {error:?}"),
    }
    let schema = json!({
        "type": "object",
        "properties": {"company": {"type": ["string", "null"]}, "total": {"type": ["number", "null"]}}
    });
    let asked = Some(ResponseSchema { name: "answer".into(), schema });
    println!("structured: {:?}", vendor.chat(ChatRequest { response_schema: asked, ..request }).await);
}
