//! Use cases of forms over the port in memory.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "tests assert"
)]

use std::sync::Arc;

use forms_core::{FormChange, FormsError, FormsService, MemoryForms};
use futures_executor::block_on;
use serde_json::json;
use shared_core::{Author, DomainError as _, FixedClock, PageRequest, Scope, SeededRng, UserId, WorkspaceId};

fn service() -> FormsService {
    FormsService::new(
        Arc::new(MemoryForms::default()),
        Arc::new(FixedClock::default()),
        Arc::new(SeededRng::new(1)),
    )
}

fn scope() -> Scope {
    Scope { workspace: WorkspaceId("w".into()), user: UserId("u".into()) }
}

fn author() -> Author {
    Author { id: UserId("u".into()), name: "Ada".into(), email: "ada@example.com".into() }
}

#[test]
fn an_update_keeps_what_is_absent_and_another_schema_alone_makes_a_version() {
    let service = service();
    block_on(async {
        let schema = json!({"a": {"type": "string"}});
        let form = service.create(&scope(), &author(), "One".into(), schema.clone(), None).await.unwrap();
        let form = service
            .update(&scope(), &form.id, FormChange { title: Some("Two".into()), ..FormChange::default() })
            .await
            .unwrap();
        assert_eq!((form.title.as_str(), form.version), ("Two", 1));
        assert_eq!(json!(form.schema), schema);
        let same = service
            .update(
                &scope(),
                &form.id,
                FormChange { title: Some("Two".into()), schema: Some(schema), ..FormChange::default() },
            )
            .await
            .unwrap();
        assert_eq!(same, form, "what changes nothing is not stored");
        let schema = json!({"b": {"type": "string"}, "a": {"type": "string"}});
        let form = service
            .update(&scope(), &form.id, FormChange { schema: Some(schema), ..FormChange::default() })
            .await
            .unwrap();
        assert_eq!((form.title.as_str(), form.version), ("Two", 2));
        let turned = json!({"a": {"type": "string"}, "b": {"type": "string"}});
        let turned = service
            .update(&scope(), &form.id, FormChange { schema: Some(turned), ..FormChange::default() })
            .await
            .unwrap();
        assert_eq!(turned.version, 3, "the order of the keys is that of asking");
        assert_eq!(service.version(&scope(), &form.id, 1).await.unwrap().title, "One");
        assert!(matches!(service.version(&scope(), &form.id, 4).await, Err(FormsError::VersionNotFound)));
        let versions = service.versions(&scope(), &form.id, &PageRequest::first(9)).await.unwrap();
        assert_eq!(versions.items.iter().map(|version| version.version).collect::<Vec<_>>(), [3, 2, 1]);
        let none = service.versions(&scope(), "none", &PageRequest::first(9)).await;
        assert!(matches!(none, Err(FormsError::NotFound)));
    });
}

#[test]
fn every_violation_of_title_and_schema_is_told_with_its_place_in_the_body() {
    let bad = json!({"a": {}, "b": {"type": "nope"}});
    let error = block_on(service().create(&scope(), &author(), " ".into(), bad, None)).unwrap_err();
    let paths: Vec<_> = error.violations().iter().map(|v| v.path.as_str()).collect();
    assert_eq!(paths, ["/title", "/schema/a", "/schema/b/type"]);
    assert_eq!(error.to_string(), "'title' must have 1 to 1000 characters, not only spaces (and 2 more)");
}

#[test]
fn what_was_deleted_is_not_found() {
    let service = service();
    block_on(async {
        let schema = json!({"a": {"type": "string"}});
        let form = service.create(&scope(), &author(), "One".into(), schema, None).await.unwrap();
        service.delete(&scope(), &form.id).await.unwrap();
        assert!(matches!(service.delete(&scope(), &form.id).await, Err(FormsError::NotFound)));
        assert!(matches!(service.get(&scope(), &form.id).await, Err(FormsError::NotFound)));
        assert!(matches!(
            service.update(&scope(), &form.id, FormChange::default()).await,
            Err(FormsError::NotFound)
        ));
    });
}

/// A change of the schema to one field of this name.
fn one_field(name: &str, draft: bool) -> FormChange {
    FormChange { schema: Some(json!({name: {"type": "string"}})), draft, ..FormChange::default() }
}

#[test]
fn drafts_leave_the_version_in_force_and_numbers_are_given_once() {
    let service = service();
    block_on(async {
        let schema = json!({"a": {"type": "string"}});
        let id = service.create(&scope(), &author(), "T".into(), schema.clone(), None).await.unwrap().id;
        let update = async |change| service.update(&scope(), &id, change).await.unwrap();
        let draft = update(one_field("b", true)).await;
        assert_eq!((draft.version, draft.latest, draft.draft), (1, 2, Some(2)));
        assert_eq!(json!(draft.schema), schema);
        assert_eq!(update(one_field("b", true)).await, draft, "a draft that changes nothing is not stored");
        // A further draft starts from the newest one.
        let example = json!([{"text": "b: x", "record": {"b": "x"}}]);
        let examples = FormChange { examples: Some(example), draft: true, ..FormChange::default() };
        assert_eq!(update(examples).await.draft, Some(3));
        let third = service.version(&scope(), &id, 3).await.unwrap();
        assert_eq!((third.schema.keys().next().unwrap().as_str(), third.examples.len()), ("b", 1));
        // An older draft is published while a newer one stays.
        let form = service.publish(&scope(), &id, 2, None).await.unwrap();
        assert_eq!((form.version, form.latest, form.draft), (2, 3, Some(3)));
        assert!(form.schema.contains_key("b") && form.examples.is_empty());
        assert_eq!(service.publish(&scope(), &id, 2, None).await.unwrap(), form, "it is in force");
        // A change that is in force at once starts from what is in force, and takes the place of the draft.
        let form = update(one_field("c", false)).await;
        assert_eq!((form.version, form.latest, form.draft), (4, 4, None));
        let late = service.publish(&scope(), &id, 1, Some(2)).await.unwrap_err();
        assert_eq!(late.code(), "changed_meanwhile");
        let back = service.publish(&scope(), &id, 1, Some(4)).await.unwrap();
        assert_eq!((back.version, back.latest, json!(back.schema)), (1, 4, schema));
        assert_eq!(update(one_field("d", false)).await.version, 5);
        let page = service.versions(&scope(), &id, &PageRequest::first(9)).await.unwrap();
        let states: Vec<_> = page.items.iter().map(|one| (one.version, one.state.name())).collect();
        let (draft, published) = ("draft", "published");
        assert_eq!(states, [(5, published), (4, published), (3, draft), (2, published), (1, published)]);
        for unknown in [0, 6] {
            let refused = service.publish(&scope(), &id, unknown, None).await.unwrap_err();
            assert_eq!(refused.code(), "form_version_not_found");
        }
        let resolve = async |id: &str, version| service.resolve(&scope(), id, version).await;
        assert_eq!(resolve(&id, None).await.unwrap().version, 5);
        assert_eq!(resolve(&id, Some(3)).await.unwrap().version, 3);
        assert_eq!(resolve(&id, Some(6)).await.unwrap_err().code(), "form_version_not_found");
        assert_eq!(resolve("none", Some(1)).await.unwrap_err().code(), "form_not_found");
        assert_eq!(service.publish(&scope(), "none", 1, None).await.unwrap_err().code(), "form_not_found");
    });
}

#[test]
fn a_draft_is_checked_as_a_change_is_and_has_no_title() {
    let service = service();
    block_on(async {
        let schema = json!({"a": {"type": "string"}});
        let made = service.create(&scope(), &author(), "T".into(), schema, None).await.unwrap();
        let named = FormChange { title: Some("N".into()), ..one_field("b", true) };
        let broken = FormChange { schema: Some(json!({"a": {}})), draft: true, ..FormChange::default() };
        let other = json!([{"text": "x", "record": {"x": "x"}}]);
        let odd = FormChange { examples: Some(other), draft: true, ..FormChange::default() };
        for (change, place) in [(named, "/title"), (broken, "/schema/a"), (odd, "/examples/0/record/x")] {
            let refused = service.update(&scope(), &made.id, change).await.unwrap_err();
            assert_eq!(refused.violations()[0].path, place);
        }
        assert_eq!(service.get(&scope(), &made.id).await.unwrap(), made);
    });
}
