//! Use cases of the versions of forms.

use shared_core::{Page, PageRequest, Scope, StoreError};

use crate::service::{Content, UPDATE_ATTEMPTS, check_examples, is_same};
use crate::{
    Form, FormExample, FormGate, FormVersion, FormVersionSummary, FormsError, FormsService, VersionState,
};

impl FormsService {
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

    /// The form at `version`, a draft too; without one, at the version in force.
    ///
    /// # Errors
    /// [`FormsError::NotFound`], [`FormsError::VersionNotFound`], or when the store fails.
    pub async fn resolve(
        &self,
        scope: &Scope,
        id: &str,
        version: Option<u32>,
    ) -> Result<FormVersion, FormsError> {
        match version {
            Some(version) => match self.version(scope, id, version).await {
                Err(FormsError::VersionNotFound) => {
                    self.get(scope, id).await?;
                    Err(FormsError::VersionNotFound)
                }
                found => found,
            },
            None => Ok(self.get(scope, id).await?.in_force()),
        }
    }

    /// Puts a version in force: a draft, or an older version. The title stays. Nothing changes where it is in force.
    /// `before`: the version that must be in force until then, if it matters.
    ///
    /// # Errors
    /// [`FormsError::NotFound`], [`FormsError::VersionNotFound`], [`StoreError::Stale`] when another version than
    /// `before` is in force, or when the store fails.
    pub async fn publish(
        &self,
        scope: &Scope,
        id: &str,
        version: u32,
        before: Option<u32>,
    ) -> Result<Form, FormsError> {
        let mut attempt = 1;
        loop {
            let old = self.get(scope, id).await?;
            if old.version == version {
                return Ok(old);
            }
            if before.is_some_and(|before| before != old.version) {
                return Err(StoreError::Stale.into());
            }
            let FormVersion { schema, examples, .. } = self.version(scope, id, version).await?;
            let expected = old.revision;
            let form = Form {
                schema,
                examples,
                version,
                draft: old.draft.filter(|draft| *draft > version),
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

    /// Sets the gate of a form, or removes it. Nothing changes where it is the same.
    ///
    /// # Errors
    /// [`FormsError::NotFound`], or when the store fails.
    pub async fn set_gate(
        &self,
        scope: &Scope,
        id: &str,
        gate: Option<FormGate>,
    ) -> Result<Form, FormsError> {
        let mut attempt = 1;
        loop {
            let old = self.get(scope, id).await?;
            if old.gate == gate {
                return Ok(old);
            }
            let expected = old.revision;
            let form =
                Form { gate: gate.clone(), revision: expected.next(), updated: self.clock.now(), ..old };
            match self.repository.update(scope, &form, expected).await {
                Ok(()) => return Ok(form),
                Err(StoreError::Stale) if attempt < UPDATE_ATTEMPTS => attempt += 1,
                Err(error) => return Err(error.into()),
            }
        }
    }

    /// Adds an example in a new draft, unless the newest draft has it.
    ///
    /// # Errors
    /// [`FormsError::NotFound`]; [`FormsError::Invalid`] when the example does not fit the newest draft, or the form has
    /// the most that it may have; or when the store fails.
    pub async fn add_example(
        &self,
        scope: &Scope,
        id: &str,
        example: &FormExample,
    ) -> Result<Form, FormsError> {
        let add = |mut base: FormVersion| {
            if !base.examples.contains(example) {
                base.examples.push(example.clone());
            }
            (base.schema, base.examples)
        };
        let mut attempt = 1;
        loop {
            match self.store_draft(scope, id, &add).await {
                Err(FormsError::Store(StoreError::Stale)) if attempt < UPDATE_ATTEMPTS => attempt += 1,
                result => return result,
            }
        }
    }

    /// Stores what `edit` makes of the newest draft, or without one of the version in force.
    pub(crate) async fn store_draft(
        &self,
        scope: &Scope,
        id: &str,
        edit: &(dyn Fn(FormVersion) -> Content + Send + Sync),
    ) -> Result<Form, FormsError> {
        let old = self.get(scope, id).await?;
        let base = match old.draft {
            Some(draft) => self.version(scope, id, draft).await?,
            None => old.in_force(),
        };
        let (schema, examples) = edit(base.clone());
        check_examples(&schema, &examples)?;
        if is_same(&schema, &base.schema) && examples == base.examples {
            return Ok(old);
        }
        let (expected, version, now) = (old.revision, old.latest + 1, self.clock.now());
        let form =
            Form { latest: version, draft: Some(version), revision: expected.next(), updated: now, ..old };
        let state = VersionState::Draft;
        let draft = FormVersion { version, state, schema, examples, ..form.in_force() };
        self.repository.add_draft(scope, &form, &draft, expected).await?;
        Ok(form)
    }
}
