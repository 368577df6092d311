//! Use cases of sessions and submissions over the ports in memory.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests assert")]

use std::sync::Arc;

use agents_core::chat::contract::{session, submission, turn};
use agents_core::chat::{
    MAX_SHOWN_TURNS, MemorySessions, SessionRepository, SessionsService, submission_rows,
};
use agents_core::{Agent, AgentRepository as _, AgentsService, MemoryAgents};
use forms_core::table::{Cell, ListLayout};
use forms_core::{FormsService, MemoryForms};
use futures_executor::block_on;
use gen_core::{GenService, ModelId};
use serde_json::json;
use shared_core::{
    Author, Clock as _, DomainError as _, FixedClock, PageRequest, Scope, SeededRng, UserId, WorkspaceId,
};

struct Kit {
    service: SessionsService,
    stored: Arc<MemorySessions>,
    forms: FormsService,
    agent: Agent,
    scope: Scope,
}

fn kit() -> Kit {
    let (clock, ids) = (Arc::new(FixedClock::default()), Arc::new(SeededRng::new(1)));
    let scope = Scope { workspace: WorkspaceId("w".into()), user: UserId("u".into()) };
    let forms = FormsService::new(Arc::new(MemoryForms::default()), clock.clone(), ids.clone());
    let agents = Arc::new(MemoryAgents::default());
    let author = Author { id: UserId("u".into()), name: "Ada".into(), email: "ada@example.com".into() };
    let schema = json!({"zebra": {"type": "string"}});
    let form = block_on(forms.create(&scope, &author, "F".into(), schema, None)).unwrap();
    let agent = Agent {
        form_id: Some(form.id),
        form_version: None,
        ..agents_core::contract::agent(&scope, "inv", 1)
    };
    block_on(agents.insert(&scope, &agent)).unwrap();
    let stored = Arc::new(MemorySessions::new(agents.clone()));
    let generation = GenService::builder().build();
    let agents =
        AgentsService::new(agents, forms.clone(), generation, ModelId::extractive(), clock.clone(), ids);
    let service = SessionsService::new(agents, forms.clone(), stored.clone(), clock);
    Kit { service, stored, forms, agent, scope }
}

impl Kit {
    fn begin(&self, id: &str, micros: i64) {
        let mine = session(&self.scope, &self.agent, id, micros);
        let mut made = submission(&mine, &format!("of_{id}"), micros);
        made.form_id = self.agent.form_id.clone().unwrap();
        block_on(self.stored.insert(&self.scope, &mine, &[turn(1, "a")], Some(&made))).unwrap();
    }
}

#[test]
fn what_is_not_there_is_told_by_what_it_is() {
    let kit = kit();
    kit.begin("s1", 1);
    let (service, scope) = (&kit.service, &kit.scope);
    block_on(async {
        assert_eq!(service.get(scope, "inv", "s1").await.unwrap().1, [turn(1, "a")]);
        assert_eq!(service.get(scope, "none", "s1").await.unwrap_err().code(), "agent_not_found");
        assert_eq!(service.get(scope, "inv", "none").await.unwrap_err().code(), "session_not_found");
        service.delete(scope, "inv", "s1").await.unwrap();
        assert_eq!(service.delete(scope, "inv", "s1").await.unwrap_err().code(), "session_not_found");
        assert_eq!(service.submission(scope, "inv", "s1").await.unwrap_err().code(), "submission_not_found");
        assert_eq!(service.submission(scope, "inv", "of_s1").await.unwrap().session, "s1");
        service.delete_submission(scope, "inv", "of_s1").await.unwrap();
        let gone = service.delete_submission(scope, "inv", "of_s1").await.unwrap_err();
        assert_eq!(
            (gone.code(), gone.to_string().as_str()),
            ("submission_not_found", "there is no such submission")
        );
        assert_eq!(
            service.list(scope, "none", None, &PageRequest::first(1)).await.unwrap_err().code(),
            "agent_not_found"
        );
    });
}

#[test]
fn all_sessions_that_have_begun_go_and_one_that_begins_later_stays() {
    let kit = kit();
    let now = FixedClock::default().now().micros();
    for n in 0..250 {
        kit.begin(&format!("s{n}"), now - n);
    }
    kit.begin("later", now + 60_000_000);
    assert_eq!(block_on(kit.service.delete_all(&kit.scope, "inv")).unwrap(), 250);
    let left = block_on(kit.service.list(&kit.scope, "inv", None, &PageRequest::first(9))).unwrap();
    assert_eq!((left.total, left.items[0].id.as_str()), (1, "later"));
    let kept = block_on(kit.service.submissions(&kit.scope, "inv", &PageRequest::first(1))).unwrap();
    assert_eq!(kept.total, 251);
}

#[test]
fn a_session_is_shown_with_its_last_turns() {
    let kit = kit();
    let mine = session(&kit.scope, &kit.agent, "s1", 1);
    let turns: Vec<_> = (1..=1_002).map(|number| turn(number, "a")).collect();
    block_on(kit.stored.insert(&kit.scope, &mine, &turns, None)).unwrap();
    let (_, shown) = block_on(kit.service.get(&kit.scope, "inv", "s1")).unwrap();
    assert_eq!((shown.len(), shown[0].number), (MAX_SHOWN_TURNS, 3));
}

#[test]
fn submissions_are_rows_under_the_fields_of_the_form_and_what_it_does_not_have_is_kept() {
    let kit = kit();
    kit.begin("s1", 1);
    let layout = block_on(kit.service.layout(&kit.scope, "inv", ListLayout::Flat)).unwrap();
    assert_eq!(layout.tables()[0].columns, ["id", "session_id", "created_timestamp", "zebra"]);
    block_on(kit.forms.delete(&kit.scope, kit.agent.form_id.as_deref().unwrap())).unwrap();
    let layout = block_on(kit.service.layout(&kit.scope, "inv", ListLayout::Flat)).unwrap();
    assert_eq!(layout.tables()[0].columns, ["id", "session_id", "created_timestamp", "other"]);
    let made = block_on(kit.service.submission(&kit.scope, "inv", "of_s1")).unwrap();
    let rows = submission_rows(&layout, &made);
    let Cell::Text(other) = &rows[0].cells[3] else { panic!("{rows:?}") };
    assert!(other.contains("\"list\":[{\"n\":-0.5}]"), "{other}");
}
