//! The conformance suite of [`EvaluationRepository`], for its implementations.

use std::collections::BTreeMap;
use std::sync::Arc;

use delta_core::{DocumentRef, RunPlan, RunRepository};
use serde_json::json;
use shared_core::{Author, PageRequest, Position, Scope, StoreError, Timestamp};

use crate::{EvaluationRepository, EvaluationSet, TrueGroup};

/// The port, and the runs beside it.
#[derive(Clone, Debug)]
pub struct EvaluationStores {
    /// Stores sets and their groups.
    pub sets: Arc<dyn EvaluationRepository>,
    /// Stores their evaluations.
    pub runs: Arc<dyn RunRepository>,
}

fn at(micros: i64) -> Timestamp {
    Timestamp::from_micros(micros).unwrap_or_else(|| unreachable!("a valid instant"))
}

/// The form of the suite's sets; stores with foreign keys must create it first.
pub const FORM: &str = "form-of-sets";

fn set(scope: &Scope, id: &str, micros: i64) -> EvaluationSet {
    let author = Author {
        id: scope.user.clone(),
        name: format!("Name of {}", scope.user),
        email: format!("{}@example.com", scope.user),
    };
    let weights = BTreeMap::from([("/a".to_owned(), 0.5)]);
    let name = "N\u{0}\u{1f600}".to_owned();
    EvaluationSet {
        id: id.into(),
        name,
        form_id: FORM.into(),
        weights,
        groups: 0,
        author,
        created: at(micros),
    }
}

fn group(number: usize) -> TrueGroup {
    let record = json!({"zebra": number, "apple": "\u{0}", "none": null});
    TrueGroup {
        documents: vec![DocumentRef { description: "d\u{0}".into(), ..DocumentRef::new(number.to_string()) }],
        record: record.as_object().cloned().unwrap_or_default(),
    }
}

/// A set reads back as it was stored, with the groups that were added, in their order.
pub async fn groups_are_added_in_order(stores: &EvaluationStores, own: &Scope, _other: &Scope) {
    let made = set(own, "set_1", 1);
    stores.sets.insert(own, &made).await.expect("stores");
    assert_eq!(stores.sets.find(own, "set_1").await.expect("finds"), Some(made.clone()));
    let groups: Vec<TrueGroup> = (0..1_100).map(group).collect();
    assert_eq!(stores.sets.add(own, "set_1", &groups[..3], 1_100).await.expect("adds"), 3);
    assert_eq!(stores.sets.add(own, "set_1", &groups[3..], 1_100).await.expect("adds"), 1_100);
    let full = stores.sets.add(own, "set_1", &groups[..1], 1_100).await;
    assert!(matches!(full, Err(StoreError::Stale)), "{full:?}");
    let read = stores.sets.groups(own, "set_1", 2, 3).await.expect("reads");
    assert_eq!(read, groups[2..5]);
    assert_eq!(stores.sets.groups(own, "set_1", 1_099, 9).await.expect("reads"), groups[1_099..]);
    let found = stores.sets.find(own, "set_1").await.expect("finds").expect("is there");
    assert_eq!(found, EvaluationSet { groups: 1_100, ..made });
    let none = stores.sets.add(own, "set_2", &groups[..1], 9).await;
    assert!(matches!(none, Err(StoreError::Missing("evaluation_set"))), "{none:?}");
}

/// Sets are listed newest first, and belong to one workspace.
pub async fn sets_are_isolated_and_deleted(stores: &EvaluationStores, own: &Scope, other: &Scope) {
    for (id, micros) in [("set_1", 1), ("set_2", 2), ("set_3", 3)] {
        stores.sets.insert(own, &set(own, id, micros)).await.expect("stores");
        stores.sets.add(own, id, &[group(1)], 9).await.expect("adds");
    }
    let page = stores.sets.list(own, &PageRequest::first(2)).await.expect("lists");
    let ids: Vec<&str> = page.items.iter().map(|set| set.id.as_str()).collect();
    assert_eq!((ids, page.total), (vec!["set_3", "set_2"], 3));
    let rest = PageRequest { position: Position::After(page.next.expect("a cursor")), limit: 2 };
    let rest = stores.sets.list(own, &rest).await.expect("lists");
    assert_eq!((rest.items.len(), rest.items[0].id.as_str()), (1, "set_1"));
    assert!(stores.sets.list(other, &PageRequest::first(2)).await.expect("lists").items.is_empty());
    assert_eq!(stores.sets.find(other, "set_1").await.expect("finds"), None);
    assert!(stores.sets.groups(other, "set_1", 0, 9).await.expect("reads").is_empty());
    assert!(stores.sets.add(other, "set_1", &[group(1)], 9).await.is_err());
    assert!(!stores.sets.delete(other, "set_1").await.expect("deletes"));
    assert!(stores.sets.delete(own, "set_1").await.expect("deletes"));
    assert!(!stores.sets.delete(own, "set_1").await.expect("deletes"));
    assert!(stores.sets.groups(own, "set_1", 0, 9).await.expect("reads").is_empty());
}

/// The runs over a set are those whose plan names it.
pub async fn runs_are_found_by_their_set(stores: &EvaluationStores, own: &Scope, other: &Scope) {
    stores.sets.insert(own, &set(own, "set_1", 1)).await.expect("stores");
    let plan = |scope: &Scope, set: Option<&str>| RunPlan {
        classification: None,
        evaluation_set: set.map(str::to_owned),
        ..delta_core::contract::plan(scope)
    };
    let documents = vec![group(1).documents];
    let mut sids = Vec::new();
    for (scope, set) in [(own, Some("set_1")), (own, None), (own, Some("set_1")), (other, Some("set_1"))] {
        let run = stores.runs.create(scope, &plan(scope, set), &documents, at(1)).await.expect("creates");
        sids.push(run.sid);
    }
    let page = stores.sets.runs(own, "set_1", &PageRequest::first(1)).await.expect("lists");
    assert_eq!((page.total, page.items[0].sid), (2, sids[2]));
    assert_eq!(page.items[0].plan.evaluation_set.as_deref(), Some("set_1"));
    let rest = PageRequest { position: Position::After(page.next.expect("a cursor")), limit: 2 };
    let rest = stores.sets.runs(own, "set_1", &rest).await.expect("lists");
    assert_eq!(rest.items.iter().map(|run| run.sid).collect::<Vec<_>>(), [sids[0]]);
}

/// Expands to the tests of an [`EvaluationRepository`]. `$run` takes a name and a closure from
/// `(stores, own scope, other scope)` to a future and runs it on fresh stores in which the form [`FORM`] and the agents of
/// `delta_core::contract` exist in both workspaces.
#[macro_export]
macro_rules! evaluation_repository_contract {
    ($run:ident) => {
        $crate::evaluation_repository_contract!($run: groups_are_added_in_order sets_are_isolated_and_deleted runs_are_found_by_their_set);
    };
    ($run:ident: $($name:ident)*) => {
        $(#[test] fn $name() {
            $run(stringify!($name), |stores, own, other| {
                Box::pin(async move { $crate::contract::$name(&stores, &own, &other).await })
            });
        })*
    };
}
