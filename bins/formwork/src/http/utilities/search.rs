//! Terms and filters of web and news search, and how both are read.

use actix_web::HttpRequest;
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer};
use serde_json::{Value, json};
use utilities_core::search::{
    Filters, Freshness, Kind, MAX_HITS, MAX_TERM, MAX_TERMS, SafeSearch, SearchOptions, TermResult, Terms,
};

use crate::app::AppState;
use crate::http::ApiError;
use crate::http::operation::OperationBuilder;
use crate::http::request::{Caller, flag};

/// A text with a character that is neither white space nor a control character.
const VISIBLE: &str = r"[^\u0000-\u0020\u007f-\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]";
/// A language tag.
const LANGUAGE: &str = "^[A-Za-z]{2,3}([-_][A-Za-z0-9]{1,8}){0,8}$";

/// Search terms and filters.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "WebSearch")]
pub(super) struct SearchBody {
    /// The terms; each is searched separately.
    #[serde(rename = "search_terms")]
    #[schemars(length(min = 1, max = MAX_TERMS), inner(length(max = MAX_TERM), regex(pattern = VISIBLE)))]
    search_terms: Vec<String>,
    /// Maximum number of hits per term; 10 when absent.
    #[schemars(range(min = 1, max = MAX_HITS))]
    limit: Option<i64>,
    /// Language tag of the hits, such as `de` or `en-GB`.
    #[schemars(extend("pattern" = LANGUAGE))]
    language: Option<String>,
    /// Maximum age of the hits; unlimited when absent.
    #[schemars(extend("enum" = or_null(Freshness::ALL.map(Freshness::name))))]
    freshness: Option<String>,
    /// Filter for explicit content; `moderate` when absent.
    #[schemars(extend("enum" = or_null(SafeSearch::ALL.map(SafeSearch::name))))]
    safe_search: Option<String>,
    /// Whether to fetch the full texts of the first hits; true when absent.
    full_text: Option<bool>,
}

/// The filters of a query. The terms are read separately, because their parameter is repeated.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SearchQuery {
    limit: Option<i64>,
    language: Option<String>,
    freshness: Option<String>,
    safe_search: Option<String>,
    #[serde(default, deserialize_with = "some_flag")]
    full_text: Option<bool>,
}

fn or_null<const N: usize>(names: [&str; N]) -> Value {
    names.iter().map(|name| json!(name)).chain([Value::Null]).collect()
}

fn some_flag<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<bool>, D::Error> {
    flag(deserializer).map(Some)
}

/// Documents the filters of a query.
pub(super) fn filters(described: OperationBuilder<'_>) -> OperationBuilder<'_> {
    let names = |names: &[&str]| json!({"type": "string", "enum": names});
    described
        .query(
            "limit",
            json!({"type": "integer", "minimum": 1, "maximum": MAX_HITS}),
            "Maximum number of hits per term, 1 to 100.",
        )
        .query(
            "language",
            json!({"type": "string", "pattern": LANGUAGE}),
            "Language tag of the hits, such as de or en-GB.",
        )
        .query("freshness", names(&Freshness::ALL.map(Freshness::name)), "Maximum age of the hits.")
        .query("safeSearch", names(&SafeSearch::ALL.map(SafeSearch::name)), "Filter for explicit content.")
        .query(
            "fullText",
            crate::http::rules::flag(),
            "Whether to fetch the full texts of the first hits; true when absent.",
        )
}

/// Documents the required terms of a query.
pub(super) fn terms(described: OperationBuilder<'_>) -> OperationBuilder<'_> {
    described.needed_query("search_terms", term_list(), "Search term. Repeat it for further terms.")
}

/// Documents the optional terms of a query.
pub(super) fn terms_if_any(described: OperationBuilder<'_>) -> OperationBuilder<'_> {
    let meaning = "Search term. Repeat it for further terms. Without terms, returns the headlines of the configured feeds.";
    described.query("search_terms", term_list(), meaning)
}

fn term_list() -> Value {
    let term = json!({"type": "string", "minLength": 1, "maxLength": MAX_TERM, "pattern": VISIBLE});
    json!({"type": "array", "minItems": 1, "maxItems": MAX_TERMS, "items": term})
}

impl SearchQuery {
    fn filters(self) -> Result<Filters, ApiError> {
        let Self { limit, language, freshness, safe_search, full_text } = self;
        let wish = SearchOptions { limit, language, freshness, safe_search, full_text, in_query: true };
        Ok(wish.filters_or(Filters::default())?)
    }
}

/// Searches for the terms of a body. Its filters take precedence over those of the query.
pub(super) async fn of_body(
    state: &AppState,
    caller: &Caller,
    kind: Kind,
    query: SearchQuery,
    body: SearchBody,
) -> Result<Vec<TermResult>, ApiError> {
    let SearchBody { search_terms, limit, language, freshness, safe_search, full_text } = body;
    let wish = SearchOptions { limit, language, freshness, safe_search, full_text, in_query: false };
    let filters = wish.filters_or(query.filters()?)?;
    let terms = Terms::from_body(search_terms)?;
    Ok(state.search.search(&caller.0.scope, kind, &terms, &filters).await?)
}

/// Searches for the terms of a query.
pub(super) async fn of_query(
    state: &AppState,
    caller: &Caller,
    kind: Kind,
    query: SearchQuery,
    request: &HttpRequest,
) -> Result<Vec<TermResult>, ApiError> {
    let pairs = form_urlencoded::parse(request.query_string().as_bytes());
    let terms = pairs.filter(|(name, _)| name == "search_terms").map(|(_, term)| term.into_owned());
    let terms: Vec<String> = terms.collect();
    let terms = match kind {
        Kind::News if terms.is_empty() && state.search.has_headlines() => Terms::headlines(),
        _ => Terms::from_query(terms)?,
    };
    let filters = query.filters()?;
    Ok(state.search.search(&caller.0.scope, kind, &terms, &filters).await?)
}
