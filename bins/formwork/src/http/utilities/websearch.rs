//! Web search.

use actix_web::http::Method;
use actix_web::{HttpRequest, HttpResponse, web};
use schemars::JsonSchema;
use serde::Serialize;
use utilities_core::search::{Kind, Source, TermResult};

use super::examples;
use super::record::ErrorRecord;
use super::search::{SearchBody, SearchQuery, filters, of_body, of_query, terms};
use crate::app::AppState;
use crate::http::HandlerResult;
use crate::http::operation::{Access, Registry};
use crate::http::request::{Body, Caller, Query};

/// Summary of the operations with a query.
const BY_QUERY: &str = "Searches the web for the terms of the query.";

pub(super) fn register(registry: &mut Registry) {
    let described = registry.operation(
        Method::POST,
        "/v1/utilities/websearch",
        "search_web",
        "Searches the web: one item per term, in the order given. A term that no provider answers has an error.",
    );
    filters(described)
        .access(Access::Read)
        .body::<SearchBody>()
        .example(examples::searched)
        .answers::<Vec<WebResult>>()
        .example(examples::web_results)
        .given_up_with_its_client()
        .fails(&[503])
        .to(search_web);
    let described = registry.operation(Method::GET, "/v1/utilities/websearch", "get_web_results", BY_QUERY);
    filters(terms(described))
        .answers::<Vec<WebResult>>()
        .example(examples::web_results)
        .fails(&[503])
        .to(get_web_results);
    let described =
        registry.operation(Method::GET, "/utilities/websearch", "get_web_results_without_version", BY_QUERY);
    filters(terms(described))
        .answers::<Vec<WebResult>>()
        .example(examples::web_results)
        .fails(&[503])
        .to(get_web_results_without_version);
}

/// The results of a term.
#[derive(Serialize, JsonSchema)]
struct WebResult {
    /// The term as given.
    term: String,
    /// The sources as numbered text for a prompt; empty when there are none.
    prompt_context: String,
    /// Best first.
    sources: Vec<WebSource>,
    /// Why there are none; absent when a provider answered.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<ErrorRecord>,
}

/// A page. All texts are plain.
#[derive(Serialize, JsonSchema)]
struct WebSource {
    title: String,
    /// An excerpt.
    description: String,
    url: String,
    /// Whether it is suitable for everyone. True when unknown.
    #[serde(rename = "isFamilyFriendly")]
    is_family_friendly: bool,
    /// Language tag; empty when unknown.
    language: String,
    /// Full text of the page; empty when not requested or not available.
    full_text: String,
}

impl From<Source> for WebSource {
    fn from(source: Source) -> Self {
        Self {
            title: source.title,
            description: source.description,
            url: source.url,
            is_family_friendly: source.family_friendly,
            language: source.language,
            full_text: source.full_text,
        }
    }
}

impl From<TermResult> for WebResult {
    fn from(answered: TermResult) -> Self {
        let TermResult { term, sources, prompt_context, error } = answered;
        let sources = sources.into_iter().map(WebSource::from).collect();
        Self { term, prompt_context, sources, error: error.map(ErrorRecord::from) }
    }
}

fn answer(answered: Vec<TermResult>) -> HttpResponse {
    let results: Vec<WebResult> = answered.into_iter().map(WebResult::from).collect();
    HttpResponse::Ok().insert_header(("x-total-count", results.len().to_string())).json(results)
}

async fn search_web(
    state: web::Data<AppState>,
    caller: Caller,
    Query(query): Query<SearchQuery>,
    Body(body): Body<SearchBody>,
) -> HandlerResult {
    Ok(answer(of_body(&state, &caller, Kind::Web, query, body).await?))
}

async fn get_web_results(
    state: web::Data<AppState>,
    caller: Caller,
    request: HttpRequest,
    Query(query): Query<SearchQuery>,
) -> HandlerResult {
    Ok(answer(of_query(&state, &caller, Kind::Web, query, &request).await?))
}

async fn get_web_results_without_version(
    state: web::Data<AppState>,
    caller: Caller,
    request: HttpRequest,
    query: Query<SearchQuery>,
) -> HandlerResult {
    get_web_results(state, caller, request, query).await
}
