//! Measures what the gateway adds to a call of a model that answers at once: CPU time per answer and per
//! event of a stream.

use std::sync::Arc;
use std::time::Instant;

use async_trait::async_trait;
use futures_executor::block_on;
use futures_util::stream::{self, StreamExt as _};
use gen_core::scripted::{CountingMeter, VirtualTimer, text_answer};
use gen_core::{
    Backend, CallerContext, ChatAnswer, ChatEvent, ChatEvents, ChatModel, ChatRequest, Finish, GenService,
    Message, Meter, ModelChoice, ModelId, NoopMeter, Part, Provider, ProviderError, Role, StreamingChatModel,
    Usage,
};
use shared_core::{Scope, UserId, WorkspaceId};

const CALLS: u32 = 100_000;
const PIECES: u32 = 1_000_000;

#[derive(Debug)]
struct Immediate;

#[async_trait]
impl ChatModel for Immediate {
    async fn chat(&self, _: ChatRequest) -> Result<ChatAnswer, ProviderError> {
        Ok(text_answer("yes"))
    }
}

#[async_trait]
impl StreamingChatModel for Immediate {
    async fn stream(&self, _: ChatRequest) -> Result<ChatEvents, ProviderError> {
        let end = ChatEvent::End { finish: Finish::Stop, usage: Usage::default(), warnings: Vec::new() };
        let pieces = (0..PIECES).map(|_| Ok(ChatEvent::Text("token".to_owned())));
        Ok(stream::iter(pieces.chain([Ok(end)])).boxed())
    }
}

fn service(meter: Arc<dyn Meter>) -> GenService {
    let model = Arc::new(Immediate);
    let backend = Backend { chat: Some(model.clone()), stream: Some(model), ..Backend::default() };
    let timer = Arc::new(VirtualTimer::default());
    GenService::builder().timer(timer).meter(meter).provider(Provider::OpenAi, backend).build()
}

#[expect(clippy::print_stdout, reason = "the figures are its output")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let payer =
        CallerContext::keyless(Scope { workspace: WorkspaceId("w".into()), user: UserId("u".into()) });
    let choice: ModelChoice = "gpt-6-sol@openai".parse::<ModelId>()?.into();
    let message = Message { role: Role::User, parts: vec![Part::Text("word ".repeat(200))] };
    let request = ChatRequest { messages: vec![message], ..ChatRequest::default() };

    for (name, meter) in [
        ("no meter", Arc::new(NoopMeter) as Arc<dyn Meter>),
        ("counting meter", Arc::new(CountingMeter::default())),
    ] {
        let service = service(meter);
        let began = Instant::now();
        for _ in 0..CALLS {
            block_on(service.answer(&payer, &choice, request.clone()))?;
        }
        println!("an answer, {name}: {:.2} µs", began.elapsed().as_secs_f64() * 1e6 / f64::from(CALLS));
    }
    let began = Instant::now();
    let pieces = block_on(async {
        let events = service(Arc::new(NoopMeter)).stream(&payer, &choice, request.clone()).await?;
        Ok::<_, gen_core::GenError>(events.count().await)
    })?;
    println!("a piece of a stream: {:.0} ns", began.elapsed().as_secs_f64() * 1e9 / pieces as f64);
    Ok(())
}
