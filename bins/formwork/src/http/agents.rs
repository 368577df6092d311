//! Agents.

use std::collections::BTreeMap;

use actix_web::http::Method;
use actix_web::{HttpResponse, web};
use agents_core::rules::{
    MAX_DESCRIPTION, MAX_FORMS, MAX_INSTRUCTIONS, MAX_KNOWLEDGE, MAX_NAME, MAX_NAMESPACE, NAMESPACE_PATTERN,
};
use agents_core::{Agent, AgentChanges, MAX_TOOL_SERVERS, NewAgent, ReviewPolicy};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::agent_forms::{AgentFormBody, AgentFormRecord, agent_forms};
use super::agent_tools::{ToolServerBody, ToolServerRecord, tool_servers};
use super::idempotency::Effects;
use super::lists::{Done, List, ListMeta, ListQuery, nullable};
use super::operation::Registry;
use super::request::{Body, Caller, Query, Segment};
use super::{HandlerResult, examples};
use crate::app::AppState;

/// The list of agents.
const LIST: List = List { name: "agents", rows: 50 };

/// Registers the operations of this file.
pub(super) fn register(registry: &mut Registry) {
    registry
        .operation(Method::POST, "/v1/agent", "create_agent", "Creates an agent.")
        .body::<CreateAgent>()
        .example(examples::new_agent)
        .answers::<AgentRecord>()
        .example(examples::agent)
        .fails(&[409])
        .recovers(recover_agent)
        .to_once(create_agent);
    registry
        .operation(Method::GET, "/v1/agent", "list_agents", "Lists agents, newest first.")
        .paged()
        .answers::<AgentList>()
        .example(examples::agents)
        .to(list_agents);
    registry
        .operation(Method::GET, "/v1/agent/{namespace}", "get_agent", "Retrieves an agent.")
        .answers::<AgentRecord>()
        .example(examples::agent)
        .fails(&[404])
        .to(get_agent);
    registry
        .operation(
            Method::PUT,
            "/v1/agent/{namespace}",
            "update_agent",
            "Changes an agent. Absent fields are unchanged; null clears the model or the form.",
        )
        .body::<UpdateAgent>()
        .example(examples::agent_changes)
        .answers::<AgentRecord>()
        .example(examples::agent)
        .fails(&[404, 409])
        .to(update_agent);
    registry
        .operation(
            Method::DELETE,
            "/v1/agent/{namespace}",
            "delete_agent",
            "Deletes an agent with its runs, stored responses, sessions, submissions and notes.",
        )
        .answers::<Done>()
        .example(|| {
            examples::done("The agent was deleted with its runs, responses, sessions, submissions and notes.")
        })
        .fails(&[404])
        .to(delete_agent);
}

#[derive(Deserialize, JsonSchema)]
#[schemars(rename_all = "snake_case")]
struct CreateAgent {
    /// Lower-case slug, unique in the workspace.
    #[schemars(length(max = MAX_NAMESPACE), extend("pattern" = NAMESPACE_PATTERN))]
    namespace: String,
    #[schemars(length(max = MAX_NAME))]
    name: Option<String>,
    #[schemars(length(max = MAX_DESCRIPTION))]
    description: Option<String>,
    /// Instructions for the model.
    #[schemars(length(max = MAX_INSTRUCTIONS))]
    instructions: Option<String>,
    /// `model@provider`; the service's default when absent.
    #[serde(rename = "modelId")]
    model_id: Option<String>,
    /// The form that it fills.
    form_id: Option<String>,
    /// The version of the form that it stays with, a draft too. Null follows the version in force.
    #[schemars(range(min = 1))]
    form_version: Option<u32>,
    /// Further forms. Batch extraction then divides documents and classifies the parts to all forms of the agent.
    #[schemars(length(max = MAX_FORMS))]
    forms: Option<Vec<AgentFormBody>>,
    /// Knowledge bases it may read.
    #[schemars(length(max = MAX_KNOWLEDGE))]
    knowledge: Option<Vec<String>>,
    /// Servers whose tools its model may call in a free conversation.
    #[schemars(length(max = MAX_TOOL_SERVERS))]
    tools: Option<Vec<ToolServerBody>>,
    /// Which values of its batch extraction are queued for review; none when absent.
    review: Option<ReviewPolicyBody>,
}

/// Which values are queued for review.
#[derive(Deserialize, JsonSchema)]
#[schemars(rename = "NewReviewPolicy")]
pub(super) struct ReviewPolicyBody {
    /// Values with a lower confidence are queued; those that are not accepted when absent.
    #[schemars(range(min = 0.0, max = 1.0))]
    threshold: Option<f64>,
    /// Thresholds of single fields, by their JSON pointer without indexes, such as /lines/amount. 0 queues none.
    #[schemars(extend("additionalProperties" = {"type": "number", "minimum": 0, "maximum": 1}))]
    fields: Option<BTreeMap<String, f64>>,
    /// Whether values on which documents disagree are queued. Default true.
    conflicts: Option<bool>,
    /// Whether values that break a rule are queued. Default true.
    errors: Option<bool>,
    /// Whether groups that failed are queued. Default true.
    failures: Option<bool>,
    /// Whether decisions of reviewers change the confidence of later runs. Default false.
    calibrate: Option<bool>,
}

impl From<ReviewPolicyBody> for ReviewPolicy {
    fn from(policy: ReviewPolicyBody) -> Self {
        let default = Self::default();
        Self {
            threshold: policy.threshold,
            fields: policy.fields.unwrap_or_default(),
            conflicts: policy.conflicts.unwrap_or(default.conflicts),
            errors: policy.errors.unwrap_or(default.errors),
            failures: policy.failures.unwrap_or(default.failures),
            calibrate: policy.calibrate.unwrap_or(default.calibrate),
        }
    }
}

impl From<CreateAgent> for NewAgent {
    fn from(agent: CreateAgent) -> Self {
        Self {
            namespace: agent.namespace,
            name: agent.name,
            description: agent.description,
            instructions: agent.instructions,
            model_id: agent.model_id,
            form_id: agent.form_id,
            form_version: agent.form_version,
            forms: agent.forms.map(agent_forms).unwrap_or_default(),
            knowledge: agent.knowledge.unwrap_or_default(),
            tools: agent.tools.map(tool_servers).unwrap_or_default(),
            review: agent.review.map(ReviewPolicy::from),
        }
    }
}

#[derive(Deserialize, JsonSchema)]
struct UpdateAgent {
    #[schemars(length(max = MAX_NAMESPACE), extend("pattern" = NAMESPACE_PATTERN))]
    namespace: Option<String>,
    #[schemars(length(max = MAX_NAME))]
    name: Option<String>,
    #[schemars(length(max = MAX_DESCRIPTION))]
    description: Option<String>,
    #[schemars(length(max = MAX_INSTRUCTIONS))]
    instructions: Option<String>,
    #[serde(rename = "modelId", default, deserialize_with = "nullable")]
    #[schemars(with = "Option<String>")]
    model_id: Option<Option<String>>,
    #[serde(default, deserialize_with = "nullable")]
    #[schemars(with = "Option<String>")]
    form_id: Option<Option<String>>,
    /// The version of the form that it stays with. Null follows the version in force, and so does another form.
    #[serde(default, deserialize_with = "nullable")]
    #[schemars(with = "Option<u32>", range(min = 1))]
    form_version: Option<Option<u32>>,
    /// Replaces the further forms; an empty list removes them.
    #[schemars(length(max = MAX_FORMS))]
    forms: Option<Vec<AgentFormBody>>,
    #[schemars(length(max = MAX_KNOWLEDGE))]
    knowledge: Option<Vec<String>>,
    #[schemars(length(max = MAX_TOOL_SERVERS))]
    tools: Option<Vec<ToolServerBody>>,
    /// Holds for runs that start after the change; null queues nothing any more.
    #[serde(default, deserialize_with = "nullable")]
    #[schemars(with = "Option<ReviewPolicyBody>")]
    review: Option<Option<ReviewPolicyBody>>,
}

impl From<UpdateAgent> for AgentChanges {
    fn from(change: UpdateAgent) -> Self {
        Self {
            namespace: change.namespace,
            name: change.name,
            description: change.description,
            instructions: change.instructions,
            model_id: change.model_id,
            form_id: change.form_id,
            form_version: change.form_version,
            forms: change.forms.map(agent_forms),
            knowledge: change.knowledge,
            tools: change.tools.map(tool_servers),
            review: change.review.map(|policy| policy.map(ReviewPolicy::from)),
        }
    }
}

#[derive(Serialize, JsonSchema)]
struct AgentRecord {
    namespace: String,
    name: String,
    description: String,
    instructions: String,
    #[serde(rename = "modelId")]
    model_id: Option<String>,
    form_id: Option<String>,
    /// Null where it follows the version in force.
    form_version: Option<u32>,
    /// Further forms; absent when there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    forms: Vec<AgentFormRecord>,
    knowledge: Vec<String>,
    tools: Vec<ToolServerRecord>,
    /// Null where nothing is queued for review.
    review: Option<ReviewPolicyRecord>,
    created_timestamp: String,
    updated_timestamp: String,
    #[serde(rename = "userName")]
    user_name: String,
}

/// Which values are queued for review.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "ReviewPolicy")]
struct ReviewPolicyRecord {
    threshold: Option<f64>,
    fields: BTreeMap<String, f64>,
    conflicts: bool,
    errors: bool,
    failures: bool,
    calibrate: bool,
}

impl From<ReviewPolicy> for ReviewPolicyRecord {
    fn from(policy: ReviewPolicy) -> Self {
        let ReviewPolicy { threshold, fields, conflicts, errors, failures, calibrate } = policy;
        Self { threshold, fields, conflicts, errors, failures, calibrate }
    }
}

impl From<Agent> for AgentRecord {
    fn from(agent: Agent) -> Self {
        Self {
            namespace: agent.namespace,
            name: agent.name,
            description: agent.description,
            instructions: agent.instructions,
            model_id: agent.model_id,
            form_id: agent.form_id,
            form_version: agent.form_version,
            forms: agent.forms.into_iter().map(AgentFormRecord::from).collect(),
            knowledge: agent.knowledge,
            tools: agent.tools.into_iter().map(ToolServerRecord::from).collect(),
            review: agent.review.map(ReviewPolicyRecord::from),
            created_timestamp: agent.created.record_text(),
            updated_timestamp: agent.updated.record_text(),
            user_name: agent.author.name,
        }
    }
}

#[derive(Serialize, JsonSchema)]
struct AgentList {
    agents: Vec<AgentRecord>,
    meta: ListMeta,
}

async fn create_agent(
    state: web::Data<AppState>,
    Caller(who): Caller,
    Body(agent): Body<CreateAgent>,
) -> HandlerResult {
    let agent = state.agents.create(&who.scope, &who.author, agent.into()).await?;
    Ok(HttpResponse::Ok().json(AgentRecord::from(agent)))
}

/// The answer to a creation that ended without one.
async fn recover_agent(state: web::Data<AppState>, Caller(who): Caller, effects: Effects) -> HandlerResult {
    let agent = state.agents.get(&who.scope, effects.id("agent")?).await?;
    Ok(HttpResponse::Ok().json(AgentRecord::from(agent)))
}

async fn list_agents(
    state: web::Data<AppState>,
    Caller(who): Caller,
    Query(query): Query<ListQuery>,
) -> HandlerResult {
    let request = query.page(&LIST)?;
    let page = state.agents.list(&who.scope, &request).await?;
    let meta = ListMeta::of(&LIST, &page, &request);
    Ok(HttpResponse::Ok().json(AgentList { agents: page.map(AgentRecord::from).items, meta }))
}

async fn get_agent(
    state: web::Data<AppState>,
    Caller(who): Caller,
    Segment(namespace): Segment,
) -> HandlerResult {
    Ok(HttpResponse::Ok().json(AgentRecord::from(state.agents.get(&who.scope, &namespace).await?)))
}

async fn update_agent(
    state: web::Data<AppState>,
    Caller(who): Caller,
    Segment(namespace): Segment,
    Body(change): Body<UpdateAgent>,
) -> HandlerResult {
    let agent = state.agents.update(&who.scope, &namespace, change.into()).await?;
    Ok(HttpResponse::Ok().json(AgentRecord::from(agent)))
}

async fn delete_agent(
    state: web::Data<AppState>,
    Caller(who): Caller,
    Segment(namespace): Segment,
) -> HandlerResult {
    state.agents.delete(&who.scope, &namespace).await?;
    Ok(HttpResponse::Ok()
        .json(Done::new("The agent was deleted with its runs, responses, sessions, submissions and notes.")))
}
