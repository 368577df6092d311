//! Calls a server with an OpenAI-compatible API: its models, a question whole and streamed, an answer with a
//! schema, and embeddings. `ask URL MODEL [QUESTION]`
#![allow(clippy::print_stdout, reason = "it is for people")]

use std::sync::Arc;

use futures_util::StreamExt as _;
use gen_core::{
    ChatModel as _, ChatRequest, EmbedModel as _, EmbedRequest, Message, ModelList as _, Part,
    ResponseSchema, Role, StreamingChatModel as _,
};
use providers_http::{CONNECT_TIMEOUT, Endpoint, IDLE_CONNECTIONS, OpenAiCompatible, Transport};
use serde_json::json;
use shared_core::SystemClock;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let (Some(url), Some(model)) = (arguments.next(), arguments.next()) else {
        return Err("usage: ask URL MODEL [QUESTION]".into());
    };
    let transport = Transport::new(CONNECT_TIMEOUT, IDLE_CONNECTIONS, Arc::new(SystemClock))?;
    let server = OpenAiCompatible::self_hosted(Endpoint::new(&transport, &url)?);

    println!("models: {:?}", server.list().await);
    let asked = arguments.next().unwrap_or_else(|| "What is the capital of France?".to_owned());
    let parts = vec![Part::Text(asked)];
    let request = ChatRequest {
        model: model.clone(),
        messages: vec![Message { role: Role::User, parts }],
        max_tokens: Some(200),
        ..ChatRequest::default()
    };
    println!("whole: {:?}", server.chat(request.clone()).await);
    match server.stream(request.clone()).await {
        Ok(mut events) => {
            while let Some(event) = events.next().await {
                println!("streamed: {event:?}");
            }
        }
        Err(error) => println!("streamed: {error:?}"),
    }
    let schema = json!({"type": "object", "properties": {"capital": {"type": ["string", "null"]}}});
    let asked = Some(ResponseSchema { name: "answer".into(), schema });
    println!("structured: {:?}", server.chat(ChatRequest { response_schema: asked, ..request }).await);
    let texts = vec!["Paris".to_owned(), "Rome".to_owned()];
    let vectors = server.embed(EmbedRequest { model, texts, ..EmbedRequest::default() }).await;
    println!(
        "vectors: {:?}",
        vectors.map(|made| (made.vectors.iter().map(Vec::len).collect::<Vec<_>>(), made.usage))
    );
    Ok(())
}
