//! Conformance of submissions.

use shared_core::{Page, PageRequest, Position, Scope};

use super::{Stores, at, ids, next_exchange, records, session, store_agent, store_session, submission, turn};
use crate::chat::Submission;

/// Deleting sessions deletes their turns and keeps their submissions, for one session and for all up to a
/// time.
pub async fn deletes_sessions_and_keeps_submissions(stores: &Stores, own: &Scope, _other: &Scope) {
    let (agent, twin) = (store_agent(stores, own, "a").await, store_agent(stores, own, "b").await);
    for n in 0..6 {
        let mine = session(own, &agent, &format!("s{n}"), n);
        let made = submission(&mine, &format!("submission_{n}"), n);
        stores.sessions.insert(own, &mine, &[turn(1, "a")], Some(&made)).await.expect("inserts");
    }
    store_session(stores, own, &session(own, &twin, "elsewhere", 0)).await;
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

/// Submissions read back, are listed newest first by page number and by cursor, and are deleted one by one.
pub async fn keeps_submissions(stores: &Stores, own: &Scope, _other: &Scope) {
    let agent = store_agent(stores, own, "a").await;
    let mine = session(own, &agent, "session_1", 1);
    let first = submission(&mine, "n0", 0);
    stores.sessions.insert(own, &mine, &[], Some(&first)).await.expect("inserts");
    let mut current = mine;
    for n in 1..5 {
        let next = next_exchange(&current);
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

/// Lists the forms of an agent's submissions, each once.
pub async fn tells_the_forms(stores: &Stores, own: &Scope, other: &Scope) {
    let (agent, twin) = (store_agent(stores, own, "a").await, store_agent(stores, own, "b").await);
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
