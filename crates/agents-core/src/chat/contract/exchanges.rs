//! Conformance of exchanges: turns, and updates by revision.

use std::sync::Arc;

use shared_core::{Revision, Scope, StoreError};

use super::{Stores, both, next_exchange, records, session, store_agent, store_session, submission, turn};
use crate::chat::{FormState, Phase, Session, Turn};

/// Returns the last turns, oldest first.
pub async fn reads_the_last_turns(stores: &Stores, own: &Scope, _other: &Scope) {
    let agent = store_agent(stores, own, "a").await;
    let mine = session(own, &agent, "session_1", 5);
    let turns: Vec<Turn> = (1..=6).map(|number| turn(number, &number.to_string())).collect();
    stores.sessions.insert(own, &mine, &turns[..2], None).await.expect("inserts");
    let next = next_exchange(&mine);
    stores.sessions.advance(own, &next, Revision::FIRST, &turns[2..], None).await.expect("advances");
    for (last, wanted) in
        [(0, &turns[6..]), (1, &turns[5..]), (4, &turns[2..]), (6, &turns[..]), (99, &turns[..])]
    {
        assert_eq!(stores.sessions.turns(own, "session_1", last).await.expect("reads"), wanted, "{last}");
    }
}

/// An update requires the stored revision. A stale update stores nothing.
pub async fn advances_by_revision(stores: &Stores, own: &Scope, _other: &Scope) {
    let agent = store_agent(stores, own, "a").await;
    let mine = session(own, &agent, "session_1", 5);
    store_session(stores, own, &mine).await;
    let mut next = next_exchange(&mine);
    (next.title, next.language) = ("New".into(), "fr".into());
    next.form = next.form.map(|form| FormState { phase: Phase::Submitted, asked: None, tries: 0, ..form });
    let made = submission(&mine, "submission_1", 9);
    let turns = [turn(3, "c"), turn(4, "d")];
    stores.sessions.advance(own, &next, Revision::FIRST, &turns, Some(&made)).await.expect("advances");
    let found = async || stores.sessions.find(own, &agent.id, "session_1").await.expect("finds");
    assert_eq!(found().await.as_ref(), Some(&next));
    let late = submission(&mine, "submission_2", 9);
    for expected in [Revision::FIRST, Revision(3)] {
        let stale = Session { title: "Late".into(), ..next_exchange(&next) };
        let stale = stores.sessions.advance(own, &stale, expected, &[turn(5, "late")], Some(&late)).await;
        assert!(matches!(stale, Err(StoreError::Stale)), "{stale:?}");
    }
    assert_eq!(found().await, Some(next.clone()));
    assert_eq!(stores.sessions.turns(own, "session_1", 2).await.expect("reads"), turns);
    assert_eq!(records(stores, own, &agent).await, ["submission_1"]);
    let bare = Session { form: None, ..next_exchange(&next) };
    stores.sessions.advance(own, &bare, Revision(2), &[], None).await.expect("advances");
    assert_eq!(found().await, Some(bare.clone()));
    stores.sessions.delete(own, &agent.id, "session_1").await.expect("deletes");
    let gone = stores.sessions.advance(own, &next_exchange(&bare), Revision(3), &[], Some(&late)).await;
    assert!(matches!(gone, Err(StoreError::Stale)), "{gone:?}");
    assert_eq!(records(stores, own, &agent).await, ["submission_1"]);
}

/// Of two concurrent exchanges, one is stored and the other fails as `Stale`.
pub async fn lets_one_of_two_win(stores: &Stores, own: &Scope, _other: &Scope) {
    let agent = store_agent(stores, own, "a").await;
    let mut current = session(own, &agent, "session_1", 5);
    store_session(stores, own, &current).await;
    for round in 0..20_u32 {
        let exchange = |text: &'static str| {
            let next = Session { title: text.into(), ..next_exchange(&current) };
            let turns = [turn(2 * round + 3, text), turn(2 * round + 4, text)];
            let made = submission(&current, &format!("submission_{round}_{text}"), 1);
            let (sessions, expected) = (Arc::clone(&stores.sessions), current.revision);
            async move { sessions.advance(own, &next, expected, &turns, Some(&made)).await.map(|()| next) }
        };
        let outcomes = both(exchange("one"), exchange("two")).await;
        let lost = outcomes.iter().filter(|outcome| matches!(outcome, Err(StoreError::Stale))).count();
        assert_eq!(lost, 1, "{outcomes:?}");
        current = outcomes.into_iter().flatten().next().expect("one has won");
        let last = stores.sessions.turns(own, "session_1", 2).await.expect("reads");
        assert!(last.iter().all(|turn| turn.text == current.title), "{last:?}");
    }
    assert_eq!(records(stores, own, &agent).await.len(), 20);
    assert_eq!(stores.sessions.turns(own, "session_1", 99).await.expect("reads").len(), 42);
    let found = stores.sessions.find(own, &agent.id, "session_1").await.expect("finds");
    assert_eq!(found, Some(current));
}
