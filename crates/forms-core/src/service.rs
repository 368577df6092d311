//! Use cases of forms.

use std::sync::Arc;

use serde::Deserialize as _;
use serde_json::{Map, Value};
use shared_core::{Author, Clock, Page, PageRequest, Revision, Rng, Scope, StoreError, Violation, new_id};

use crate::{
    Form, FormChange, FormExample, FormRepository, FormSchema, FormSummary, FormVersion, FormVersionSummary,
    FormsError, validate_examples, validate_schema,
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
        examples: Option<Value>,
    ) -> Result<Form, FormsError> {
        let valid = validate(&FormChange { title: Some(title.clone()), schema: Some(schema), examples })?;
        let (schema, examples) = (valid.schema.unwrap_or_default(), valid.examples.unwrap_or_default());
        check_examples(&schema, &examples)?;
        let now = self.clock.now();
        let form = Form {
            id: new_id("form", now, self.rng.as_ref()),
            workspace: scope.workspace.clone(),
            author: author.clone(),
            title,
            schema,
            examples,
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

    /// Changes title, schema or examples. A changed schema and changed examples create a version, a changed title
    /// alone does not. An update without changes is not stored.
    ///
    /// # Errors
    /// [`FormsError::NotFound`], [`FormsError::Invalid`], or when the store fails.
    pub async fn update(&self, scope: &Scope, id: &str, change: FormChange) -> Result<Form, FormsError> {
        let (valid, title) = (validate(&change)?, change.title);
        let mut attempt = 1;
        loop {
            let old = self.get(scope, id).await?;
            let expected = old.revision;
            let schema = valid.schema.clone().unwrap_or_else(|| old.schema.clone());
            let examples = valid.examples.clone().unwrap_or_else(|| old.examples.clone());
            check_examples(&schema, &examples)?;
            let is_same_content = is_same(&schema, &old.schema) && examples == old.examples;
            if is_same_content && title.as_ref().is_none_or(|title| *title == old.title) {
                return Ok(old);
            }
            let form = Form {
                title: title.clone().unwrap_or(old.title),
                schema,
                examples,
                version: old.version + u32::from(!is_same_content),
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

/// The valid content of a change.
#[derive(Debug, Default)]
struct ValidContent {
    schema: Option<Map<String, Value>>,
    examples: Option<Vec<FormExample>>,
}

/// Validates title and schema, and the shape of the examples. Paths are JSON pointers into the request body.
fn validate(change: &FormChange) -> Result<ValidContent, FormsError> {
    let mut violations = Vec::new();
    let is_blank = |title: &String| title.trim().is_empty() || title.chars().nth(MAX_TITLE).is_some();
    if change.title.as_ref().is_some_and(is_blank) {
        let rule = format!("'title' must have 1 to {MAX_TITLE} characters, not only spaces");
        violations.push(Violation::new("/title", rule));
    }
    let found = change.schema.as_ref().map(validate_schema).unwrap_or_default();
    violations.extend(found.into_iter().map(|v| Violation::new(format!("/schema{}", v.path), v.message)));
    let examples = change.examples.as_ref().map(Vec::<FormExample>::deserialize).transpose();
    let examples = examples.unwrap_or_else(|_| {
        let rule = "'examples' must be a list of objects with 'text', a string, and 'record', an object";
        violations.push(Violation::new("/examples", rule));
        None
    });
    match &change.schema {
        _ if !violations.is_empty() => Err(FormsError::Invalid(violations)),
        Some(Value::Object(fields)) => Ok(ValidContent { schema: Some(fields.clone()), examples }),
        _ => Ok(ValidContent { schema: None, examples }),
    }
}

/// Checks that examples fit a valid schema.
fn check_examples(schema: &Map<String, Value>, examples: &[FormExample]) -> Result<(), FormsError> {
    if examples.is_empty() {
        return Ok(());
    }
    let form = FormSchema::parse(schema).map_err(FormsError::Invalid)?;
    let found = validate_examples(examples, &form);
    let found = found.into_iter().map(|v| Violation::new(format!("/examples{}", v.path), v.message));
    let found: Vec<Violation> = found.collect();
    if found.is_empty() { Ok(()) } else { Err(FormsError::Invalid(found)) }
}
