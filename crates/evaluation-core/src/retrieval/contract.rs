//! The conformance suite of [`QuestionSetRepository`], for its implementations.

use std::sync::Arc;

use shared_core::{Author, PageRequest, Position, Scope, Timestamp};

use super::{AnswerPlace, Question, QuestionSet, QuestionSetRepository};

/// The port of the suite.
pub type QuestionSets = Arc<dyn QuestionSetRepository>;

/// The knowledge bases of the suite in a workspace; stores with foreign keys must create them first.
#[must_use]
pub fn bases(scope: &Scope) -> [String; 2] {
    ["a", "b"].map(|name| format!("kb-{}-{name}", scope.workspace))
}

fn at(micros: i64) -> Timestamp {
    Timestamp::from_micros(micros).unwrap_or_else(|| unreachable!("a valid instant"))
}

fn set(scope: &Scope, base: &str, id: &str, micros: i64) -> QuestionSet {
    let author = Author {
        id: scope.user.clone(),
        name: format!("Name of {}", scope.user),
        email: format!("{}@example.com", scope.user),
    };
    let name = "N\u{0}\u{1f600}".to_owned();
    let (created, updated) = (at(micros), at(micros));
    QuestionSet { id: id.into(), base: base.into(), name, questions: 2, author, created, updated }
}

fn questions() -> Vec<Question> {
    let place = AnswerPlace { file: Some("f\u{0}".into()), page: Some(7), ..AnswerPlace::default() };
    let text =
        AnswerPlace { text: Some("'; DROP".into()), title: Some("T".into()), ..AnswerPlace::default() };
    let first = Question {
        query: "Where\u{0}?".into(),
        places: vec![place, text],
        answer: Some("There".into()),
        unanswerable: false,
    };
    vec![first, Question { query: "When?".into(), unanswerable: true, ..Question::default() }]
}

/// A set reads back as it was stored and as it was replaced.
pub async fn a_set_reads_back_and_is_replaced(sets: &QuestionSets, own: &Scope, other: &Scope) {
    let [base, second] = bases(own);
    let made = set(own, &base, "set_1", 1);
    sets.insert(own, &made, &questions()).await.expect("stores");
    let found = sets.find(own, &base, "set_1").await.expect("finds");
    assert_eq!(found, Some((made.clone(), questions())));
    assert_eq!(sets.find(own, &second, "set_1").await.expect("finds"), None);
    assert_eq!(sets.find(own, &base, "set_2").await.expect("finds"), None);
    assert_eq!(sets.find(own, "'\u{0}", "\u{0}").await.expect("finds"), None);
    let changed = QuestionSet { name: "New".into(), questions: 1, updated: at(5), ..made.clone() };
    assert!(!sets.replace(other, &changed, &questions()[..1]).await.expect("replaces"));
    let elsewhere = QuestionSet { base: second, ..changed.clone() };
    assert!(!sets.replace(own, &elsewhere, &questions()[..1]).await.expect("replaces"));
    assert_eq!(sets.find(own, &base, "set_1").await.expect("finds"), Some((made, questions())));
    assert!(sets.replace(own, &changed, &questions()[..1]).await.expect("replaces"));
    let found = sets.find(own, &base, "set_1").await.expect("finds");
    assert_eq!(found, Some((changed, questions()[..1].to_vec())));
}

/// Sets are listed newest first, and belong to one knowledge base of one workspace.
pub async fn sets_are_listed_isolated_and_deleted(sets: &QuestionSets, own: &Scope, other: &Scope) {
    let [base, second] = bases(own);
    for (base, id, micros) in
        [(&base, "set_1", 1), (&base, "set_2", 2), (&base, "set_3", 3), (&second, "set_4", 4)]
    {
        sets.insert(own, &set(own, base, id, micros), &questions()).await.expect("stores");
    }
    let page = sets.list(own, &base, &PageRequest::first(2)).await.expect("lists");
    let ids: Vec<&str> = page.items.iter().map(|set| set.id.as_str()).collect();
    assert_eq!((ids, page.total, page.items[0].questions), (vec!["set_3", "set_2"], 3, 2));
    let rest = PageRequest { position: Position::After(page.next.expect("a cursor")), limit: 2 };
    let rest = sets.list(own, &base, &rest).await.expect("lists");
    assert_eq!((rest.items.len(), rest.items[0].id.as_str()), (1, "set_1"));
    assert!(sets.list(other, &base, &PageRequest::first(2)).await.expect("lists").items.is_empty());
    assert_eq!(sets.find(other, &base, "set_1").await.expect("finds"), None);
    assert!(!sets.delete(other, &base, "set_1").await.expect("deletes"));
    assert!(!sets.delete(own, &second, "set_1").await.expect("deletes"));
    assert!(sets.delete(own, &base, "set_1").await.expect("deletes"));
    assert!(!sets.delete(own, &base, "set_1").await.expect("deletes"));
    assert_eq!(sets.list(own, &base, &PageRequest::first(9)).await.expect("lists").total, 2);
}

/// Expands to the tests of a [`QuestionSetRepository`]. `$run` takes a name and a closure from
/// `(sets, own scope, other scope)` to a future and runs it on a fresh store in which [`bases`] exist in both workspaces.
#[macro_export]
macro_rules! question_set_contract {
    ($run:ident) => {
        $crate::question_set_contract!($run: a_set_reads_back_and_is_replaced sets_are_listed_isolated_and_deleted);
    };
    ($run:ident: $($name:ident)*) => {
        $(#[test] fn $name() {
            $run(stringify!($name), |sets, own, other| {
                Box::pin(async move { $crate::retrieval::contract::$name(&sets, &own, &other).await })
            });
        })*
    };
}
