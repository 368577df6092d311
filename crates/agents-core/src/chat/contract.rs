//! The conformance suite of the port, for those who implement it. Its workspaces have no agents before a test runs.

use std::pin::pin;
use std::sync::Arc;
use std::task::Poll;

use serde_json::{Map, Value, json};
use shared_core::{Author, Page, PageRequest, Position, Revision, Scope, StoreError, Timestamp};

use super::{FormState, Mark, PAGE_BYTES, Phase, Session, SessionRepository, Speaker, Submission, Turn};
use crate::contract::agent;
use crate::{Agent, AgentRepository};

/// A store of sessions beside the agents that they belong to.
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

/// A session with a form on its way, as the suites store it.
#[must_use]
pub fn session(scope: &Scope, agent: &Agent, id: &str, micros: i64) -> Session {
    let form = FormState {
        form_id: "form_1".into(),
        revision: 3,
        phase: Phase::Filling,
        values: object(json!({"zebra": {"b": 1.5e300, "a": ["\u{0}", ODD]}, "apple": u64::MAX})),
        marks: [("/zebra/a/0".into(), Mark::Said), ("/b".into(), Mark::NotApplicable)].into(),
        asked: Some("/list/-".into()),
        tries: 2,
        trail: vec!["/zebra/a/0".into(), "/b".into()],
    };
    Session {
        id: id.into(),
        workspace: scope.workspace.clone(),
        author: author(scope),
        agent: agent.id.clone(),
        title: ODD.into(),
        form: Some(form),
        language: "de".into(),
        turns: 2,
        revision: Revision::FIRST,
        created: at(micros),
        updated: at(micros),
    }
}

/// A turn of a conversation; those of odd numbers are the user's.
#[must_use]
pub fn turn(number: u32, text: &str) -> Turn {
    let speaker = if number % 2 == 1 { Speaker::User } else { Speaker::Assistant };
    Turn { number, speaker, text: text.into(), at: at(i64::from(number)) }
}

/// What came of a session.
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

async fn stored(stores: &Stores, scope: &Scope, namespace: &str) -> Agent {
    let agent = agent(scope, namespace, 1);
    stores.agents.insert(scope, &agent).await.expect("inserts the agent");
    agent
}

async fn begun(stores: &Stores, scope: &Scope, session: &Session) {
    let turns = [turn(1, "hello"), turn(2, ODD)];
    stores.sessions.insert(scope, session, &turns, None).await.expect("inserts the session");
}

/// The session after another exchange.
fn further(session: &Session) -> Session {
    let mut next = session.clone();
    (next.revision, next.turns, next.updated) = (session.revision.next(), session.turns + 2, at(9));
    next
}

async fn ids(stores: &Stores, scope: &Scope, agent: &Agent) -> Vec<String> {
    let page = stores.sessions.list(scope, &agent.id, &PageRequest::first(100)).await.expect("lists");
    page.items.into_iter().map(|row| row.id).collect()
}

async fn records(stores: &Stores, scope: &Scope, agent: &Agent) -> Vec<String> {
    let page = stores.sessions.submissions(scope, &agent.id, &PageRequest::first(100)).await.expect("lists");
    page.items.into_iter().map(|row| row.id).collect()
}

/// Both futures, at the same time.
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

/// A session and its turns read back as they were stored, to the order of keys and the last odd character.
pub async fn reads_back_what_it_stored(stores: &Stores, own: &Scope, _other: &Scope) {
    let agent = stored(stores, own, "a").await;
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
    let bare = Session { form: None, language: String::new(), ..session(own, &agent, "session_2", 6) };
    stores.sessions.insert(own, &bare, &[], None).await.expect("inserts");
    let page = stores.sessions.list(own, &agent.id, &PageRequest::first(9)).await.expect("lists");
    assert_eq!(page.items, [bare, mine.clone()]);
    assert_eq!(stores.sessions.turns(own, "session_2", 9).await.expect("reads"), []);
    assert_eq!(stores.sessions.find(own, &agent.id, "session_3").await.expect("finds"), None);
    let again = stores.sessions.insert(own, &mine, &turns, None).await;
    assert!(matches!(again, Err(StoreError::Taken("session"))), "{again:?}");
}

/// There is no session under an agent that is not there, nor under one of another workspace.
pub async fn belongs_to_an_agent(stores: &Stores, own: &Scope, other: &Scope) {
    let kept = stored(stores, own, "kept").await;
    let gone = stored(stores, own, "gone").await;
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

/// Another workspace, and another agent, neither sees, changes nor deletes what is not its own.
pub async fn isolates_workspaces_and_agents(stores: &Stores, own: &Scope, other: &Scope) {
    let (agent, twin) = (stored(stores, own, "a").await, stored(stores, own, "b").await);
    stored(stores, other, "a").await;
    let mine = session(own, &agent, "session_1", 5);
    let made = submission(&mine, "submission_1", 6);
    stores.sessions.insert(own, &mine, &[turn(1, "a")], Some(&made)).await.expect("inserts");
    let next = further(&mine);
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
    // The same ids may occur in both.
    let theirs = stores.agents.find(other, "a").await.expect("finds").expect("is there");
    begun(stores, other, &session(other, &theirs, "session_1", 1)).await;
    assert_eq!(stores.sessions.turns(own, "session_1", 9).await.expect("reads"), [turn(1, "a")]);
}

/// Lists one agent's sessions newest first, then by id, by page and by cursor alike.
pub async fn lists_newest_first(stores: &Stores, own: &Scope, _other: &Scope) {
    let (agent, twin) = (stored(stores, own, "a").await, stored(stores, own, "b").await);
    for n in 0..5 {
        begun(stores, own, &session(own, &agent, &format!("s{n}"), n / 2)).await;
    }
    begun(stores, own, &session(own, &twin, "elsewhere", 99)).await;
    let names =
        |page: &Page<Session>| -> Vec<String> { page.items.iter().map(|row| row.id.clone()).collect() };
    let list = async |position, limit| {
        stores.sessions.list(own, &agent.id, &PageRequest { position, limit }).await.expect("lists")
    };
    let first = list(Position::Number(1), 3).await;
    assert_eq!((names(&first), first.total), (vec!["s4".into(), "s3".into(), "s2".into()], 5));
    begun(stores, own, &session(own, &agent, "newer", 50)).await;
    let rest = list(Position::After(first.next.expect("more")), 9).await;
    assert_eq!((names(&rest), rest.total, rest.next), (vec!["s1".into(), "s0".into()], 6, None));
    assert_eq!(names(&list(Position::Number(2), 4).await), ["s1", "s0"]);
    let beyond = list(Position::Number(u32::MAX), 100).await;
    assert_eq!((beyond.items.len(), beyond.total), (0, 6));
}

/// Of the turns the last are read, oldest first.
pub async fn reads_the_last_turns(stores: &Stores, own: &Scope, _other: &Scope) {
    let agent = stored(stores, own, "a").await;
    let mine = session(own, &agent, "session_1", 5);
    let turns: Vec<Turn> = (1..=6).map(|number| turn(number, &number.to_string())).collect();
    stores.sessions.insert(own, &mine, &turns[..2], None).await.expect("inserts");
    let next = further(&mine);
    stores.sessions.advance(own, &next, Revision::FIRST, &turns[2..], None).await.expect("advances");
    for (last, wanted) in
        [(0, &turns[6..]), (1, &turns[5..]), (4, &turns[2..]), (6, &turns[..]), (99, &turns[..])]
    {
        assert_eq!(stores.sessions.turns(own, "session_1", last).await.expect("reads"), wanted, "{last}");
    }
}

/// A session goes on only from the revision that is stored; what does not count leaves nothing.
pub async fn advances_by_revision(stores: &Stores, own: &Scope, _other: &Scope) {
    let agent = stored(stores, own, "a").await;
    let mine = session(own, &agent, "session_1", 5);
    begun(stores, own, &mine).await;
    let mut next = further(&mine);
    (next.title, next.language) = ("New".into(), "fr".into());
    next.form = next.form.map(|form| FormState { phase: Phase::Submitted, asked: None, tries: 0, ..form });
    let made = submission(&mine, "submission_1", 9);
    let turns = [turn(3, "c"), turn(4, "d")];
    stores.sessions.advance(own, &next, Revision::FIRST, &turns, Some(&made)).await.expect("advances");
    let found = async || stores.sessions.find(own, &agent.id, "session_1").await.expect("finds");
    assert_eq!(found().await.as_ref(), Some(&next));
    let late = submission(&mine, "submission_2", 9);
    for expected in [Revision::FIRST, Revision(3)] {
        let stale = Session { title: "Late".into(), ..further(&next) };
        let stale = stores.sessions.advance(own, &stale, expected, &[turn(5, "late")], Some(&late)).await;
        assert!(matches!(stale, Err(StoreError::Stale)), "{stale:?}");
    }
    assert_eq!(found().await, Some(next.clone()));
    assert_eq!(stores.sessions.turns(own, "session_1", 2).await.expect("reads"), turns);
    assert_eq!(records(stores, own, &agent).await, ["submission_1"]);
    let bare = Session { form: None, ..further(&next) };
    stores.sessions.advance(own, &bare, Revision(2), &[], None).await.expect("advances");
    assert_eq!(found().await, Some(bare.clone()));
    stores.sessions.delete(own, &agent.id, "session_1").await.expect("deletes");
    let gone = stores.sessions.advance(own, &further(&bare), Revision(3), &[], Some(&late)).await;
    assert!(matches!(gone, Err(StoreError::Stale)), "{gone:?}");
    assert_eq!(records(stores, own, &agent).await, ["submission_1"]);
}

/// Of two exchanges at the same time one is stored, and the other is told so.
pub async fn lets_one_of_two_win(stores: &Stores, own: &Scope, _other: &Scope) {
    let agent = stored(stores, own, "a").await;
    let mut current = session(own, &agent, "session_1", 5);
    begun(stores, own, &current).await;
    for round in 0..20_u32 {
        let exchange = |text: &'static str| {
            let next = Session { title: text.into(), ..further(&current) };
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

/// A session goes with its turns and without its submissions, alone or with all that began by a time.
pub async fn deletes_sessions_and_keeps_submissions(stores: &Stores, own: &Scope, _other: &Scope) {
    let (agent, twin) = (stored(stores, own, "a").await, stored(stores, own, "b").await);
    for n in 0..6 {
        let mine = session(own, &agent, &format!("s{n}"), n);
        let made = submission(&mine, &format!("submission_{n}"), n);
        stores.sessions.insert(own, &mine, &[turn(1, "a")], Some(&made)).await.expect("inserts");
    }
    begun(stores, own, &session(own, &twin, "elsewhere", 0)).await;
    assert!(stores.sessions.delete(own, &agent.id, "s1").await.expect("deletes"));
    assert!(!stores.sessions.delete(own, &agent.id, "s1").await.expect("answers"));
    assert_eq!(stores.sessions.turns(own, "s1", 9).await.expect("reads"), []);
    let until =
        async |most| stores.sessions.delete_until(own, &agent.id, at(4), most).await.expect("deletes");
    assert_eq!(until(3).await, 3);
    assert_eq!(ids(stores, own, &agent).await.len(), 2);
    assert_eq!((until(3).await, until(3).await), (1, 0));
    assert_eq!(ids(stores, own, &agent).await, ["s5"]);
    for (id, turns) in [("s0", 0), ("s4", 0), ("s5", 1), ("elsewhere", 2)] {
        assert_eq!(stores.sessions.turns(own, id, 9).await.expect("reads").len(), turns, "{id}");
    }
    assert_eq!(records(stores, own, &agent).await.len(), 6);
}

/// Submissions read back, are listed newest first by page and by cursor, and go one by one.
pub async fn keeps_submissions(stores: &Stores, own: &Scope, _other: &Scope) {
    let agent = stored(stores, own, "a").await;
    let mine = session(own, &agent, "session_1", 1);
    let first = submission(&mine, "n0", 0);
    stores.sessions.insert(own, &mine, &[], Some(&first)).await.expect("inserts");
    let mut current = mine;
    for n in 1..5 {
        let next = further(&current);
        let made = submission(&next, &format!("n{n}"), n / 2);
        stores.sessions.advance(own, &next, current.revision, &[], Some(&made)).await.expect("advances");
        current = next;
    }
    assert!(stores.sessions.submissions_after(own, "none", None, 9).await.expect("lists").0.is_empty());
    let found = stores.sessions.submission(own, &agent.id, "n0").await.expect("finds").expect("is there");
    assert_eq!(found, first);
    assert!(found.record.keys().eq(["zebra", "apple", "list"]), "keys keep their order");
    let names =
        |page: &Page<Submission>| -> Vec<String> { page.items.iter().map(|row| row.id.clone()).collect() };
    let list = async |position, limit| {
        stores.sessions.submissions(own, &agent.id, &PageRequest { position, limit }).await.expect("lists")
    };
    let page = list(Position::Number(1), 3).await;
    assert_eq!((names(&page), page.total), (vec!["n4".into(), "n3".into(), "n2".into()], 5));
    assert_eq!(names(&list(Position::After(page.next.expect("more")), 9).await), ["n1", "n0"]);
    assert_eq!(names(&list(Position::Number(2), 3).await), ["n1", "n0"]);
    let (mut seen, mut after) = (Vec::new(), None);
    loop {
        let (rows, next) =
            stores.sessions.submissions_after(own, &agent.id, after.as_ref(), 2).await.expect("lists");
        seen.extend(rows.into_iter().map(|row| row.id));
        match next {
            Some(cursor) => after = Some(cursor),
            None => break,
        }
    }
    assert_eq!(seen, ["n4", "n3", "n2", "n1", "n0"]);
    assert!(stores.sessions.delete_submission(own, &agent.id, "n3").await.expect("deletes"));
    assert!(!stores.sessions.delete_submission(own, &agent.id, "n3").await.expect("answers"));
    assert_eq!(stores.sessions.submission(own, &agent.id, "n3").await.expect("finds"), None);
    assert_eq!(names(&list(Position::Number(1), 9).await), ["n4", "n2", "n1", "n0"]);
}

/// Tells the forms that an agent's submissions were made with, each once.
pub async fn tells_the_forms(stores: &Stores, own: &Scope, other: &Scope) {
    let (agent, twin) = (stored(stores, own, "a").await, stored(stores, own, "b").await);
    for (of, form, n) in [(&agent, "f2", 1), (&agent, "f1", 2), (&agent, "f2", 3), (&twin, "f3", 4)] {
        let mine = session(own, of, &format!("s{n}"), 1);
        let made = Submission { form_id: form.into(), ..submission(&mine, &format!("n{n}"), 1) };
        stores.sessions.insert(own, &mine, &[], Some(&made)).await.expect("inserts");
    }
    let forms =
        async |scope, most| stores.sessions.submitted_forms(scope, &agent.id, most).await.expect("lists");
    assert_eq!(
        (forms(own, 9).await, forms(own, 1).await),
        (vec!["f1".into(), "f2".into()], vec!["f1".into()])
    );
    assert_eq!(forms(other, 9).await, [""; 0]);
}

/// Pages of large rows end early and go on where they ended, so that no page takes much memory.
pub async fn bounds_pages_by_bytes(stores: &Stores, own: &Scope, _other: &Scope) {
    let agent = stored(stores, own, "a").await;
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
        let sessions = stores.sessions.list(own, &agent.id, &request).await.expect("lists");
        let made = stores.sessions.submissions(own, &agent.id, &request).await.expect("lists");
        let mut numbers: Vec<String> = sessions.items.iter().map(|row| row.id.replace('s', "n")).collect();
        assert_eq!(made.items.iter().map(|row| row.id.clone()).collect::<Vec<_>>(), numbers);
        assert_eq!((sessions.total, made.total), (5, 5));
        seen.append(&mut numbers);
        seen.push("|".into());
        match sessions.next {
            // The ids of the two lists differ in their first letter alone.
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

/// Sessions, turns and submissions go with their agent, and with no other.
pub async fn goes_with_its_agent(stores: &Stores, own: &Scope, other: &Scope) {
    let (agent, twin) = (stored(stores, own, "a").await, stored(stores, own, "b").await);
    let theirs = stored(stores, other, "a").await;
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
    let gone = stores.sessions.advance(own, &further(&lost), Revision::FIRST, &[], Some(&made)).await;
    assert!(matches!(gone, Err(StoreError::Stale)), "{gone:?}");
    for (scope, agent, id) in [(own, &twin, "s2"), (other, &theirs, "s1")] {
        assert_eq!(ids(stores, scope, agent).await, [id]);
        assert_eq!(records(stores, scope, agent).await, [format!("of_{id}")]);
    }
}

/// Expands to the tests of a [`SessionRepository`]. `$run` takes a name and a closure from
/// `(stores, own scope, other scope)` to a future and runs it on fresh stores.
#[macro_export]
macro_rules! session_repository_contract {
    ($run:ident) => {
        $crate::session_repository_contract!($run: reads_back_what_it_stored belongs_to_an_agent isolates_workspaces_and_agents lists_newest_first reads_the_last_turns advances_by_revision lets_one_of_two_win deletes_sessions_and_keeps_submissions keeps_submissions tells_the_forms bounds_pages_by_bytes goes_with_its_agent);
    };
    ($run:ident: $($name:ident)*) => {
        $(#[test] fn $name() {
            $run(stringify!($name), |stores, own, other| {
                Box::pin(async move { $crate::chat::contract::$name(&stores, &own, &other).await })
            });
        })*
    };
}
