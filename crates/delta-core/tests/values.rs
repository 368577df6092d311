//! The values of runs that clients see: states, errors, warnings, fingerprints.
#![allow(clippy::unwrap_used, reason = "tests assert")]

use agents_core::AgentsError;
use delta_core::{
    DeltaError, DocumentRef, ErrorClass, GroupState, ItemError, RunPlan, RunState, SourceDocument,
    UnseenSourcePages, fail_all, fingerprint,
};
use forms_core::{FormsError, UnseenReason};
use gen_core::{GenError, Provider};
use serde_json::json;
use shared_core::{DomainError as _, ErrorKind, StoreError, Violation};

#[test]
fn the_state_of_a_run_that_is_over_tells_how_its_groups_ended() {
    use ErrorClass::{Budget, Cancelled};
    for (successful, failed, stop, state) in [
        (2, 0, None, RunState::Succeeded),
        (1, 1, None, RunState::PartlyFailed),
        (0, 2, None, RunState::Failed),
        (1, 1, Some(Cancelled), RunState::Cancelled),
        (0, 2, Some(Cancelled), RunState::Cancelled),
        (1, 1, Some(Budget), RunState::Stopped),
        // All groups were completed before it could end early.
        (2, 0, Some(Cancelled), RunState::Succeeded),
        (2, 0, Some(Budget), RunState::Succeeded),
    ] {
        assert_eq!(RunState::of_outcomes(successful, failed, stop), state, "{successful} {failed} {stop:?}");
    }
    let over: Vec<bool> = RunState::ALL.into_iter().map(RunState::is_over).collect();
    assert_eq!(over, [false, true, true, true, true, true]);
}

#[test]
fn states_and_classes_have_their_names_in_responses_too() {
    let states = RunState::ALL.map(|state| (json!(state), state.name()));
    let groups = GroupState::ALL.map(|state| (json!(state), state.name()));
    let classes = ErrorClass::ALL.map(|class| (json!(class), class.name()));
    for (written, name) in states.into_iter().chain(groups).chain(classes) {
        assert_eq!(written, name);
    }
}

#[test]
fn pages_that_were_not_read_are_warned_of_with_their_document() {
    let source = SourceDocument {
        name: "a.pdf".into(),
        sha256: String::new(),
        parser_version: 1,
        named: Some((3, "7".into())),
        unread: vec![2],
        unseen: Vec::new(),
        pages: None,
        unit: None,
    };
    assert_eq!(
        source.warnings(),
        [json!({
            "code": "pages_not_read",
            "message": format!("'a.pdf': {}", document::unread_pages_notice(&[2]).unwrap()),
            "document": "a.pdf", "file": "7", "index": 3, "pages": [2]
        })]
    );
    let unseen = |reason, pages| UnseenSourcePages { reason, pages };
    let unseen = vec![unseen(UnseenReason::Model, vec![2]), unseen(UnseenReason::Limit, vec![4, 5])];
    let warnings = SourceDocument { unseen, ..source.clone() }.warnings();
    let told: Vec<_> = warnings.iter().map(|one| (&one["code"], &one["reason"], &one["pages"])).collect();
    assert_eq!(told[1], (&json!("pages_not_seen"), &json!("model"), &json!([2])));
    assert_eq!(told[2], (&json!("pages_not_seen"), &json!("limit"), &json!([4, 5])));
    assert_eq!(SourceDocument { unread: Vec::new(), ..source }.warnings(), [json!(null); 0]);
}

#[test]
fn an_error_of_a_group_is_listed_for_each_of_its_documents() {
    let documents = ["1", "2"].map(DocumentRef::new);
    let error = ItemError { class: ErrorClass::Budget, code: "c".into(), message: "m".into() };
    let failures = fail_all(&documents, &error);
    assert!(failures.iter().map(|failure| &failure.document).eq(&documents));
    assert!(failures.iter().all(|failure| failure.error == error));
}

#[test]
fn work_is_identical_only_if_everything_that_its_response_depends_on_is() {
    let plan = RunPlan {
        classification: None,
        agent_id: "agent".into(),
        namespace: "n".into(),
        form_id: "form".into(),
        form_version: 1,
        model_id: "m@p".into(),
        instructions: "i".into(),
        partial: false,
        fresh: false,
        review: None,
        evaluation_set: None,
        calibration: None,
        settings: delta_core::RunSettings::default(),
        key: None,
    };
    let documents = [("hash", "description"), ("other", "")];
    let base = fingerprint(&plan, 1, "settings", &documents);
    assert!(base.len() == 64 && base.bytes().all(|byte| byte.is_ascii_hexdigit()), "{base}");
    let renamed = RunPlan { namespace: "o".into(), partial: true, key: Some("k".into()), ..plan.clone() };
    assert_eq!(fingerprint(&renamed, 1, "settings", &documents), base);
    let others = [
        fingerprint(&RunPlan { form_id: "x".into(), ..plan.clone() }, 1, "settings", &documents),
        fingerprint(&RunPlan { form_version: 2, ..plan.clone() }, 1, "settings", &documents),
        fingerprint(&RunPlan { model_id: "x".into(), ..plan.clone() }, 1, "settings", &documents),
        fingerprint(&RunPlan { instructions: "x".into(), ..plan.clone() }, 1, "settings", &documents),
        fingerprint(&plan, 2, "settings", &documents),
        fingerprint(&plan, 1, "x", &documents),
        fingerprint(&plan, 1, "settings", &documents[..1]),
        fingerprint(&plan, 1, "settings", &[documents[1], documents[0]]),
    ];
    assert!(others.iter().all(|other| *other != base), "{others:?}");
}

#[test]
fn failures_have_the_kinds_codes_and_violations_of_their_causes() {
    let violation = Violation::new("/0", "a rule");
    for (error, kind, code, violations) in [
        (DeltaError::AgentWithoutForm, ErrorKind::Invalid, "agent_without_form", 0),
        (DeltaError::Invalid(vec![violation.clone()]), ErrorKind::Invalid, "validation_failed", 1),
        (DeltaError::RunNotFound, ErrorKind::NotFound, "run_not_found", 0),
        (DeltaError::RunOver(RunState::Failed), ErrorKind::Conflict, "run_over", 0),
        (DeltaError::NothingFailed, ErrorKind::Conflict, "nothing_failed", 0),
        (AgentsError::NotFound.into(), ErrorKind::NotFound, "agent_not_found", 0),
        (AgentsError::Invalid(vec![violation.clone()]).into(), ErrorKind::Invalid, "validation_failed", 1),
        (FormsError::NotFound.into(), ErrorKind::NotFound, "form_not_found", 0),
        (FormsError::Invalid(vec![violation.clone()]).into(), ErrorKind::Invalid, "validation_failed", 1),
        (
            GenError::NotConfigured(Provider::OpenAi).into(),
            ErrorKind::NotConfigured,
            "provider_not_configured",
            0,
        ),
        (DeltaError::FormInvalid(vec![violation.clone()]), ErrorKind::Internal, "form_invalid", 0),
        (StoreError::Full.into(), ErrorKind::StorageFull, "storage_full", 0),
    ] {
        assert_eq!((error.kind(), error.code(), error.violations().len()), (kind, code, violations));
    }
    assert_eq!(DeltaError::Invalid(vec![violation]).to_string(), "a rule");
}

#[test]
fn references_that_were_stored_without_pages_are_whole_documents() {
    let old: DocumentRef = serde_json::from_value(json!({"description": "d", "url": "1"})).unwrap();
    assert_eq!(old, DocumentRef { description: "d".into(), ..DocumentRef::new("1") });
    assert_eq!(json!(old), json!({"description": "d", "url": "1"}));
    let part = DocumentRef { pages: Some("7,1-3".parse().unwrap()), ..old };
    assert_eq!(json!(part)["pages"], "1-3,7");
    assert_eq!(serde_json::from_value::<DocumentRef>(json!(part)).unwrap(), part);
}
