//! Stored responses of batch extraction as JSON, JSON Lines, comma-separated values or a workbook.

use actix_web::http::{Method, header};
use actix_web::{HttpRequest, HttpResponse, web};
use delta_core::export::{ExportExtras, ExportLayout};
use delta_core::{DeltaError, RunId, RunService, StoredResponse, with_reserved_keys};
use forms_core::table::{ListLayout, Row};
use futures_util::stream::{StreamExt as _, TryStreamExt as _};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use shared_core::Scope;

use super::{PATH, examples};
use crate::app::AppState;
use crate::http::export::{Format, RowStream, WriteResult, Writer, book, json_lines, next, table, written};
use crate::http::lists::{page_links, page_window, whole_number};
use crate::http::operation::Registry;
use crate::http::request::{Caller, Query, Segment, flag};
use crate::http::{ApiError, HandlerResult, rules};

/// Maximum number of responses whose texts are loaded concurrently.
const READ_AHEAD: usize = 8;

pub(super) fn register(registry: &mut Registry) {
    let text = schemars::json_schema!({"type": "string"});
    let object = schemars::json_schema!({"type": "object"});
    registry
        .operation(
            Method::GET,
            PATH,
            "list_delta_responses",
            "Retrieves the agent's stored responses, or exports them as csv, xlsx or jsonl.",
        )
        .query("context", rules::flag(), "Add the parsed documents.")
        .query(
            "meta",
            rules::flag(),
            "Add the index of the group, file names, durations, and the response that a response repeats.",
        )
        .query("evidence", rules::flag(), "Add the evidence of every value.")
        .query("reviews", rules::flag(), "Add the values that people reviewed, with their history.")
        .query("sid", rules::id(), "Only the responses of this run.")
        .query("from", rules::group_index(), "Index of the group to begin with, from 0; needs a sid.")
        .query("page", rules::ordinal(), "Page, from 1; needs a limit.")
        .query("limit", rules::limit(), "Rows of a page, 1 to 100. Default all.")
        .exports()
        .query("format", Format::schema(), "Default json.")
        .raw_answer(
            "application/json",
            schemars::json_schema!({"type": "array", "items": {"type": "object"}}),
        )
        .example(examples::responses)
        .also_answers(Format::Jsonl.media(), object, || examples::responses()[0].clone())
        .also_answers(Format::Csv.media(), text.clone(), || json!(examples::CSV))
        .also_answers(Format::Xlsx.media(), text, || json!("(a workbook)"))
        .fails(&[404, 413])
        .to(list_delta_responses);
}

#[derive(Deserialize)]
struct ResponsesQuery {
    #[serde(default, deserialize_with = "flag")]
    context: bool,
    #[serde(default, deserialize_with = "flag")]
    meta: bool,
    #[serde(default, deserialize_with = "flag")]
    evidence: bool,
    #[serde(default, deserialize_with = "flag")]
    reviews: bool,
    sid: Option<i64>,
    #[serde(default, deserialize_with = "whole_number")]
    from: Option<i64>,
    #[serde(default, deserialize_with = "whole_number")]
    page: Option<i64>,
    #[serde(default, deserialize_with = "whole_number")]
    limit: Option<i64>,
    format: Option<String>,
}

impl ResponsesQuery {
    /// Rows to skip, and rows to return.
    fn cut(&self) -> Result<(u64, Option<u64>), ApiError> {
        let (page, limit) = page_window(self.page, self.limit)?;
        match (page.unwrap_or(1), limit) {
            (2.., None) => Err(ApiError::invalid("?limit", "'page' needs 'limit'")),
            (_, None) => Ok((0, None)),
            (page, Some(limit)) => Ok((u64::from(page - 1) * u64::from(limit), Some(u64::from(limit)))),
        }
    }

    /// Index of the group to begin with.
    fn from(&self) -> Result<u32, ApiError> {
        let Some(from) = self.from else { return Ok(0) };
        if self.sid.is_none() {
            return Err(ApiError::invalid("?sid", "'from' needs 'sid'"));
        }
        let rule = || ApiError::invalid("?from", "'from' must be between 0 and 4294967295");
        u32::try_from(from).map_err(|_outside| rule())
    }

    fn extras(&self) -> ExportExtras {
        ExportExtras {
            context: self.context,
            meta: self.meta,
            evidence: self.evidence,
            reviews: self.reviews,
            form_id: false,
        }
    }
}

async fn list_delta_responses(
    state: web::Data<AppState>,
    Caller(who): Caller,
    Segment(namespace): Segment,
    Query(query): Query<ResponsesQuery>,
    request: HttpRequest,
) -> HandlerResult {
    let (format, (skip, limit)) = (Format::read(query.format.as_deref())?, query.cut()?);
    let from = query.from()?;
    let (sid, extras, scope) = (query.sid.map(RunId), query.extras(), who.scope);
    let (total, stored) = state.runs.responses(&scope, &namespace, sid, from, skip).await?;
    let most = limit.and_then(|limit| usize::try_from(limit).ok()).unwrap_or(usize::MAX);
    let stored = ResponseRows { runs: state.runs.clone(), scope, stored: stored.take(most).boxed(), extras };

    let mut head = HttpResponse::Ok();
    head.insert_header(("x-total-count", total.to_string()));
    if let Some(link) = limit.and_then(|limit| page_links(&request, skip / limit + 1, total.div_ceil(limit)))
    {
        head.insert_header((header::LINK, link));
    }
    let run = query.sid.map_or_else(|| "responses".to_owned(), |sid| sid.to_string());
    format.head(&mut head, &format!("{namespace}-{run}"));
    let layout = async |shape| state.runs.layout(&stored.scope, &namespace, sid, shape, extras).await;
    match format {
        Format::Json => Ok(head.streaming(written(&state.background, |to| json_array(to, stored)))),
        Format::Jsonl => {
            Ok(head.streaming(written(&state.background, |to| json_lines(to, stored.records()))))
        }
        Format::Csv => {
            let layout = layout(ListLayout::Flat).await?;
            let tables = layout.tables().to_vec();
            let csv = state.csv;
            let rows = move |to| table(to, csv, tables, stored.rows(layout));
            Ok(head.streaming(written(&state.background, rows)))
        }
        Format::Xlsx => {
            let layout = layout(ListLayout::Split).await?;
            let tables = layout.tables().to_vec();
            book(head, &tables, stored.rows(layout)).await
        }
    }
}

/// Responses to be written.
struct ResponseRows {
    runs: RunService,
    scope: Scope,
    stored: RowStream<StoredResponse, DeltaError>,
    extras: ExportExtras,
}

type Texted = RowStream<(StoredResponse, Option<String>), DeltaError>;

impl ResponseRows {
    /// The responses, with the text of their documents when requested.
    fn texted(self) -> Texted {
        let Self { runs, scope, stored, extras } = self;
        let read = move |response: StoredResponse| {
            let (runs, scope) = (runs.clone(), scope.clone());
            async move {
                let context = match extras.context {
                    true => Some(runs.context(&scope, &response).await?),
                    false => None,
                };
                Ok((response, context))
            }
        };
        stored.map_ok(read).try_buffered(READ_AHEAD).boxed()
    }

    /// The responses as objects.
    fn records(self) -> RowStream<Map<String, Value>, DeltaError> {
        let extras = self.extras;
        self.texted().map_ok(move |(stored, context)| record(stored, context, extras)).boxed()
    }

    /// The responses as rows of the layout's tables.
    fn rows(self, layout: ExportLayout) -> RowStream<Vec<Row>, DeltaError> {
        self.texted().map_ok(move |(stored, context)| layout.rows(&stored, context)).boxed()
    }
}

fn record(stored: StoredResponse, context: Option<String>, extras: ExportExtras) -> Map<String, Value> {
    let response = stored.response;
    let mut own: Vec<(&'static str, Value)> = Vec::new();
    own.extend(context.map(|context| ("context", json!(context))));
    if extras.meta {
        let files: Vec<&str> = response.sources.iter().map(|source| source.name.as_str()).collect();
        let warnings: Vec<Value> =
            response.sources.iter().flat_map(delta_core::SourceDocument::warnings).collect();
        let meta = json!({
            "group": stored.index,
            "files": files,
            "generation_duration": response.generation_duration,
            "scraping_duration": response.scraping_duration,
            "total_duration": response.total_duration,
            "reused_from": response.reused_from,
            "warnings": warnings
        });
        own.push(("meta", meta));
    }
    if extras.evidence {
        own.push(("evidence", json!(response.evidence)));
    }
    if extras.reviews {
        own.push(("reviews", response.reviews_json()));
    }
    own.push(("gid", json!(response.gid)));
    own.push(("sid", json!(stored.sid)));
    if let Some(class) = &response.class {
        own.push(("form_id", json!(class.form.form_id)));
    }
    own.push(("form_version", json!(stored.form_version)));
    with_reserved_keys(&response.record, own)
}

async fn json_array(mut to: Writer, stored: ResponseRows) -> WriteResult {
    let mut records = stored.records();
    let mut before = "[";
    while let Some(record) = next(&mut to, &mut records).await? {
        to.raw(before).await?;
        to.json(&record).await?;
        before = ",";
    }
    to.raw(if before == "[" { "[]" } else { "]" }).await?;
    to.send().await
}
