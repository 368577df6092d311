//! The lanes of a queue: their waiting jobs and their numbers of leased jobs.

use std::collections::HashMap;

use diesel::{ExpressionMethods as _, QueryDsl as _, RunQueryDsl as _};
use jobs_core::{Lane, Priority};
use shared_core::WorkspaceId;

use super::ClaimRequest;
use super::rotation::{LastOwners, Rotation};
use super::sql::{OwnersQuery, WorkspacesQuery};
use crate::commands;
use crate::connection::{AnyConnection, prepared};
use crate::failure::Failure;
use crate::schema::jobs;

/// The lanes that `jobs_core::share` distributes permits to.
#[derive(Debug, Default)]
pub(super) struct WaitingLanes {
    pub(super) lanes: Vec<Lane>,
    pub(super) running: HashMap<WorkspaceId, u32>,
}

/// Number of jobs that a worker has leased, by workspace and owner.
type LeaseCounts = HashMap<String, HashMap<String, u32>>;

/// The lanes that may be served next. Others are left out, so that the cost depends on the number of free
/// permits and workspaces, not on the number of waiting jobs or owners. No more owners are needed than there
/// are permits. With as many workspaces as permits, those with equally many or more leased jobs come later.
pub(super) fn load_lanes(
    connection: &mut AnyConnection,
    asked: &ClaimRequest,
    turns: &Rotation,
) -> Result<WaitingLanes, Failure> {
    commands::prefer_indexes(connection)?;
    let held = count_leases(connection, asked)?;
    let busy = |workspace: &str| held.get(workspace).map_or(0, |owners| owners.values().sum());
    let query = WorkspacesQuery { queue: asked.queue };
    let mut workspaces: Vec<String> = prepared!(connection, inner => query.load(inner))?;
    turns.rotate(&mut workspaces);
    workspaces.sort_by_key(|workspace| busy(workspace));
    let (none, mut served) = (HashMap::new(), 0);
    let mut found = WaitingLanes::default();
    for workspace in workspaces.into_iter().take_while(|workspace| busy(workspace) < asked.per_workspace) {
        let running = held.get(&workspace).unwrap_or(&none);
        let after = turns.last_owners(&workspace);
        let lanes = list_lanes(connection, asked, &workspace, running, &after)?;
        served += u32::from(!lanes.is_empty());
        found.lanes.extend(lanes);
        if served >= asked.count {
            break;
        }
    }
    found.running = held.keys().map(|workspace| (WorkspaceId(workspace.clone()), busy(workspace))).collect();
    Ok(found)
}

fn count_leases(connection: &mut AnyConnection, asked: &ClaimRequest) -> Result<LeaseCounts, Failure> {
    let query = jobs::table
        .filter(jobs::queue.eq(asked.queue))
        .filter(jobs::worker.eq(&asked.worker))
        .filter(jobs::ready.gt(asked.now))
        // The order leads both planners to the index of workers.
        .order((jobs::worker, jobs::ready))
        .select((jobs::workspace, jobs::owner));
    let rows: Vec<(String, String)> = prepared!(connection, inner => query.load(inner))?;
    let mut held = LeaseCounts::new();
    for (workspace, owner) in rows {
        *held.entry(workspace).or_default().entry(owner).or_default() += 1;
    }
    Ok(held)
}

/// The owners of a workspace that may be next, of each priority those after `after` first.
fn list_lanes(
    connection: &mut AnyConnection,
    asked: &ClaimRequest,
    workspace: &str,
    running: &HashMap<String, u32>,
    after: &LastOwners,
) -> Result<Vec<Lane>, Failure> {
    // As many of each priority as there are permits, besides those that already have leased jobs.
    let limit = match asked.owners {
        None => asked.count as usize + running.len(),
        // The few owners of a drain may stand anywhere.
        Some(_) => usize::MAX,
    };
    let mut owners = list_owners(connection, asked, workspace, after, limit)?;
    let is_short = |(priority, after): (Priority, &String)| {
        !after.is_empty() && owners.iter().filter(|(one, _)| *one == priority).count() < limit
    };
    let short = Priority::ALL.into_iter().zip(after).filter(|one| is_short(*one));
    let short: Vec<Priority> = short.map(|(priority, _)| priority).collect();
    if !short.is_empty() {
        let mut first = list_owners(connection, asked, workspace, &LastOwners::default(), limit)?;
        first.retain(|(priority, _)| short.contains(priority));
        for priority in short {
            // The order is the database's collation, so only equal names show where the two lists meet.
            let own = first.iter().filter(|(one, _)| *one == priority);
            let missing: Vec<_> = own.take_while(|owner| !owners.contains(owner)).cloned().collect();
            owners.extend(missing);
        }
    }
    owners.retain(|(_, owner)| asked.owners.as_ref().is_none_or(|only| only.contains(owner)));
    let lane = |(priority, owner): (Priority, String)| Lane {
        workspace: WorkspaceId(workspace.to_owned()),
        priority,
        running: running.get(&owner).copied().unwrap_or_default(),
        owner,
    };
    Ok(owners.into_iter().map(lane).collect())
}

fn list_owners(
    connection: &mut AnyConnection,
    asked: &ClaimRequest,
    workspace: &str,
    after: &LastOwners,
    limit: usize,
) -> Result<Vec<(Priority, String)>, Failure> {
    let limit = i64::try_from(limit).unwrap_or(i64::MAX);
    let query = OwnersQuery { queue: asked.queue, workspace, after, now: asked.now, limit };
    let rows: Vec<(i32, String)> = prepared!(connection, inner => query.load(inner))?;
    let read = |(rank, owner): (i32, String)| {
        let priority = Priority::ALL.into_iter().find(|priority| priority.rank() == rank);
        Some((priority?, owner))
    };
    Ok(rows.into_iter().filter_map(read).collect())
}
