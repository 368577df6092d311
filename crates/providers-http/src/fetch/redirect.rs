//! Follows redirects from a URL to its answer. Each target is checked before anything is sent to it.

use std::sync::Arc;
use std::time::Duration;

use reqwest::header::{ACCEPT, ACCEPT_ENCODING, CONTENT_TYPE, HeaderMap, HeaderValue, LOCATION};
use reqwest::{Response, StatusCode};
use shared_core::DomainError as _;
use tokio::time::{Instant, timeout};
use tracing::Instrument as _;
use tracing::field::Empty;
use utilities_core::web::{FetchError, FetchPurpose, FetchResponse, MAX_ROBOTS, Robots, Target};

use super::body::{self, ACCEPT_ENCODING as ENCODINGS};
use super::cache::CachedResponse;
use super::failure::failure;
use super::file_name::name;
use super::freshness::{ResponseFreshness, Validators};
use super::host_limiter::FetchPermit;
use super::settings::accept;
use super::state::FetcherState;
use super::temp_body::TempBody;
use crate::transport::retry_after;

/// Maximum number of redirects. Bounds the time; RFC 9309 (section 2.3.1.2) asks for five for a robots.txt.
const MAX_REDIRECTS: usize = 5;
/// Time limit of a robots.txt. It is waited for before the page. Chosen by hand; no measurement is recorded.
const ROBOTS_TIME: Duration = Duration::from_secs(10);
/// Maximum number of characters of a content type. Two names of 127 and the slash (RFC 6838, section 4.2).
const MAX_TYPE: usize = 255;

/// The context of a fetch.
struct FetchContext {
    accept: &'static str,
    limit: u64,
    /// The remaining time.
    left: Duration,
    asks_robots: bool,
    stale: Option<CachedResponse>,
}

impl FetchContext {
    /// The stale answer, if it came from this URL.
    fn stale(&self, target: &Target) -> Option<&CachedResponse> {
        self.stale.as_ref().filter(|stale| stale.fetched.url == target.url().as_str())
    }
}

/// Fetches a URL. `stale` is an earlier answer, which is revalidated if the redirects lead to its URL.
pub(super) async fn fetch_following_redirects(
    state: &FetcherState,
    target: Target,
    wants: FetchPurpose,
    stale: Option<CachedResponse>,
) -> Result<CachedResponse, FetchError> {
    let settings = &state.settings;
    let way = FetchContext {
        accept: accept(wants),
        limit: settings.limit(wants),
        left: settings.total,
        asks_robots: settings.robots && matches!(wants, FetchPurpose::Page | FetchPurpose::Document),
        stale,
    };
    let span = tracing::error_span!("fetch", host = target.url().host_str(), failure = Empty);
    let outcome = follow(state, target, way).instrument(span.clone()).await;
    outcome.inspect_err(|error| {
        span.record("failure", error.code());
    })
}

async fn follow(
    state: &FetcherState,
    mut target: Target,
    mut way: FetchContext,
) -> Result<CachedResponse, FetchError> {
    let mut seen = vec![target.url().clone()];
    loop {
        if way.asks_robots {
            check_robots(state, &target).await?;
        }
        let turn = state.gate.acquire(&target).await?;
        let begun = Instant::now();
        let hop = timeout(way.left, fetch_once(state, &target, &way, turn));
        let location = match hop.await.unwrap_or(Err(FetchError::Timeout))? {
            HopOutcome::Answer(stored) => {
                let fetched = FetchResponse { redirects: seen.len() - 1, ..stored.fetched.as_ref().clone() };
                return Ok(CachedResponse { fetched: Arc::new(fetched), ..stored });
            }
            HopOutcome::Redirect(location) => location,
        };
        way.left = way.left.saturating_sub(begun.elapsed());
        target = state.policy.redirect_target(&target, &location)?;
        if seen.contains(target.url()) {
            return Err(FetchError::Redirects("in a circle"));
        }
        if seen.len() > MAX_REDIRECTS {
            return Err(FetchError::Redirects("more than five times"));
        }
        seen.push(target.url().clone());
    }
}

enum HopOutcome {
    Answer(CachedResponse),
    Redirect(String),
}

/// One request and its complete answer. The permit is released at the end.
async fn fetch_once(
    state: &FetcherState,
    target: &Target,
    way: &FetchContext,
    _turn: FetchPermit,
) -> Result<HopOutcome, FetchError> {
    let stale = way.stale(target);
    let response = send(state, target, way.accept, stale).await?;
    let status = response.status();
    if let Some(stale) = stale.filter(|_| status == StatusCode::NOT_MODIFIED) {
        return Ok(HopOutcome::Answer(revalidate(stale.clone(), response.headers(), state.settings.keep)));
    }
    if is_redirect(status) {
        return location(response.headers()).map(HopOutcome::Redirect);
    }
    if !status.is_success() || status == StatusCode::PARTIAL_CONTENT {
        return Err(status_error(state, target, &response));
    }
    let name = name(response.headers(), target.url());
    let (keeping, marks) =
        (freshness(response.headers(), state.settings.keep), Validators::of(response.headers()));
    let content_type = content_type(response.headers());
    let mut temp_body = TempBody::new(state.folder.clone());
    body::read(response, way.limit, state.settings.idle, &mut temp_body).await?;
    let (body, bytes, sha256) = temp_body.finish().await.map_err(body::storage_error)?;
    let fetched = FetchResponse {
        redirects: 0,
        url: target.url().to_string(),
        name,
        content_type,
        bytes,
        sha256,
        body,
    };
    Ok(HopOutcome::Answer(CachedResponse {
        fetched: Arc::new(fetched),
        freshness: keeping,
        validators: marks,
    }))
}

/// Without a cache lifetime nothing is cached, whatever the site allows.
fn freshness(headers: &HeaderMap, most: Duration) -> ResponseFreshness {
    let keeping = ResponseFreshness::of(headers, most);
    ResponseFreshness { allowed: keeping.allowed && !most.is_zero(), ..keeping }
}

/// A stale answer that its site has confirmed.
fn revalidate(stale: CachedResponse, headers: &HeaderMap, most: Duration) -> CachedResponse {
    CachedResponse {
        freshness: stale.freshness.renewed(headers, most),
        validators: stale.validators.renewed(headers),
        ..stale
    }
}

async fn send(
    state: &FetcherState,
    target: &Target,
    accept: &'static str,
    stale: Option<&CachedResponse>,
) -> Result<Response, FetchError> {
    let request = state
        .clients
        .client_for(target)
        .get(target.url().clone())
        .header(ACCEPT, HeaderValue::from_static(accept))
        .header(ACCEPT_ENCODING, HeaderValue::from_static(ENCODINGS));
    let request = match stale {
        Some(stale) => stale.validators.make_conditional(request),
        None => request,
    };
    let begin = timeout(state.settings.idle + state.settings.connect, request.send());
    let Ok(response) = begin.await else { return Err(FetchError::Timeout) };
    let response = response.map_err(failure)?;
    // The resolver returned no other address; this check is cheap.
    if let Some(address) = response.remote_addr() {
        let host = target.url().host_str().unwrap_or_default();
        state.policy.admit(host, target.reach(), &[address.ip()])?;
    }
    Ok(response)
}

fn is_redirect(status: StatusCode) -> bool {
    matches!(status.as_u16(), 301 | 302 | 303 | 307 | 308)
}

fn location(headers: &HeaderMap) -> Result<String, FetchError> {
    let value = headers.get(LOCATION).ok_or(FetchError::Redirects("without a target"))?;
    // Many servers send UTF-8 there.
    let text = std::str::from_utf8(value.as_bytes()).ok();
    text.map(str::to_owned).ok_or(FetchError::Redirects("to an invalid URL"))
}

fn status_error(state: &FetcherState, target: &Target, response: &Response) -> FetchError {
    let wait = retry_after(response.headers(), state.clock.as_ref());
    let status = response.status().as_u16();
    if let Some(wait) = wait.filter(|_| matches!(status, 429 | 503)) {
        state.gate.back_off(target, wait);
    }
    FetchError::Status { status, retry_after: wait.map(|wait| wait.as_secs()) }
}

fn content_type(headers: &HeaderMap) -> Option<String> {
    let text = String::from_utf8_lossy(headers.get(CONTENT_TYPE)?.as_bytes()).into_owned();
    let shown: String = text.chars().filter(|c| !c.is_control()).take(MAX_TYPE).collect();
    (!shown.trim().is_empty()).then(|| shown.trim().to_owned())
}

/// Checks the site's robots.txt. An unavailable one forbids nothing: people name the URLs, nothing is
/// crawled, and a request to a failed site fails anyway.
async fn check_robots(state: &FetcherState, target: &Target) -> Result<(), FetchError> {
    let url = target.url();
    let origin = url.origin().ascii_serialization();
    let read = async {
        let target = state.policy.redirect_target(target, "/robots.txt").ok()?;
        let accept = "text/plain,*/*;q=0.5";
        let way =
            FetchContext { accept, limit: MAX_ROBOTS, left: ROBOTS_TIME, asks_robots: false, stale: None };
        let stored = Box::pin(follow(state, target, way)).await.ok()?;
        let bytes = stored.fetched.read_all(MAX_ROBOTS).await.ok()?;
        Some(Robots::parse(&String::from_utf8_lossy(&bytes), state.settings.agent()))
    };
    let rules = state.rules.of(&origin, read).await;
    let path = url.query().map_or_else(|| url.path().to_owned(), |query| format!("{}?{query}", url.path()));
    if rules.allows(&path) { Ok(()) } else { Err(FetchError::Robots) }
}
