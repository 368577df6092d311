//! A store of forms that is busy for a while.

use std::sync::atomic::AtomicU32;

use async_trait::async_trait;
use forms_core::{Form, FormRepository, FormSummary, FormVersion, FormVersionSummary, MemoryForms};
use shared_core::{Page, PageRequest, Revision, Scope, StoreError};

use crate::kit::take_one;

/// Fails a given number of reads of form versions.
#[derive(Debug, Default)]
pub(crate) struct BusyForms {
    pub(crate) failures: AtomicU32,
    inner: MemoryForms,
}

#[async_trait]
impl FormRepository for BusyForms {
    async fn insert(&self, scope: &Scope, form: &Form) -> Result<(), StoreError> {
        self.inner.insert(scope, form).await
    }
    async fn find(&self, scope: &Scope, id: &str) -> Result<Option<Form>, StoreError> {
        self.inner.find(scope, id).await
    }
    async fn find_version(
        &self,
        scope: &Scope,
        id: &str,
        version: u32,
    ) -> Result<Option<FormVersion>, StoreError> {
        match take_one(&self.failures) {
            true => Err(StoreError::Unavailable("as the test says".into())),
            false => self.inner.find_version(scope, id, version).await,
        }
    }
    async fn list_versions(
        &self,
        scope: &Scope,
        id: &str,
        page: &PageRequest,
    ) -> Result<Page<FormVersionSummary>, StoreError> {
        self.inner.list_versions(scope, id, page).await
    }
    async fn list(
        &self,
        scope: &Scope,
        title: Option<&str>,
        page: &PageRequest,
    ) -> Result<Page<FormSummary>, StoreError> {
        self.inner.list(scope, title, page).await
    }
    async fn update(&self, scope: &Scope, form: &Form, expected: Revision) -> Result<(), StoreError> {
        self.inner.update(scope, form, expected).await
    }
    async fn add_draft(
        &self,
        scope: &Scope,
        form: &Form,
        draft: &FormVersion,
        expected: Revision,
    ) -> Result<(), StoreError> {
        self.inner.add_draft(scope, form, draft, expected).await
    }
    async fn delete(&self, scope: &Scope, id: &str) -> Result<bool, StoreError> {
        self.inner.delete(scope, id).await
    }
}
