//! Pages of the web as Markdown.

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
            "Gives the main content of web pages as Markdown, and the pages that they lead to: one item for each, in \
             the order given. A page that cannot be fetched or read has an error. Documents, such as PDF and office \
             files, are read too, and so are files by id or own URL.",
        )
        .access(Access::Read)
        .body::<ParsePages>()
        .example(examples::page_urls())
        .answers::<Vec<ParsedPage>>()
        .example(examples::pages())
        .to(parse_pages);
}

/// Pages by address.
#[derive(Deserialize, JsonSchema)]
struct ParsePages {
    /// Addresses of the web, or ids or own URLs of files.
    #[schemars(schema_with = "references")]
    urls: Vec<FileRef>,
}

/// References, of which a blank one is an error of its own item.
fn references(_: &mut SchemaGenerator) -> Schema {
    let reference = serde_json::json!({"type": ["string", "integer"], "maxLength": MAX_URL, "minimum": 0});
    json_schema!({"type": "array", "minItems": 1, "maxItems": MAX_INPUTS, "items": reference})
}

/// A page's main content. Of one that could not be fetched or read, `url` and `error` say all.
#[derive(Serialize, JsonSchema)]
struct ParsedPage {
    /// As it was given.
    url: String,
    /// Empty where the page has none.
    title: String,
    /// The host of the page's address, after redirects.
    domain: String,
    /// Markdown, without menus, advertisements and other pages.
    body: String,
    /// Pages that it leads to, those of its content first.
    relatedurls: Vec<RelatedUrl>,
    /// What the page says of itself.
    description: Option<String>,
    /// The site's name.
    site: Option<String>,
    /// As the page declares it (BCP 47).
    language: Option<String>,
    /// As the page states it: RFC 3339, or a date alone.
    published: Option<String>,
    author: Option<String>,
    /// Address of the picture that stands for the page.
    image: Option<String>,
    /// Whether the page is made by scripts, so that there may be more than the body has.
    #[serde(rename = "needsScript")]
    needs_script: bool,
    /// Whether a limit cut the page.
    truncated: bool,
    /// Why there is no page; absent where it was read.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<ErrorRecord>,
}

/// A page that another leads to.
#[derive(Serialize, JsonSchema)]
struct RelatedUrl {
    /// Absolute.
    url: String,
    title: String,
    /// What the page says about it; empty where it says nothing.
    description: String,
    /// What it leads to, as far as its address tells: `web`, `document`, `image`, `video`, `audio` or `archive`.
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
