//! The port of forms.

use std::fmt;

use async_trait::async_trait;
use shared_core::{Page, PageRequest, Revision, Scope, StoreError};

use crate::{Form, FormSummary, FormVersion, FormVersionSummary};

/// Stores forms and all their versions. Implementations must pass `contract::form_repository!`.
#[async_trait]
pub trait FormRepository: fmt::Debug + Send + Sync + 'static {
    /// Stores a form and its first version in one unit.
    async fn insert(&self, scope: &Scope, form: &Form) -> Result<(), StoreError>;
    /// The form with this id.
    async fn find(&self, scope: &Scope, id: &str) -> Result<Option<Form>, StoreError>;
    /// The form as it was at `version`.
    async fn find_version(
        &self,
        scope: &Scope,
        id: &str,
        version: u32,
    ) -> Result<Option<FormVersion>, StoreError>;
    /// The form's versions, newest first, then by number; none where the form is not there.
    async fn list_versions(
        &self,
        scope: &Scope,
        id: &str,
        page: &PageRequest,
    ) -> Result<Page<FormVersionSummary>, StoreError>;
    /// Forms newest first, then by id; with `title`, those whose title contains it, whatever the case.
    async fn list(
        &self,
        scope: &Scope,
        title: Option<&str>,
        page: &PageRequest,
    ) -> Result<Page<FormSummary>, StoreError>;
    /// Stores the changed form and its version in one unit, only if the stored revision is `expected`;
    /// else `Stale`, also when it is gone.
    async fn update(&self, scope: &Scope, form: &Form, expected: Revision) -> Result<(), StoreError>;
    /// Deletes the form with its versions. Answers whether it was there; `InUse` names the agents
    /// that have it.
    async fn delete(&self, scope: &Scope, id: &str) -> Result<bool, StoreError>;
}
