//! Free-form chat: the agent's model with its instructions, its knowledge bases and the agent memory.

use gen_core::{
    BaseQuery, CallerContext, GenerateAnswer, GenerateError, GenerateRequest, HistoryMessage as Said, Spend,
};

use super::store;
use super::tools::ToolRounds;
use super::{AgentCall, AgentChatAnswer, AnswerBasis, ChatReply, ChatResponseStream, ChatService, Exchange};
use crate::chat::{ChatError, Session, Speaker, TurnOutcome};

impl ChatService {
    pub(super) async fn answer_free_form(&self, call: &AgentCall<'_>) -> Result<AgentChatAnswer, ChatError> {
        let guard = self.lock_session(call).await?;
        if guard.session.taken_over.is_some() {
            return self.keep_for_person(call, None, guard).await;
        }
        let (mut exchange, wanted) = self.open(call, guard).await?;
        let answer = self.generate_with_tools(call, wanted).await?;
        self.store_answer(&mut exchange, answer).await
    }

    pub(super) async fn stream_free_form(
        &self,
        call: &AgentCall<'_>,
    ) -> Result<ChatResponseStream, ChatError> {
        let guard = self.lock_session(call).await?;
        if guard.session.taken_over.is_some() {
            let kept = self.keep_for_person(call, None, guard).await?;
            return Ok(ChatResponseStream::Whole(Box::new(kept)));
        }
        let (exchange, wanted) = self.open(call, guard).await?;
        let events = match call.agent.tools.is_empty() {
            true => self.ports.generate.stream(call.payer, wanted).await?,
            false => {
                let rounds = self.tool_rounds(call, wanted).await;
                rounds.stream(self.ports.generate.clone(), call.payer.clone()).await?
            }
        };
        Ok(ChatResponseStream::Live { events, exchange: Box::new(exchange) })
    }

    /// Answers a request, with the tools of the agent's servers.
    pub(super) async fn generate_with_tools(
        &self,
        call: &AgentCall<'_>,
        wanted: GenerateRequest,
    ) -> Result<GenerateAnswer, GenerateError> {
        match call.agent.tools.is_empty() {
            true => self.ports.generate.generate(call.payer, wanted).await,
            false => {
                let rounds = self.tool_rounds(call, wanted).await;
                rounds.generate(&self.ports.generate, call.payer).await
            }
        }
    }

    /// The request with the tools of the agent's servers. The built-in model calls none.
    async fn tool_rounds(&self, call: &AgentCall<'_>, wanted: GenerateRequest) -> ToolRounds {
        let servers = self.ports.agents.tool_servers().clone();
        match call.model.is_extractive() {
            true => ToolRounds::without_tools(servers, wanted),
            false => ToolRounds::begin(servers, &call.agent, wanted).await,
        }
    }

    /// Stores a streamed exchange once its answer is complete.
    ///
    /// # Errors
    /// [`ChatError::Busy`] when another message changed the session meanwhile, or when the store fails.
    pub async fn finish(
        &self,
        mut exchange: Exchange,
        answer: GenerateAnswer,
    ) -> Result<AgentChatAnswer, ChatError> {
        self.store_answer(&mut exchange, answer).await
    }

    /// Builds the request to the model.
    async fn open(
        &self,
        call: &AgentCall<'_>,
        guard: store::SessionGuard,
    ) -> Result<(Exchange, GenerateRequest), ChatError> {
        let store::SessionGuard { session, is_new, turn } = guard;
        let AgentCall { payer, request, .. } = call;
        let wanted = GenerateRequest {
            messages: self.history(payer, &session, is_new).await?,
            urls: request.urls.clone(),
            ..self.grounded_request(call, &request.message).await?
        };
        let (payer, request) = ((*payer).clone(), request.clone());
        Ok((Exchange { session, is_new, payer, request, _turn: turn }, wanted))
    }

    /// A request to the agent's model with its instructions, its knowledge bases and the matches of the agent
    /// memory.
    pub(super) async fn grounded_request(
        &self,
        call: &AgentCall<'_>,
        question: &str,
    ) -> Result<GenerateRequest, ChatError> {
        let (scope, agent) = (&call.payer.scope, &call.agent);
        Ok(GenerateRequest {
            model_id: call.model.to_string(),
            prompt: question.to_owned(),
            // The built-in model ignores instructions.
            system: Some(agent.instructions.clone())
                .filter(|text| !text.trim().is_empty() && !call.model.is_extractive()),
            knowledge: match &call.request.knowledge {
                Some(named) => named.clone(),
                None => {
                    let own = self.ports.agents.bases_of(scope, agent).await?;
                    own.into_iter().map(BaseQuery::from).collect()
                }
            },
            wait: call.request.wait,
            context: call.request.context,
            documents: self.memory.search(scope, agent, question).await.map_err(ChatError::Store)?,
            ..GenerateRequest::default()
        })
    }

    async fn store_answer(
        &self,
        exchange: &mut Exchange,
        answer: GenerateAnswer,
    ) -> Result<AgentChatAnswer, ChatError> {
        let Exchange { session, is_new, payer, request, .. } = exchange;
        let reply = answer.text.clone();
        let answer = chat_answer(session.id.clone(), answer);
        request.observe(&answer);
        let said = store::CompletedExchange {
            message: &request.message,
            reply: &reply,
            outcome: answer.outcome,
            changes: Vec::new(),
        };
        match self.store_exchange(payer, session, *is_new, said, None).await? {
            true => Ok(answer),
            false => Err(ChatError::Busy),
        }
    }

    /// The last turns of the session as chat history for a model.
    pub(super) async fn history(
        &self,
        payer: &CallerContext,
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
        Ok(turns.map(|turn| Said::text(role(turn.speaker), turn.text)).collect())
    }
}

fn chat_answer(session: String, mut answer: GenerateAnswer) -> AgentChatAnswer {
    let basis = AnswerBasis::take(&mut answer);
    AgentChatAnswer {
        session,
        outcome: TurnOutcome {
            finish: answer.finish,
            spent: Spend { usage: answer.usage, cost: answer.cost },
        },
        reply: ChatReply::Text { text: answer.text, basis },
        taken_over: None,
        warnings: answer.warnings,
    }
}
