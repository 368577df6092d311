//! Converts web pages to Markdown.

use actix_web::http::Method;
use actix_web::{HttpResponse, web};
use bytes::Bytes;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use utilities_core::MAX_INPUTS;
use utilities_core::web::{FoundPage, MAX_URL, PageResult, PageUrls};
use webpage_core::{LinkKind, RelatedLink};

use super::record::ErrorRecord;
use super::{examples, stream};
use crate::app::AppState;
use crate::http::HandlerResult;
use crate::http::file_ref::FileRef;
use crate::http::operation::{Access, Registry};
use crate::http::request::{Body, Caller};

pub(super) fn register(registry: &mut Registry) {
    registry
        .operation(
            Method::POST,
            "/v1/utilities/webparser",
            "parse_pages",
            "Converts the main content of web pages to Markdown, with their links: one item per page, in \
             the order given. A page that cannot be fetched or read has an error. Documents, such as PDF and office \
             files, are read too, and so are files by id or own URL.",
        )
        .access(Access::Read)
        .body::<ParsePages>()
        .example(examples::page_urls)
        .answers::<Vec<ParsedPage>>()
        .example(examples::pages)
        .to(parse_pages);
}

/// URLs of pages.
#[derive(Deserialize, JsonSchema)]
struct ParsePages {
    /// Addresses of the web, or ids or own URLs of files.
    #[schemars(schema_with = "references")]
    urls: Vec<FileRef>,
}

/// References. A blank one is an error of its own item.
fn references(_: &mut SchemaGenerator) -> Schema {
    let reference = serde_json::json!({"type": ["string", "integer"], "maxLength": MAX_URL, "minimum": 0});
    json_schema!({"type": "array", "minItems": 1, "maxItems": MAX_INPUTS, "items": reference})
}

/// A page's main content. A page that could not be fetched or read has only `url` and `error`.
#[derive(Serialize, JsonSchema)]
struct ParsedPage {
    /// The reference as given.
    url: String,
    /// Title; empty when the page has none.
    title: String,
    /// Host of the page's URL after redirects.
    domain: String,
    /// Markdown without navigation, advertisements and links to other pages.
    body: String,
    /// Links of the page, those of its main content first.
    relatedurls: Vec<RelatedUrl>,
    /// The page's own description.
    description: Option<String>,
    /// The site's name.
    site: Option<String>,
    /// Language that the page declares (BCP 47).
    language: Option<String>,
    /// Publication date that the page states: RFC 3339, or a date alone.
    published: Option<String>,
    author: Option<String>,
    /// URL of the page's representative image.
    image: Option<String>,
    /// Whether scripts build the page, so that the body may be incomplete.
    #[serde(rename = "needsScript")]
    needs_script: bool,
    /// Whether a limit truncated the page.
    truncated: bool,
    /// Why there is no content; absent when the page was read.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<ErrorRecord>,
}

/// A link to another page.
#[derive(Serialize, JsonSchema)]
struct RelatedUrl {
    /// Absolute.
    url: String,
    title: String,
    /// Description of the link; empty when the page has none.
    description: String,
    /// Kind of the target by its URL: `web`, `document`, `image`, `video`, `audio` or `archive`.
    #[serde(rename = "type")]
    kind: &'static str,
}

impl From<RelatedLink> for RelatedUrl {
    fn from(link: RelatedLink) -> Self {
        let kind = match link.kind {
            LinkKind::Web => "web",
            LinkKind::Document => "document",
            LinkKind::Image => "image",
            LinkKind::Video => "video",
            LinkKind::Audio => "audio",
            LinkKind::Archive => "archive",
        };
        Self { url: link.url, title: link.title, description: link.description, kind }
    }
}

impl From<PageResult> for ParsedPage {
    fn from(PageResult { url, read }: PageResult) -> Self {
        let (found, error) = match read {
            Ok(found) => (found, None),
            Err(error) => (FoundPage::default(), Some(ErrorRecord::from(error))),
        };
        let FoundPage { domain, page, .. } = found;
        Self {
            url,
            title: page.title,
            domain,
            body: page.body,
            relatedurls: page.links.into_iter().map(RelatedUrl::from).collect(),
            description: page.description,
            site: page.site,
            language: page.language,
            published: page.published,
            author: page.author,
            image: page.image,
            needs_script: page.needs_script,
            truncated: page.truncated,
            error,
        }
    }
}

async fn parse_pages(
    state: web::Data<AppState>,
    caller: Caller,
    Body(body): Body<ParsePages>,
) -> HandlerResult {
    let urls = PageUrls::new(body.urls.into_iter().map(|FileRef(url)| url).collect())?;
    let record = |page| serde_json::to_vec(&ParsedPage::from(page)).map(Bytes::from);
    let items = state.pages.each(&caller.0.scope, urls, record);
    Ok(HttpResponse::Ok().content_type("application/json").streaming(stream::array(items)))
}
