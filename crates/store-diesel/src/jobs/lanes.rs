//! The lanes of a queue: their waiting jobs and their numbers of leased jobs.

use std::collections::HashMap;

use diesel::{ExpressionMethods as _, QueryDsl as _, RunQueryDsl as _};
use jobs_core::Lane;
use shared_core::WorkspaceId;

use super::ClaimRequest;
use super::rotation::Rotation;
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
        let after = turns.last_owner(&workspace);
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

/// The owners of a workspace that may be next, those after `after` first.
fn list_lanes(
    connection: &mut AnyConnection,
    asked: &ClaimRequest,
    workspace: &str,
    running: &HashMap<String, u32>,
    after: &str,
) -> Result<Vec<Lane>, Failure> {
    // As many as there are permits, besides those that already have leased jobs.
    let limit = match asked.owners {
        None => asked.count as usize + running.len(),
        // The few owners of a drain may stand anywhere.
        Some(_) => usize::MAX,
    };
    let mut owners = list_owners(connection, asked, workspace, after, limit)?;
    if owners.len() < limit && !after.is_empty() {
        let first = self::list_owners(connection, asked, workspace, "", limit - owners.len())?;
        // The order is the database's collation, so only equal names show where the two lists meet.
        let again = first.iter().position(|owner| owners.contains(owner)).unwrap_or(first.len());
        owners.extend(first.into_iter().take(again));
    }
    owners.retain(|owner| asked.owners.as_ref().is_none_or(|only| only.contains(owner)));
    let lane = |owner: String| Lane {
        workspace: WorkspaceId(workspace.to_owned()),
        running: running.get(&owner).copied().unwrap_or_default(),
        owner,
    };
    Ok(owners.into_iter().map(lane).collect())
}

fn list_owners(
    connection: &mut AnyConnection,
    asked: &ClaimRequest,
    workspace: &str,
    after: &str,
    limit: usize,
) -> Result<Vec<String>, Failure> {
    let limit = i64::try_from(limit).unwrap_or(i64::MAX);
    let query = OwnersQuery { queue: asked.queue, workspace, after, now: asked.now, limit };
    Ok(prepared!(connection, inner => query.load(inner))?)
}
