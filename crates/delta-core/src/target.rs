//! What one record of a run is made of: the caller's groups, each document, or each page.

use document::{Document, ReadError};
use futures_util::{StreamExt as _, stream};
use shared_core::{Scope, Violation};

use crate::group::is_retryable;
use crate::rules::violations;
use crate::{DeltaError, DocumentRef, RunService};

/// Documents that are read concurrently for their pages; as the worker reads those of a group.
const READ_CONCURRENCY: usize = 4;

/// What gives one record.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RunTarget {
    /// A group as the caller made it.
    #[default]
    Group,
    /// Each document of each group.
    Document,
    /// A page; a whole document where its format has no pages.
    Page,
}

impl RunTarget {
    /// Every target.
    pub const ALL: [Self; 3] = [Self::Group, Self::Document, Self::Page];

    /// The name in requests.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Group => "group",
            Self::Document => "document",
            Self::Page => "page",
        }
    }

    /// The target of a name.
    #[must_use]
    pub fn of_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|target| target.name() == name)
    }
}

impl RunService {
    /// The groups of a run with a target, in the order of the documents. For pages every document is read; one
    /// that cannot be read is a group of its own, whose outcome tells why.
    ///
    /// # Errors
    /// When the agent is unknown, the groups break a rule, there are more groups than a run may have, a document
    /// cannot be read now, or the store fails.
    pub async fn expand(
        &self,
        scope: &Scope,
        namespace: &str,
        groups: Vec<Vec<DocumentRef>>,
        target: RunTarget,
    ) -> Result<Vec<Vec<DocumentRef>>, DeltaError> {
        if target == RunTarget::Group {
            return Ok(groups);
        }
        self.ports.agents.get(scope, namespace).await?;
        let found = violations(&groups, &self.limits);
        if !found.is_empty() {
            return Err(DeltaError::Invalid(found));
        }
        let documents: Vec<DocumentRef> = groups.into_iter().flatten().collect();
        self.check_count(documents.len(), target)?;
        match target {
            RunTarget::Page => self.pages_of(scope, documents).await,
            RunTarget::Group | RunTarget::Document => {
                Ok(documents.into_iter().map(|document| vec![document]).collect())
            }
        }
    }

    async fn pages_of(
        &self,
        scope: &Scope,
        documents: Vec<DocumentRef>,
    ) -> Result<Vec<Vec<DocumentRef>>, DeltaError> {
        let read = |document: DocumentRef| {
            let (reader, scope) = (self.ports.documents.clone(), scope.clone());
            async move {
                match reader.read(&scope, &document.url).await {
                    Ok(read) => Ok(pages(&document, &read.document)),
                    Err(ReadError::Store(error)) => Err(DeltaError::Store(error)),
                    Err(ReadError::Unusable { code, .. }) if !is_retryable(code) => Ok(vec![document]),
                    // Left whole, it would be one record where there are to be several.
                    Err(
                        ReadError::Unusable { code, message } | ReadError::Transient { code, message, .. },
                    ) => Err(DeltaError::DocumentUnavailable { document: document.url, code, message }),
                }
            }
        };
        let mut all = stream::iter(documents.into_iter().map(read)).buffered(READ_CONCURRENCY);
        let mut groups = Vec::new();
        while let Some(pages) = all.next().await {
            let pages: Result<Vec<DocumentRef>, DeltaError> = pages;
            groups.extend(pages?.into_iter().map(|page| vec![page]));
            // Before further documents are read.
            self.check_count(groups.len(), RunTarget::Page)?;
        }
        Ok(groups)
    }

    fn check_count(&self, count: usize, target: RunTarget) -> Result<(), DeltaError> {
        if count <= self.limits.groups {
            return Ok(());
        }
        let (target, most) = (target.name(), self.limits.groups);
        let rule = format!("a run may have at most {most} groups, and each {target} is one");
        Err(DeltaError::Invalid(vec![Violation::new("", rule)]))
    }
}

/// The pages of a document that are meant. A document whose pages cannot be told apart, or that lacks a page that
/// is meant, is left as it is.
fn pages(document: &DocumentRef, read: &Document) -> Vec<DocumentRef> {
    let last = read.pages.iter().map(|page| page.number).max();
    let is_missing = document.pages.as_ref().is_some_and(|pages| Some(pages.last()) > last);
    if is_missing || read.pages.is_empty() {
        return vec![document.clone()];
    }
    let numbers = read.pages.iter().map(|page| page.number);
    let meant = numbers.filter(|number| document.pages.as_ref().is_none_or(|pages| pages.contains(*number)));
    let page = |number| DocumentRef { pages: document::PageRanges::of(number, number), ..document.clone() };
    meant.map(page).collect()
}

#[cfg(test)]
mod tests {
    use document::Page;

    use super::*;

    #[test]
    fn a_document_is_divided_into_the_pages_that_are_meant() {
        let page = |number| Page { number, ..Page::default() };
        let three = Document { pages: (1..=3).map(page).collect(), ..Document::default() };
        let of = |range: Option<&str>, document: &Document| -> Vec<Option<String>> {
            let pages = range.map(|range| range.parse().unwrap());
            let all = pages_of_ref(pages, document);
            all.into_iter().map(|one| one.pages.map(|pages| pages.to_string())).collect()
        };
        let some = |texts: &[&str]| texts.iter().map(|text| Some((*text).to_owned())).collect::<Vec<_>>();
        assert_eq!(of(None, &three), some(&["1", "2", "3"]));
        assert_eq!(of(Some("2-3"), &three), some(&["2", "3"]));
        assert_eq!(of(Some("3-4"), &three), some(&["3-4"]), "its group says that there is no page 4");
        assert_eq!(of(None, &Document::default()), [None]);
    }

    fn pages_of_ref(range: Option<document::PageRanges>, document: &Document) -> Vec<DocumentRef> {
        pages(&DocumentRef { pages: range, ..DocumentRef::new("1") }, document)
    }

    #[test]
    fn targets_have_names() {
        assert!(RunTarget::ALL.iter().all(|target| RunTarget::of_name(target.name()) == Some(*target)));
        assert_eq!((RunTarget::of_name("row"), RunTarget::default()), (None, RunTarget::Group));
    }
}
