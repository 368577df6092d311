//! Submissions of conversations as JSON, JSON Lines, comma-separated values or a workbook.

use actix_web::http::Method;
use actix_web::{HttpResponse, web};
use agents_core::AgentsError;
use agents_core::chat::{SessionsService, Submission, submission_rows};
use forms_core::table::{ListLayout, Row, TableLayout};
use futures_util::stream::{self, StreamExt as _, TryStreamExt as _};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use shared_core::{Cursor, Page, PageRequest, Position, Scope};

use super::examples;
use crate::app::AppState;
use crate::http::HandlerResult;
use crate::http::examples::done;
use crate::http::export::{Format, RowStream, WriteResult, Writer, book, json_lines, table, written};
use crate::http::lists::{AnyObject, Done, List, ListMeta, ListQuery, whole_number};
use crate::http::operation::Registry;
use crate::http::request::{Caller, Query, Segment, Segments};

/// The list of an agent's submissions.
const LIST: List = List { name: "submissions", rows: 50 };
/// One submission.
const ONE: &str = "/v1/agent/{namespace}/submissions/{submission_id}";

/// Registers the operations of this file.
pub(super) fn register(registry: &mut Registry) {
    let text = schemars::json_schema!({"type": "string"});
    let object = schemars::json_schema!({"type": "object"});
    registry
        .operation(
            Method::GET,
            "/v1/agent/{namespace}/submissions",
            "list_submissions",
            "Lists the submissions of an agent's conversations, newest first, or exports all of them \
             as csv, xlsx or jsonl.",
        )
        .paged()
        .exports()
        .query(
            "format",
            Format::schema(),
            "Default json. The other formats have no pages and contain all submissions.",
        )
        .answers::<SubmissionList>()
        .example(examples::submissions)
        .also_answers(Format::Jsonl.media(), object, examples::submission)
        .also_answers(Format::Csv.media(), text.clone(), || json!(examples::CSV))
        .also_answers(Format::Xlsx.media(), text, || json!("(a workbook)"))
        .fails(&[404, 413])
        .to(list_submissions);
    registry
        .operation(Method::GET, ONE, "get_submission", "Retrieves a submission.")
        .answers::<SubmissionRecord>()
        .example(examples::submission)
        .fails(&[404])
        .to(get_submission);
    registry
        .operation(Method::DELETE, ONE, "delete_submission", "Deletes a submission. The conversation stays.")
        .answers::<Done>()
        .example(|| done("The submission was deleted."))
        .fails(&[404])
        .to(delete_submission);
}

#[derive(Serialize, JsonSchema)]
struct SubmissionRecord {
    id: String,
    /// The session; it may have been deleted since.
    session_id: String,
    /// The form that the agent had at the time.
    form_id: String,
    /// The values by field name; null where there is none.
    record: AnyObject,
    /// Time of the confirmation: `YYYY-MM-DD hh:mm:ss`, UTC.
    created_timestamp: String,
    #[serde(rename = "userName")]
    user_name: String,
}

impl From<Submission> for SubmissionRecord {
    fn from(submission: Submission) -> Self {
        Self {
            id: submission.id,
            session_id: submission.session,
            form_id: submission.form_id,
            record: submission.record,
            created_timestamp: submission.created.record_text(),
            user_name: submission.author.name,
        }
    }
}

#[derive(Serialize, JsonSchema)]
struct SubmissionList {
    submissions: Vec<SubmissionRecord>,
    meta: ListMeta,
}

#[derive(Deserialize)]
struct SubmissionsQuery {
    #[serde(default, deserialize_with = "whole_number")]
    page: Option<i64>,
    #[serde(default, deserialize_with = "whole_number")]
    limit: Option<i64>,
    cursor: Option<String>,
    format: Option<String>,
}

async fn list_submissions(
    state: web::Data<AppState>,
    Caller(who): Caller,
    Segment(namespace): Segment,
    Query(query): Query<SubmissionsQuery>,
) -> HandlerResult {
    let format = Format::read(query.format.as_deref())?;
    let SubmissionsQuery { page, limit, cursor, .. } = query;
    let request = ListQuery { page, limit, cursor, title: None, label: None }.page(&LIST)?;
    let stored = SubmissionRows { sessions: state.sessions.clone(), scope: who.scope, namespace };
    match format {
        Format::Json => stored.list(&state, request).await,
        _ => stored.export(&state, format).await,
    }
}

async fn get_submission(
    state: web::Data<AppState>,
    Caller(who): Caller,
    Segments(namespace, id): Segments,
) -> HandlerResult {
    let submission = state.sessions.submission(&who.scope, &namespace, &id).await?;
    Ok(HttpResponse::Ok().json(SubmissionRecord::from(submission)))
}

async fn delete_submission(
    state: web::Data<AppState>,
    Caller(who): Caller,
    Segments(namespace, id): Segments,
) -> HandlerResult {
    state.sessions.delete_submission(&who.scope, &namespace, &id).await?;
    Ok(HttpResponse::Ok().json(Done::new("The submission was deleted.")))
}

/// Submissions to be written.
struct SubmissionRows {
    sessions: SessionsService,
    scope: Scope,
    namespace: String,
}

impl SubmissionRows {
    async fn read(&self, request: &PageRequest) -> Result<Page<Submission>, AgentsError> {
        self.sessions.submissions(&self.scope, &self.namespace, request).await
    }

    /// Answers with a page. A large page is written in parts, so that a request takes little memory.
    async fn list(self, state: &AppState, request: PageRequest) -> HandlerResult {
        let page = self.read(&request).await?;
        if page.next.is_some() && page.items.len() < request.limit as usize {
            let parts = written(&state.background, |to| self.parts(to, page, request));
            return Ok(HttpResponse::Ok().content_type("application/json").streaming(parts));
        }
        let meta = ListMeta::of(&LIST, &page, &request);
        let submissions = page.map(SubmissionRecord::from).items;
        Ok(HttpResponse::Ok().json(SubmissionList { submissions, meta }))
    }

    async fn parts(self, mut to: Writer, mut page: Page<Submission>, request: PageRequest) -> WriteResult {
        let (mut before, mut missing) = (r#"{"submissions":["#, request.limit);
        loop {
            for submission in std::mem::take(&mut page.items) {
                to.raw(before).await?;
                to.json(&SubmissionRecord::from(submission)).await?;
                (before, missing) = (",", missing.saturating_sub(1));
            }
            let Some(cursor) = page.next.take_if(|_| missing > 0) else { break };
            let further = PageRequest { position: Position::After(cursor), limit: missing };
            match self.read(&further).await {
                Ok(further) => page = further,
                Err(error) => return to.break_off(error.into()).await,
            }
        }
        to.raw(r#"],"meta":"#).await?;
        to.json(&ListMeta::of(&LIST, &page, &request)).await?;
        to.raw("}").await?;
        to.send().await
    }

    /// Exports all submissions, newest first, and reads them while writing.
    async fn export(self, state: &AppState, format: Format) -> HandlerResult {
        let shape = if format == Format::Xlsx { ListLayout::Split } else { ListLayout::Flat };
        let layout = self.sessions.layout(&self.scope, &self.namespace, shape).await?;
        let tables = layout.tables().to_vec();
        let mut head = HttpResponse::Ok();
        // A namespace has only characters that a header allows.
        format.head(&mut head, &format!("{}-submissions", self.namespace));
        match format {
            Format::Xlsx => book(head, &tables, self.rows(layout)).await,
            Format::Csv => {
                let csv = state.csv;
                let rows = move |to| table(to, csv, tables, self.rows(layout));
                Ok(head.streaming(written(&state.background, rows)))
            }
            Format::Json | Format::Jsonl => {
                let records = self.all().map_ok(SubmissionRecord::from).boxed();
                Ok(head.streaming(written(&state.background, |to| json_lines(to, records))))
            }
        }
    }

    fn rows(self, layout: TableLayout) -> RowStream<Vec<Row>, AgentsError> {
        self.all().map_ok(move |submission| submission_rows(&layout, &submission)).boxed()
    }

    fn all(self) -> RowStream<Submission, AgentsError> {
        let Self { sessions, scope, namespace } = self;
        let parts = stream::try_unfold(Some(None), move |after: Option<Option<Cursor>>| {
            let (sessions, scope, namespace) = (sessions.clone(), scope.clone(), namespace.clone());
            async move {
                let Some(after) = after else { return Ok(None) };
                let (part, next) = sessions.submissions_after(&scope, &namespace, after.as_ref()).await?;
                Ok(Some((stream::iter(part.into_iter().map(Ok)), next.map(Some))))
            }
        });
        parts.try_flatten().boxed()
    }
}
