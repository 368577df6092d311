//! The conformance suite of [`AgentRepository`], for implementers.

use shared_core::{Author, PageRequest, Position, Revision, Scope, StoreError, Timestamp};

use crate::{Agent, AgentRepository, Authorization, ReviewPolicy, ToolServer};

fn at(micros: i64) -> Timestamp {
    Timestamp::from_micros(micros).unwrap_or_else(|| unreachable!("a valid instant"))
}

/// An agent without a form, as the suites store it.
#[must_use]
pub fn agent(scope: &Scope, namespace: &str, micros: i64) -> Agent {
    Agent {
        id: format!("agent-{}-{namespace}", scope.workspace),
        workspace: scope.workspace.clone(),
        author: Author {
            id: scope.user.clone(),
            name: format!("Name of {}", scope.user),
            email: format!("{}@example.com", scope.user),
        },
        namespace: namespace.into(),
        name: "N\u{0}\u{1f600}".into(),
        description: "'; DROP TABLE agents; --".into(),
        instructions: "line\nline".into(),
        model_id: Some("a@b@openai".into()),
        form_id: None,
        form_version: Some(7),
        forms: Vec::new(),
        knowledge: vec!["k1".into(), "k2".into()],
        tools: vec![ToolServer {
            url: "https://tools.example/mcp".into(),
            allowed: Some(vec!["search".into()]),
            authorization: Some(Authorization::new("Bearer s".into())),
        }],
        review: Some(ReviewPolicy { threshold: Some(0.8), ..ReviewPolicy::default() }),
        revision: Revision::FIRST,
        created: at(micros),
        updated: at(micros),
    }
}

/// An agent reads back as it was stored. Another workspace may use the same namespace.
pub async fn reads_back_and_isolates(store: &dyn AgentRepository, own: &Scope, other: &Scope) {
    let mine = agent(own, "invoices", 5);
    store.insert(own, &mine).await.expect("inserts");
    assert_eq!(store.find(own, "invoices").await.expect("finds"), Some(mine.clone()));
    assert_eq!(store.find(other, "invoices").await.expect("finds"), None);
    let change = Agent { revision: Revision(2), ..mine.clone() };
    assert!(matches!(store.update(other, &change, Revision::FIRST).await, Err(StoreError::Stale)));
    assert!(!store.delete(other, "invoices").await.expect("answers"));
    store.insert(other, &agent(other, "invoices", 6)).await.expect("inserts");
    assert_eq!(store.list(own, &PageRequest::first(9)).await.expect("lists").items, [mine]);
}

/// A namespace is unique in its workspace, on insert and on update.
pub async fn a_namespace_is_taken_once(store: &dyn AgentRepository, own: &Scope, _other: &Scope) {
    store.insert(own, &agent(own, "a", 1)).await.expect("inserts");
    store.insert(own, &agent(own, "b", 1)).await.expect("inserts");
    let twin = Agent { id: "another".into(), ..agent(own, "a", 2) };
    assert!(matches!(store.insert(own, &twin).await, Err(StoreError::Taken("namespace"))));
    let renamed = Agent { namespace: "a".into(), revision: Revision(2), ..agent(own, "b", 1) };
    assert!(matches!(
        store.update(own, &renamed, Revision::FIRST).await,
        Err(StoreError::Taken("namespace"))
    ));
    let renamed = Agent { namespace: "c".into(), ..renamed };
    store.update(own, &renamed, Revision::FIRST).await.expect("renames");
    assert_eq!(store.find(own, "b").await.expect("finds"), None);
    assert_eq!(store.find(own, "c").await.expect("finds"), Some(renamed));
}

/// An update requires the stored revision. A deleted agent is not found.
pub async fn updates_by_revision_and_deletes(store: &dyn AgentRepository, own: &Scope, _other: &Scope) {
    let first = agent(own, "a", 1);
    store.insert(own, &first).await.expect("inserts");
    let second = Agent {
        model_id: None,
        form_version: None,
        knowledge: vec![],
        tools: vec![],
        review: None,
        revision: Revision(2),
        updated: at(2),
        ..first
    };
    store.update(own, &second, Revision::FIRST).await.expect("updates");
    assert!(matches!(store.update(own, &second, Revision::FIRST).await, Err(StoreError::Stale)));
    assert_eq!(store.find(own, "a").await.expect("finds"), Some(second));
    assert!(store.delete(own, "a").await.expect("deletes"));
    assert!(!store.delete(own, "a").await.expect("answers"));
}

/// Lists newest first, then by id, both by page number and by cursor.
pub async fn lists_newest_first(store: &dyn AgentRepository, own: &Scope, _other: &Scope) {
    for n in 0..5 {
        store.insert(own, &agent(own, &format!("a{n}"), n / 2)).await.expect("inserts");
    }
    let names = |page: &shared_core::Page<Agent>| -> Vec<String> {
        page.items.iter().map(|agent| agent.namespace.clone()).collect()
    };
    let first = store.list(own, &PageRequest::first(3)).await.expect("lists");
    assert_eq!((names(&first), first.total), (vec!["a4".into(), "a3".into(), "a2".into()], 5));
    let after = PageRequest { position: Position::After(first.next.expect("more")), limit: 9 };
    assert_eq!(names(&store.list(own, &after).await.expect("lists")), ["a1", "a0"]);
    let second = PageRequest { position: Position::Number(2), limit: 3 };
    assert_eq!(names(&store.list(own, &second).await.expect("lists")), ["a1", "a0"]);
}

/// Expands to the tests of an [`AgentRepository`]. `$run` takes a name and a closure from
/// `(store, own scope, other scope)` to a future and runs it on a fresh store.
#[macro_export]
macro_rules! agent_repository_contract {
    ($run:ident) => {
        $crate::agent_repository_contract!($run: reads_back_and_isolates a_namespace_is_taken_once updates_by_revision_and_deletes lists_newest_first);
    };
    ($run:ident: $($name:ident)*) => {
        $(#[test] fn $name() {
            $run(stringify!($name), |store, own, other| {
                Box::pin(async move { $crate::contract::$name(&*store, &own, &other).await })
            });
        })*
    };
}
