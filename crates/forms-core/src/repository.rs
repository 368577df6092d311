//! The port of forms.

use std::fmt;

use async_trait::async_trait;
use shared_core::{Page, PageRequest, Revision, Scope, StoreError};

use crate::{Form, FormSummary, FormVersion, FormVersionSummary};

/// Stores forms and all their versions. Implementations must pass `form_repository_contract!`.
#[async_trait]
pub trait FormRepository: fmt::Debug + Send + Sync + 'static {
    /// Inserts a form and its first version in one transaction.
    async fn insert(&self, scope: &Scope, form: &Form) -> Result<(), StoreError>;
    /// The form with this id; `None` when the workspace has none.
    async fn find(&self, scope: &Scope, id: &str) -> Result<Option<Form>, StoreError>;
    /// The form at `version`; `None` when there is no such version.
    async fn find_version(
        &self,
        scope: &Scope,
        id: &str,
        version: u32,
    ) -> Result<Option<FormVersion>, StoreError>;
    /// The form's versions, newest first, then by number. Empty when the form does not exist.
    async fn list_versions(
        &self,
        scope: &Scope,
        id: &str,
        page: &PageRequest,
    ) -> Result<Page<FormVersionSummary>, StoreError>;
    /// Forms, newest first, then by id. `title` filters by a substring of the title, ignoring case.
    async fn list(
        &self,
        scope: &Scope,
        title: Option<&str>,
        page: &PageRequest,
    ) -> Result<Page<FormSummary>, StoreError>;
    /// Replaces the form in one transaction if the stored revision equals `expected`, else `Stale`. Stores its version
    /// unless there is one with this number, which becomes published. `Stale` also when the form is deleted.
    async fn update(&self, scope: &Scope, form: &Form, expected: Revision) -> Result<(), StoreError>;
    /// As [`FormRepository::update`], but stores `draft` as a version, and leaves the states of others.
    async fn add_draft(
        &self,
        scope: &Scope,
        form: &Form,
        draft: &FormVersion,
        expected: Revision,
    ) -> Result<(), StoreError>;
    /// Deletes the form with its versions. Returns whether it existed. `InUse` lists the namespaces of agents and the
    /// ids of evaluation sets that use it.
    async fn delete(&self, scope: &Scope, id: &str) -> Result<bool, StoreError>;
}
