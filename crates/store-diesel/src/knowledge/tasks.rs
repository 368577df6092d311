//! Statements for jobs. Each method checks the job's fencing token.

use kb_core::{BaseId, ChangeKind, Content, IngestResult, Item, ItemError, ItemStatus, Progress, Task};
use shared_core::{Scope, StoreError, Timestamp};
use webhooks_core::Event;

use super::chunks::{self, ChunkRow};
use super::contents::add_content_ref;
use super::item_rows::{self, StoredItem};
use super::locked_base::LockedBase;
use super::retry::put_job;
use super::{base_rows, changes};
use crate::connection::AnyConnection;
use crate::failure::Failure;
use crate::jobs::{end, is_leased};
use crate::webhooks::emit;

/// The task of a job.
pub(super) fn task(
    connection: &mut AnyConnection,
    workspace: &str,
    base: &BaseId,
    place: u32,
) -> Result<Option<Task>, Failure> {
    let Some(base) = base_rows::find(connection, workspace, base)? else { return Ok(None) };
    let found = item_rows::at_place(connection, workspace, base.number, place)?;
    Ok(found.map(|row| Task {
        scope: Scope { workspace: base.workspace.clone(), user: row.item.author.clone() },
        base,
        item: row.item,
    }))
}

/// The base and the item of a task, both locked; `Stale` if they are gone or the token has changed.
fn lock_task(
    connection: &mut AnyConnection,
    task: &Task,
    token: i64,
) -> Result<(LockedBase, StoredItem), Failure> {
    let workspace = &task.scope.workspace.0;
    let held = LockedBase::lock(connection, workspace, &task.base.id)?.ok_or(StoreError::Stale)?;
    let row = item_rows::find(connection, workspace, &task.item.id)?;
    let row = row.filter(|row| row.item.base == held.id && row.item.place == task.item.place);
    let row = row.ok_or(StoreError::Stale)?;
    if is_leased(connection, &row.job(), token)? { Ok((held, row)) } else { Err(StoreError::Stale.into()) }
}

/// Changes the item of a task.
fn change_item(
    connection: &mut AnyConnection,
    task: &Task,
    token: i64,
    now: Timestamp,
    change: impl FnOnce(&mut StoredItem),
) -> Result<(), Failure> {
    let (mut held, mut row) = lock_task(connection, task, token)?;
    held.exclude(&row.item);
    change(&mut row);
    row.item.updated = now;
    item_rows::save(connection, &row)?;
    held.include(&row.item);
    held.store(connection, now)
}

pub(super) fn begin(
    connection: &mut AnyConnection,
    task: &Task,
    token: i64,
    now: Timestamp,
) -> Result<(), Failure> {
    change_item(connection, task, token, now, |row| {
        if row.item.status != ItemStatus::Ready {
            row.item.status = ItemStatus::Processing;
            row.item.error = None;
        }
    })
}

/// Sets the original content of a task's item.
pub(super) fn set_content(
    connection: &mut AnyConnection,
    task: &Task,
    token: i64,
    (content, name): (&Content, Option<&str>),
    now: Timestamp,
) -> Result<Item, Failure> {
    let (mut held, mut row) = lock_task(connection, task, token)?;
    if row.item.content.is_some() {
        return Ok(row.item);
    }
    held.exclude(&row.item);
    let content = add_content_ref(connection, &held.workspace, content, true)?;
    row.item.bytes = content.bytes;
    row.item.content = Some(content);
    row.item.name = name.map_or(row.item.name, str::to_owned);
    row.item.updated = now;
    item_rows::save(connection, &row)?;
    held.include(&row.item);
    held.store(connection, now)?;
    Ok(row.item)
}

pub(super) fn progress(
    connection: &mut AnyConnection,
    task: &Task,
    token: i64,
    (done, total): (u64, u64),
    now: Timestamp,
) -> Result<(), Failure> {
    change_item(connection, task, token, now, |row| row.item.progress = Progress { done, total })
}

pub(super) fn postpone(
    connection: &mut AnyConnection,
    task: &Task,
    token: i64,
    error: &ItemError,
    now: Timestamp,
) -> Result<(), Failure> {
    change_item(connection, task, token, now, |row| {
        if row.item.status != ItemStatus::Ready {
            row.item.status = ItemStatus::Queued;
        }
        row.item.error = Some(error.clone());
    })
}

pub(super) fn fail(
    connection: &mut AnyConnection,
    task: &Task,
    token: i64,
    error: &ItemError,
    now: Timestamp,
) -> Result<(), Failure> {
    change_item(connection, task, token, now, |row| {
        row.fence = token;
        row.item.status = ItemStatus::Failed;
        row.item.error = Some(error.clone());
    })?;
    let job =
        jobs_core::JobKey { queue: kb_core::QUEUE, owner: task.base.id.0.clone(), position: task.item.place };
    end(connection, &job, token)?;
    let (base, item) = (&task.base.id.0, &task.item);
    let event = Event::item_failed(base, &item.id.0, &item.name, (&error.code, &error.message));
    emit(connection, &task.scope.workspace.0, &event, None, now)?;
    Ok(())
}

/// The finished data of an item, with its chunks as rows.
#[derive(Clone, Debug)]
pub(super) struct FinishedRows {
    finished: IngestResult,
    pub(super) rows: Option<Vec<ChunkRow>>,
}

impl From<IngestResult> for FinishedRows {
    fn from(mut finished: IngestResult) -> Self {
        let rows = finished.chunks.take();
        Self { rows: rows.map(|rows| rows.into_iter().map(ChunkRow::from).collect()), finished }
    }
}

/// Makes the chunks of an item available to lexical search while their vectors are computed.
pub(super) fn publish(
    connection: &mut AnyConnection,
    task: &Task,
    token: i64,
    done: &FinishedRows,
    now: Timestamp,
) -> Result<(), Failure> {
    let (mut held, mut row) = lock_task(connection, task, token)?;
    held.exclude(&row.item);
    take_chunks(connection, &mut row, done)?;
    let sequence = changes::append(connection, ChangeKind::Put { item: row.item.number }, now)?;
    held.set_written(sequence);
    (row.item.sequence, row.item.position) = (sequence, sequence);
    row.item.chunks = row.stored;
    row.item.progress = Progress { done: 0, total: row.stored };
    row.item.updated = now;
    item_rows::save(connection, &row)?;
    held.include(&row.item);
    held.store(connection, now)
}

pub(super) fn finish(
    connection: &mut AnyConnection,
    task: &Task,
    token: i64,
    done: &FinishedRows,
    now: Timestamp,
) -> Result<(), Failure> {
    let (mut held, mut row) = lock_task(connection, task, token)?;
    held.exclude(&row.item);
    end(connection, &row.job(), token)?;
    row.fence = token;
    let was_ready = row.item.status == ItemStatus::Ready;
    let anew = done.rows.is_some() || !row.item.is_findable();
    take_chunks(connection, &mut row, done)?;
    let sequence = changes::append(connection, ChangeKind::Put { item: row.item.number }, now)?;
    held.set_written(sequence);
    row.item.position = sequence;
    if anew {
        row.item.sequence = sequence;
    }
    row.item.updated = now;
    let other = (task.base.embedding != held.embedding).then_some(held.embedding.as_deref());
    if done.finished.settle(&mut row.item, row.stored, other) {
        put_job(connection, &row, now)?;
    }
    item_rows::save(connection, &row)?;
    held.include(&row.item);
    held.store(connection, now)?;
    if !was_ready && row.item.status == ItemStatus::Ready {
        let item = &row.item;
        let event = Event::item_ready(&task.base.id.0, &item.id.0, &item.name, (row.stored, sequence));
        emit(connection, &item.workspace.0, &event, None, now)?;
    }
    Ok(())
}

/// Stores the chunks of an item, or keeps the present ones.
fn take_chunks(
    connection: &mut AnyConnection,
    row: &mut StoredItem,
    done: &FinishedRows,
) -> Result<(), Failure> {
    let IngestResult { language, embedded, .. } = done.finished.clone();
    let Some(rows) = &done.rows else {
        row.item.language = language.or(row.item.language.take());
        row.item.embedded = embedded.or(row.item.embedded.take());
        return Ok(());
    };
    let (workspace, number) = (&row.item.workspace.0, row.item.number);
    if row.stored > 0 {
        chunks::delete(connection, workspace, &[number])?;
    }
    chunks::insert(connection, workspace, rows.iter().map(|chunk| (number, chunk)))?;
    row.stored = rows.len() as u64;
    (row.item.language, row.item.embedded) = (language, embedded);
    Ok(())
}
