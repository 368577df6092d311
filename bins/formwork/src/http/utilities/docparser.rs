//! Converts documents to Markdown.

use actix_web::http::Method;
use actix_web::{HttpRequest, web};
use document::{Document, Format, Page, Span};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use utilities_core::{ParsedInput, ReadInput};

use super::inputs::{DocumentUpload, DocumentUrls, take};
use super::record::{BoxRecord, ErrorRecord, TableRecord};
use super::{examples, stream};
use crate::app::AppState;
use crate::http::operation::{Access, Registry};
use crate::http::request::{Caller, Query, RawBody, flag};
use crate::http::{HandlerResult, rules};

pub(super) fn register(registry: &mut Registry) {
    registry
        .operation(
            Method::POST,
            "/v1/utilities/docparser",
            "parse_documents",
            "Converts documents to Markdown: one item per document, in the order given. A document that cannot \
             be read has an error.",
        )
        .access(Access::Read)
        .query("tables", rules::flag(), "Whether to return the tables separately, too.")
        .query("lines", rules::flag(), "Whether to return where the printed lines stand on their pages.")
        .body::<DocumentUrls>()
        .example(examples::urls)
        .multipart::<DocumentUpload>(crate::http::examples::upload)
        .answers::<Vec<ParsedDocument>>()
        .example(examples::parsed)
        .to(parse_documents);
}

#[derive(Clone, Copy, Deserialize)]
struct ParseOptions {
    #[serde(default, deserialize_with = "flag")]
    tables: bool,
    #[serde(default, deserialize_with = "flag")]
    lines: bool,
}

/// A document's text and metadata. A document that could not be read has only `url` and `error`.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct ParsedDocument {
    /// The reference as given; for an upload, its name.
    url: String,
    /// The document's title, else the file's name.
    title: String,
    /// Markdown.
    body: String,
    /// Number of pages, slides or sheets; null where the format does not count them.
    page_count: Option<u32>,
    /// Pages, for formats with fixed ones.
    pages: Vec<PageRecord>,
    /// Language that the document declares, else the detected one (ISO 639-1); null when neither is known.
    language: Option<String>,
    metadata: Option<MetadataRecord>,
    /// Its tables; with `tables=true`.
    #[serde(skip_serializing_if = "Option::is_none")]
    tables: Option<Vec<TableRecord>>,
    /// The printed lines with their places, in the order of the text; with `lines=true`. Wide gaps divide a line.
    #[serde(skip_serializing_if = "Option::is_none")]
    lines: Option<Vec<LineRecord>>,
    /// Parts of the document that were not read, one sentence each; absent when there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    warnings: Vec<String>,
    /// Why there is no text; absent when the document was read.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<ErrorRecord>,
}

/// A page.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "DocumentPage")]
struct PageRecord {
    /// From 1.
    number: u32,
    /// In points (1/72 inch).
    width: f32,
    height: f32,
    /// Whether it shows text that only OCR can read, and that was not read.
    needs_ocr: bool,
    /// Whether its text comes from OCR, which can make mistakes.
    recognised: bool,
}

/// A printed line, or a part of it.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "DocumentLine")]
struct LineRecord {
    /// From 1.
    page: u32,
    /// First character in `body`, counted in Unicode characters.
    start: usize,
    /// After the last character.
    end: usize,
    /// Position on the page in points, from its top left corner.
    #[serde(rename = "box")]
    rect: BoxRecord,
}

/// Metadata of a file.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "DocumentMetadata")]
struct MetadataRecord {
    /// Name of the file.
    name: String,
    /// Size of the file.
    bytes: u64,
    /// SHA-256 of the file's content, lower-case hex.
    sha256: String,
    /// Detected format, such as pdf, docx or html.
    #[schemars(with = "String")]
    format: Format,
    author: Option<String>,
    /// RFC 3339, or a date alone.
    created: Option<String>,
    /// RFC 3339, or a date alone.
    modified: Option<String>,
    /// Whether a limit cut the text.
    truncated: bool,
}

impl ParsedDocument {
    fn new(input: ReadInput, wanted: ParseOptions) -> Self {
        match input.parsed(wanted.tables) {
            (url, Ok(parsed)) => Self::read(url, parsed, wanted.lines),
            (url, Err(error)) => Self {
                url,
                title: String::new(),
                body: String::new(),
                page_count: None,
                pages: Vec::new(),
                language: None,
                metadata: None,
                tables: None,
                lines: None,
                warnings: Vec::new(),
                error: Some(error.into()),
            },
        }
    }

    fn read(url: String, parsed: ParsedInput, with_lines: bool) -> Self {
        let ParsedInput { title, language, document, origin, tables } = parsed;
        let about = &document.metadata;
        let counted = || u32::try_from(document.pages.len()).ok().filter(|count| *count > 0);
        Self {
            url,
            title,
            page_count: about.page_count.or_else(counted),
            pages: pages(&document),
            language,
            metadata: Some(MetadataRecord {
                name: origin.name,
                bytes: origin.bytes,
                sha256: origin.sha256,
                format: document.format,
                author: about.author.clone(),
                created: about.created.clone(),
                modified: about.modified.clone(),
                truncated: about.truncated,
            }),
            tables: tables.map(|tables| tables.into_iter().map(TableRecord::from).collect()),
            lines: with_lines.then(|| lines(&document)),
            warnings: document.unread_notice().into_iter().collect(),
            error: None,
            body: document.text.clone(),
        }
    }
}

fn pages(document: &Document) -> Vec<PageRecord> {
    let record = |page: &Page| PageRecord {
        number: page.number,
        width: page.width,
        height: page.height,
        needs_ocr: page.needs_ocr,
        recognised: page.recognised,
    };
    document.pages.iter().map(record).collect()
}

fn lines(document: &Document) -> Vec<LineRecord> {
    let record = |span: &Span| LineRecord {
        page: span.page,
        start: span.start,
        end: span.end,
        rect: span.rect.into(),
    };
    document.spans.iter().map(record).collect()
}

async fn parse_documents(
    state: web::Data<AppState>,
    caller: Caller,
    request: HttpRequest,
    Query(wanted): Query<ParseOptions>,
    body: RawBody,
) -> HandlerResult {
    let taken = take(&state, &request, body).await?;
    let record = move |input| ParsedDocument::new(input, wanted);
    Ok(stream::respond_each(&state, &caller, taken, record))
}
