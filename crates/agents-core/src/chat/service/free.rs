//! Free talk: the agent's model, with its instructions, its knowledge bases and what it has extracted before.

use gen_core::{GenerateAnswer, GenerateRequest, Payer, SourceDocument, Turn as Said};
use shared_core::Author;

use super::store;
use super::{ChatAnswer, ChatReply, ChatRequest, ChatService, ChatStream, Exchange, Prepared};
use crate::Agent;
use crate::chat::{ChatError, Session, Speaker};

impl ChatService {
    pub(super) async fn free(
        &self,
        payer: &Payer,
        author: &Author,
        prepared: &Prepared,
        request: ChatRequest,
    ) -> Result<ChatAnswer, ChatError> {
        let (mut exchange, wanted) = self.open(payer, author, prepared, &request).await?;
        let answer = self.ports.generate.generate(payer, wanted).await?;
        self.close(&mut exchange, &answer.text).await?;
        Ok(chat_answer(exchange.session.id, answer))
    }

    pub(super) async fn live(
        &self,
        payer: &Payer,
        author: &Author,
        prepared: &Prepared,
        request: ChatRequest,
    ) -> Result<ChatStream, ChatError> {
        let (exchange, wanted) = self.open(payer, author, prepared, &request).await?;
        let events = self.ports.generate.stream(payer, wanted).await?;
        Ok(ChatStream::Live { events, exchange: Box::new(exchange) })
    }

    /// Stores a streamed exchange when its answer is whole.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn finish(
        &self,
        mut exchange: Exchange,
        answer: GenerateAnswer,
    ) -> Result<ChatAnswer, ChatError> {
        self.close(&mut exchange, &answer.text).await?;
        Ok(chat_answer(exchange.session.id, answer))
    }

    /// The session with the turn to speak in it, and what the model is asked.
    async fn open(
        &self,
        payer: &Payer,
        author: &Author,
        prepared: &Prepared,
        request: &ChatRequest,
    ) -> Result<(Exchange, GenerateRequest), ChatError> {
        let store::Floor { session, is_new, turn } =
            self.floor(payer, author, &prepared.agent, request).await?;
        let wanted = GenerateRequest {
            model_id: prepared.model.to_string(),
            prompt: request.message.clone(),
            system: Some(prepared.agent.instructions.clone()).filter(|text| !text.trim().is_empty()),
            messages: self.history(payer, &session, is_new).await?,
            knowledge: self.bases(payer, &prepared.agent).await?,
            urls: request.urls.clone(),
            documents: self.memories(payer, &prepared.agent, &request.message).await?,
            ..GenerateRequest::default()
        };
        let exchange =
            Exchange { session, is_new, payer: payer.clone(), message: request.message.clone(), _turn: turn };
        Ok((exchange, wanted))
    }

    async fn close(&self, exchange: &mut Exchange, reply: &str) -> Result<(), ChatError> {
        let Exchange { session, is_new, payer, message, .. } = exchange;
        let said = store::Said { message, reply };
        match self.keep(payer, session, *is_new, said, None).await? {
            true => Ok(()),
            false => Err(ChatError::Busy),
        }
    }

    /// The turns before a message that a model is shown.
    pub(super) async fn history(
        &self,
        payer: &Payer,
        session: &Session,
        is_new: bool,
    ) -> Result<Vec<Said>, ChatError> {
        if is_new {
            return Ok(Vec::new());
        }
        let turns = self.ports.sessions.turns(&payer.scope, &session.id, self.limits.history).await;
        let role = |speaker| match speaker {
            Speaker::User => "user",
            Speaker::Assistant => "assistant",
        };
        let turns = turns.map_err(ChatError::Store)?.into_iter().filter(|turn| !turn.text.trim().is_empty());
        Ok(turns.map(|turn| Said { role: role(turn.speaker).to_owned(), content: turn.text }).collect())
    }

    /// The agent's knowledge bases that are still there.
    pub(super) async fn bases(&self, payer: &Payer, agent: &Agent) -> Result<Vec<String>, ChatError> {
        Ok(self.ports.agents.bases_of(&payer.scope, agent).await?)
    }

    pub(super) async fn memories(
        &self,
        payer: &Payer,
        agent: &Agent,
        question: &str,
    ) -> Result<Vec<SourceDocument>, ChatError> {
        self.memory.about(&payer.scope, agent, question).await.map_err(ChatError::Store)
    }
}

fn chat_answer(session: String, answer: GenerateAnswer) -> ChatAnswer {
    ChatAnswer {
        session,
        reply: ChatReply::Text { text: answer.text, context: answer.context },
        usage: answer.usage,
        warnings: answer.warnings,
    }
}
