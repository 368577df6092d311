//! Calls that wait for batches of a provider, and the batches.

use delta_core::{
    BatchLease, BatchStep, CallState, DeferredCall, GatheredCalls, GroupId, GroupState, OpenBatch, QUEUE,
    RunState,
};
use diesel::dsl::{count_star, max};
use diesel::{
    BoolExpressionMethods as _, ExpressionMethods as _, OptionalExtension as _, QueryDsl as _,
    RunQueryDsl as _,
};
use forms_core::SavedAnswer;
use gen_core::{BatchRequest, Cost};
use shared_core::{StoreError, Timestamp};

use super::batch_rows::{ANSWERED, BatchRow, DIRECT, SEALED, WAITING, read_state, stored_state, stored_step};
use super::calls;
use super::groups::{job, run};
use crate::connection::{AnyConnection, prepared};
use crate::failure::{Failure, corrupt};
use crate::jobs::{end, is_leased, make_due, put_back};
use crate::rows::{count, optional_time, position, stored_count};
use crate::schema::{batch_calls, batches, run_groups, runs};

/// The calls of a run.
macro_rules! calls_of {
    ($workspace:expr, $sid:expr) => {
        batch_calls::table.filter(batch_calls::workspace.eq($workspace).and(batch_calls::sid.eq($sid)))
    };
}

/// The batches of a run.
macro_rules! batches_of {
    ($workspace:expr, $sid:expr) => {
        batches::table.filter(batches::workspace.eq($workspace).and(batches::sid.eq($sid)))
    };
}

fn require_lease(connection: &mut AnyConnection, lease: &BatchLease) -> Result<(), Failure> {
    match is_leased(connection, &lease.key(), lease.token)? {
        true => Ok(()),
        false => Err(StoreError::Stale.into()),
    }
}

/// Locks a run until the end of the transaction; its state, `None` if there is no such run.
fn lock_state(connection: &mut AnyConnection, workspace: &str, sid: i64) -> Result<Option<String>, Failure> {
    let query = run!(workspace, sid).select(runs::state);
    Ok(match connection {
        AnyConnection::Postgres(inner) => query.for_update().get_result(inner).optional()?,
        AnyConnection::Sqlite(inner) => query.get_result(inner).optional()?,
    })
}

pub(super) fn list(
    connection: &mut AnyConnection,
    workspace: &str,
    group: GroupId,
) -> Result<Vec<(String, CallState)>, Failure> {
    let query = calls_of!(workspace, group.sid.0)
        .filter(batch_calls::position.eq(position(group.index)))
        .order(batch_calls::call)
        .select((batch_calls::call, batch_calls::state, batch_calls::answer));
    let rows: Vec<(String, String, Option<String>)> = prepared!(connection, inner => query.load(inner))?;
    let read =
        |(call, state, answer): (String, String, Option<String>)| Ok((call, read_state(&state, answer)?));
    rows.into_iter().map(read).collect()
}

pub(super) fn defer_group(
    connection: &mut AnyConnection,
    workspace: &str,
    group: GroupId,
    token: i64,
    deferred: &[DeferredCall],
    (now, ready): (Timestamp, Timestamp),
) -> Result<(), Failure> {
    if lock_state(connection, workspace, group.sid.0)?.is_none() {
        return Err(StoreError::Stale.into());
    }
    put_back(connection, &job(group), token, ready.micros(), false)?;
    for call in deferred {
        let insert = diesel::insert_into(batch_calls::table)
            .values((
                batch_calls::workspace.eq(workspace),
                batch_calls::sid.eq(group.sid.0),
                batch_calls::position.eq(position(group.index)),
                batch_calls::call.eq(&call.call),
                batch_calls::body.eq(&call.body),
                batch_calls::bytes.eq(stored_count(call.body.len() as u64)),
                batch_calls::cost.eq(stored_count(call.cost.unwrap_or_default().0)),
                batch_calls::created.eq(now.micros()),
                batch_calls::state.eq(WAITING),
            ))
            .on_conflict_do_nothing();
        prepared!(connection, inner => insert.execute(inner))?;
    }
    Ok(())
}

pub(super) fn save_read(
    connection: &mut AnyConnection,
    workspace: &str,
    group: GroupId,
    call: &str,
    answer: &SavedAnswer,
) -> Result<(), Failure> {
    calls::keep(connection, workspace, group, call, answer)?;
    let own = calls_of!(workspace, group.sid.0)
        .filter(batch_calls::position.eq(position(group.index)).and(batch_calls::call.eq(call)));
    let update =
        diesel::update(own).set((batch_calls::state.eq(DIRECT), batch_calls::answer.eq(None::<String>)));
    prepared!(connection, inner => update.execute(inner))?;
    Ok(())
}

pub(super) fn forget(connection: &mut AnyConnection, workspace: &str, group: GroupId) -> Result<(), Failure> {
    let own = calls_of!(workspace, group.sid.0).filter(batch_calls::position.eq(position(group.index)));
    let delete = diesel::delete(own);
    prepared!(connection, inner => delete.execute(inner))?;
    Ok(())
}

pub(super) fn waiting_cost(
    connection: &mut AnyConnection,
    workspace: &str,
    sid: i64,
) -> Result<Cost, Failure> {
    let query = calls_of!(workspace, sid)
        .filter(batch_calls::state.eq(WAITING).or(batch_calls::state.eq(ANSWERED)))
        .select(batch_calls::cost);
    let costs: Vec<i64> = prepared!(connection, inner => query.load(inner))?;
    let mut sum = Cost::default();
    for cost in costs {
        sum += Cost(count(cost)?);
    }
    Ok(sum)
}

pub(super) fn open(
    connection: &mut AnyConnection,
    workspace: &str,
    sid: i64,
) -> Result<Vec<OpenBatch>, Failure> {
    let query = batches_of!(workspace, sid).order(batches::number).select((
        batches::number,
        batches::reference,
        batches::model,
        batches::requests,
        batches::step,
        batches::vendor_id,
        batches::created,
        batches::changed,
    ));
    let rows: Vec<BatchRow> = prepared!(connection, inner => query.load(inner))?;
    Ok(rows.into_iter().map(BatchRow::read).collect::<Result<_, _>>()?)
}

pub(super) fn gathered(
    connection: &mut AnyConnection,
    workspace: &str,
    sid: i64,
) -> Result<GatheredCalls, Failure> {
    let query = calls_of!(workspace, sid)
        .filter(batch_calls::number.is_null().and(batch_calls::state.eq(WAITING)))
        .select((batch_calls::bytes, batch_calls::created));
    let rows: Vec<(i64, i64)> = prepared!(connection, inner => query.load(inner))?;
    let mut found = GatheredCalls { requests: count(rows.len() as i64)?, ..GatheredCalls::default() };
    for (bytes, _) in &rows {
        found.bytes += count::<u64>(*bytes)?;
    }
    found.newest = optional_time(rows.iter().map(|(_, created)| *created).max())?;
    Ok(found)
}

pub(super) fn seal(
    connection: &mut AnyConnection,
    lease: &BatchLease,
    (reference, model): (&str, &str),
    (most, most_bytes): (u32, u64),
    now: Timestamp,
) -> Result<(), Failure> {
    let (workspace, sid) = (lease.workspace.0.as_str(), lease.sid.0);
    lock_state(connection, workspace, sid)?;
    require_lease(connection, lease)?;
    let query = calls_of!(workspace, sid)
        .filter(batch_calls::number.is_null().and(batch_calls::state.eq(WAITING)))
        .order((batch_calls::created, batch_calls::position, batch_calls::call))
        .limit(i64::from(most))
        .select((batch_calls::position, batch_calls::call, batch_calls::bytes));
    let rows: Vec<(i32, String, i64)> = prepared!(connection, inner => query.load(inner))?;
    let last = calls_of!(workspace, sid).select(max(batch_calls::number));
    let last: Option<i32> = prepared!(connection, inner => last.get_result(inner))?;
    let number = last.unwrap_or(0) + 1;
    let (mut line, mut bytes) = (0, 0_u64);
    for (place, call, size) in rows {
        bytes = bytes.saturating_add(count(size)?);
        if line > 0 && bytes > most_bytes {
            break;
        }
        let own =
            calls_of!(workspace, sid).filter(batch_calls::position.eq(place).and(batch_calls::call.eq(call)));
        let update =
            diesel::update(own).set((batch_calls::number.eq(Some(number)), batch_calls::line.eq(Some(line))));
        prepared!(connection, inner => update.execute(inner))?;
        line += 1;
    }
    if line == 0 {
        return Ok(());
    }
    let insert = diesel::insert_into(batches::table).values((
        batches::workspace.eq(workspace),
        batches::sid.eq(sid),
        batches::number.eq(number),
        batches::reference.eq(reference),
        batches::model.eq(model),
        batches::requests.eq(line),
        batches::step.eq(SEALED),
        batches::created.eq(now.micros()),
        batches::changed.eq(now.micros()),
    ));
    prepared!(connection, inner => insert.execute(inner))?;
    Ok(())
}

pub(super) fn requests(
    connection: &mut AnyConnection,
    workspace: &str,
    sid: i64,
    number: u32,
) -> Result<Vec<BatchRequest>, Failure> {
    let reference =
        batches_of!(workspace, sid).filter(batches::number.eq(position(number))).select(batches::reference);
    let reference: Option<String> = prepared!(connection, inner => reference.get_result(inner).optional())?;
    let Some(reference) = reference else { return Ok(Vec::new()) };
    let open = run_groups::table
        .filter(run_groups::workspace.eq(workspace).and(run_groups::sid.eq(sid)))
        .filter(run_groups::state.eq(GroupState::Queued.name()))
        .select(run_groups::position);
    let query = calls_of!(workspace, sid)
        .filter(batch_calls::number.eq(Some(position(number))))
        .filter(batch_calls::position.eq_any(open))
        .order(batch_calls::line)
        .select((batch_calls::line, batch_calls::body));
    let rows: Vec<(Option<i32>, String)> = prepared!(connection, inner => query.load(inner))?;
    let request = |(line, body): (Option<i32>, String)| {
        let line = line.ok_or_else(|| corrupt("a call of a batch has no place"))?;
        Ok(BatchRequest { id: delta_core::request_id(&reference, count(line.into())?), body })
    };
    rows.into_iter().map(request).collect()
}

pub(super) fn advance(
    connection: &mut AnyConnection,
    lease: &BatchLease,
    number: u32,
    step: &BatchStep,
    now: Timestamp,
) -> Result<(), Failure> {
    require_lease(connection, lease)?;
    let (workspace, sid) = (lease.workspace.0.as_str(), lease.sid.0);
    let (name, id) = stored_step(step);
    let own = batches_of!(workspace, sid).filter(batches::number.eq(position(number)));
    let update = diesel::update(own).set((
        batches::step.eq(name),
        batches::vendor_id.eq(id),
        batches::changed.eq(now.micros()),
    ));
    if prepared!(connection, inner => update.execute(inner))? == 0 {
        return Err(StoreError::Stale.into());
    }
    if matches!(step, BatchStep::Submitted(_)) {
        let calls = calls_of!(workspace, sid).filter(batch_calls::number.eq(Some(position(number))));
        let update = diesel::update(calls).set(batch_calls::body.eq(""));
        prepared!(connection, inner => update.execute(inner))?;
    }
    Ok(())
}

pub(super) fn close(
    connection: &mut AnyConnection,
    lease: &BatchLease,
    number: u32,
    results: &[(u32, CallState)],
    rest: &CallState,
    now: Timestamp,
) -> Result<(), Failure> {
    let (workspace, sid) = (lease.workspace.0.as_str(), lease.sid.0);
    lock_state(connection, workspace, sid)?;
    require_lease(connection, lease)?;
    let batch = batches_of!(workspace, sid).filter(batches::number.eq(position(number)));
    let delete = diesel::delete(batch);
    if prepared!(connection, inner => delete.execute(inner))? == 0 {
        return Err(StoreError::Stale.into());
    }
    let waiting = || {
        calls_of!(workspace, sid)
            .filter(batch_calls::number.eq(Some(position(number))))
            .filter(batch_calls::state.eq(WAITING))
    };
    let touched = waiting().select(batch_calls::position).distinct();
    let touched: Vec<i32> = prepared!(connection, inner => touched.load(inner))?;
    for (line, state) in results {
        let (name, answer) = stored_state(state);
        let own = waiting().filter(batch_calls::line.eq(Some(position(*line))));
        let update = diesel::update(own).set((
            batch_calls::state.eq(name),
            batch_calls::answer.eq(answer),
            batch_calls::body.eq(""),
        ));
        prepared!(connection, inner => update.execute(inner))?;
    }
    let (name, answer) = stored_state(rest);
    let update = diesel::update(waiting()).set((
        batch_calls::state.eq(name),
        batch_calls::answer.eq(answer),
        batch_calls::body.eq(""),
    ));
    prepared!(connection, inner => update.execute(inner))?;
    let still = calls_of!(workspace, sid)
        .filter(batch_calls::state.eq(WAITING))
        .select(batch_calls::position)
        .distinct();
    let still: Vec<i32> = prepared!(connection, inner => still.load(inner))?;
    let due: Vec<i32> = touched.into_iter().filter(|place| !still.contains(place)).collect();
    make_due(connection, (QUEUE, &sid.to_string()), &due, now.micros())
}

pub(super) fn end_job(connection: &mut AnyConnection, lease: &BatchLease) -> Result<bool, Failure> {
    let (workspace, sid) = (lease.workspace.0.as_str(), lease.sid.0);
    // A run that is reopened meanwhile has its job again after this one ended, or keeps it.
    let is_running = lock_state(connection, workspace, sid)?.as_deref() == Some(RunState::Running.name());
    require_lease(connection, lease)?;
    let open = batches_of!(workspace, sid).select(count_star());
    let open: i64 = prepared!(connection, inner => open.get_result(inner))?;
    if is_running || open > 0 {
        return Ok(false);
    }
    let delete = diesel::delete(calls_of!(workspace, sid));
    prepared!(connection, inner => delete.execute(inner))?;
    end(connection, &lease.key(), lease.token)?;
    Ok(true)
}
