//! The adapter of agents.

use agents_core::{Agent, AgentForm, AgentRepository, Authorization, ToolServer};
use async_trait::async_trait;
use diesel::{
    BoolExpressionMethods as _, ExpressionMethods as _, JoinOnDsl as _, OptionalExtension as _,
    QueryDsl as _, Queryable, RunQueryDsl as _,
};
use serde::{Deserialize, Serialize};
use shared_core::{Cursor, Page, PageRequest, Revision, Scope, StoreError, WorkspaceId};

use crate::agent_forms;
use crate::connection::{AnyConnection, prepared};
use crate::database::Database;
use crate::failure::{Failure, constraint_violation_as};
use crate::form_versions::{read_version, stored_version};
use crate::idempotency::effect;
use crate::lists::{self, cut};
use crate::rows::{author, from_json, time, to_json};
use crate::schema::{agents, users};
use crate::text_encoding::{decode, encode};

/// Agents in the database.
#[derive(Clone, Debug)]
pub struct DieselAgents(Database);

impl DieselAgents {
    /// Uses `database`.
    #[must_use]
    pub fn new(database: Database) -> Self {
        Self(database)
    }
}

#[derive(Queryable)]
struct AgentRow {
    workspace: String,
    id: String,
    author: String,
    namespace: String,
    name: String,
    description: String,
    instructions: String,
    model_id: Option<String>,
    form: Option<String>,
    knowledge: String,
    revision: i64,
    created: i64,
    updated: i64,
    tools: String,
    review: Option<String>,
    form_version: Option<i32>,
}

/// A server of tools as it is stored.
#[derive(Deserialize, Serialize)]
struct StoredToolServer {
    url: String,
    allowed: Option<Vec<String>>,
    authorization: Option<String>,
}

fn tools_json(tools: &[ToolServer]) -> Result<String, StoreError> {
    let stored = tools.iter().map(|server| StoredToolServer {
        url: server.url.clone(),
        allowed: server.allowed.clone(),
        authorization: server.authorization.as_ref().map(|value| value.expose().to_owned()),
    });
    to_json(&stored.collect::<Vec<_>>())
}

fn read_tools(stored: &str) -> Result<Vec<ToolServer>, StoreError> {
    let stored: Vec<StoredToolServer> = from_json(stored)?;
    let read = |server: StoredToolServer| ToolServer {
        url: server.url,
        allowed: server.allowed,
        authorization: server.authorization.map(Authorization::new),
    };
    Ok(stored.into_iter().map(read).collect())
}

impl AgentRow {
    fn read(self, (name, email): (String, String), forms: Vec<AgentForm>) -> Result<Agent, Failure> {
        Ok(Agent {
            id: self.id,
            workspace: WorkspaceId(self.workspace),
            author: author(self.author, name, email),
            namespace: self.namespace,
            name: decode(self.name),
            description: decode(self.description),
            instructions: decode(self.instructions),
            model_id: self.model_id,
            form_id: self.form,
            form_version: self.form_version.map(read_version).transpose()?,
            forms,
            knowledge: from_json(&self.knowledge)?,
            tools: read_tools(&self.tools)?,
            review: self.review.as_deref().map(from_json).transpose()?,
            revision: Revision(self.revision),
            created: time(self.created)?,
            updated: time(self.updated)?,
        })
    }
}

/// Joins the author's row to the agent's.
macro_rules! with_author {
    () => {
        agents::table.inner_join(
            users::table.on(users::workspace.eq(agents::workspace).and(users::id.eq(agents::author))),
        )
    };
}

#[async_trait]
impl AgentRepository for DieselAgents {
    async fn insert(&self, scope: &Scope, agent: &Agent) -> Result<(), StoreError> {
        let (scope, agent) = (scope.clone(), agent.clone());
        let (knowledge, tools) = (to_json(&agent.knowledge)?, tools_json(&agent.tools)?);
        let review = agent.review.as_ref().map(to_json).transpose()?;
        let namespace = agent.namespace.clone();
        let insert = move |connection: &mut AnyConnection| {
            diesel::insert_into(agents::table)
                .values((
                    agents::workspace.eq(&scope.workspace.0),
                    agents::id.eq(&agent.id),
                    agents::author.eq(&scope.user.0),
                    agents::namespace.eq(&agent.namespace),
                    agents::name.eq(encode(&agent.name).as_ref()),
                    agents::description.eq(encode(&agent.description).as_ref()),
                    agents::instructions.eq(encode(&agent.instructions).as_ref()),
                    agents::model_id.eq(&agent.model_id),
                    agents::form.eq(&agent.form_id),
                    agents::form_version.eq(agent.form_version.map(stored_version)),
                    agents::knowledge.eq(&knowledge),
                    agents::tools.eq(&tools),
                    agents::review.eq(&review),
                    agents::revision.eq(agent.revision.0),
                    agents::created.eq(agent.created.micros()),
                    agents::updated.eq(agent.updated.micros()),
                ))
                .execute(connection)
                .map_err(constraint_violation_as("namespace", "form"))?;
            agent_forms::replace(connection, &scope.workspace.0, &agent.id, &agent.forms)
        };
        self.0.write_effect(insert, move |()| effect("agent", [&namespace])).await
    }

    async fn find(&self, scope: &Scope, namespace: &str) -> Result<Option<Agent>, StoreError> {
        let (workspace, namespace) = (scope.workspace.0.clone(), encode(namespace).into_owned());
        let find = move |connection: &mut AnyConnection| {
            let query = with_author!()
                .filter(agents::workspace.eq(&workspace).and(agents::namespace.eq(&namespace)))
                .select((agents::all_columns, (users::name, users::email)));
            let found: Option<(AgentRow, (String, String))> =
                prepared!(connection, inner => query.get_result(inner).optional())?;
            let Some((row, author)) = found else { return Ok(None) };
            let forms = agent_forms::of_agents(connection, &workspace, &[&row.id])?;
            row.read(author, forms.into_values().next().unwrap_or_default()).map(Some)
        };
        self.0.look_up(find).await
    }

    async fn list(&self, scope: &Scope, page: &PageRequest) -> Result<Page<Agent>, StoreError> {
        let (workspace, page) = (scope.workspace.0.clone(), page.clone());
        let list = move |connection: &mut AnyConnection| {
            let own = agents::workspace.eq(&workspace);
            let total: i64 = agents::table.filter(own).count().get_result(connection)?;
            let columns = (agents::all_columns, (users::name, users::email));
            let query = with_author!().filter(own).select(columns).into_boxed();
            let rows: Vec<(AgentRow, (String, String))> =
                cut!(query, &page, agents::created, agents::id, String::clone).load(connection)?;
            let ids: Vec<&str> = rows.iter().map(|(row, _)| row.id.as_str()).collect();
            let mut forms = agent_forms::of_agents(connection, &workspace, &ids)?;
            let read = |(row, author): (AgentRow, (String, String))| {
                let own = forms.remove(&row.id).unwrap_or_default();
                row.read(author, own)
            };
            let items = rows.into_iter().map(read).collect::<Result<Vec<_>, _>>()?;
            let key = |agent: &Agent| Cursor { created: agent.created, id: agent.id.clone() };
            Ok(lists::page(items, total, &page, key)?)
        };
        self.0.read(list).await
    }

    async fn update(&self, scope: &Scope, agent: &Agent, expected: Revision) -> Result<(), StoreError> {
        let (workspace, agent) = (scope.workspace.0.clone(), agent.clone());
        let (knowledge, tools) = (to_json(&agent.knowledge)?, tools_json(&agent.tools)?);
        let review = agent.review.as_ref().map(to_json).transpose()?;
        let update = move |connection: &mut AnyConnection| {
            let same = agents::table
                .filter(agents::workspace.eq(&workspace).and(agents::id.eq(&agent.id)))
                .filter(agents::revision.eq(expected.0));
            let changed = diesel::update(same)
                .set((
                    agents::namespace.eq(&agent.namespace),
                    agents::name.eq(encode(&agent.name).as_ref()),
                    agents::description.eq(encode(&agent.description).as_ref()),
                    agents::instructions.eq(encode(&agent.instructions).as_ref()),
                    agents::model_id.eq(&agent.model_id),
                    agents::form.eq(&agent.form_id),
                    agents::form_version.eq(agent.form_version.map(stored_version)),
                    agents::knowledge.eq(&knowledge),
                    agents::tools.eq(&tools),
                    agents::review.eq(&review),
                    agents::revision.eq(agent.revision.0),
                    agents::updated.eq(agent.updated.micros()),
                ))
                .execute(connection)
                .map_err(constraint_violation_as("namespace", "form"))?;
            if changed == 0 {
                return Err(StoreError::Stale.into());
            }
            agent_forms::replace(connection, &workspace, &agent.id, &agent.forms)
        };
        self.0.write(update).await
    }

    async fn delete(&self, scope: &Scope, namespace: &str) -> Result<bool, StoreError> {
        let (workspace, namespace) = (scope.workspace.0.clone(), encode(namespace).into_owned());
        let delete = move |connection: &mut AnyConnection| {
            let named = agents::workspace.eq(&workspace).and(agents::namespace.eq(&namespace));
            Ok(diesel::delete(agents::table.filter(named)).execute(connection)? > 0)
        };
        self.0.bulk().write(delete).await
    }
}
