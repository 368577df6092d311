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
