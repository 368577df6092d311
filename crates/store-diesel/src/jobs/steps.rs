//! Statements that change jobs.

use diesel::dsl::case_when;
use diesel::{
    BoolExpressionMethods as _, ExpressionMethods as _, OptionalExtension as _, QueryDsl as _, Queryable,
    RunQueryDsl as _,
};
use jobs_core::{ClaimedJob, Job, JobKey, Lane, Priority};
use shared_core::StoreError;

use super::ClaimRequest;
use crate::connection::{AnyConnection, prepared};
use crate::failure::{Failure, unique_violation_as};
use crate::rows::{count, position};
use crate::schema::jobs;

/// Jobs per insert statement on PostgreSQL; each takes nine of its 65,535 parameters.
const INSERT_BATCH: usize = 1_000;

/// A job to enqueue.
#[derive(Clone, Debug, diesel::Insertable)]
#[diesel(table_name = jobs)]
pub(super) struct NewJob {
    pub(super) queue: &'static str,
    pub(super) owner: String,
    pub(super) position: i32,
    pub(super) workspace: String,
    pub(super) ready: i64,
    pub(super) token: i64,
    pub(super) attempts: i32,
    pub(super) interrupted: i32,
    pub(super) priority: i32,
}

pub(super) fn insert(connection: &mut AnyConnection, rows: &[NewJob]) -> Result<(), Failure> {
    for row in rows {
        let insert = diesel::insert_into(jobs::table).values(row);
        prepared!(connection, inner => insert.execute(inner)).map_err(unique_violation_as("job"))?;
    }
    Ok(())
}

/// Enqueues the first jobs of an owner of normal priority at these positions, claimable from `ready` on.
pub(crate) fn put_new(
    connection: &mut AnyConnection,
    (queue, owner, workspace): (&'static str, &str, &str),
    places: &[i32],
    ready: i64,
) -> Result<(), Failure> {
    let row = |position: &i32| NewJob {
        queue,
        owner: owner.to_owned(),
        position: *position,
        workspace: workspace.to_owned(),
        ready,
        token: 0,
        attempts: 0,
        interrupted: 0,
        priority: Priority::Normal.rank(),
    };
    let rows: Vec<NewJob> = places.iter().map(row).collect();
    match connection {
        AnyConnection::Sqlite(_) => insert(connection, &rows),
        AnyConnection::Postgres(inner) => {
            for part in rows.chunks(INSERT_BATCH) {
                diesel::insert_into(jobs::table).values(part).execute(inner)?;
            }
            Ok(())
        }
    }
}

/// Enqueues a job of normal priority whose fencing token is above `token`. An existing job is reset, and its worker loses its
/// lease.
pub(crate) fn reset_job(
    connection: &mut AnyConnection,
    job: &JobKey,
    workspace: &str,
    (ready, token): (i64, i64),
) -> Result<(), Failure> {
    let row = NewJob {
        queue: job.queue,
        owner: job.owner.clone(),
        position: position(job.position),
        workspace: workspace.to_owned(),
        ready,
        token: token + 1,
        attempts: 0,
        interrupted: 0,
        priority: Priority::Normal.rank(),
    };
    let insert = diesel::insert_into(jobs::table)
        .values(row)
        .on_conflict((jobs::queue, jobs::owner, jobs::position))
        .do_update()
        .set((
            jobs::ready.eq(ready),
            jobs::token.eq(jobs::token + 1),
            jobs::attempts.eq(0),
            jobs::interrupted.eq(0),
            jobs::worker.eq(None::<String>),
        ));
    prepared!(connection, inner => insert.execute(inner))?;
    Ok(())
}

/// Deletes all jobs of an owner, leased or not.
pub(crate) fn delete_owner_jobs(
    connection: &mut AnyConnection,
    queue: &str,
    owner: &str,
) -> Result<(), Failure> {
    let delete = diesel::delete(jobs::table.filter(jobs::queue.eq(queue).and(jobs::owner.eq(owner))));
    prepared!(connection, inner => delete.execute(inner))?;
    Ok(())
}

/// Deletes the jobs of an owner at these positions, leased or not.
pub(crate) fn delete_jobs_at(
    connection: &mut AnyConnection,
    queue: &str,
    owner: &str,
    places: &[i32],
) -> Result<(), Failure> {
    let owned = || jobs::table.filter(jobs::queue.eq(queue).and(jobs::owner.eq(owner)));
    match connection {
        AnyConnection::Postgres(inner) => {
            diesel::delete(owned().filter(jobs::position.eq_any(places))).execute(inner)?;
        }
        AnyConnection::Sqlite(inner) => {
            for place in places {
                diesel::delete(owned().filter(jobs::position.eq(place))).execute(inner)?;
            }
        }
    }
    Ok(())
}

/// The columns that a claim reads.
#[derive(Debug, Queryable)]
struct ReadyRow {
    position: i32,
    token: i64,
    attempts: i32,
    interrupted: i32,
    worker: Option<String>,
}

/// Leases at most `count` jobs of a lane to the worker.
pub(super) fn take(
    connection: &mut AnyConnection,
    asked: &ClaimRequest,
    lane: &Lane,
    count: u32,
) -> Result<Vec<ClaimedJob>, Failure> {
    let query = jobs::table
        .filter(jobs::queue.eq(asked.queue).and(jobs::workspace.eq(&lane.workspace.0)))
        .filter(jobs::priority.eq(lane.priority.rank()))
        .filter(jobs::owner.eq(&lane.owner).and(jobs::ready.le(asked.now)))
        .order((jobs::ready, jobs::position))
        .limit(i64::from(count))
        .select((jobs::position, jobs::token, jobs::attempts, jobs::interrupted, jobs::worker));
    let rows: Vec<ReadyRow> = match connection {
        // Rows locked by another transaction that releases or ends them are skipped.
        AnyConnection::Postgres(inner) => query.for_update().skip_locked().load(inner)?,
        AnyConnection::Sqlite(inner) => query.load(inner)?,
    };
    write_leases(connection, asked, lane, &rows)?;
    let claimed = rows.into_iter().map(|row| read_claimed(asked, lane, row));
    Ok(claimed.collect::<Result<_, _>>()?)
}

fn write_leases(
    connection: &mut AnyConnection,
    asked: &ClaimRequest,
    lane: &Lane,
    rows: &[ReadyRow],
) -> Result<(), Failure> {
    let owned = || jobs::table.filter(jobs::queue.eq(asked.queue).and(jobs::owner.eq(&lane.owner)));
    // The own lease expired when the store was unreachable; the process lives.
    let lost =
        || case_when(jobs::worker.ne(&asked.worker), jobs::interrupted + 1).otherwise(jobs::interrupted);
    let lease = || {
        let (worker, ready) = (jobs::worker.eq(Some(&asked.worker)), jobs::ready.eq(asked.until));
        (worker, ready, jobs::token.eq(jobs::token + 1), jobs::interrupted.eq(lost()))
    };
    match connection {
        AnyConnection::Postgres(inner) => {
            let places: Vec<i32> = rows.iter().map(|row| row.position).collect();
            diesel::update(owned().filter(jobs::position.eq_any(places))).set(lease()).execute(inner)?;
        }
        // A list has no statement that is prepared once on SQLite; single rows are cheap.
        AnyConnection::Sqlite(inner) => {
            for row in rows {
                let one = owned().filter(jobs::position.eq(row.position));
                diesel::update(one).set(lease()).execute(inner)?;
            }
        }
    }
    Ok(())
}

fn read_claimed(asked: &ClaimRequest, lane: &Lane, row: ReadyRow) -> Result<ClaimedJob, StoreError> {
    let key =
        JobKey { queue: asked.queue, owner: lane.owner.clone(), position: count(i64::from(row.position))? };
    let interrupted: u32 = count(i64::from(row.interrupted))?;
    let is_lost = row.worker.is_some_and(|worker| worker != asked.worker);
    Ok(ClaimedJob {
        job: Job { key, workspace: lane.workspace.clone(), priority: lane.priority },
        token: row.token + 1,
        attempts: count(i64::from(row.attempts))?,
        interrupted: interrupted.saturating_add(u32::from(is_lost)),
    })
}

/// Renews the leases of a worker. Returns the jobs that it holds.
pub(super) fn renew(
    connection: &mut AnyConnection,
    queue: &'static str,
    worker: &str,
    until: i64,
) -> Result<Vec<(JobKey, i64)>, Failure> {
    let own = jobs::table.filter(jobs::queue.eq(queue).and(jobs::worker.eq(worker)));
    let renew = diesel::update(own).set(jobs::ready.eq(until));
    let renew = renew.returning((jobs::owner, jobs::position, jobs::token));
    let rows: Vec<(String, i32, i64)> = prepared!(connection, inner => renew.load(inner))?;
    let read = |(owner, position, token): (String, i32, i64)| {
        Ok((JobKey { queue, owner, position: count(i64::from(position))? }, token))
    };
    rows.into_iter().map(read).collect()
}

/// The row of a job, if the token is still its own.
macro_rules! held {
    ($job:expr, $token:expr) => {
        jobs::table
            .filter(jobs::queue.eq($job.queue).and(jobs::owner.eq(&$job.owner)))
            .filter(jobs::position.eq(position($job.position)).and(jobs::token.eq($token)))
    };
}

/// Requeues a job. `Stale` when the token is not current.
pub(crate) fn put_back(
    connection: &mut AnyConnection,
    job: &JobKey,
    token: i64,
    ready: i64,
    failed: bool,
) -> Result<(), Failure> {
    let update = diesel::update(held!(job, token)).set((
        jobs::worker.eq(None::<String>),
        jobs::ready.eq(ready),
        jobs::attempts.eq(jobs::attempts + i32::from(failed)),
    ));
    require_changed(prepared!(connection, inner => update.execute(inner))?)
}

pub(super) fn defer(
    connection: &mut AnyConnection,
    queue: &'static str,
    owner: &str,
    ready: i64,
) -> Result<(), Failure> {
    let owned = || jobs::table.filter(jobs::queue.eq(queue).and(jobs::owner.eq(owner)));
    let lane = owned().select((jobs::workspace, jobs::priority)).limit(1);
    let lane: Option<(String, i32)> = prepared!(connection, inner => lane.get_result(inner).optional())?;
    let Some((workspace, priority)) = lane else { return Ok(()) };
    // With the workspace and the priority in the condition, an index range leaves out jobs that are already deferred.
    let earlier = owned()
        .filter(jobs::workspace.eq(workspace).and(jobs::priority.eq(priority)))
        .filter(jobs::ready.lt(ready).and(jobs::worker.is_null()));
    let update = diesel::update(earlier).set(jobs::ready.eq(ready));
    prepared!(connection, inner => update.execute(inner))?;
    Ok(())
}

/// Makes the jobs of an owner at these positions due that no worker has.
pub(crate) fn make_due(
    connection: &mut AnyConnection,
    (queue, owner): (&str, &str),
    places: &[i32],
    now: i64,
) -> Result<(), Failure> {
    let later = || {
        jobs::table
            .filter(jobs::queue.eq(queue).and(jobs::owner.eq(owner)))
            .filter(jobs::worker.is_null().and(jobs::ready.gt(now)))
    };
    match connection {
        AnyConnection::Postgres(inner) => {
            let own = later().filter(jobs::position.eq_any(places));
            diesel::update(own).set(jobs::ready.eq(now)).execute(inner)?;
        }
        AnyConnection::Sqlite(inner) => {
            for place in places {
                let own = later().filter(jobs::position.eq(place));
                diesel::update(own).set(jobs::ready.eq(now)).execute(inner)?;
            }
        }
    }
    Ok(())
}

/// Ends a job.
pub(crate) fn end(connection: &mut AnyConnection, job: &JobKey, token: i64) -> Result<(), Failure> {
    let delete = diesel::delete(held!(job, token));
    require_changed(prepared!(connection, inner => delete.execute(inner))?)
}

/// Whether the token is the job's own.
pub(crate) fn is_leased(connection: &mut AnyConnection, job: &JobKey, token: i64) -> Result<bool, Failure> {
    let query = held!(job, token).select(jobs::position);
    let found: Option<i32> = prepared!(connection, inner => query.get_result(inner).optional())?;
    Ok(found.is_some())
}

fn require_changed(changed: usize) -> Result<(), Failure> {
    if changed == 0 { Err(StoreError::Stale.into()) } else { Ok(()) }
}

pub(super) fn release_worker(
    connection: &mut AnyConnection,
    queue: &'static str,
    worker: &str,
    now: i64,
) -> Result<u64, Failure> {
    let own = jobs::table.filter(jobs::queue.eq(queue).and(jobs::worker.eq(worker)));
    // A worker that still processes it has lost its lease.
    let free = (jobs::worker.eq(None::<String>), jobs::ready.eq(now), jobs::token.eq(jobs::token + 1));
    let update = diesel::update(own).set(free);
    Ok(prepared!(connection, inner => update.execute(inner))? as u64)
}

pub(super) fn expire_other_leases(
    connection: &mut AnyConnection,
    queue: &'static str,
    worker: &str,
    now: i64,
) -> Result<u64, Failure> {
    let others = jobs::worker.gt("").and(jobs::worker.ne(worker));
    let earlier = case_when(jobs::ready.lt(now), jobs::ready).otherwise(now);
    let update =
        diesel::update(jobs::table.filter(jobs::queue.eq(queue).and(others))).set(jobs::ready.eq(earlier));
    Ok(prepared!(connection, inner => update.execute(inner))? as u64)
}

pub(super) fn advance_due_times(
    connection: &mut AnyConnection,
    queue: &'static str,
    latest: i64,
    now: i64,
) -> Result<u64, Failure> {
    let late = jobs::table.filter(jobs::queue.eq(queue).and(jobs::ready.gt(latest)));
    let update = diesel::update(late).set(jobs::ready.eq(now));
    Ok(prepared!(connection, inner => update.execute(inner))? as u64)
}
