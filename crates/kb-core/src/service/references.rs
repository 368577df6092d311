//! Resolves references to files and pages of the web.

use files_core::{File, FileId, FilesError, ReferenceTarget};
use futures_util::stream::{self, StreamExt as _};
use gen_core::CallerContext;
use shared_core::{Scope, Violation};

use super::KnowledgeService;
use super::add::AT_ONCE;
use super::new_data::{FileEntry, UrlEntry};
use super::rules::RequestValidator;
use crate::{KnowledgeError, NewItem};

impl KnowledgeService {
    /// The items of files.
    pub(super) async fn of_files(
        &self,
        payer: &CallerContext,
        files: Vec<FileEntry>,
    ) -> Result<Vec<NewItem>, KnowledgeError> {
        // Collected, since a closure over references that lives across an await is not `Send`.
        let found: Vec<_> = files.iter().map(|entry| self.ports.files.get(&payer.scope, entry.id)).collect();
        let found: Vec<_> = stream::iter(found).buffered(AT_ONCE).collect().await;
        let (mut items, mut unknown) = (Vec::new(), Vec::new());
        for (index, (found, entry)) in found.into_iter().zip(files).enumerate() {
            match found {
                Ok(file) => items.push(self.of_file(payer, &file, entry.attributes)),
                Err(FilesError::NotFound) => unknown.push(no_file(format!("/file_ids/{index}"), entry.id.0)),
                Err(error) => return Err(KnowledgeError::Files(error)),
            }
        }
        if unknown.is_empty() { Ok(items) } else { Err(KnowledgeError::UnknownFiles(unknown)) }
    }

    /// The items of web URLs, and of files by id or own URL.
    pub(super) async fn of_urls(
        &self,
        payer: &CallerContext,
        urls: Vec<UrlEntry>,
    ) -> Result<Vec<NewItem>, KnowledgeError> {
        let found: Vec<_> = urls.iter().map(|entry| self.found(&payer.scope, &entry.url)).collect();
        let found: Vec<Found> = stream::iter(found).buffered(AT_ONCE).collect().await;
        let (mut items, mut unknown, mut check) = (Vec::new(), Vec::new(), RequestValidator::default());
        for (index, (found, UrlEntry { url, attributes })) in found.into_iter().zip(urls).enumerate() {
            let place = format!("/urls/{index}");
            match found? {
                Reference::File(file) => items.push(self.of_file(payer, &file, attributes)),
                Reference::Web => items.push(self.of_web(payer, &url, attributes)),
                Reference::Unknown => unknown.push(no_file(place, url)),
                Reference::Invalid(rule) => check.fail(place, rule.replace("'url'", "each of 'urls'")),
            }
        }
        check.done()?;
        if unknown.is_empty() { Ok(items) } else { Err(KnowledgeError::UnknownFiles(unknown)) }
    }

    async fn found(&self, scope: &Scope, reference: &str) -> Found {
        let found = match self.ports.files.locate(reference) {
            ReferenceTarget::File(id) => self.ports.files.get(scope, id).await,
            // A token grants reading, but not use in another workspace.
            ReferenceTarget::Token(token) => match self.ports.files.get_by_token(&token).await {
                Ok(file) if file.workspace != scope.workspace => Err(FilesError::NotFound),
                other => other,
            },
            ReferenceTarget::Web(_) => return Ok(Reference::Web),
            ReferenceTarget::Invalid(rule) => return Ok(Reference::Invalid(rule)),
        };
        match found {
            Ok(file) => Ok(Reference::File(Box::new(file))),
            Err(FilesError::NotFound) => Ok(Reference::Unknown),
            Err(error) => Err(KnowledgeError::Files(error)),
        }
    }

    /// The file with this id, which `path` of the request names.
    pub(super) async fn file(&self, scope: &Scope, path: &str, id: FileId) -> Result<File, KnowledgeError> {
        self.ports.files.get(scope, id).await.map_err(|error| match error {
            FilesError::NotFound => KnowledgeError::UnknownFiles(vec![no_file(path, id.0)]),
            other => KnowledgeError::Files(other),
        })
    }
}

fn no_file(path: impl Into<String>, named: impl std::fmt::Display) -> Violation {
    Violation::new(path, format!("there is no file '{named}'"))
}

/// What a reference resolves to.
enum Reference {
    File(Box<File>),
    Web,
    Unknown,
    Invalid(&'static str),
}

type Found = Result<Reference, KnowledgeError>;
