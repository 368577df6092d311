//! The card of an agent: what it does, and where and how it is called.

use actix_web::http::Method;
use actix_web::{HttpResponse, web};
use agents_core::Agent;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value, json};

use super::input::JSON;
use super::{VERSION, examples};
use crate::app::AppState;
use crate::http::HandlerResult;
use crate::http::lists::AnyObject;
use crate::http::operation::Registry;
use crate::http::request::{Caller, Segment};

/// Media types of documents that agents read most often; others are recognised, too.
const INPUTS: [&str; 6] = ["text/plain", JSON, "application/pdf", "image/png", "image/jpeg", "text/html"];

pub(super) fn register(registry: &mut Registry) {
    registry
        .operation(
            Method::GET,
            "/v1/agent/{namespace}/a2a/.well-known/agent-card.json",
            "get_agent_card",
            "The card of an agent for A2A clients.",
        )
        .answers::<AgentCard>()
        .example(examples::card)
        .fails(&[404])
        .to(get_agent_card);
}

/// An A2A 1.0 agent card.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct AgentCard {
    name: String,
    description: String,
    version: &'static str,
    /// Where the agent is called.
    supported_interfaces: Vec<AgentInterface>,
    documentation_url: String,
    #[schemars(with = "AnyObject")]
    capabilities: Value,
    /// How a key is sent.
    #[schemars(with = "AnyObject")]
    security_schemes: Value,
    #[schemars(with = "Vec<AnyObject>")]
    security_requirements: Value,
    default_input_modes: Vec<&'static str>,
    default_output_modes: Vec<&'static str>,
    skills: Vec<AgentSkill>,
}

/// An address of an agent.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct AgentInterface {
    url: String,
    protocol_binding: &'static str,
    protocol_version: &'static str,
}

/// What an agent can do.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct AgentSkill {
    id: &'static str,
    name: String,
    description: String,
    tags: Vec<&'static str>,
    output_modes: Vec<&'static str>,
}

async fn get_agent_card(
    state: web::Data<AppState>,
    Caller(who): Caller,
    Segment(namespace): Segment,
) -> HandlerResult {
    let agent = state.agents.get(&who.scope, &namespace).await?;
    let form = match &agent.form_id {
        Some(id) => Some(state.forms.get(&who.scope, id).await?.title),
        None => None,
    };
    Ok(HttpResponse::Ok().json(card(agent, form, &state.public_url)))
}

fn card(agent: Agent, form: Option<String>, public_url: &str) -> AgentCard {
    let skills = match &form {
        Some(title) => form_skills(title),
        None => vec![AgentSkill {
            id: "answer",
            name: "Answer".to_owned(),
            description: "Answers messages, from its knowledge bases where it has some.".to_owned(),
            tags: vec!["conversation"],
            output_modes: vec!["text/plain"],
        }],
    };
    let described = Some(agent.description).filter(|text| !text.trim().is_empty());
    AgentCard {
        description: described.unwrap_or_else(|| match form {
            Some(title) => format!("Fills the form '{title}' from messages and documents."),
            None => "Answers messages.".to_owned(),
        }),
        version: env!("CARGO_PKG_VERSION"),
        supported_interfaces: vec![AgentInterface {
            url: format!("{public_url}/v1/agent/{}/a2a", agent.namespace),
            protocol_binding: "JSONRPC",
            protocol_version: VERSION,
        }],
        documentation_url: format!("{public_url}/docs"),
        capabilities: json!({"streaming": true, "pushNotifications": false, "extendedAgentCard": false}),
        security_schemes: json!({
            "bearer": {"httpAuthSecurityScheme": {"scheme": "bearer"}},
            "key": {"apiKeySecurityScheme": {"location": "header", "name": "X-Service-Key"}}
        }),
        security_requirements: json!([
            {"schemes": {"bearer": {"list": []}}}, {"schemes": {"key": {"list": []}}}
        ]),
        default_input_modes: INPUTS.to_vec(),
        default_output_modes: vec!["text/plain", JSON],
        skills,
        name: agent.name,
    }
}

fn form_skills(title: &str) -> Vec<AgentSkill> {
    vec![
        AgentSkill {
            id: "fill_form",
            name: format!("Fill: {title}"),
            description: format!(
                "Asks for what the form '{title}' needs, takes it from messages and documents, and submits it when it \
                 is confirmed. The record is the artifact of the task."
            ),
            tags: vec!["form", "conversation"],
            output_modes: vec!["text/plain", JSON],
        },
        AgentSkill {
            id: "extract_record",
            name: format!("Extract: {title}"),
            description: format!(
                "Where the client accepts only application/json, the record of the form '{title}' is extracted from the \
                 message and its documents at once, with evidence in the metadata."
            ),
            tags: vec!["extraction", "documents"],
            output_modes: vec![JSON],
        },
    ]
}
