//! Conformance of sessions: round trip, isolation, order, page sizes, and deletion with the agent.

use serde_json::json;
use shared_core::{Page, PageRequest, Position, Revision, Scope, StoreError};

use super::{
    ODD, Stores, at, ids, next_exchange, object, records, session, store_agent, store_session, submission,
    turn,
};
use crate::chat::{FormState, PAGE_BYTES, Phase, Session};

/// A session and its turns read back as stored, including key order and control characters.
pub async fn reads_back_what_it_stored(stores: &Stores, own: &Scope, _other: &Scope) {
    let agent = store_agent(stores, own, "a").await;
    let mine = session(own, &agent, "session_1", 5);
    let turns = [turn(1, ODD), turn(2, "")];
    stores.sessions.insert(own, &mine, &turns, None).await.expect("inserts");
    let found = stores.sessions.find(own, &agent.id, "session_1").await.expect("finds").expect("is there");
    assert_eq!(found, mine);
    let keys = |session: &Session| -> Vec<String> {
        session.form.iter().flat_map(|form| form.values.keys().cloned()).collect()
    };
    assert_eq!(keys(&found), ["zebra", "apple"]);
    assert_eq!(stores.sessions.turns(own, "session_1", 9).await.expect("reads"), turns);
    let bare = Session {
        form: None,
        taken_over: None,
        language: String::new(),
        ..session(own, &agent, "session_2", 6)
    };
    stores.sessions.insert(own, &bare, &[], None).await.expect("inserts");
    let page = stores.sessions.list(own, &agent.id, None, &PageRequest::first(9)).await.expect("lists");
    assert_eq!(page.items, [bare, mine.clone()]);
    assert_eq!(stores.sessions.turns(own, "session_2", 9).await.expect("reads"), []);
    assert_eq!(stores.sessions.find(own, &agent.id, "session_3").await.expect("finds"), None);
    let again = stores.sessions.insert(own, &mine, &turns, None).await;
    assert!(matches!(again, Err(StoreError::Taken("session"))), "{again:?}");
}

/// A session cannot be inserted for a deleted agent, nor for an agent of another workspace.
pub async fn belongs_to_an_agent(stores: &Stores, own: &Scope, other: &Scope) {
    let kept = store_agent(stores, own, "kept").await;
    let gone = store_agent(stores, own, "gone").await;
    stores.agents.delete(own, "gone").await.expect("deletes");
    for (scope, agent) in [(own, &gone), (other, &kept)] {
        let orphan = session(scope, agent, "session_1", 1);
        let made = submission(&orphan, "submission_1", 1);
        let refused = stores.sessions.insert(scope, &orphan, &[turn(1, "a")], Some(&made)).await;
        assert!(matches!(refused, Err(StoreError::Missing("agent"))), "{refused:?}");
        assert_eq!(stores.sessions.turns(scope, "session_1", 9).await.expect("reads"), []);
        assert!(ids(stores, scope, agent).await.is_empty() && records(stores, scope, agent).await.is_empty());
    }
}

/// Another workspace or agent can neither read, change nor delete a session.
pub async fn isolates_workspaces_and_agents(stores: &Stores, own: &Scope, other: &Scope) {
    let (agent, twin) = (store_agent(stores, own, "a").await, store_agent(stores, own, "b").await);
    store_agent(stores, other, "a").await;
    let mine = session(own, &agent, "session_1", 5);
    let made = submission(&mine, "submission_1", 6);
    stores.sessions.insert(own, &mine, &[turn(1, "a")], Some(&made)).await.expect("inserts");
    let next = next_exchange(&mine);
    let late = submission(&mine, "submission_2", 7);
    let taken = stores.sessions.advance(other, &next, Revision::FIRST, &[turn(3, "x")], Some(&late)).await;
    assert!(matches!(taken, Err(StoreError::Stale)), "{taken:?}");
    assert_eq!(stores.sessions.turns(other, "session_1", 9).await.expect("reads"), []);
    for (scope, agent) in [(other, &agent), (own, &twin)] {
        assert_eq!(stores.sessions.find(scope, &agent.id, "session_1").await.expect("finds"), None);
        assert_eq!(stores.sessions.submission(scope, &agent.id, "submission_1").await.expect("finds"), None);
        assert!(ids(stores, scope, agent).await.is_empty() && records(stores, scope, agent).await.is_empty());
        assert!(!stores.sessions.delete(scope, &agent.id, "session_1").await.expect("answers"));
        assert!(!stores.sessions.delete_submission(scope, &agent.id, "submission_1").await.expect("answers"));
        assert_eq!(stores.sessions.delete_until(scope, &agent.id, at(9), 9).await.expect("answers"), 0);
    }
    assert_eq!(stores.sessions.find(own, &agent.id, "session_1").await.expect("finds"), Some(mine));
    assert_eq!(records(stores, own, &agent).await, ["submission_1"]);
    // The same id may occur in both workspaces.
    let theirs = stores.agents.find(other, "a").await.expect("finds").expect("is there");
    store_session(stores, other, &session(other, &theirs, "session_1", 1)).await;
    assert_eq!(stores.sessions.turns(own, "session_1", 9).await.expect("reads"), [turn(1, "a")]);
}

/// Lists one agent's sessions newest first, then by id, both by page number and by cursor.
pub async fn lists_newest_first(stores: &Stores, own: &Scope, _other: &Scope) {
    let (agent, twin) = (store_agent(stores, own, "a").await, store_agent(stores, own, "b").await);
    for n in 0..5 {
        store_session(stores, own, &session(own, &agent, &format!("s{n}"), n / 2)).await;
    }
    store_session(stores, own, &session(own, &twin, "elsewhere", 99)).await;
    let names =
        |page: &Page<Session>| -> Vec<String> { page.items.iter().map(|row| row.id.clone()).collect() };
    let list = async |position, limit| {
        stores.sessions.list(own, &agent.id, None, &PageRequest { position, limit }).await.expect("lists")
    };
    let first = list(Position::Number(1), 3).await;
    assert_eq!((names(&first), first.total), (vec!["s4".into(), "s3".into(), "s2".into()], 5));
    store_session(stores, own, &session(own, &agent, "newer", 50)).await;
    let rest = list(Position::After(first.next.expect("more")), 9).await;
    assert_eq!((names(&rest), rest.total, rest.next), (vec!["s1".into(), "s0".into()], 6, None));
    assert_eq!(names(&list(Position::Number(2), 4).await), ["s1", "s0"]);
    let beyond = list(Position::Number(u32::MAX), 100).await;
    assert_eq!((beyond.items.len(), beyond.total), (0, 6));
}

/// Lists only the sessions whose form is in a phase, also after it went on to another.
pub async fn lists_by_phase(stores: &Stores, own: &Scope, _other: &Scope) {
    let agent = store_agent(stores, own, "a").await;
    for n in 0..4 {
        store_session(stores, own, &session(own, &agent, &format!("s{n}"), n)).await;
    }
    let free = Session { form: None, ..session(own, &agent, "free", 9) };
    store_session(stores, own, &free).await;
    let mut next = next_exchange(&session(own, &agent, "s1", 1));
    next.form = next.form.map(|form| FormState { phase: Phase::Submitted, ..form });
    stores.sessions.advance(own, &next, Revision::FIRST, &[], None).await.expect("advances");
    let list = async |phase, position, limit| {
        let request = PageRequest { position, limit };
        let page = stores.sessions.list(own, &agent.id, Some(phase), &request).await.expect("lists");
        let names: Vec<String> = page.items.iter().map(|row| row.id.clone()).collect();
        (names, page.total, page.next)
    };
    let (first, total, more) = list(Phase::Filling, Position::Number(1), 2).await;
    assert_eq!((first, total), (vec!["s3".into(), "s2".into()], 3));
    let rest = list(Phase::Filling, Position::After(more.expect("more")), 2).await;
    assert_eq!(rest, (vec!["s0".to_owned()], 3, None));
    assert_eq!(list(Phase::Submitted, Position::Number(1), 9).await.0, ["s1"]);
    assert_eq!(list(Phase::Cancelled, Position::Number(1), 9).await.1, 0);
}

/// Pages of large rows end early and continue from their cursor, which bounds the memory of a page.
pub async fn bounds_pages_by_bytes(stores: &Stores, own: &Scope, _other: &Scope) {
    let agent = store_agent(stores, own, "a").await;
    let half = "x".repeat(PAGE_BYTES / 2 - 1_000);
    let sizes = [&half, &"x".repeat(PAGE_BYTES * 2), &half, &half, &half];
    for (text, n) in sizes.iter().zip(0..) {
        let mut mine = session(own, &agent, &format!("s{n}"), n);
        mine.form = mine.form.map(|form| FormState { values: object(json!({"a": text})), ..form });
        let mut made = submission(&mine, &format!("n{n}"), n);
        made.record = object(json!({"a": text}));
        let turns = [turn(1, text), turn(2, &half), turn(3, &half)];
        stores.sessions.insert(own, &mine, &turns, Some(&made)).await.expect("inserts");
    }
    let (mut seen, mut position) = (Vec::new(), Position::Number(1));
    loop {
        let request = PageRequest { position, limit: 4 };
        let sessions = stores.sessions.list(own, &agent.id, None, &request).await.expect("lists");
        let made = stores.sessions.submissions(own, &agent.id, &request).await.expect("lists");
        let mut numbers: Vec<String> = sessions.items.iter().map(|row| row.id.replace('s', "n")).collect();
        assert_eq!(made.items.iter().map(|row| row.id.clone()).collect::<Vec<_>>(), numbers);
        assert_eq!((sessions.total, made.total), (5, 5));
        seen.append(&mut numbers);
        seen.push("|".into());
        match sessions.next {
            // The ids in the two lists differ in their first letter only.
            Some(cursor) => position = Position::After(cursor),
            None => break,
        }
        if let Position::After(cursor) = &mut position {
            assert_eq!(made.next.as_ref().map(|next| next.created), Some(cursor.created));
            cursor.id.clear();
        }
    }
    assert_eq!(seen, ["n4", "n3", "|", "n2", "|", "n1", "|", "n0", "|"]);
    let numbers = async |id: &str, last| -> Vec<u32> {
        let turns = stores.sessions.turns(own, id, last).await.expect("reads");
        turns.iter().map(|turn| turn.number).collect()
    };
    assert_eq!((numbers("s1", 9).await, numbers("s0", 9).await), (vec![2, 3], vec![2, 3]));
    assert_eq!(numbers("s1", 1).await, [3]);
}

/// Deleting an agent deletes its sessions, turns and submissions, and no others.
pub async fn goes_with_its_agent(stores: &Stores, own: &Scope, other: &Scope) {
    let (agent, twin) = (store_agent(stores, own, "a").await, store_agent(stores, own, "b").await);
    let theirs = store_agent(stores, other, "a").await;
    for (scope, agent, id) in [(own, &agent, "s1"), (own, &twin, "s2"), (other, &theirs, "s1")] {
        let mine = session(scope, agent, id, 1);
        let made = submission(&mine, &format!("of_{id}"), 1);
        stores.sessions.insert(scope, &mine, &[turn(1, "a")], Some(&made)).await.expect("inserts");
    }
    assert!(stores.agents.delete(own, "a").await.expect("deletes"));
    assert!(ids(stores, own, &agent).await.is_empty() && records(stores, own, &agent).await.is_empty());
    assert_eq!(stores.sessions.turns(own, "s1", 9).await.expect("reads"), []);
    let lost = session(own, &agent, "s1", 1);
    let made = submission(&lost, "late", 2);
    let gone = stores.sessions.advance(own, &next_exchange(&lost), Revision::FIRST, &[], Some(&made)).await;
    assert!(matches!(gone, Err(StoreError::Stale)), "{gone:?}");
    for (scope, agent, id) in [(own, &twin, "s2"), (other, &theirs, "s1")] {
        assert_eq!(ids(stores, scope, agent).await, [id]);
        assert_eq!(records(stores, scope, agent).await, [format!("of_{id}")]);
    }
}
