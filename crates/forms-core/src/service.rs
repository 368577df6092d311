//! Use cases of forms.

use std::sync::Arc;

use serde_json::{Map, Value};
use shared_core::{Author, Clock, Page, PageRequest, Revision, Rng, Scope, StoreError, Violation, new_id};

use crate::{
    Form, FormRepository, FormSummary, FormVersion, FormVersionSummary, FormsError, validate_schema,
};

/// Most characters of a title. Bounds the memory. Chosen by hand; no measurement is recorded.
pub const MAX_TITLE: usize = 1_000;
/// Attempts of an update that meets concurrent updates of the same form. Chosen by hand; no measurement is
/// recorded.
const UPDATE_ATTEMPTS: usize = 8;

/// Forms of a workspace.
#[derive(Clone, Debug)]
pub struct FormsService {
    repository: Arc<dyn FormRepository>,
    clock: Arc<dyn Clock>,
    rng: Arc<dyn Rng>,
}

impl FormsService {
    /// Builds the service on its ports.
    #[must_use]
    pub fn new(repository: Arc<dyn FormRepository>, clock: Arc<dyn Clock>, rng: Arc<dyn Rng>) -> Self {
        Self { repository, clock, rng }
    }

    /// Validates and stores a form.
    ///
    /// # Errors
    /// [`FormsError::Invalid`] with every violation, or when the store fails.
    pub async fn create(
        &self,
        scope: &Scope,
        author: &Author,
        title: String,
        schema: Value,
    ) -> Result<Form, FormsError> {
        let schema = validate(Some(&title), Some(schema))?.unwrap_or_default();
        let now = self.clock.now();
        let form = Form {
            id: new_id("form", now, self.rng.as_ref()),
            workspace: scope.workspace.clone(),
            author: author.clone(),
            title,
            schema,
            version: 1,
            revision: Revision::FIRST,
            created: now,
            updated: now,
        };
        self.repository.insert(scope, &form).await?;
        Ok(form)
    }

    /// The form with this id.
    ///
    /// # Errors
    /// [`FormsError::NotFound`], or when the store fails.
    pub async fn get(&self, scope: &Scope, id: &str) -> Result<Form, FormsError> {
        self.repository.find(scope, id).await?.ok_or(FormsError::NotFound)
    }

    /// The form at `version`.
    ///
    /// # Errors
    /// [`FormsError::VersionNotFound`], or when the store fails.
    pub async fn version(&self, scope: &Scope, id: &str, version: u32) -> Result<FormVersion, FormsError> {
        self.repository.find_version(scope, id, version).await?.ok_or(FormsError::VersionNotFound)
    }

    /// The form's versions, newest first.
    ///
    /// # Errors
    /// [`FormsError::NotFound`], or when the store fails.
    pub async fn versions(
        &self,
        scope: &Scope,
        id: &str,
        page: &PageRequest,
    ) -> Result<Page<FormVersionSummary>, FormsError> {
        let versions = self.repository.list_versions(scope, id, page).await?;
        // Every form has at least one version.
        if versions.total == 0 { Err(FormsError::NotFound) } else { Ok(versions) }
    }

    /// Forms, newest first. `title` filters by a substring of the title, ignoring case.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn list(
        &self,
        scope: &Scope,
        title: Option<&str>,
        page: &PageRequest,
    ) -> Result<Page<FormSummary>, FormsError> {
        Ok(self.repository.list(scope, title, page).await?)
    }

    /// Changes title or schema; `None` leaves a value unchanged. A changed schema creates a version, a
    /// changed title alone does not. An update without changes is not stored.
    ///
    /// # Errors
    /// [`FormsError::NotFound`], [`FormsError::Invalid`], or when the store fails.
    pub async fn update(
        &self,
        scope: &Scope,
        id: &str,
        title: Option<String>,
        schema: Option<Value>,
    ) -> Result<Form, FormsError> {
        let schema = validate(title.as_deref(), schema)?;
        let mut attempt = 1;
        loop {
            let old = self.get(scope, id).await?;
            let expected = old.revision;
            let is_same_schema = schema.as_ref().is_none_or(|schema| is_same(schema, &old.schema));
            if is_same_schema && title.as_ref().is_none_or(|title| *title == old.title) {
                return Ok(old);
            }
            let form = Form {
                title: title.clone().unwrap_or(old.title),
                schema: schema.clone().unwrap_or(old.schema),
                version: old.version + u32::from(!is_same_schema),
                revision: expected.next(),
                updated: self.clock.now(),
                ..old
            };
            match self.repository.update(scope, &form, expected).await {
                Ok(()) => return Ok(form),
                Err(StoreError::Stale) if attempt < UPDATE_ATTEMPTS => attempt += 1,
                Err(error) => return Err(error.into()),
            }
        }
    }

    /// Deletes a form with its versions.
    ///
    /// # Errors
    /// [`FormsError::NotFound`], [`FormsError::InUse`], or when the store fails.
    pub async fn delete(&self, scope: &Scope, id: &str) -> Result<(), FormsError> {
        match self.repository.delete(scope, id).await {
            Ok(true) => Ok(()),
            Ok(false) => Err(FormsError::NotFound),
            Err(StoreError::InUse(agents)) => Err(FormsError::InUse(agents)),
            Err(error) => Err(error.into()),
        }
    }
}

/// Whether two schemas are equal, including the order of keys, which is the order of asking.
fn is_same(one: &Map<String, Value>, other: &Map<String, Value>) -> bool {
    let text = |schema: &Map<String, Value>| serde_json::to_string(schema).ok();
    text(one) == text(other)
}

/// Validates title and schema. Paths are JSON pointers into the request body.
fn validate(title: Option<&str>, schema: Option<Value>) -> Result<Option<Map<String, Value>>, FormsError> {
    let mut violations = Vec::new();
    if title.is_some_and(|title| title.trim().is_empty() || title.chars().nth(MAX_TITLE).is_some()) {
        let rule = format!("'title' must have 1 to {MAX_TITLE} characters, not only spaces");
        violations.push(Violation::new("/title", rule));
    }
    let found = schema.as_ref().map(validate_schema).unwrap_or_default();
    violations.extend(found.into_iter().map(|v| Violation::new(format!("/schema{}", v.path), v.message)));
    match schema {
        _ if !violations.is_empty() => Err(FormsError::Invalid(violations)),
        Some(Value::Object(fields)) => Ok(Some(fields)),
        _ => Ok(None),
    }
}
