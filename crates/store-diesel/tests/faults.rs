//! What is acknowledged is stored, whatever fails beside it. On both databases where it applies.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "tests assert"
)]

mod common;

use std::sync::Arc;

use agents_core::{Agent, AgentRepository as _};
use diesel::connection::SimpleConnection as _;
use diesel::{ExpressionMethods as _, QueryDsl as _, RunQueryDsl as _};
use forms_core::{Form, FormRepository as _, FormSchema};
use futures_util::future::join_all;
use shared_core::{Author, PageRequest, Revision, Scope, StoreError, Timestamp};
use store_diesel::{
    AnyConnection, Database, DatabaseSettings, DieselAgents, DieselForms, Failure, OpenError,
};

use common::{Kind, block_on, fresh, two_workspaces};

const BOTH: [Kind; 2] = [Kind::Sqlite, Kind::Postgres];

fn form(scope: &Scope, id: &str, title: &str) -> Form {
    let created = Timestamp::from_micros(5).unwrap();
    let schema = serde_json::json!({"a": {"type": "string"}});
    Form {
        id: id.into(),
        workspace: scope.workspace.clone(),
        author: Author { id: scope.user.clone(), name: String::new(), email: String::new() },
        title: title.into(),
        schema: schema.as_object().cloned().unwrap(),
        examples: Vec::new(),
        version: 1,
        latest: 1,
        draft: None,
        gate: None,
        revision: Revision::FIRST,
        created,
        updated: created,
    }
}

async fn on_both(test: impl AsyncFn(Database, Scope)) {
    for kind in BOTH {
        if let Some(throwaway) = fresh(kind) {
            let (own, _) = two_workspaces(&throwaway.database).await;
            test(throwaway.database.clone(), own).await;
        }
    }
}

#[test]
fn concurrent_updates_by_revision_lose_nothing() {
    block_on(on_both(async |database, own| {
        let forms = DieselForms::new(database);
        forms.insert(&own, &form(&own, "f", "0")).await.unwrap();
        let add_one = async || loop {
            let old = forms.find(&own, "f").await.unwrap().unwrap();
            let count: u32 = old.title.parse().unwrap();
            let new = Form {
                title: (count + 1).to_string(),
                version: old.version + 1,
                revision: old.revision.next(),
                ..old.clone()
            };
            match forms.update(&own, &new, old.revision).await {
                Ok(()) => break,
                Err(StoreError::Stale) => {}
                Err(error) => panic!("{error}"),
            }
        };
        join_all((0..40).map(|_| add_one())).await;
        assert_eq!(forms.find(&own, "f").await.unwrap().unwrap().title, "40");
    }));
}

#[test]
fn a_failing_and_a_panicking_operation_fail_alone() {
    block_on(on_both(async |database, own| {
        let forms = Arc::new(DieselForms::new(database.clone()));
        let good = (0..50).map(|n| {
            let (forms, own) = (Arc::clone(&forms), own.clone());
            async move { forms.insert(&own, &form(&own, &format!("f{n}"), "t")).await }
        });
        let failing = database.write(|connection| {
            connection.batch_execute("DELETE FROM form_versions")?;
            Err::<(), _>(Failure::Store(StoreError::Missing("all")))
        });
        let panicking = database.write(|_| -> Result<(), Failure> { panic!("a defect") });
        let (stored, failed, panicked) = tokio::join!(join_all(good), failing, panicking);
        assert!(stored.iter().all(Result::is_ok), "{stored:?}");
        assert!(matches!(failed, Err(StoreError::Missing("all"))));
        assert!(matches!(panicked, Err(StoreError::Failed(_))));
        assert_eq!(forms.list(&own, None, &PageRequest::first(1)).await.unwrap().total, 50);
        assert!(forms.find_version(&own, "f0", 1).await.unwrap().is_some());
    }));
}

#[test]
fn on_a_full_disk_acknowledged_equals_stored() {
    let throwaway = fresh(Kind::Sqlite).unwrap();
    block_on(async {
        let database = throwaway.database.clone();
        let (own, _) = two_workspaces(&database).await;
        let forms = Arc::new(DieselForms::new(database.clone()));
        database
            .write(|connection| {
                connection.batch_execute("PRAGMA max_page_count = 120")?;
                Ok(())
            })
            .await
            .unwrap();
        let inserts = (0..400).map(|n| {
            let (forms, own) = (Arc::clone(&forms), own.clone());
            // Some are small and may still fit after a large one did not.
            let title = if n % 3 == 0 { "x".repeat(3_000) } else { "t".to_owned() };
            async move { (n, forms.insert(&own, &form(&own, &format!("f{n:03}"), &title)).await) }
        });
        let results = join_all(inserts).await;
        let acknowledged: Vec<String> =
            results.iter().filter(|(_, result)| result.is_ok()).map(|(n, _)| format!("f{n:03}")).collect();
        let refused = results.iter().filter(|(_, result)| matches!(result, Err(StoreError::Full))).count();
        assert_eq!(acknowledged.len() + refused, 400, "every caller is told, and told why");
        assert!(refused > 0 && !acknowledged.is_empty(), "{refused} refused");
        let stored: Vec<String> = database
            .read(|connection: &mut AnyConnection| {
                diesel::table! { forms (id) { id -> Text, } }
                Ok(forms::table.select(forms::id).order(forms::id.asc()).load(connection)?)
            })
            .await
            .unwrap();
        assert_eq!(stored, acknowledged);
    });
}

#[test]
fn closing_finishes_what_waits_and_refuses_the_rest() {
    block_on(on_both(async |database, own| {
        let forms = Arc::new(DieselForms::new(database.clone()));
        let waiting: Vec<_> = (0..50)
            .map(|n| {
                let (forms, own) = (Arc::clone(&forms), own.clone());
                Box::pin(async move { forms.insert(&own, &form(&own, &format!("f{n}"), "t")).await })
            })
            .collect();
        let mut all = Box::pin(join_all(waiting));
        // Polling once puts them all into the queue.
        assert!(futures_util::poll!(&mut all).is_pending());
        let closing = database.clone();
        tokio::task::spawn_blocking(move || closing.close()).await.unwrap();
        assert!(all.await.iter().all(Result::is_ok));
        let late = forms.find(&own, "f0").await;
        assert!(matches!(late, Err(StoreError::Unavailable(_))));
    }));
}

#[test]
fn a_form_that_an_agent_has_cannot_go_and_the_agent_is_named() {
    block_on(on_both(async |database, own| {
        let (forms, agents) = (DieselForms::new(database.clone()), DieselAgents::new(database));
        forms.insert(&own, &form(&own, "f", "t")).await.unwrap();
        let agent = Agent { form_id: Some("f".into()), ..agents_core::contract::agent(&own, "a", 1) };
        agents.insert(&own, &agent).await.unwrap();
        let unknown = Agent { form_id: Some("g".into()), ..agents_core::contract::agent(&own, "b", 1) };
        assert!(matches!(agents.insert(&own, &unknown).await, Err(StoreError::Missing("form"))));
        let refused = forms.delete(&own, "f").await;
        assert!(matches!(refused, Err(StoreError::InUse(names)) if names == ["a"]));
        agents.delete(&own, "a").await.unwrap();
        assert!(forms.delete(&own, "f").await.unwrap());
        assert!(FormSchema::parse(&form(&own, "f", "t").schema).is_ok());
    }));
}

#[test]
fn a_database_of_a_newer_version_and_odd_urls_are_refused_in_one_sentence() {
    for kind in BOTH {
        let Some(throwaway) = fresh(kind) else { continue };
        block_on(throwaway.database.write(|connection| {
            connection.batch_execute(
                "INSERT INTO __diesel_schema_migrations (version) VALUES ('99990101000000')",
            )?;
            Ok(())
        }))
        .unwrap();
        let error = Database::open(&throwaway.url, DatabaseSettings::default()).unwrap_err();
        assert!(matches!(error, OpenError::Newer(_)), "{error}");
        assert_eq!(error.to_string().lines().count(), 1);
    }
    let open = |url: &str| Database::open(url, DatabaseSettings::default()).map(|_| ()).unwrap_err();
    assert!(matches!(open("mysql://x"), OpenError::Scheme));
    assert!(matches!(open("sqlite:///proc/nowhere/x.db"), OpenError::File { .. }));
    assert!(matches!(open("postgres://nobody@127.0.0.1:1/x"), OpenError::Unreachable(_)));
}

#[test]
fn a_reader_cannot_write() {
    block_on(on_both(async |database, _| {
        let written = database
            .read(|connection| {
                connection.batch_execute("DELETE FROM workspaces")?;
                Ok(())
            })
            .await;
        // SQLite tells a read-only connection like a read-only disk.
        assert!(matches!(written, Err(StoreError::Failed(_) | StoreError::Unavailable(_))));
    }));
}

#[test]
fn servers_that_start_together_make_one_first_workspace() {
    use accounts_core::{
        AccountRepository as _, ApiKey, KeyKind, KeyLimits, KeyScope, Role, User, Workspace,
    };
    use shared_core::{UserId, WorkspaceId};
    for kind in BOTH {
        let Some(throwaway) = fresh(kind) else { continue };
        let created = Timestamp::from_micros(1).unwrap();
        let start = async |n: usize| {
            let accounts = store_diesel::DieselAccounts::new(throwaway.database.clone());
            let (workspace, user) = (WorkspaceId(format!("w{n}")), UserId(format!("u{n}")));
            let key = ApiKey {
                id: format!("k{n}"),
                workspace: workspace.clone(),
                user: user.clone(),
                name: "first".into(),
                prefix: format!("fw_{n}"),
                hash: String::new(),
                kind: KeyKind::Issued,
                scope: KeyScope::Write,
                bases: None,
                filter: None,
                publication: None,
                public_text: None,
                successor: None,
                created,
                expires: None,
                revoked: None,
                limits: KeyLimits::default(),
                last_used: None,
            };
            let user = User {
                workspace: workspace.clone(),
                id: user,
                name: "U".into(),
                email: "u@example.com".into(),
                role: Role::Owner,
                created,
                removed: None,
            };
            let workspace = Workspace { id: workspace, name: "W".into(), is_operator: true, created };
            accounts.create_first(&workspace, &user, &key).await.unwrap()
        };
        let made = block_on(join_all((0..8).map(start)));
        assert_eq!(made.iter().filter(|made| **made).count(), 1, "{kind:?}");
    }
}
