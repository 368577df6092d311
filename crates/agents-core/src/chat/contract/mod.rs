//! The conformance suite of [`SessionRepository`], for implementers. Its workspaces must have no agents
//! before a test.

mod exchanges;
mod sessions;
mod submissions;

use std::pin::pin;
use std::sync::Arc;
use std::task::Poll;

use forms_core::{Evidence, Support};
use gen_core::{Cost, Finish, Spend, Usage};
use serde_json::{Map, Value, json};
use shared_core::{Author, PageRequest, Revision, Scope, Timestamp};

use super::{
    FieldStatus, FormState, Phase, Session, SessionRepository, Speaker, Submission, Takeover, Turn,
    TurnDetails, TurnOutcome, ValueChange,
};
use crate::contract::agent;
use crate::{Agent, AgentRepository};
pub use exchanges::*;
pub use sessions::*;
pub use submissions::*;

/// A session store with the store of its agents.
#[derive(Clone, Debug)]
pub struct Stores {
    /// Sessions and submissions.
    pub sessions: Arc<dyn SessionRepository>,
    /// Agents.
    pub agents: Arc<dyn AgentRepository>,
}

const ODD: &str = "Odd \u{0}\u{10ffff}\u{1f600}\u{202e} 'text' \\ %_\r\n\t";

fn at(micros: i64) -> Timestamp {
    Timestamp::from_micros(micros).unwrap_or_else(|| unreachable!("a valid instant"))
}

fn author(scope: &Scope) -> Author {
    Author {
        id: scope.user.clone(),
        name: format!("Name of {}", scope.user),
        email: format!("{}@example.com", scope.user),
    }
}

fn object(value: Value) -> Map<String, Value> {
    value.as_object().cloned().unwrap_or_default()
}

fn evidence() -> Evidence {
    let place = Evidence::without_place(Support::Exact, 0.5);
    Evidence { quote: Some(ODD.into()), file: Some("17".into()), ..place }
}

/// A session with a form in progress, as the suite stores it.
#[must_use]
pub fn session(scope: &Scope, agent: &Agent, id: &str, micros: i64) -> Session {
    let form = FormState {
        form_id: "form_1".into(),
        revision: 3,
        phase: Phase::Filling,
        values: object(json!({"zebra": {"b": 1.5e300, "a": ["\u{0}", ODD]}, "apple": u64::MAX})),
        marks: [("/zebra/a/0".into(), FieldStatus::Said), ("/b".into(), FieldStatus::NotApplicable)].into(),
        asked: Some("/list/-".into()),
        tries: 2,
        trail: vec!["/zebra/a/0".into(), "/b".into()],
        asked_rules: vec![("/b".into(), ODD.into())],
        evidence: [("/zebra/a/0".into(), evidence())].into(),
    };
    Session {
        id: id.into(),
        workspace: scope.workspace.clone(),
        author: author(scope),
        agent: agent.id.clone(),
        title: ODD.into(),
        form: Some(form),
        taken_over: Some(Takeover { by: author(scope), since: at(7) }),
        language: "de".into(),
        turns: 2,
        revision: Revision::FIRST,
        created: at(micros),
        updated: at(micros),
    }
}

/// A turn; odd numbers are the user's.
#[must_use]
pub fn turn(number: u32, text: &str) -> Turn {
    let speaker = if number % 2 == 1 { Speaker::User } else { Speaker::Assistant };
    let spent = Spend { usage: Usage { input_tokens: 7, ..Usage::default() }, cost: Some(Cost(3)) };
    let taken = (speaker == Speaker::Assistant).then_some(TurnOutcome { finish: Finish::Length, spent });
    let change = ValueChange {
        path: "/zebra/a/0".into(),
        value: json!(ODD),
        source: Some(FieldStatus::Document),
        evidence: Some(evidence()),
    };
    let details = match speaker {
        Speaker::User => TurnDetails { author: None, changes: vec![change] },
        Speaker::Assistant => TurnDetails { author: Some(ODD.into()), changes: Vec::new() },
    };
    Turn { number, speaker, text: text.into(), at: at(i64::from(number)), outcome: taken, details }
}

/// A submission of a session.
#[must_use]
pub fn submission(session: &Session, id: &str, micros: i64) -> Submission {
    Submission {
        id: id.into(),
        workspace: session.workspace.clone(),
        author: session.author.clone(),
        agent: session.agent.clone(),
        session: session.id.clone(),
        form_id: "form_1".into(),
        record: object(json!({"zebra": ODD, "apple": null, "list": [{"n": -0.5}]})),
        created: at(micros),
    }
}

async fn store_agent(stores: &Stores, scope: &Scope, namespace: &str) -> Agent {
    let agent = agent(scope, namespace, 1);
    stores.agents.insert(scope, &agent).await.expect("inserts the agent");
    agent
}

async fn store_session(stores: &Stores, scope: &Scope, session: &Session) {
    let turns = [turn(1, "hello"), turn(2, ODD)];
    stores.sessions.insert(scope, session, &turns, None).await.expect("inserts the session");
}

/// The session after one more exchange.
fn next_exchange(session: &Session) -> Session {
    let mut next = session.clone();
    (next.revision, next.turns, next.updated) = (session.revision.next(), session.turns + 2, at(9));
    next
}

async fn ids(stores: &Stores, scope: &Scope, agent: &Agent) -> Vec<String> {
    let page = stores.sessions.list(scope, &agent.id, None, &PageRequest::first(100)).await.expect("lists");
    page.items.into_iter().map(|row| row.id).collect()
}

async fn records(stores: &Stores, scope: &Scope, agent: &Agent) -> Vec<String> {
    let page = stores.sessions.submissions(scope, &agent.id, &PageRequest::first(100)).await.expect("lists");
    page.items.into_iter().map(|row| row.id).collect()
}

/// Polls both futures concurrently until both are ready.
async fn both<T>(first: impl Future<Output = T>, second: impl Future<Output = T>) -> [T; 2] {
    let (mut first, mut second, mut given) = (pin!(first), pin!(second), (None, None));
    std::future::poll_fn(|context| {
        if given.0.is_none()
            && let Poll::Ready(value) = first.as_mut().poll(context)
        {
            given.0 = Some(value);
        }
        if given.1.is_none()
            && let Poll::Ready(value) = second.as_mut().poll(context)
        {
            given.1 = Some(value);
        }
        match (given.0.take(), given.1.take()) {
            (Some(first), Some(second)) => Poll::Ready([first, second]),
            waiting => {
                given = waiting;
                Poll::Pending
            }
        }
    })
    .await
}

/// Expands to the tests of a [`SessionRepository`]. `$run` takes a name and a closure from
/// `(stores, own scope, other scope)` to a future and runs it on fresh stores.
#[macro_export]
macro_rules! session_repository_contract {
    ($run:ident) => {
        $crate::session_repository_contract!($run: reads_back_what_it_stored belongs_to_an_agent isolates_workspaces_and_agents lists_newest_first lists_by_phase reads_the_last_turns advances_by_revision lets_one_of_two_win deletes_sessions_and_keeps_submissions keeps_submissions tells_the_forms bounds_pages_by_bytes goes_with_its_agent);
    };
    ($run:ident: $($name:ident)*) => {
        $(#[test] fn $name() {
            $run(stringify!($name), |stores, own, other| {
                Box::pin(async move { $crate::chat::contract::$name(&stores, &own, &other).await })
            });
        })*
    };
}
