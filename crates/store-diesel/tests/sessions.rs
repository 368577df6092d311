//! What the conformance suite of sessions does not ask: events for webhooks, and work at the same time.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "tests assert"
)]

mod common;

use std::sync::Arc;

use agents_core::chat::contract::{session, submission, turn};
use agents_core::chat::{Session, SessionRepository as _};
use agents_core::{Agent, AgentRepository as _};
use futures_util::future::{join, join_all};
use shared_core::{PageRequest, Revision, Scope, StoreError};
use store_diesel::{Database, DieselAgents, DieselSessions, DieselWebhooks};
use webhooks_core::{EventKind, Webhook, WebhookRepository as _};

use common::{Kind, block_on, fresh, two_workspaces};

struct Stores {
    sessions: DieselSessions,
    agents: DieselAgents,
    webhooks: DieselWebhooks,
    own: Scope,
    agent: Agent,
}

async fn stores(database: &Database) -> Stores {
    let (own, _) = two_workspaces(database).await;
    let agents = DieselAgents::new(database.clone());
    let agent = agents_core::contract::agent(&own, "inv", 1);
    agents.insert(&own, &agent).await.unwrap();
    let sessions = DieselSessions::new(database.clone());
    Stores { sessions, agents, webhooks: DieselWebhooks::new(database.clone()), own, agent }
}

impl Stores {
    /// Bodies of what was sent to the webhook, newest first.
    async fn told(&self, webhook: &Webhook) -> Vec<String> {
        let page = self.webhooks.deliveries(&self.own, &webhook.id, &PageRequest::first(100)).await.unwrap();
        page.items.into_iter().map(|delivery| delivery.payload).collect()
    }
}

fn further(session: &Session) -> Session {
    Session { revision: session.revision.next(), ..session.clone() }
}

#[test]
fn an_event_is_stored_with_each_submission_and_with_none_that_was_not_stored() {
    for kind in [Kind::Sqlite, Kind::Postgres] {
        let Some(throwaway) = fresh(kind) else { continue };
        block_on(async {
            let stores = stores(&throwaway.database).await;
            let own = &stores.own;
            let all = webhooks_core::contract::webhook(own, "all", 1);
            let deaf = webhooks_core::contract::webhook(own, "deaf", 1);
            let deaf = Webhook { events: vec![EventKind::RunFinished], ..deaf };
            for webhook in [&all, &deaf] {
                stores.webhooks.insert(own, webhook).await.unwrap();
            }
            let mine = session(own, &stores.agent, "s1", 5);
            let first = submission(&mine, "r1", 6);
            stores.sessions.insert(own, &mine, &[turn(1, "a")], Some(&first)).await.unwrap();
            let next = further(&mine);
            let second = submission(&mine, "r2", 7);
            stores
                .sessions
                .advance(own, &next, Revision::FIRST, &[turn(3, "b")], Some(&second))
                .await
                .unwrap();
            stores.sessions.advance(own, &further(&next), Revision(2), &[turn(4, "c")], None).await.unwrap();
            // The turn is there already, so that the whole exchange is undone after its event was written.
            let late = submission(&mine, "r3", 8);
            let lost = Session { revision: Revision(4), ..next.clone() };
            let undone = stores.sessions.advance(own, &lost, Revision(3), &[turn(4, "d")], Some(&late)).await;
            assert!(matches!(undone, Err(StoreError::Taken("turn"))), "{undone:?}");
            let stale = stores.sessions.advance(own, &next, Revision::FIRST, &[], Some(&late)).await;
            assert!(matches!(stale, Err(StoreError::Stale)), "{stale:?}");

            let told = stores.told(&all).await;
            assert_eq!(told.len(), 2, "{told:?}");
            for (body, id) in told.iter().zip(["r2", "r1"]) {
                assert!(
                    body.contains("\"type\":\"form.submitted\"") && body.contains("\"namespace\":\"inv\"")
                );
                assert!(body.contains(&format!("\"id\":\"{id}\"")) && body.contains("\"session_id\":\"s1\""));
                assert!(!body.contains("zebra"), "no contents: {body}");
            }
            assert!(stores.told(&deaf).await.is_empty());
        });
    }
}

#[test]
fn of_many_exchanges_at_once_one_is_stored_whole() {
    for kind in [Kind::Sqlite, Kind::Postgres] {
        let Some(throwaway) = fresh(kind) else { continue };
        block_on(async {
            let stores = Arc::new(stores(&throwaway.database).await);
            let own = &stores.own;
            let mine = session(own, &stores.agent, "s1", 5);
            stores.sessions.insert(own, &mine, &[turn(1, "a"), turn(2, "b")], None).await.unwrap();
            let tries = (0..16).map(|n| {
                let (stores, mine) = (Arc::clone(&stores), mine.clone());
                async move {
                    let said = [turn(3, &n.to_string()), turn(4, &n.to_string())];
                    let made = submission(&mine, &format!("r{n}"), 6);
                    let next = further(&mine);
                    stores.sessions.advance(&stores.own, &next, Revision::FIRST, &said, Some(&made)).await
                }
            });
            let outcomes = join_all(tries).await;
            let won: Vec<usize> = (0..16).filter(|n| outcomes[*n].is_ok()).collect();
            assert_eq!(won.len(), 1, "{outcomes:?}");
            let others = outcomes.iter().filter(|outcome| matches!(outcome, Err(StoreError::Stale)));
            assert_eq!(others.count(), 15, "{outcomes:?}");
            let said = stores.sessions.turns(own, "s1", 9).await.unwrap();
            assert_eq!((said.len(), &said[2].text), (4, &won[0].to_string()));
            let made =
                stores.sessions.submissions(own, &stores.agent.id, &PageRequest::first(9)).await.unwrap();
            assert_eq!((made.total, &made.items[0].id), (1, &format!("r{}", won[0])));
        });
    }
}

#[test]
fn an_agent_that_is_deleted_meanwhile_leaves_nothing_of_its_conversations() {
    for kind in [Kind::Sqlite, Kind::Postgres] {
        let Some(throwaway) = fresh(kind) else { continue };
        block_on(async {
            let stores = stores(&throwaway.database).await;
            let own = &stores.own;
            for round in 0..10 {
                let agent = agents_core::contract::agent(own, &format!("a{round}"), 1);
                stores.agents.insert(own, &agent).await.unwrap();
                let mine = session(own, &agent, &format!("s{round}"), 5);
                stores.sessions.insert(own, &mine, &[turn(1, "a")], None).await.unwrap();
                let (next, made) = (further(&mine), submission(&mine, &format!("r{round}"), 6));
                let said = [turn(2, "b")];
                let advance = stores.sessions.advance(own, &next, Revision::FIRST, &said, Some(&made));
                let (advanced, deleted) = join(advance, stores.agents.delete(own, &agent.namespace)).await;
                assert!(deleted.unwrap());
                assert!(matches!(advanced, Ok(()) | Err(StoreError::Stale)), "{advanced:?}");
                assert_eq!(stores.sessions.find(own, &agent.id, &mine.id).await.unwrap(), None);
                assert_eq!(stores.sessions.turns(own, &mine.id, 9).await.unwrap(), []);
                assert_eq!(stores.sessions.submission(own, &agent.id, &made.id).await.unwrap(), None);
            }
        });
    }
}
