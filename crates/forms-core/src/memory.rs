//! The port in memory, for tests and embedders. Nothing survives the process.

use parking_lot::{Mutex, MutexGuard};

use async_trait::async_trait;
use shared_core::{Cursor, Page, PageRequest, Revision, Scope, StoreError};

use crate::{Form, FormRepository, FormSummary, FormVersion, FormVersionSummary, VersionState};

/// Forms in memory. It knows of no agents, so no form is ever in use.
#[derive(Debug, Default)]
pub struct MemoryForms(Mutex<Vec<(Form, Vec<FormVersion>)>>);

impl MemoryForms {
    fn rows(&self) -> MutexGuard<'_, Vec<(Form, Vec<FormVersion>)>> {
        self.0.lock()
    }
}

fn is_form(row: &Form, scope: &Scope, id: &str) -> bool {
    row.workspace == scope.workspace && row.id == id
}

fn summary(form: &Form) -> FormSummary {
    FormSummary {
        id: form.id.clone(),
        title: form.title.clone(),
        author: form.author.clone(),
        created: form.created,
        updated: form.updated,
    }
}

#[async_trait]
impl FormRepository for MemoryForms {
    async fn insert(&self, _scope: &Scope, form: &Form) -> Result<(), StoreError> {
        self.rows().push((form.clone(), vec![form.in_force()]));
        Ok(())
    }

    async fn find(&self, scope: &Scope, id: &str) -> Result<Option<Form>, StoreError> {
        Ok(self.rows().iter().find(|(row, _)| is_form(row, scope, id)).map(|(row, _)| row.clone()))
    }

    async fn find_version(
        &self,
        scope: &Scope,
        id: &str,
        version: u32,
    ) -> Result<Option<FormVersion>, StoreError> {
        let rows = self.rows();
        let versions = rows.iter().find(|(row, _)| is_form(row, scope, id)).map(|(_, versions)| versions);
        Ok(versions.and_then(|versions| versions.iter().find(|v| v.version == version).cloned()))
    }

    async fn list_versions(
        &self,
        scope: &Scope,
        id: &str,
        page: &PageRequest,
    ) -> Result<Page<FormVersionSummary>, StoreError> {
        let rows = self.rows();
        let versions =
            rows.iter().filter(|(row, _)| is_form(row, scope, id)).flat_map(|(_, versions)| versions);
        let summaries = versions.map(|version| FormVersionSummary {
            version: version.version,
            state: version.state,
            title: version.title.clone(),
            created: version.created,
        });
        let key = |row: &FormVersionSummary| Cursor { created: row.created, id: row.version.to_string() };
        Ok(Page::paginate(summaries.collect(), page, key))
    }

    async fn list(
        &self,
        scope: &Scope,
        title: Option<&str>,
        page: &PageRequest,
    ) -> Result<Page<FormSummary>, StoreError> {
        let wanted = title.map(str::to_lowercase);
        let fits = |form: &Form| wanted.as_ref().is_none_or(|w| form.title.to_lowercase().contains(w));
        let own = self
            .rows()
            .iter()
            .filter(|(row, _)| row.workspace == scope.workspace && fits(row))
            .map(|(row, _)| summary(row))
            .collect();
        Ok(Page::paginate(own, page, |row: &FormSummary| Cursor { created: row.created, id: row.id.clone() }))
    }

    async fn update(&self, scope: &Scope, form: &Form, expected: Revision) -> Result<(), StoreError> {
        let mut rows = self.rows();
        let row = rows.iter_mut().find(|(row, _)| is_form(row, scope, &form.id) && row.revision == expected);
        let (row, versions) = row.ok_or(StoreError::Stale)?;
        *row = form.clone();
        match versions.iter_mut().find(|version| version.version == form.version) {
            Some(known) => known.state = VersionState::Published,
            None => versions.push(form.in_force()),
        }
        Ok(())
    }

    async fn add_draft(
        &self,
        scope: &Scope,
        form: &Form,
        draft: &FormVersion,
        expected: Revision,
    ) -> Result<(), StoreError> {
        let mut rows = self.rows();
        let row = rows.iter_mut().find(|(row, _)| is_form(row, scope, &form.id) && row.revision == expected);
        let (row, versions) = row.ok_or(StoreError::Stale)?;
        *row = form.clone();
        versions.push(draft.clone());
        Ok(())
    }

    async fn delete(&self, scope: &Scope, id: &str) -> Result<bool, StoreError> {
        let mut rows = self.rows();
        let before = rows.len();
        rows.retain(|(row, _)| !is_form(row, scope, id));
        Ok(rows.len() < before)
    }
}
