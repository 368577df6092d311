//! Lists: their query and the meta that goes with them.

use actix_web::HttpRequest;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use shared_core::{Cursor, ErrorKind, Page, PageRequest, Position};
use validator::Validate;

use super::ApiError;
use super::request::violations;

/// Rows of a page at the most.
pub(super) const MAX_LIMIT: u32 = 100;

/// The query of a list.
#[derive(Clone, Debug, Default, Deserialize, Validate)]
pub struct ListQuery {
    /// Page, from 1.
    #[validate(range(min = 1, message = "must be at least 1"))]
    pub page: Option<u32>,
    /// Rows of a page.
    #[validate(range(min = 1, max = MAX_LIMIT, message = "must be 1 to 100"))]
    pub limit: Option<u32>,
    /// Goes on after the page whose meta gave it.
    pub cursor: Option<String>,
    /// Part of a title, where the list has titles.
    pub title: Option<String>,
}

impl ListQuery {
    /// The page wanted, `default` rows when no limit is given.
    ///
    /// # Errors
    /// 400 when a value is out of range or the cursor is none of ours.
    pub fn page(&self, default: u32) -> Result<PageRequest, ApiError> {
        if let Err(errors) = self.validate() {
            let first = violations(&errors).into_iter().next();
            let first =
                first.ok_or_else(|| ApiError::new(ErrorKind::Invalid, "validation_failed", "not valid"))?;
            return Err(ApiError::invalid(first.path, first.message));
        }
        let position = match &self.cursor {
            Some(text) => {
                let cursor =
                    Cursor::decode(text).map_err(|error| ApiError::invalid("?cursor", error.to_string()))?;
                Position::After(cursor)
            }
            None => Position::Number(self.page.unwrap_or(1)),
        };
        Ok(PageRequest { position, limit: self.limit.unwrap_or(default) })
    }
}

/// The meta of a list. What does not apply is an empty string.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ListMeta {
    /// This page's number; empty when a cursor was given.
    pub current_page: PageNumber,
    /// Rows of a page.
    pub limit: u32,
    /// The next page's number, or empty.
    pub next_page: PageNumber,
    /// The previous page's number, or empty.
    pub prev_page: PageNumber,
    /// Rows in all.
    pub total_items: u64,
    /// Pages in all.
    pub total_pages: u64,
    /// Goes on after this page, stably; empty on the last.
    pub next_cursor: String,
}

/// A page's number, or an empty string where there is none.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum PageNumber {
    /// The number.
    Number(u64),
    /// The number as text.
    Text(String),
}

impl PageNumber {
    fn of(number: Option<u64>) -> Self {
        number.map_or(Self::Text(String::new()), Self::Number)
    }

    /// The number as text.
    #[must_use]
    pub fn into_text(self) -> Self {
        match self {
            Self::Number(number) => Self::Text(number.to_string()),
            text @ Self::Text(_) => text,
        }
    }
}

impl ListMeta {
    /// The meta of `page`, which was cut by `request`.
    #[must_use]
    pub fn of<T>(page: &Page<T>, request: &PageRequest) -> Self {
        let total_pages = page.total.div_ceil(u64::from(request.limit));
        let current = match request.position {
            Position::Number(number) => Some(u64::from(number)),
            Position::After(_) => None,
        };
        let next = current.filter(|number| *number < total_pages).map(|number| number + 1);
        let previous = current.filter(|number| *number > 1).map(|number| number - 1);
        Self {
            current_page: PageNumber::of(current),
            limit: request.limit,
            next_page: PageNumber::of(next),
            prev_page: PageNumber::of(previous),
            total_items: page.total,
            total_pages,
            next_cursor: page.next.as_ref().map(Cursor::encode).unwrap_or_default(),
        }
    }
}

/// The `Link` header of a list whose answer is an array: its neighbour pages under the same query.
#[must_use]
pub fn page_links(request: &HttpRequest, page: u64, pages: u64) -> Option<String> {
    let link = |page: u64, relation: &str| {
        let mut query = form_urlencoded::Serializer::new(String::new());
        let kept =
            form_urlencoded::parse(request.query_string().as_bytes()).filter(|(name, _)| name != "page");
        query.extend_pairs(kept).append_pair("page", &page.to_string());
        format!("<{}?{}>; rel=\"{relation}\"", request.path(), query.finish())
    };
    let previous = (page > 1 && page <= pages + 1).then(|| link(page - 1, "prev"));
    let next = (page < pages).then(|| link(page + 1, "next"));
    let links: Vec<String> = previous.into_iter().chain(next).collect();
    (!links.is_empty()).then(|| links.join(", "))
}

/// `{"status": "success", "message": …}`.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Done {
    /// Always `success`.
    pub status: &'static str,
    /// What was done.
    pub message: String,
}

impl Done {
    /// Success with a message.
    pub fn new(message: impl Into<String>) -> Self {
        Self { status: "success", message: message.into() }
    }
}

/// Reads a field that may be absent (`None`), null (`Some(None)`) or given.
///
/// # Errors
/// When it is of another type.
pub fn nullable<'de, D: serde::Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<Option<String>>, D::Error> {
    Option::<String>::deserialize(deserializer).map(Some)
}

/// A schema that takes any JSON object.
#[must_use]
pub fn any_object(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
    schemars::json_schema!({"type": "object", "additionalProperties": true})
}

/// Any JSON object, described as such.
pub type AnyObject = serde_json::Map<String, Value>;
