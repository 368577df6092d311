//! The use cases of agents.

use std::sync::Arc;

use forms_core::{FormVersion, FormsError, FormsService};
use gen_core::{GenService, ModelId};
use shared_core::{Author, Clock, Page, PageRequest, Revision, Rng, Scope, StoreError, Violation, new_id};

use crate::{
    Agent, AgentForm, AgentRepository, AgentsError, KnowledgeBases, NoopKnowledgeBases, NoopToolServers,
    ReviewPolicy, ToolServer, ToolServers, rules, tool_servers,
};

/// Attempts of an update that meets concurrent updates of the same agent. Chosen by hand; no measurement is
/// recorded.
const UPDATE_ATTEMPTS: usize = 8;

/// Agents of a workspace.
#[derive(Clone, Debug)]
pub struct AgentsService {
    repository: Arc<dyn AgentRepository>,
    forms: FormsService,
    generation: GenService,
    knowledge: Arc<dyn KnowledgeBases>,
    tool_servers: Arc<dyn ToolServers>,
    default_model: ModelId,
    clock: Arc<dyn Clock>,
    ids: Arc<dyn Rng>,
}

/// Values of a new agent.
#[derive(Clone, Debug, Default)]
pub struct NewAgent {
    /// Lower-case slug, unique in the workspace.
    pub namespace: String,
    /// Display name; the namespace when `None`.
    pub name: Option<String>,
    /// Free text.
    pub description: Option<String>,
    /// Instructions to the model.
    pub instructions: Option<String>,
    /// `model@provider`; the service's default when `None`.
    pub model_id: Option<String>,
    /// Id of the form that it fills.
    pub form_id: Option<String>,
    /// The version of the form that it stays with; `None` follows the version in force.
    pub form_version: Option<u32>,
    /// Further forms, to which documents of batch extraction are classified.
    pub forms: Vec<AgentForm>,
    /// Ids of the knowledge bases it may search.
    pub knowledge: Vec<String>,
    /// Servers whose tools its model may call.
    pub tools: Vec<ToolServer>,
    /// Which values of its batch extraction are queued for review; `None` for none.
    pub review: Option<ReviewPolicy>,
}

/// Changes to an agent. `None` leaves a value unchanged; `Some(None)` clears it.
#[derive(Clone, Debug, Default)]
pub struct AgentChanges {
    /// New namespace.
    pub namespace: Option<String>,
    /// New display name.
    pub name: Option<String>,
    /// New free text.
    pub description: Option<String>,
    /// New instructions.
    pub instructions: Option<String>,
    /// New model.
    pub model_id: Option<Option<String>>,
    /// New form. Another form ends a stay with a version, unless `form_version` names one.
    pub form_id: Option<Option<String>>,
    /// New version of the form to stay with.
    pub form_version: Option<Option<u32>>,
    /// New further forms.
    pub forms: Option<Vec<AgentForm>>,
    /// New knowledge bases.
    pub knowledge: Option<Vec<String>>,
    /// New servers of tools. A server without an authorisation keeps that of the server that had its URL.
    pub tools: Option<Vec<ToolServer>>,
    /// New rules of review; they hold for runs that start after the change.
    pub review: Option<Option<ReviewPolicy>>,
}

impl AgentsService {
    /// Builds the service on its ports. `default_model` serves agents without a model of their own.
    #[must_use]
    pub fn new(
        repository: Arc<dyn AgentRepository>,
        forms: FormsService,
        generation: GenService,
        default_model: ModelId,
        clock: Arc<dyn Clock>,
        ids: Arc<dyn Rng>,
    ) -> Self {
        Self {
            repository,
            forms,
            generation,
            knowledge: Arc::new(NoopKnowledgeBases),
            tool_servers: Arc::new(NoopToolServers),
            default_model,
            clock,
            ids,
        }
    }

    /// Adds the knowledge bases that agents may name. Without this call there are none.
    #[must_use]
    pub fn with_knowledge(self, knowledge: Arc<dyn KnowledgeBases>) -> Self {
        Self { knowledge, ..self }
    }

    /// Adds the reach to servers of tools. Without this call agents can name none.
    #[must_use]
    pub fn with_tool_servers(self, tool_servers: Arc<dyn ToolServers>) -> Self {
        Self { tool_servers, ..self }
    }

    /// The reach to servers of tools.
    pub(crate) fn tool_servers(&self) -> &Arc<dyn ToolServers> {
        &self.tool_servers
    }

    /// Validates and stores an agent.
    ///
    /// # Errors
    /// When a value breaks a rule, a form, model or knowledge base is unknown, the namespace is taken, or the
    /// store fails.
    pub async fn create(&self, scope: &Scope, author: &Author, new: NewAgent) -> Result<Agent, AgentsError> {
        let now = self.clock.now();
        let agent = Agent {
            id: new_id("agent", now, self.ids.as_ref()),
            workspace: scope.workspace.clone(),
            author: author.clone(),
            name: new.name.unwrap_or_else(|| new.namespace.clone()),
            namespace: new.namespace,
            description: new.description.unwrap_or_default(),
            instructions: new.instructions.unwrap_or_default(),
            model_id: new.model_id,
            form_id: new.form_id,
            form_version: new.form_version,
            forms: new.forms,
            knowledge: new.knowledge,
            tools: new.tools,
            review: new.review,
            revision: Revision::FIRST,
            created: now,
            updated: now,
        };
        self.check(scope, &agent, &StoredReferences::default()).await?;
        self.repository.insert(scope, &agent).await.map_err(|error| map_store_error(error, &agent))?;
        Ok(agent)
    }

    /// The agent with this namespace.
    ///
    /// # Errors
    /// [`AgentsError::NotFound`], or when the store fails.
    pub async fn get(&self, scope: &Scope, namespace: &str) -> Result<Agent, AgentsError> {
        let found = self.repository.find(scope, namespace).await.map_err(AgentsError::Store)?;
        found.ok_or(AgentsError::NotFound)
    }

    /// Agents, newest first.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn list(&self, scope: &Scope, page: &PageRequest) -> Result<Page<Agent>, AgentsError> {
        self.repository.list(scope, page).await.map_err(AgentsError::Store)
    }

    /// Changes an agent. Concurrent updates are retried.
    ///
    /// # Errors
    /// [`AgentsError::NotFound`], and as for [`AgentsService::create`].
    pub async fn update(
        &self,
        scope: &Scope,
        namespace: &str,
        changes: AgentChanges,
    ) -> Result<Agent, AgentsError> {
        let mut attempt = 1;
        loop {
            let old = self.get(scope, namespace).await?;
            let (expected, named) = (old.revision, StoredReferences::of(&old));
            let agent = Agent { updated: self.clock.now(), ..apply_changes(old, changes.clone()) };
            self.check(scope, &agent, &named).await?;
            match self.repository.update(scope, &agent, expected).await {
                Ok(()) => return Ok(agent),
                Err(StoreError::Stale) if attempt < UPDATE_ATTEMPTS => attempt += 1,
                Err(error) => return Err(map_store_error(error, &agent)),
            }
        }
    }

    /// Deletes an agent with its runs, stored responses, sessions, submissions and notes.
    ///
    /// # Errors
    /// [`AgentsError::NotFound`], or when the store fails.
    pub async fn delete(&self, scope: &Scope, namespace: &str) -> Result<(), AgentsError> {
        let deleted = self.repository.delete(scope, namespace).await.map_err(AgentsError::Store)?;
        if deleted { Ok(()) } else { Err(AgentsError::NotFound) }
    }

    /// The model of agents without one of their own.
    #[must_use]
    pub fn default_model(&self) -> &ModelId {
        &self.default_model
    }

    /// The model that serves the agent: its own, or the default.
    ///
    /// # Errors
    /// [`AgentsError::UnknownModel`] when this version does not know the stored model id.
    pub fn model_of(&self, agent: &Agent) -> Result<ModelId, AgentsError> {
        agent.model_id.as_deref().map_or_else(|| Ok(self.default_model.clone()), |id| self.model(id))
    }

    /// The version of its form that the agent works with; `None` without a form.
    ///
    /// # Errors
    /// When the form or the version is unknown, or the store fails.
    pub async fn form_of(&self, scope: &Scope, agent: &Agent) -> Result<Option<FormVersion>, FormsError> {
        match &agent.form_id {
            Some(id) => self.forms.resolve(scope, id, agent.form_version).await.map(Some),
            None => Ok(None),
        }
    }

    /// The agent's knowledge bases that still exist.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn bases_of(&self, scope: &Scope, agent: &Agent) -> Result<Vec<String>, AgentsError> {
        let mut bases = Vec::new();
        for base in &agent.knowledge {
            if self.knowledge.exists(scope, base).await.map_err(AgentsError::Store)? {
                bases.push(base.clone());
            }
        }
        Ok(bases)
    }

    /// The model of this id.
    ///
    /// # Errors
    /// [`AgentsError::UnknownModel`] when it is malformed or its provider is not known.
    pub fn model(&self, id: &str) -> Result<ModelId, AgentsError> {
        let unknown = |message: String| AgentsError::UnknownModel([Violation::new("/modelId", message)]);
        let id: ModelId = id.parse().map_err(|error: gen_core::ModelIdError| unknown(error.to_string()))?;
        self.generation.check(&id).map_err(|error| unknown(error.to_string()))?;
        Ok(id)
    }

    /// What is in `named` was stored before and is not looked up: a base that was deleted since, or a tool server that
    /// the operator no longer allows, must not block other changes.
    async fn check(&self, scope: &Scope, agent: &Agent, named: &StoredReferences) -> Result<(), AgentsError> {
        let mut violations = rules::violations(agent);
        violations.extend(tool_servers::violations(&agent.tools, |url| {
            if named.tool_urls.iter().any(|known| known == url) {
                Ok(())
            } else {
                self.tool_servers.check(url)
            }
        }));
        violations.extend(agent.review.iter().flat_map(|policy| policy.violations("/review")));
        if !violations.is_empty() {
            return Err(AgentsError::Invalid(violations));
        }
        if let Some(id) = &agent.model_id {
            self.model(id)?;
        }
        for (index, base) in agent.knowledge.iter().enumerate() {
            let known = named.bases.contains(base);
            if !known && !self.knowledge.exists(scope, base).await.map_err(AgentsError::Store)? {
                let message = format!("there is no knowledge base '{base}'");
                let place = format!("/knowledge/{index}");
                return Err(AgentsError::UnknownKnowledgeBase([Violation::new(place, message)]));
            }
        }
        self.check_forms(scope, agent).await?;
        match self.form_of(scope, agent).await {
            Ok(Some(_)) => Ok(()),
            Ok(None) if agent.form_version.is_some() => {
                Err(unknown_version("'form_version' needs 'form_id'".to_owned()))
            }
            Ok(None) => Ok(()),
            Err(FormsError::Store(error)) => Err(AgentsError::Store(error)),
            Err(FormsError::VersionNotFound) => {
                let version = agent.form_version.unwrap_or_default();
                Err(unknown_version(format!("the form has no version {version}")))
            }
            Err(_) => Err(unknown_form()),
        }
    }

    async fn check_forms(&self, scope: &Scope, agent: &Agent) -> Result<(), AgentsError> {
        for (index, form) in agent.forms.iter().enumerate() {
            let place = |field: &str| format!("/forms/{index}/{field}");
            match self.forms.resolve(scope, &form.form_id, form.form_version).await {
                Ok(_) => {}
                Err(FormsError::Store(error)) => return Err(AgentsError::Store(error)),
                Err(FormsError::VersionNotFound) => {
                    let version = form.form_version.unwrap_or_default();
                    let rule = format!("the form has no version {version}");
                    return Err(AgentsError::Invalid(vec![Violation::new(place("form_version"), rule)]));
                }
                Err(_) => {
                    let rule = "there is no form with this id";
                    return Err(AgentsError::UnknownForm([Violation::new(place("form_id"), rule)]));
                }
            }
        }
        Ok(())
    }
}

/// What an agent named before a change.
#[derive(Debug, Default)]
struct StoredReferences {
    bases: Vec<String>,
    tool_urls: Vec<String>,
}

impl StoredReferences {
    fn of(agent: &Agent) -> Self {
        let tool_urls = agent.tools.iter().map(|server| server.url.clone()).collect();
        Self { bases: agent.knowledge.clone(), tool_urls }
    }
}

fn apply_changes(old: Agent, changes: AgentChanges) -> Agent {
    let tools = changes.tools.map(|tools| keep_authorizations(tools, &old.tools));
    let form_id = changes.form_id.unwrap_or_else(|| old.form_id.clone());
    let kept = old.form_version.filter(|_| form_id == old.form_id);
    Agent {
        tools: tools.unwrap_or(old.tools),
        review: changes.review.unwrap_or(old.review),
        namespace: changes.namespace.unwrap_or(old.namespace),
        name: changes.name.unwrap_or(old.name),
        description: changes.description.unwrap_or(old.description),
        instructions: changes.instructions.unwrap_or(old.instructions),
        model_id: changes.model_id.unwrap_or(old.model_id),
        form_id,
        form_version: changes.form_version.unwrap_or(kept),
        forms: changes.forms.unwrap_or(old.forms),
        knowledge: changes.knowledge.unwrap_or(old.knowledge),
        revision: old.revision.next(),
        ..old
    }
}

fn keep_authorizations(mut tools: Vec<ToolServer>, old: &[ToolServer]) -> Vec<ToolServer> {
    for server in tools.iter_mut().filter(|server| server.authorization.is_none()) {
        let same = old.iter().find(|old| old.url == server.url);
        server.authorization = same.and_then(|old| old.authorization.clone());
    }
    tools
}

fn unknown_form() -> AgentsError {
    AgentsError::UnknownForm([Violation::new("/form_id", "there is no form with this id")])
}

fn unknown_version(rule: String) -> AgentsError {
    AgentsError::Invalid(vec![Violation::new("/form_version", rule)])
}

/// The form may be deleted between the check and the write; then the store's foreign key reports it.
fn map_store_error(error: StoreError, agent: &Agent) -> AgentsError {
    match error {
        StoreError::Taken(_) => AgentsError::NamespaceTaken(agent.namespace.clone()),
        StoreError::Missing("form") => unknown_form(),
        other => AgentsError::Store(other),
    }
}
