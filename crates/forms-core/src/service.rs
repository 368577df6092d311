//! Use cases of forms.

use std::sync::Arc;

use serde::Deserialize as _;
use serde_json::{Map, Value};
use shared_core::{Author, Clock, Page, PageRequest, Revision, Rng, Scope, StoreError, Violation, new_id};

use crate::{
    Form, FormChange, FormExample, FormRepository, FormSchema, FormSummary, FormVersion, FormsError,
    validate_examples, validate_schema,
};

/// Most characters of a title. Bounds the memory. Chosen by hand; no measurement is recorded.
pub const MAX_TITLE: usize = 1_000;
/// Attempts of an update that meets concurrent updates of the same form. Chosen by hand; no measurement is
/// recorded.
pub(crate) const UPDATE_ATTEMPTS: usize = 8;

/// Forms of a workspace.
#[derive(Clone, Debug)]
pub struct FormsService {
    pub(crate) repository: Arc<dyn FormRepository>,
    pub(crate) clock: Arc<dyn Clock>,
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
        let valid = validate(&FormChange {
            title: Some(title.clone()),
            schema: Some(schema),
            examples,
            draft: false,
        })?;
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
            latest: 1,
            draft: None,
            gate: None,
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

    /// Changes title, schema or examples. A changed schema and changed examples create a version, which is in force at
    /// once unless the change is a draft; a changed title alone does not. An update without changes is not stored.
    ///
    /// # Errors
    /// [`FormsError::NotFound`], [`FormsError::Invalid`], [`FormsError::Gated`] when a version would come into force past the
    /// form's gate, or when the store fails.
    pub async fn update(&self, scope: &Scope, id: &str, change: FormChange) -> Result<Form, FormsError> {
        let valid = validate(&change)?;
        let mut attempt = 1;
        loop {
            let stored = match change.draft {
                true => self.store_draft(scope, id, &|base| valid.clone().over(base)).await,
                false => self.store_change(scope, id, valid.clone(), change.title.clone()).await,
            };
            match stored {
                Err(FormsError::Store(StoreError::Stale)) if attempt < UPDATE_ATTEMPTS => attempt += 1,
                result => return result,
            }
        }
    }

    async fn store_change(
        &self,
        scope: &Scope,
        id: &str,
        valid: ValidContent,
        title: Option<String>,
    ) -> Result<Form, FormsError> {
        let old = self.get(scope, id).await?;
        let expected = old.revision;
        let schema = valid.schema.unwrap_or_else(|| old.schema.clone());
        let examples = valid.examples.unwrap_or_else(|| old.examples.clone());
        check_examples(&schema, &examples)?;
        let is_same_content = is_same(&schema, &old.schema) && examples == old.examples;
        if is_same_content && title.as_ref().is_none_or(|title| *title == old.title) {
            return Ok(old);
        }
        if old.gate.is_some() && !is_same_content {
            return Err(FormsError::Gated);
        }
        let title = title.unwrap_or_else(|| old.title.clone());
        let form = match is_same_content {
            true => Form { title, revision: expected.next(), updated: self.clock.now(), ..old },
            false => Form {
                title,
                schema,
                examples,
                version: old.latest + 1,
                latest: old.latest + 1,
                draft: None,
                revision: expected.next(),
                updated: self.clock.now(),
                ..old
            },
        };
        self.repository.update(scope, &form, expected).await?;
        Ok(form)
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
pub(crate) fn is_same(one: &Map<String, Value>, other: &Map<String, Value>) -> bool {
    let text = |schema: &Map<String, Value>| serde_json::to_string(schema).ok();
    text(one) == text(other)
}

/// Schema and examples of a version.
pub(crate) type Content = (Map<String, Value>, Vec<FormExample>);

/// The valid content of a change.
#[derive(Clone, Debug, Default)]
struct ValidContent {
    schema: Option<Map<String, Value>>,
    examples: Option<Vec<FormExample>>,
}

impl ValidContent {
    /// The content of a version after the change.
    fn over(self, base: FormVersion) -> Content {
        (self.schema.unwrap_or(base.schema), self.examples.unwrap_or(base.examples))
    }
}

/// Validates title and schema, and the shape of the examples. Paths are JSON pointers into the request body.
fn validate(change: &FormChange) -> Result<ValidContent, FormsError> {
    let mut violations = Vec::new();
    let is_blank = |title: &String| title.trim().is_empty() || title.chars().nth(MAX_TITLE).is_some();
    if change.title.as_ref().is_some_and(is_blank) {
        let rule = format!("'title' must have 1 to {MAX_TITLE} characters, not only spaces");
        violations.push(Violation::new("/title", rule));
    }
    if change.draft && change.title.is_some() {
        violations
            .push(Violation::new("/title", "a draft has no 'title' of its own; change it without 'draft'"));
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
pub(crate) fn check_examples(
    schema: &Map<String, Value>,
    examples: &[FormExample],
) -> Result<(), FormsError> {
    if examples.is_empty() {
        return Ok(());
    }
    let form = FormSchema::parse(schema).map_err(FormsError::Invalid)?;
    let found = validate_examples(examples, &form);
    let found = found.into_iter().map(|v| Violation::new(format!("/examples{}", v.path), v.message));
    let found: Vec<Violation> = found.collect();
    if found.is_empty() { Ok(()) } else { Err(FormsError::Invalid(found)) }
}
