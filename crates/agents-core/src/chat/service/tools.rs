//! Tools of an agent's servers: they are offered to its model, and the calls that it asks for are made, until it
//! answers.

use std::collections::HashSet;
use std::sync::Arc;

use futures_util::future::join_all;
use futures_util::stream::{self, StreamExt as _};
use gen_core::{
    CallerContext, Finish, GenerateAnswer, GenerateError, GenerateEvent, GenerateEvents, GenerateRequest,
    GenerateService, HistoryMessage, MAX_TOOLS, Spend, Tool, ToolCall, ToolChoice,
};

use super::request::move_spans;
use crate::{Agent, ToolServer, ToolServers};

// They bound time, cost and prompt of a message. Chosen by hand; no measurement is recorded.
/// Most rounds of calls before the model must answer.
const MAX_ROUNDS: usize = 8;
/// Most calls of a round.
const MAX_CALLS: usize = 16;
/// Most characters of a result.
const MAX_RESULT: usize = 32_000;
/// Most characters of all results of a message.
const MAX_RESULTS: usize = 160_000;
/// Most bytes of the definitions of all tools.
const MAX_DEFINITIONS: usize = 100_000;
/// Most characters of a name that models take.
const MAX_NAME: usize = 64;

/// A tool that is offered: its server, and its name there.
#[derive(Clone, Debug)]
struct OfferedTool {
    /// The name for the model.
    name: String,
    server: Arc<ToolServer>,
    tool: String,
}

/// The tools that a message may use, and how far it has.
#[derive(Debug)]
pub(super) struct ToolRounds {
    servers: Arc<dyn ToolServers>,
    offered: Vec<OfferedTool>,
    request: GenerateRequest,
    left: usize,
    /// Bytes left for definitions of tools, of all servers.
    definition_room: usize,
    /// Characters left for results.
    room: usize,
    /// What the model wrote in earlier rounds.
    text: String,
    spent: Spend,
    warnings: Vec<String>,
}

impl ToolRounds {
    fn new(servers: Arc<dyn ToolServers>, request: GenerateRequest) -> Self {
        Self {
            servers,
            offered: Vec::new(),
            request,
            left: MAX_ROUNDS,
            definition_room: MAX_DEFINITIONS,
            room: MAX_RESULTS,
            text: String::new(),
            spent: Spend::default(),
            warnings: Vec::new(),
        }
    }

    /// A request to a model that calls no tools, which a warning tells.
    pub(super) fn without_tools(servers: Arc<dyn ToolServers>, request: GenerateRequest) -> Self {
        let mut rounds = Self::new(servers, request);
        rounds.warnings.push("the agent's tools were not used: its model calls none".to_owned());
        rounds
    }

    /// Offers the tools of the agent's servers in a request. A server that cannot be reached is told in a warning.
    pub(super) async fn begin(
        servers: Arc<dyn ToolServers>,
        agent: &Agent,
        request: GenerateRequest,
    ) -> Self {
        let mut rounds = Self::new(servers, request);
        let lists = agent.tools.iter().map(|server| rounds.servers.list(server));
        let lists = join_all(lists).await;
        let mut definitions = Vec::new();
        for (server, listed) in agent.tools.iter().zip(lists) {
            match listed {
                Ok(tools) => definitions.extend(rounds.offer(server, tools)),
                Err(error) => {
                    rounds.warnings.push(format!("the tools of '{}' are not available: {error}", server.url));
                }
            }
        }
        rounds.request.tools.tools = definitions;
        rounds
    }

    /// The tools that the agent allows, under names that models take.
    fn offer(&mut self, server: &ToolServer, tools: Vec<Tool>) -> Vec<Tool> {
        let shared = Arc::new(server.clone());
        let mut used: HashSet<String> = self.offered.iter().map(|tool| tool.name.clone()).collect();
        let mut definitions = Vec::new();
        let is_allowed =
            |tool: &Tool| server.allowed.as_ref().is_none_or(|allowed| allowed.contains(&tool.name));
        for tool in tools.into_iter().filter(is_allowed) {
            let size = tool.parameters.to_string().len() + tool.description.as_ref().map_or(0, String::len);
            if self.offered.len() == MAX_TOOLS || size > self.definition_room {
                let told =
                    format!("not all tools of '{}' were offered to the model: they are too many", server.url);
                self.warnings.push(told);
                break;
            }
            self.definition_room -= size;
            let name = unused_name(&tool.name, &used);
            used.insert(name.clone());
            self.offered.push(OfferedTool { name: name.clone(), server: shared.clone(), tool: tool.name });
            definitions.push(Tool { name, ..tool });
        }
        definitions
    }

    /// Answers, with as many rounds of calls as the model asks for.
    pub(super) async fn generate(
        mut self,
        service: &GenerateService,
        payer: &CallerContext,
    ) -> Result<GenerateAnswer, GenerateError> {
        loop {
            let answer = service.generate(payer, self.request.clone()).await?;
            if let Some(answer) = self.take(answer).await {
                return Ok(answer);
            }
        }
    }

    /// As [`ToolRounds::generate`], streamed: the texts of all rounds, then the answer.
    ///
    /// # Errors
    /// Those before the first event; later ones are the last item.
    pub(super) async fn stream(
        self,
        service: GenerateService,
        payer: CallerContext,
    ) -> Result<GenerateEvents, GenerateError> {
        let events = service.stream(&payer, self.request.clone()).await?;
        let state = Some((self, events, service, payer));
        let told = stream::unfold(state, |state| async move {
            let (mut rounds, mut events, service, payer) = state?;
            loop {
                let answer = match events.next().await? {
                    Ok(GenerateEvent::End(answer)) => *answer,
                    Ok(GenerateEvent::Text(text)) => {
                        return Some((Ok(GenerateEvent::Text(text)), Some((rounds, events, service, payer))));
                    }
                    // The server makes the calls.
                    Ok(GenerateEvent::ToolCall(_)) => continue,
                    Err(error) => return Some((Err(error), None)),
                };
                let wrote = !answer.text.is_empty();
                if let Some(answer) = rounds.take(answer).await {
                    return Some((Ok(GenerateEvent::End(Box::new(answer))), None));
                }
                events = match service.stream(&payer, rounds.request.clone()).await {
                    Ok(events) => events,
                    Err(error) => return Some((Err(error), None)),
                };
                if wrote {
                    let gap = Ok(GenerateEvent::Text(GAP.to_owned()));
                    return Some((gap, Some((rounds, events, service, payer))));
                }
            }
        });
        Ok(told.boxed())
    }

    /// Takes the answer of a round. Returns the complete one where the model asks for no more calls.
    async fn take(&mut self, mut answer: GenerateAnswer) -> Option<GenerateAnswer> {
        let calls = std::mem::take(&mut answer.tool_calls);
        if calls.is_empty() || self.left == 0 {
            return Some(self.complete(answer));
        }
        self.left -= 1;
        self.spent += Spend { usage: answer.usage, cost: answer.cost };
        self.warnings.append(&mut answer.warnings);
        if !answer.text.is_empty() {
            self.text.push_str(&answer.text);
            self.text.push_str(GAP);
        }
        let calls: Vec<ToolCall> = calls.into_iter().take(MAX_CALLS).enumerate().map(usable).collect();
        let results = join_all(calls.iter().map(|call| self.call(call))).await;
        let ids: Vec<String> = calls.iter().map(|call| call.id.clone()).collect();
        self.request
            .tool_messages
            .push(HistoryMessage { tool_calls: calls, ..HistoryMessage::text("assistant", answer.text) });
        for (id, result) in ids.into_iter().zip(results) {
            let content = cut(result, MAX_RESULT.min(self.room));
            self.room = self.room.saturating_sub(content.chars().count());
            self.request
                .tool_messages
                .push(HistoryMessage { tool_call_id: Some(id), ..HistoryMessage::text("tool", content) });
        }
        if self.left == 0 {
            self.request.tools.choice = ToolChoice::None;
            self.warnings.push(format!("the model had to answer after {MAX_ROUNDS} rounds of tool calls"));
        }
        None
    }

    /// Makes a call. A failure is told to the model, which may try something else.
    async fn call(&self, call: &ToolCall) -> String {
        let Some(offered) = self.offered.iter().find(|tool| tool.name == call.name) else {
            return format!("Error: there is no tool '{}'.", call.name);
        };
        let arguments = match serde_json::from_str(&call.arguments) {
            Ok(serde_json::Value::Object(arguments)) => arguments,
            _ if call.arguments.trim().is_empty() => serde_json::Map::new(),
            _ => return "Error: the arguments are not a JSON object.".to_owned(),
        };
        match self.servers.call(&offered.server, &offered.tool, arguments).await {
            Ok(result) => result,
            Err(error) => format!("Error: {error}"),
        }
    }

    fn complete(&mut self, mut answer: GenerateAnswer) -> GenerateAnswer {
        let before = self.text.chars().count();
        move_spans(&mut answer.statements, &mut answer.citations, before);
        answer.text.insert_str(0, &self.text);
        let mut spent = self.spent;
        spent += Spend { usage: answer.usage, cost: answer.cost };
        (answer.usage, answer.cost) = (spent.usage, spent.cost);
        if answer.finish == Finish::ToolCalls {
            answer.finish = Finish::Other;
        }
        self.warnings.append(&mut answer.warnings);
        answer.warnings = std::mem::take(&mut self.warnings);
        answer
    }
}

/// What stands between the texts of two rounds.
const GAP: &str = "\n\n";

/// A call with an id and a name that the next request may have.
fn usable((place, mut call): (usize, ToolCall)) -> ToolCall {
    if call.id.is_empty() {
        call.id = format!("call_{place}");
    }
    call.name = plain_name(&call.name);
    call
}

/// A name of letters, digits, `_` and `-`.
fn plain_name(name: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() || c == '-' { c } else { '_' };
    let name: String = name.chars().map(plain).take(MAX_NAME).collect();
    if name.is_empty() { "_".to_owned() } else { name }
}

/// A plain name that is not used yet.
fn unused_name(name: &str, used: &HashSet<String>) -> String {
    let plain = plain_name(name);
    let numbered = |number: usize| {
        let ending = format!("_{number}");
        let start: String = plain.chars().take(MAX_NAME - ending.len()).collect();
        start + &ending
    };
    let names = std::iter::once(plain.clone()).chain((2..).map(numbered));
    names.into_iter().find(|name| !used.contains(name)).unwrap_or_default()
}

fn cut(text: String, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}\n[The rest was left out.]", text.get(..end).unwrap_or_default()),
        None => text,
    }
}
