//! The synchronous answer of a run, streamed while its groups are processed.

use actix_web::HttpResponse;
use delta_core::{DeltaError, FinishedGroup, Response, Run, SourceDocument};
use futures_util::stream::{BoxStream, StreamExt as _};
use serde_json::{Value, json};
use shared_core::Scope;

use super::duplicates::RunDuplicates;
use super::left_out::{self, add_unit};
use super::record::{TokensRecord, duration};
use crate::app::AppState;
use crate::http::export::{WriteResult, Writer, written};

type Groups = BoxStream<'static, Result<FinishedGroup, DeltaError>>;

/// What an answer has on request.
#[derive(Clone, Copy)]
pub(super) struct AnswerParts {
    /// Evidence and conflicts.
    pub(super) evidence: bool,
    /// The documents of each result.
    pub(super) sources: bool,
}

/// Streams the outcomes of a run as its groups finish.
pub(super) fn stream_outcomes(state: &AppState, scope: Scope, run: Run, parts: AnswerParts) -> HttpResponse {
    let shared = state.clone();
    let body = written(&state.background, move |mut writer| async move {
        write(&mut writer, &shared, &scope, &run, parts).await?;
        writer.send().await
    });
    HttpResponse::Ok().content_type("application/json").streaming(body)
}

async fn write(
    writer: &mut Writer,
    state: &AppState,
    scope: &Scope,
    run: &Run,
    parts: AnswerParts,
) -> WriteResult {
    let runs = &state.runs;
    let picked = |pick: fn(&Response) -> Value| {
        move |group: FinishedGroup| group.response.iter().map(pick).collect::<Vec<_>>()
    };
    writer.raw(&format!("{{\"sid\":{},\"results\":[", run.sid.0)).await?;
    array(writer, runs.outcomes(scope, run), picked(|response| json!(response.record))).await?;
    writer.raw("],\"failed\":[").await?;
    array(writer, runs.finished(scope, run), failures).await?;
    let done = match runs.reload(scope, run).await {
        Ok(done) => done,
        Err(error) => return writer.break_off(error.into()).await,
    };
    writer.raw("],\"meta\":").await?;
    writer.json(&meta(&done)).await?;
    writer.raw(",\"errors\":[").await?;
    array(writer, runs.finished(scope, run), picked(|response| json!(response.errors))).await?;
    if parts.evidence {
        writer.raw("],\"evidence\":[").await?;
        array(writer, runs.finished(scope, run), picked(|response| json!(response.evidence))).await?;
        writer.raw("],\"conflicts\":[").await?;
        array(writer, runs.finished(scope, run), picked(|response| json!(response.conflicts))).await?;
    }
    if parts.sources {
        writer.raw("],\"sources\":[").await?;
        array(writer, runs.finished(scope, run), sources).await?;
    }
    writer.raw("],\"warnings\":[").await?;
    let mut is_first = true;
    for warning in run.plan.classification.iter().flat_map(left_out::warnings) {
        writer.raw(if std::mem::take(&mut is_first) { "" } else { "," }).await?;
        writer.json(&warning).await?;
    }
    let duplicates = RunDuplicates::default();
    let groups = runs.finished(scope, run);
    continue_array(writer, is_first, groups, |group| warnings(group, &duplicates)).await?;
    writer.raw("]}").await
}

/// The documents of a group with a response.
fn sources(group: FinishedGroup) -> Vec<Value> {
    let index = group.index;
    let documents = |response: Response| {
        let one = |source: &SourceDocument| {
            let url = source.named.as_ref().map(|(_, url)| url);
            let mut listed = json!({"url": url, "name": source.name, "pages": source.pages});
            add_unit(&mut listed, source.unit);
            listed
        };
        let documents: Vec<Value> = response.sources.iter().map(one).collect();
        let mut listed = json!({"group": index, "documents": documents});
        if let Some(class) = &response.class {
            listed["form_id"] = json!(class.form.form_id);
            listed["form_version"] = json!(class.form.form_version);
            listed["probability"] = json!(class.probability);
            listed["evidence"] = json!(class.evidence);
        }
        listed
    };
    group.response.into_iter().map(documents).collect()
}

/// Warnings on pages of the group's documents that were not read or not seen, and on documents that came before.
fn warnings(group: FinishedGroup, duplicates: &RunDuplicates) -> Vec<Value> {
    let index = group.index;
    let again = duplicates.warnings(&group);
    let sources = group.response.into_iter().flat_map(|response| response.sources);
    let told = sources.flat_map(|source| source.warnings());
    told.map(|mut warning| {
        warning["group"] = json!(index);
        warning
    })
    .chain(again)
    .collect()
}

/// Writes the items that `pick` takes from each group as an array.
async fn array<F>(writer: &mut Writer, groups: Groups, pick: F) -> WriteResult
where
    F: Fn(FinishedGroup) -> Vec<Value>,
{
    continue_array(writer, true, groups, pick).await
}

/// As [`array`], after items that are written; `first` where there are none.
async fn continue_array<F>(writer: &mut Writer, mut first: bool, mut groups: Groups, pick: F) -> WriteResult
where
    F: Fn(FinishedGroup) -> Vec<Value>,
{
    while let Some(group) = groups.next().await {
        match group {
            Ok(group) => {
                for item in pick(group) {
                    if !std::mem::take(&mut first) {
                        writer.raw(",").await?;
                    }
                    writer.json(&item).await?;
                }
            }
            Err(error) => return writer.break_off(error.into()).await,
        }
    }
    Ok(())
}

fn failures(group: FinishedGroup) -> Vec<Value> {
    let index = group.index;
    let failed = group.failures.into_iter().map(|failure| {
        let mut listed = json!({
            "description": failure.document.description,
            "url": failure.document.url,
            "error": failure.error,
            "group": index
        });
        if let Some(pages) = failure.document.pages {
            listed["pages"] = json!(pages);
        }
        add_unit(&mut listed, failure.document.unit);
        listed
    });
    failed.collect()
}

fn meta(run: &Run) -> Value {
    json!({
        "total": run.total,
        "successful": run.successful,
        "failed": run.failed,
        "duration": duration(run).unwrap_or_default(),
        "usage": TokensRecord::of(run.usage, run.cost),
        "state": run.state.name()
    })
}
