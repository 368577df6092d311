//! News search.

use actix_web::http::Method;
use actix_web::{HttpRequest, HttpResponse, web};
use schemars::JsonSchema;
use serde::Serialize;
use shared_core::Timestamp;
use utilities_core::search::{Kind, Source, TermResult};

use super::examples;
use super::record::ErrorRecord;
use super::search::{SearchBody, SearchQuery, filters, of_body, of_query, terms_if_any};
use crate::app::AppState;
use crate::http::HandlerResult;
use crate::http::operation::{Access, Registry};
use crate::http::request::{Body, Caller, Query};

/// Summary of the operations with a query.
const BY_QUERY: &str = "Searches the news for the terms of the query. Without terms, returns the headlines of the configured feeds.";

pub(super) fn register(registry: &mut Registry) {
    let described = registry.operation(
        Method::POST,
        "/v1/utilities/news",
        "search_news",
        "Searches the news: one item per term, in the order given. A term that no provider answers has an error.",
    );
    filters(described)
        .access(Access::Read)
        .body::<SearchBody>()
        .example(examples::searched)
        .answers::<Vec<NewsResult>>()
        .example(examples::news)
        .given_up_with_its_client()
        .fails(&[503])
        .to(search_news);
    let described = registry.operation(Method::GET, "/v1/utilities/news", "get_news", BY_QUERY);
    filters(terms_if_any(described))
        .answers::<Vec<NewsResult>>()
        .example(examples::news)
        .fails(&[503])
        .to(get_news);
    let described = registry.operation(Method::GET, "/utilities/news", "get_news_without_version", BY_QUERY);
    filters(terms_if_any(described))
        .answers::<Vec<NewsResult>>()
        .example(examples::news)
        .fails(&[503])
        .to(get_news_without_version);
}

/// News of a term.
#[derive(Serialize, JsonSchema)]
struct NewsResult {
    /// The term as given.
    search_term: String,
    /// The sources as numbered text for a prompt; empty when there are none.
    prompt_context: String,
    /// Best first.
    sources: Vec<NewsSource>,
    /// Why there are none; absent when a provider answered.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<ErrorRecord>,
}

/// A news report. All texts are plain.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct NewsSource {
    title: String,
    /// An excerpt.
    description: String,
    url: String,
    /// ISO 8601 in UTC; empty when unknown.
    date_published: String,
    /// Name of the publisher.
    provider: String,
    /// Full text of the report; empty when not requested or not available.
    #[serde(rename = "full_text")]
    full_text: String,
}

impl From<Source> for NewsSource {
    fn from(source: Source) -> Self {
        Self {
            title: source.title,
            description: source.description,
            url: source.url,
            date_published: source.published.map(Timestamp::rfc3339).unwrap_or_default(),
            provider: source.publisher,
            full_text: source.full_text,
        }
    }
}

impl From<TermResult> for NewsResult {
    fn from(answered: TermResult) -> Self {
        let TermResult { term: search_term, sources, prompt_context, error } = answered;
        let sources = sources.into_iter().map(NewsSource::from).collect();
        Self { search_term, prompt_context, sources, error: error.map(ErrorRecord::from) }
    }
}

fn answer(answered: Vec<TermResult>) -> HttpResponse {
    let results: Vec<NewsResult> = answered.into_iter().map(NewsResult::from).collect();
    HttpResponse::Ok().insert_header(("x-total-count", results.len().to_string())).json(results)
}

async fn search_news(
    state: web::Data<AppState>,
    caller: Caller,
    Query(query): Query<SearchQuery>,
    Body(body): Body<SearchBody>,
) -> HandlerResult {
    Ok(answer(of_body(&state, &caller, Kind::News, query, body).await?))
}

async fn get_news(
    state: web::Data<AppState>,
    caller: Caller,
    request: HttpRequest,
    Query(query): Query<SearchQuery>,
) -> HandlerResult {
    Ok(answer(of_query(&state, &caller, Kind::News, query, &request).await?))
}

async fn get_news_without_version(
    state: web::Data<AppState>,
    caller: Caller,
    request: HttpRequest,
    query: Query<SearchQuery>,
) -> HandlerResult {
    get_news(state, caller, request, query).await
}
