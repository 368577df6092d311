//! Lists: their query parameters and meta.

use actix_web::HttpRequest;
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;
use shared_core::{Cursor, Page, PageRequest, Position};
use validator::Validate;

use super::ApiError;

/// Maximum number of rows of a page.
pub(super) const MAX_LIMIT: u32 = 100;

/// A kind of list.
#[derive(Clone, Copy, Debug)]
pub struct List {
    /// Name of the list. A cursor carries it and is rejected by other lists.
    pub name: &'static str,
    /// Default number of rows of a page.
    pub rows: u32,
}

/// The query of a list.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct ListQuery {
    /// Page, from 1.
    #[serde(default, deserialize_with = "whole_number")]
    pub page: Option<i64>,
    /// Rows of a page.
    #[serde(default, deserialize_with = "whole_number")]
    pub limit: Option<i64>,
    /// Cursor from the meta of the previous page.
    pub cursor: Option<String>,
    /// Part of a title, where the list has titles.
    pub title: Option<String>,
    /// A label, where the list has labels.
    pub label: Option<String>,
}

impl ListQuery {
    /// The requested page of `list`.
    ///
    /// # Errors
    /// 400 when a value is out of range or the cursor is invalid.
    pub fn page(&self, list: &List) -> Result<PageRequest, ApiError> {
        let (page, limit) = page_window(self.page, self.limit)?;
        let position = match &self.cursor {
            Some(text) => {
                let cursor = Cursor::decode(list.name, text);
                Position::After(cursor.map_err(|error| ApiError::invalid("?cursor", error.to_string()))?)
            }
            None => Position::Number(page.unwrap_or(1)),
        };
        Ok(PageRequest { position, limit: limit.unwrap_or(list.rows) })
    }
}

/// The requested page and number of rows.
///
/// # Errors
/// 400 when one is out of range.
pub fn page_window(page: Option<i64>, limit: Option<i64>) -> Result<(Option<u32>, Option<u32>), ApiError> {
    let window = RowRange { page, limit };
    if let Err(errors) = window.validate() {
        let broken = ["page", "limit"].into_iter().find(|name| errors.errors().contains_key(*name));
        let (name, most) =
            if broken == Some("page") { ("page", MAX_PAGE) } else { ("limit", MAX_LIMIT.into()) };
        return Err(ApiError::invalid(format!("?{name}"), format!("'{name}' must be 1 to {most}")));
    }
    let number = |number: Option<i64>| number.and_then(|number| u32::try_from(number).ok());
    Ok((number(page), number(limit)))
}

/// Maximum page number.
const MAX_PAGE: i64 = u32::MAX as i64;

/// The requested range of a list.
#[derive(Debug, Validate)]
struct RowRange {
    #[validate(range(min = 1, max = MAX_PAGE))]
    page: Option<i64>,
    #[validate(range(min = 1, max = i64::from(MAX_LIMIT)))]
    limit: Option<i64>,
}

/// Parses an integer of any size. Its range is checked separately, with another message.
///
/// # Errors
/// When it is not an integer.
pub fn whole_number<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<i64>, D::Error> {
    let text = String::deserialize(deserializer)?;
    let (negative, digits) = text.strip_prefix('-').map_or((false, text.as_str()), |digits| (true, digits));
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(serde::de::Error::custom("must be a whole number"));
    }
    let beyond = if negative { i64::MIN } else { i64::MAX };
    Ok(Some(text.parse().unwrap_or(beyond)))
}

/// The meta of a list. Fields that do not apply are empty strings.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ListMeta {
    /// This page's number; empty with a cursor.
    pub current_page: PageNumber,
    /// Rows of a page.
    pub limit: u32,
    /// The next page's number, or empty.
    pub next_page: PageNumber,
    /// The previous page's number, or empty.
    pub prev_page: PageNumber,
    /// Total number of rows.
    pub total_items: u64,
    /// Total number of pages.
    pub total_pages: u64,
    /// Cursor of the next page, stable under inserts; empty on the last page.
    pub next_cursor: String,
}

/// A page number, or an empty string without one.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum PageNumber {
    /// As a number.
    Number(u64),
    /// As text.
    Text(String),
}

impl PageNumber {
    fn of(number: Option<u64>) -> Self {
        number.map_or(Self::Text(String::new()), Self::Number)
    }

    /// The page number as text.
    #[must_use]
    pub fn into_text(self) -> Self {
        match self {
            Self::Number(number) => Self::Text(number.to_string()),
            text @ Self::Text(_) => text,
        }
    }
}

impl ListMeta {
    /// The meta of a `page` of `list` for `request`.
    #[must_use]
    pub fn of<T>(list: &List, page: &Page<T>, request: &PageRequest) -> Self {
        let total_pages = page.total.div_ceil(u64::from(request.limit));
        let current = match request.position {
            Position::Number(number) => Some(u64::from(number)),
            Position::After(_) => None,
        };
        let next = current.filter(|number| *number < total_pages).map(|number| number + 1);
        // Past the end, the page before may not exist either.
        let previous =
            current.filter(|number| (2..=total_pages + 1).contains(number)).map(|number| number - 1);
        Self {
            current_page: PageNumber::of(current),
            limit: request.limit,
            next_page: PageNumber::of(next),
            prev_page: PageNumber::of(previous),
            total_items: page.total,
            total_pages,
            next_cursor: page.next.as_ref().map(|cursor| cursor.encode(list.name)).unwrap_or_default(),
        }
    }
}

/// The `Link` header of a list whose answer is an array: URLs of the neighbour pages with the same query.
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

/// Deserialises a field that may be absent (`None`), null (`Some(None)`) or set.
///
/// # Errors
/// When it has another type.
pub fn nullable<'de, D: Deserializer<'de>, T: Deserialize<'de>>(
    deserializer: D,
) -> Result<Option<Option<T>>, D::Error> {
    Option::deserialize(deserializer).map(Some)
}

/// A schema of any JSON object.
#[must_use]
pub fn any_object(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
    schemars::json_schema!({"type": "object", "additionalProperties": true})
}

/// Any JSON object, described as such.
pub type AnyObject = serde_json::Map<String, Value>;
