//! The conformance suites of [`FormRepository`] and [`AnswerStore`], for implementers.

use gen_core::{Citation, Cost, Finish, Usage};
use serde_json::json;
use shared_core::{Author, Page, PageRequest, Position, Revision, Scope, StoreError, Timestamp};

use crate::{
    AnswerStore, Form, FormGate, FormRepository, FormSummary, FormVersion, SavedAnswer, VersionState,
};

fn at(micros: i64) -> Timestamp {
    Timestamp::from_micros(micros).unwrap_or_else(|| unreachable!("a valid instant"))
}

/// A form, as the suites store it.
#[must_use]
pub fn form(scope: &Scope, id: &str, title: &str, micros: i64) -> Form {
    let schema =
        json!({"zebra": {"type": "string"}, "apple": {"type": "number", "order": 2}, "\u{0}": {"é\"\\": 1}});
    Form {
        id: id.into(),
        workspace: scope.workspace.clone(),
        author: Author {
            id: scope.user.clone(),
            name: format!("Name of {}", scope.user),
            email: format!("{}@example.com", scope.user),
        },
        title: title.into(),
        schema: schema.as_object().cloned().unwrap_or_default(),
        examples: Vec::new(),
        version: 1,
        latest: 1,
        draft: None,
        gate: Some(FormGate { evaluation_set: "set".into(), minimum: 0.95 }),
        revision: Revision::FIRST,
        created: at(micros),
        updated: at(micros),
    }
}

fn titles(page: &Page<FormSummary>) -> Vec<String> {
    page.items.iter().map(|form| form.title.clone()).collect()
}

/// A form reads back as stored, including key order and control characters.
pub async fn reads_back_what_it_stored(store: &dyn FormRepository, own: &Scope, _other: &Scope) {
    let stored = form(own, "f1", "Odd \u{0}\u{1f600} 'title' \\ %_", 123_456_789);
    store.insert(own, &stored).await.expect("inserts");
    let found = store.find(own, "f1").await.expect("finds").expect("is there");
    assert_eq!(found, stored);
    assert!(found.schema.keys().eq(stored.schema.keys()), "keys keep their order");
    assert_eq!(store.find(own, "f2").await.expect("finds"), None);
}

/// Another workspace can neither read, change nor delete a form.
pub async fn isolates_workspaces(store: &dyn FormRepository, own: &Scope, other: &Scope) {
    let stored = form(own, "f1", "t", 1);
    store.insert(own, &stored).await.expect("inserts");
    assert_eq!(store.find(other, "f1").await.expect("finds"), None);
    assert_eq!(store.find_version(other, "f1", 1).await.expect("finds"), None);
    assert_eq!(store.list_versions(other, "f1", &PageRequest::first(9)).await.expect("lists").total, 0);
    assert_eq!(store.list(other, None, &PageRequest::first(9)).await.expect("lists").total, 0);
    let change = Form { title: "stolen".into(), version: 2, revision: Revision(2), ..stored.clone() };
    assert!(matches!(store.update(other, &change, Revision::FIRST).await, Err(StoreError::Stale)));
    assert!(!store.delete(other, "f1").await.expect("answers"));
    assert_eq!(store.find(own, "f1").await.expect("finds"), Some(stored));
}

/// An update requires the stored revision. A new version number stores a version.
pub async fn updates_by_revision_and_keeps_versions(store: &dyn FormRepository, own: &Scope, _other: &Scope) {
    let first = form(own, "f1", "one", 1);
    store.insert(own, &first).await.expect("inserts");
    let second =
        Form { title: "two".into(), version: 2, revision: Revision(2), updated: at(2), ..first.clone() };
    store.update(own, &second, Revision::FIRST).await.expect("updates");
    assert!(matches!(store.update(own, &second, Revision::FIRST).await, Err(StoreError::Stale)));
    assert_eq!(store.find(own, "f1").await.expect("finds"), Some(second));
    for (version, title) in [(1, "one"), (2, "two")] {
        let found = store.find_version(own, "f1", version).await.expect("finds").expect("is there");
        assert_eq!((found.title.as_str(), found.created), (title, at(i64::from(version))));
        assert!(found.schema.keys().eq(first.schema.keys()));
    }
    assert_eq!(store.find_version(own, "f1", 3).await.expect("finds"), None);
    assert!(store.delete(own, "f1").await.expect("deletes"));
    assert!(!store.delete(own, "f1").await.expect("answers"));
    assert_eq!(store.find_version(own, "f1", 1).await.expect("finds"), None);
}

/// A draft is stored beside the version in force, and becomes published with the form that has its number.
pub async fn keeps_drafts_until_they_are_published(store: &dyn FormRepository, own: &Scope, other: &Scope) {
    let first = form(own, "f1", "one", 1);
    store.insert(own, &first).await.expect("inserts");
    let with_draft =
        Form { latest: 2, draft: Some(2), revision: Revision(2), updated: at(2), ..first.clone() };
    let schema = json!({"other": {"type": "date"}}).as_object().cloned().unwrap_or_default();
    let draft = FormVersion { version: 2, state: VersionState::Draft, schema, ..with_draft.in_force() };
    let foreign = store.add_draft(other, &with_draft, &draft, Revision::FIRST).await;
    assert!(matches!(foreign, Err(StoreError::Stale)), "{foreign:?}");
    store.add_draft(own, &with_draft, &draft, Revision::FIRST).await.expect("stores");
    let stale = store.add_draft(own, &with_draft, &draft, Revision::FIRST).await;
    assert!(matches!(stale, Err(StoreError::Stale)), "{stale:?}");
    assert_eq!(store.find(own, "f1").await.expect("finds"), Some(with_draft.clone()));
    assert_eq!(store.find_version(own, "f1", 2).await.expect("finds"), Some(draft.clone()));
    let states = async || {
        let page = store.list_versions(own, "f1", &PageRequest::first(9)).await.expect("lists");
        page.items.iter().map(|one| (one.version, one.state.name())).collect::<Vec<_>>()
    };
    assert_eq!(states().await, [(2, "draft"), (1, "published")]);
    let published = Form {
        schema: draft.schema.clone(),
        version: 2,
        draft: None,
        revision: Revision(3),
        updated: at(3),
        ..with_draft
    };
    store.update(own, &published, Revision(2)).await.expect("publishes");
    assert_eq!(store.find(own, "f1").await.expect("finds"), Some(published));
    let kept = store.find_version(own, "f1", 2).await.expect("finds").expect("is there");
    assert_eq!(kept, FormVersion { state: VersionState::Published, ..draft });
    assert_eq!(states().await, [(2, "published"), (1, "published")]);
}

/// Lists a form's versions newest first, versions of the same time by number, both by page number and by
/// cursor.
pub async fn lists_versions_newest_first(store: &dyn FormRepository, own: &Scope, _other: &Scope) {
    let first = form(own, "f1", "v1", 1);
    store.insert(own, &first).await.expect("inserts");
    store.insert(own, &form(own, "f2", "elsewhere", 9)).await.expect("inserts");
    for n in 2..=12_u32 {
        let next = Form {
            title: format!("v{n}"),
            version: n,
            revision: Revision(i64::from(n)),
            updated: at(i64::from(n / 3 + 1)),
            ..first.clone()
        };
        store.update(own, &next, Revision(i64::from(n) - 1)).await.expect("updates");
    }
    let list = async |position, limit| {
        let page = store.list_versions(own, "f1", &PageRequest { position, limit }).await.expect("lists");
        let versions: Vec<u32> = page.items.iter().map(|version| version.version).collect();
        (versions, page)
    };
    let (versions, page) = list(Position::Number(1), 3).await;
    assert_eq!((versions, page.total), (vec![12, 11, 10], 12));
    assert_eq!((page.items[0].title.as_str(), page.items[0].created), ("v12", at(5)));
    assert_eq!(list(Position::Number(2), 3).await.0, [9, 8, 7]);
    let (rest, last) = list(Position::After(page.next.expect("more")), 100).await;
    assert_eq!((rest, last.next), (vec![9, 8, 7, 6, 5, 4, 3, 2, 1], None));
    assert_eq!(store.list_versions(own, "f3", &PageRequest::first(9)).await.expect("lists").total, 0);
}

/// Lists newest first, then by id, both by page number and by cursor.
pub async fn lists_newest_first(store: &dyn FormRepository, own: &Scope, _other: &Scope) {
    for n in 0..5 {
        let id = format!("f{n}");
        store.insert(own, &form(own, &id, &id, n / 2)).await.expect("inserts");
    }
    let first = store.list(own, None, &PageRequest::first(2)).await.expect("lists");
    assert_eq!((titles(&first), first.total), (vec!["f4".into(), "f3".into()], 5));
    assert_eq!(first.items[0].author.name, format!("Name of {}", own.user));
    let second = PageRequest { position: Position::Number(2), limit: 2 };
    assert_eq!(titles(&store.list(own, None, &second).await.expect("lists")), ["f2", "f1"]);
    let after = PageRequest { position: Position::After(first.next.expect("more")), limit: 9 };
    store.insert(own, &form(own, "f9", "f9", 9)).await.expect("inserts");
    let rest = store.list(own, None, &after).await.expect("lists");
    assert_eq!((titles(&rest), rest.next), (vec!["f2".into(), "f1".into(), "f0".into()], None));
}

/// The title filter ignores case in every script and has no wildcards.
pub async fn filters_by_title(store: &dyn FormRepository, own: &Scope, _other: &Scope) {
    for (n, title) in ["Große ÜBERSICHT", "100% done", "a_b", "plain"].iter().enumerate() {
        store.insert(own, &form(own, &format!("f{n}"), title, 1)).await.expect("inserts");
    }
    let page = PageRequest::first(9);
    for (filter, count) in [("übersicht", 1), ("100%", 1), ("%", 1), ("_", 1), ("A_B", 1), ("\\", 0), ("", 4)]
    {
        let found = store.list(own, Some(filter), &page).await.expect("lists");
        assert_eq!((found.total, found.items.len()), (count, count as usize), "{filter}");
    }
}

/// Expands to the tests of a [`FormRepository`]. `$run` takes a name and a closure from
/// `(store, own scope, other scope)` to a future and runs it on a fresh store.
#[macro_export]
macro_rules! form_repository_contract {
    ($run:ident) => {
        $crate::form_repository_contract!($run: reads_back_what_it_stored isolates_workspaces updates_by_revision_and_keeps_versions keeps_drafts_until_they_are_published lists_versions_newest_first lists_newest_first filters_by_title);
    };
    ($run:ident: $($name:ident)*) => {
        $(#[test] fn $name() {
            $run(stringify!($name), |store, own, other| {
                Box::pin(async move { $crate::contract::$name(&*store, &own, &other).await })
            });
        })*
    };
}

fn answer(text: &str) -> SavedAnswer {
    let usage = Usage { input_tokens: 9_007_199_254_740_993, output_tokens: 2, ..Usage::default() };
    let citation = Citation { pointer: "/é~1\u{0}".into(), document: 1, start: 2, end: 3, confidence: 0.5 };
    let finish = Finish::Length;
    SavedAnswer { text: text.into(), citations: vec![citation], finish, usage, cost: Some(Cost(7)) }
}

/// A saved answer reads back unchanged, and only under its own key.
pub async fn reads_back_what_it_kept(store: &dyn AnswerStore) {
    let (one, other) = ("0".repeat(64), "f".repeat(64));
    assert_eq!(store.find(&one).await.expect("finds"), None);
    let odd = answer("Odd \u{0}\u{1f600} 'text' \\ {\"a\": 1}\n");
    store.save(&one, &odd).await.expect("keeps");
    assert_eq!(store.find(&one).await.expect("finds"), Some(odd));
    assert_eq!(store.find(&other).await.expect("finds"), None);
}

/// Saving an answer again replaces the first one.
pub async fn keeps_the_last_answer_of_a_call(store: &dyn AnswerStore) {
    let call = "a".repeat(64);
    store.save(&call, &answer("one")).await.expect("keeps");
    store
        .save(&call, &SavedAnswer { cost: None, citations: Vec::new(), ..answer("two") })
        .await
        .expect("keeps");
    let found = store.find(&call).await.expect("finds").expect("is there");
    assert_eq!((found.text.as_str(), found.cost, found.citations.len()), ("two", None, 0));
}

/// A long answer is stored completely.
pub async fn keeps_long_answers(store: &dyn AnswerStore) {
    let long = answer(&"日".repeat(500_000));
    store.save(&"b".repeat(64), &long).await.expect("keeps");
    assert_eq!(store.find(&"b".repeat(64)).await.expect("finds"), Some(long));
}

/// Expands to the tests of an [`AnswerStore`]. `$run` takes a name and a closure from the store of one group
/// to a future and runs it on a fresh store.
#[macro_export]
macro_rules! kept_answers_contract {
    ($run:ident) => {
        $crate::kept_answers_contract!($run: reads_back_what_it_kept keeps_the_last_answer_of_a_call keeps_long_answers);
    };
    ($run:ident: $($name:ident)*) => {
        $(#[test] fn $name() {
            $run(stringify!($name), |store| {
                Box::pin(async move { $crate::contract::$name(&*store).await })
            });
        })*
    };
}
