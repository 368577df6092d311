//! The documents that a reviewed group was extracted from: their texts, and quotes of them.

use forms_core::{Evidence, Field, FormSchema, find_quote, quote_support};
use serde_json::Value;
use shared_core::{Scope, StoreError, Violation};

use super::quote::{member, member_place};
use super::{Review, ReviewDecision, ReviewQuote, ReviewService};
use crate::{GroupId, Response, SourceDocument};

impl ReviewService {
    /// The response of a group as it was extracted; `None` when it has none.
    async fn response(&self, scope: &Scope, group: GroupId) -> Result<Option<Response>, StoreError> {
        let found = self.runs.ports.groups.finished(scope, group.sid, group.index, 1).await?.pop();
        Ok(found.filter(|found| found.index == group.index).and_then(|found| found.response))
    }

    /// Adds to the last step of a review where the documents print what its decision quotes. The error is a broken rule
    /// with a path below the decision.
    pub(super) async fn add_evidence(
        &self,
        scope: &Scope,
        review: &mut Review,
        form: &FormSchema,
        decision: &ReviewDecision,
    ) -> Result<Result<(), Violation>, StoreError> {
        let own = decision.quote.iter().map(|quote| ("/evidence".to_owned(), None, quote));
        let members = decision.member_quotes.iter().enumerate();
        let members = members.map(|(place, one)| (member_place(place), Some(&one.path), &one.quote));
        let quotes: Vec<_> = own.chain(members).collect();
        if quotes.is_empty() {
            return Ok(Ok(()));
        }
        let Some(response) = self.response(scope, review.group).await? else {
            return Ok(Err(Violation::new("/evidence", "the group has no response")));
        };
        for (place, path, quote) in quotes {
            let (field, value) = match path {
                Some(path) => match member(form, review, path) {
                    Ok(found) => found,
                    Err(rule) => return Ok(Err(Violation::new(format!("{place}/path"), rule))),
                },
                None => match form.field_at(&review.about.path) {
                    Some(field) => (field, &review.value),
                    None => continue,
                },
            };
            let found = match self.find_evidence(scope, &response, field, value, quote).await? {
                Ok(found) => found,
                Err(broken) => {
                    let path = format!("{place}{}", broken.path);
                    return Ok(Err(Violation::new(path, broken.message)));
                }
            };
            let Some(entry) = review.history.last_mut() else { continue };
            match path {
                Some(path) => drop(entry.member_evidence.insert(path.clone(), found)),
                None => entry.evidence = Some(found),
            }
        }
        Ok(Ok(()))
    }

    /// Where the documents of a response print a quote for a value, or the rule that the quote breaks, with a path below
    /// the quote.
    async fn find_evidence(
        &self,
        scope: &Scope,
        response: &Response,
        field: &Field,
        value: &Value,
        quote: &ReviewQuote,
    ) -> Result<Result<Evidence, Violation>, StoreError> {
        let broken = |place: &str, rule: String| Ok(Err(Violation::new(place, rule)));
        let sources: Vec<&SourceDocument> =
            response.sources.iter().filter(|source| is_named(source, quote)).collect();
        if sources.is_empty() {
            let name = quote.document.as_deref().unwrap_or_default();
            return broken("/document", format!("the group has no document '{name}'"));
        }
        for source in sources {
            let documents = &self.runs.ports.documents;
            let Some(document) = documents.parsed(scope, &source.sha256, source.parser_version).await? else {
                continue;
            };
            let is_page = |page: Option<u32>| {
                quote.page.is_none_or(|wanted| page == Some(wanted))
                    && source.pages.as_ref().is_none_or(|read| page.is_some_and(|page| read.contains(page)))
            };
            let Some(place) = find_quote(&document, &quote.quote, is_page) else { continue };
            let printed: String =
                document.text.chars().skip(place.start).take(place.end - place.start).collect();
            let (index, file) = source.named.clone().unzip();
            return Ok(Ok(Evidence {
                document: Some(source.name.clone()),
                file,
                index,
                page: document.page_at(place.start),
                start: Some(place.start),
                end: Some(place.end),
                rect: document.bounding_box(place.start, place.end),
                quote: Some(printed.clone()),
                accepted: Some(true),
                // A person has read it there.
                ..Evidence::without_place(quote_support(field, value, &printed), 1.0)
            }));
        }
        broken("/quote", "the quote does not stand there in the documents of the group".to_owned())
    }

    /// The texts of the pages that a response was extracted from, separated by blank lines; `None` when one is not
    /// stored any more.
    pub(super) async fn text(
        &self,
        scope: &Scope,
        response: &Response,
    ) -> Result<Option<String>, StoreError> {
        let mut texts = Vec::with_capacity(response.sources.len());
        for source in &response.sources {
            let documents = &self.runs.ports.documents;
            let Some(document) = documents.parsed(scope, &source.sha256, source.parser_version).await? else {
                return Ok(None);
            };
            match source.pages.as_ref().map(|pages| document.pages_part(pages)).transpose() {
                Ok(Some(Some(part))) => texts.push(part.document.text),
                Ok(_) => texts.push(document.text.clone()),
                // These pages have no text.
                Err(_) => {}
            }
        }
        Ok(Some(texts.join("\n\n")))
    }
}

/// Whether a quote may be of this document.
fn is_named(source: &SourceDocument, quote: &ReviewQuote) -> bool {
    let Some(name) = &quote.document else { return true };
    *name == source.name || source.named.as_ref().is_some_and(|(_, reference)| reference == name)
}
