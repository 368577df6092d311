//! Background maintenance of a server: what is no longer referenced, or has expired, is removed.

use std::fmt::Display;
use std::time::Duration;

use shared_core::StoreError;

use crate::app::AppState;

/// Age in seconds below which a blob may belong to an upload in progress.
const SWEEP_AGE: u64 = 24 * 3_600;
/// Age in seconds above which blobs are unreferenced at the start of a server that is alone.
const START_AGE: u64 = 60;
/// Interval of the sweep of blobs.
const SWEEP_EVERY: Duration = Duration::from_secs(6 * 3_600);
/// Interval of the sweep of vectors, and its delay after the start: it reads the names of all vectors and
/// chunks, which would slow the start down.
const VECTORS_EVERY: Duration = Duration::from_secs(6 * 3_600);
const VECTORS_FIRST: Duration = Duration::from_secs(600);
/// Interval of readings of the database's clock. Two machines drift apart by less than a millisecond in it.
const CLOCK_EVERY: Duration = Duration::from_secs(10);
/// Interval at which expired stored answers, expired sign-ins and unreferenced thumbnails are removed.
const FORGET_EVERY: Duration = Duration::from_secs(600);

/// Runs all of it: unreferenced blobs, unreferenced vectors, expired answers and sign-ins, idle parsers.
pub(crate) async fn run_maintenance(state: AppState, alone: bool) {
    let (contents, vectors) = (sweep(&state, alone), sweep_vectors(&state));
    let usage = settle_expired(&state);
    tokio::join!(
        contents,
        vectors,
        tend_vectors(&state),
        sweep_thumbnails(&state),
        synchronise_clock(&state),
        sweep_answers(&state),
        sweep_expired_items(&state),
        sweep_audit(&state),
        sweep_sign_ins(&state),
        usage,
        state.parsers.run_idle_reaper()
    );
}

/// Keeps the vectors in the database, if that is where they are searched.
async fn tend_vectors(state: &AppState) {
    if let Some(vectors) = &state.knowledge_work.vectors_in_database {
        vectors.keep_up().await;
    }
}

/// Removes unreferenced vectors. Several servers on one database may do so concurrently.
async fn sweep_vectors(state: &AppState) {
    tokio::time::sleep(VECTORS_FIRST).await;
    loop {
        match state.knowledge_work.sweep.pass().await {
            Ok(0) => {}
            Ok(count) => tracing::info!(count, "removed unreferenced vectors"),
            Err(error) => tracing::warn!(%error, "unreferenced vectors could not be removed"),
        }
        tokio::time::sleep(VECTORS_EVERY).await;
    }
}

/// Settles the reservations of other servers that died.
async fn settle_expired(state: &AppState) {
    loop {
        log_expired(state.usage.settle_expired(false).await);
        tokio::time::sleep(FORGET_EVERY).await;
    }
}

/// Logs how many calls were settled at their estimates.
pub(crate) fn log_expired(booked: Result<u64, StoreError>) {
    match booked {
        Ok(0) => {}
        Ok(count) => tracing::warn!(count, "settled the calls of a server that died at their estimates"),
        Err(error) => tracing::warn!(%error, "calls of a server that died could not be settled"),
    }
}

/// Keeps the clock at the time of the database.
async fn synchronise_clock(state: &AppState) {
    loop {
        tokio::time::sleep(CLOCK_EVERY).await;
        if let Err(error) = state.database.synchronise_clock().await {
            tracing::debug!(%error, "the time of the database could not be read");
        }
    }
}

/// Removes expired stored answers.
async fn sweep_answers(state: &AppState) {
    loop {
        rest_after("expired stored answers", state.idempotency.sweep().await).await;
    }
}

/// Removes expired items of knowledge bases. Searches leave them out before.
async fn sweep_expired_items(state: &AppState) {
    loop {
        rest_after("expired files of knowledge bases", state.knowledge.sweep_expired().await).await;
    }
}

/// Removes events of the audit log that are too old.
async fn sweep_audit(state: &AppState) {
    loop {
        rest_after("old events of the audit log", state.audit.sweep().await).await;
    }
}

/// Removes expired sign-ins.
async fn sweep_sign_ins(state: &AppState) {
    loop {
        rest_after("expired sign-ins", state.accounts.sweep_sign_ins().await).await;
    }
}

/// Logs how many rows a sweep removed, and waits unless there may be more.
async fn rest_after<E: Display>(rows: &str, swept: Result<u64, E>) {
    match swept {
        Ok(0) => {}
        Ok(count) => {
            tracing::debug!(count, "removed {rows}");
            return;
        }
        Err(error) => tracing::warn!(%error, "{rows} could not be removed"),
    }
    tokio::time::sleep(FORGET_EVERY).await;
}

/// Removes expired links to thumbnails, and unreferenced thumbnails.
async fn sweep_thumbnails(state: &AppState) {
    loop {
        match state.utilities.thumbnails().sweep().await {
            Ok(true) => {}
            Ok(false) => tokio::time::sleep(FORGET_EVERY).await,
            Err(error) => {
                tracing::warn!(%error, "unreferenced thumbnails could not be removed");
                tokio::time::sleep(FORGET_EVERY).await;
            }
        }
    }
}

/// Removes unreferenced blobs, such as uploads that a crash interrupted.
async fn sweep(state: &AppState, alone: bool) {
    let mut age = if alone { START_AGE } else { SWEEP_AGE };
    loop {
        match state.files.sweep(age).await {
            Ok(0) => {}
            Ok(count) => tracing::info!(count, "removed unreferenced blobs"),
            Err(error) => tracing::warn!(%error, "unreferenced blobs could not be removed"),
        }
        tokio::time::sleep(SWEEP_EVERY).await;
        age = SWEEP_AGE;
    }
}
