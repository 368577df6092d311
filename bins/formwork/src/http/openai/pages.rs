//! Lists of OpenAI's interface: pages that are asked for by the last object before.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use shared_core::{Page, PageRequest};

use super::super::lists::whole_number;
use super::super::operation::OperationBuilder;
use super::super::{ApiError, rules};

/// Objects of a page.
const PAGE: u32 = 100;

/// Adds the parameters of a list; `what`: an object of it.
pub(super) fn with_pages<'a>(operation: OperationBuilder<'a>, what: &'static str) -> OperationBuilder<'a> {
    let after = match what {
        "file" => "Id of the last file of the page before.",
        _ => "Id of the last knowledge base of the page before.",
    };
    let limit = "Objects of a page, 1 to 100; 100 when absent.";
    operation.query("after", rules::text(), after).query("limit", rules::limit(), limit)
}

/// Which page.
#[derive(Deserialize)]
pub(super) struct PageQuery {
    after: Option<String>,
    #[serde(default, deserialize_with = "whole_number")]
    limit: Option<i64>,
}

impl PageQuery {
    /// The first page of the wanted size.
    pub(super) fn request(&self) -> Result<PageRequest, ApiError> {
        let limit = self.limit.unwrap_or_else(|| PAGE.into());
        let limit = u32::try_from(limit).ok().filter(|limit| (1..=PAGE).contains(limit));
        let rule = || ApiError::invalid("?limit", format!("'limit' must be between 1 and {PAGE}"));
        limit.map(PageRequest::first).ok_or_else(rule)
    }

    /// The object that the page comes after.
    pub(super) fn after(&self) -> Option<&str> {
        self.after.as_deref().filter(|after| !after.is_empty())
    }
}

/// A page of objects.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "OpenAiListOf{T}")]
pub(super) struct ObjectList<T> {
    /// `list`.
    object: &'static str,
    /// Newest first.
    data: Vec<T>,
    /// Id of the first; null for none.
    first_id: Option<String>,
    /// Id of the last, with which the next page is asked for; null for none.
    last_id: Option<String>,
    /// Whether there is a next page.
    has_more: bool,
}

impl<T> ObjectList<T> {
    /// The list with the ids of its objects.
    pub(super) fn of(page: Page<T>, id: impl Fn(&T) -> &String) -> Self {
        let has_more = page.next.is_some();
        let (first, last) = (page.items.first().map(&id).cloned(), page.items.last().map(&id).cloned());
        Self { object: "list", data: page.items, first_id: first, last_id: last, has_more }
    }
}
