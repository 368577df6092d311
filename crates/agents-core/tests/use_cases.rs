//! Use cases of agents over the ports in memory.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "tests assert"
)]

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use agents_core::{
    AgentChanges, AgentsError, AgentsService, Authorization, KnowledgeBases, MemoryAgents, NewAgent,
    ToolServer, ToolServerError, ToolServers,
};
use async_trait::async_trait;
use forms_core::{FormsService, MemoryForms};
use futures_executor::block_on;
use gen_core::{GenService, ModelId};
use serde_json::{Map, Value, json};
use shared_core::{Author, DomainError as _, FixedClock, Scope, SeededRng, StoreError, UserId, WorkspaceId};

fn services() -> (FormsService, AgentsService) {
    let clock = Arc::new(FixedClock::default());
    let ids = Arc::new(SeededRng::new(1));
    let forms = FormsService::new(Arc::new(MemoryForms::default()), clock.clone(), ids.clone());
    let generation = GenService::builder().build();
    let repository = Arc::new(MemoryAgents::default());
    let agents = AgentsService::new(repository, forms.clone(), generation, ModelId::extractive(), clock, ids);
    (forms, agents)
}

fn scope(workspace: &str) -> Scope {
    Scope { workspace: WorkspaceId(workspace.into()), user: UserId("u".into()) }
}

fn author() -> Author {
    Author { id: UserId("u".into()), name: "Ada".into(), email: "ada@example.com".into() }
}

fn new(namespace: &str) -> NewAgent {
    NewAgent { namespace: namespace.into(), ..NewAgent::default() }
}

#[test]
fn an_agent_is_made_with_its_form_and_named_after_its_namespace() {
    let (forms, agents) = services();
    block_on(async {
        let schema = json!({"a": {"type": "string"}});
        let form = forms.create(&scope("w"), &author(), "F".into(), schema, None).await.unwrap();
        let wanted = NewAgent { form_id: Some(form.id.clone()), ..new("invoices") };
        let agent = agents.create(&scope("w"), &author(), wanted).await.unwrap();
        assert_eq!((agent.name.as_str(), agent.form_id), ("invoices", Some(form.id)));
        let cleared = AgentChanges { form_id: Some(None), ..AgentChanges::default() };
        let agent = agents.update(&scope("w"), "invoices", cleared).await.unwrap();
        assert_eq!((agent.form_id, agent.name.as_str()), (None, "invoices"));
    });
}

#[test]
fn a_form_of_another_workspace_is_unknown() {
    let (forms, agents) = services();
    block_on(async {
        let schema = json!({"a": {"type": "string"}});
        let form = forms.create(&scope("theirs"), &author(), "F".into(), schema, None).await.unwrap();
        let wanted = NewAgent { form_id: Some(form.id), ..new("a") };
        let error = agents.create(&scope("ours"), &author(), wanted).await.unwrap_err();
        assert_eq!((error.code(), error.violations()[0].path.as_str()), ("unknown_form", "/form_id"));
    });
}

#[test]
fn names_of_the_wrong_shape_and_unknown_models_and_bases_are_refused() {
    let (_, agents) = services();
    for namespace in ["", "Upper", "a b", "-a", "../x", &"n".repeat(64), "\u{e9}"] {
        let error = block_on(agents.create(&scope("w"), &author(), new(namespace))).unwrap_err();
        assert_eq!((error.code(), error.violations()[0].path.as_str()), ("validation_failed", "/namespace"));
    }
    for model in ["gpt", "x@nobody", "other@formwork"] {
        let wanted = NewAgent { model_id: Some(model.into()), ..new("a") };
        let error = block_on(agents.create(&scope("w"), &author(), wanted)).unwrap_err();
        assert_eq!(error.code(), "unknown_model", "{model}");
    }
    let wanted = NewAgent { knowledge: vec!["kb".into()], ..new("a") };
    let error = block_on(agents.create(&scope("w"), &author(), wanted)).unwrap_err();
    assert_eq!(error.to_string(), "there is no knowledge base 'kb'");
}

/// The workspace `w` has the base `mine`, until it is told to have none.
#[derive(Debug, Default)]
struct OneBase(AtomicBool);

#[async_trait]
impl KnowledgeBases for OneBase {
    async fn exists(&self, scope: &Scope, id: &str) -> Result<bool, StoreError> {
        Ok(scope.workspace.0 == "w" && id == "mine" && !self.0.load(Ordering::Relaxed))
    }
}

#[test]
fn an_agent_names_the_bases_of_its_workspace_and_stays_changeable_when_one_is_gone() {
    let bases = Arc::new(OneBase::default());
    let agents = services().1.with_knowledge(bases.clone());
    let naming = |ids: &[&str]| Some(ids.iter().map(|id| (*id).to_owned()).collect::<Vec<_>>());
    block_on(async {
        let wanted = NewAgent { knowledge: vec!["mine".into()], ..new("a") };
        let error = agents.create(&scope("other"), &author(), wanted.clone()).await.unwrap_err();
        assert_eq!(
            (error.code(), error.violations()[0].path.as_str()),
            ("unknown_knowledge_base", "/knowledge/0")
        );
        agents.create(&scope("w"), &author(), wanted).await.unwrap();
        let change = AgentChanges { knowledge: naming(&["mine", "theirs"]), ..AgentChanges::default() };
        let error = agents.update(&scope("w"), "a", change).await.unwrap_err();
        assert_eq!(error.violations()[0].path, "/knowledge/1");

        bases.0.store(true, Ordering::Relaxed);
        let change = AgentChanges { name: Some("New".into()), ..AgentChanges::default() };
        assert_eq!(agents.update(&scope("w"), "a", change).await.unwrap().knowledge, ["mine"]);
        let change = AgentChanges { knowledge: naming(&[]), ..AgentChanges::default() };
        assert!(agents.update(&scope("w"), "a", change).await.unwrap().knowledge.is_empty());
        let change = AgentChanges { knowledge: naming(&["mine"]), ..AgentChanges::default() };
        assert_eq!(
            agents.update(&scope("w"), "a", change).await.unwrap_err().code(),
            "unknown_knowledge_base"
        );
    });
}

/// Tool servers that may be reached until the operator changes that.
#[derive(Debug, Default)]
struct Closing(AtomicBool);

#[async_trait]
impl ToolServers for Closing {
    fn check(&self, _: &str) -> Result<(), String> {
        if self.0.load(Ordering::Relaxed) { Err("not allowed".into()) } else { Ok(()) }
    }

    async fn list(&self, _: &ToolServer) -> Result<Vec<gen_core::Tool>, ToolServerError> {
        Ok(Vec::new())
    }

    async fn call(&self, _: &ToolServer, _: &str, _: Map<String, Value>) -> Result<String, ToolServerError> {
        Ok(String::new())
    }
}

#[test]
fn tool_servers_are_checked_when_they_are_new_and_keep_their_authorization() {
    let reach = Arc::new(Closing::default());
    let agents = services().1.with_tool_servers(reach.clone());
    let server = |url: &str, value: Option<&str>| ToolServer {
        url: url.into(),
        allowed: None,
        authorization: value.map(|value| Authorization::new(value.into())),
    };
    let change = |tools: Vec<ToolServer>| AgentChanges { tools: Some(tools), ..AgentChanges::default() };
    block_on(async {
        let wanted = NewAgent { tools: vec![server("https://a.example", Some("Bearer a"))], ..new("a") };
        agents.create(&scope("w"), &author(), wanted).await.unwrap();
        reach.0.store(true, Ordering::Relaxed);
        let renamed = AgentChanges { name: Some("New".into()), ..AgentChanges::default() };
        agents.update(&scope("w"), "a", renamed).await.unwrap();
        let added = change(vec![server("https://a.example", None), server("https://b.example", None)]);
        let error = agents.update(&scope("w"), "a", added).await.unwrap_err();
        assert_eq!((error.violations().len(), error.violations()[0].path.as_str()), (1, "/tools/1/url"));
        let kept =
            agents.update(&scope("w"), "a", change(vec![server("https://a.example", None)])).await.unwrap();
        assert_eq!(kept.tools, [server("https://a.example", Some("Bearer a"))]);
        assert!(agents.update(&scope("w"), "a", change(vec![])).await.unwrap().tools.is_empty());
    });
}

#[test]
fn a_taken_namespace_is_told_by_name() {
    let (_, agents) = services();
    block_on(async {
        agents.create(&scope("w"), &author(), new("a")).await.unwrap();
        let error = agents.create(&scope("w"), &author(), new("a")).await.unwrap_err();
        assert_eq!(error.to_string(), "the namespace 'a' is already taken");
        agents.delete(&scope("w"), "a").await.unwrap();
        assert!(matches!(agents.delete(&scope("w"), "a").await, Err(AgentsError::NotFound)));
        agents.create(&scope("w"), &author(), new("a")).await.unwrap();
    });
}
