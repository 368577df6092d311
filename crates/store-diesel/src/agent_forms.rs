//! The further forms of agents.

use std::collections::HashMap;

use agents_core::AgentForm;
use diesel::{BoolExpressionMethods as _, ExpressionMethods as _, QueryDsl as _, RunQueryDsl as _};

use crate::connection::AnyConnection;
use crate::failure::{Failure, foreign_key_violation_as};
use crate::form_versions::{read_version, stored_version};
use crate::rows::position;
use crate::schema::agent_forms;

/// Stores the forms of an agent in place of those that it has.
pub(crate) fn replace(
    connection: &mut AnyConnection,
    workspace: &str,
    agent: &str,
    forms: &[AgentForm],
) -> Result<(), Failure> {
    let own = agent_forms::workspace.eq(workspace).and(agent_forms::agent.eq(agent));
    diesel::delete(agent_forms::table.filter(own)).execute(connection)?;
    for (index, form) in (0..).zip(forms) {
        diesel::insert_into(agent_forms::table)
            .values((
                agent_forms::workspace.eq(workspace),
                agent_forms::agent.eq(agent),
                agent_forms::position.eq(position(index)),
                agent_forms::form.eq(&form.form_id),
                agent_forms::version.eq(form.form_version.map(stored_version)),
            ))
            .execute(connection)
            .map_err(foreign_key_violation_as("form"))?;
    }
    Ok(())
}

/// The forms of some agents, by their ids, each in its order.
pub(crate) fn of_agents(
    connection: &mut AnyConnection,
    workspace: &str,
    agents: &[&str],
) -> Result<HashMap<String, Vec<AgentForm>>, Failure> {
    let mut found: HashMap<String, Vec<AgentForm>> = HashMap::new();
    if agents.is_empty() {
        return Ok(found);
    }
    let query = agent_forms::table
        .filter(agent_forms::workspace.eq(workspace).and(agent_forms::agent.eq_any(agents)))
        .order((agent_forms::agent, agent_forms::position))
        .select((agent_forms::agent, agent_forms::form, agent_forms::version));
    let rows: Vec<(String, String, Option<i32>)> = match connection {
        AnyConnection::Postgres(inner) => query.load(inner)?,
        AnyConnection::Sqlite(inner) => query.load(inner)?,
    };
    for (agent, form_id, version) in rows {
        let form_version = version.map(read_version).transpose()?;
        found.entry(agent).or_default().push(AgentForm { form_id, form_version });
    }
    Ok(found)
}
