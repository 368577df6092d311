//! Fair scheduling: workspaces take turns, and so do the owners within a workspace.

use std::collections::HashMap;

use shared_core::WorkspaceId;

use crate::{Priority, PriorityTurns};

/// What claiming needs to know of the jobs of one owner.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lane {
    /// The workspace.
    pub workspace: WorkspaceId,
    /// The owner of the jobs.
    pub owner: String,
    /// The priority of its jobs.
    pub priority: Priority,
    /// Its jobs that the worker holds.
    pub running: u32,
}

#[derive(Debug)]
struct LaneState {
    lane: Lane,
    granted: u32,
    /// Whether it had fewer jobs than it was granted.
    empty: bool,
}

/// Grants `count` permits to the lanes by max-min fairness. Each permit goes to the workspace with the fewest
/// running jobs, in it to the priority whose turn it is, and of that to the owner with the fewest, up to `per_owner`
/// and `per_workspace`. So a workspace with a million jobs does not starve one with ten.
///
/// `running` counts the jobs that the worker holds in each workspace, including those of lanes without ready jobs. `take`
/// is asked for a number of jobs of a lane. When it returns fewer, the lane is closed.
///
/// # Errors
/// Any error of `take`.
pub fn allocate_fairly<T, E>(
    lanes: Vec<Lane>,
    running: &HashMap<WorkspaceId, u32>,
    (count, per_owner, per_workspace): (u32, u32, u32),
    turns: &mut PriorityTurns,
    mut take: impl FnMut(&Lane, u32) -> Result<Vec<T>, E>,
) -> Result<Vec<T>, E> {
    let mut busy = running.clone();
    let mut open: Vec<LaneState> =
        lanes.into_iter().map(|lane| LaneState { lane, granted: 0, empty: false }).collect();
    let mut taken = Vec::new();
    loop {
        let free = count.saturating_sub(u32::try_from(taken.len()).unwrap_or(u32::MAX));
        let mut grants = vec![0_u32; open.len()];
        for _ in 0..free {
            let Some(next) = next_lane(&open, &busy, (per_owner, per_workspace), turns) else { break };
            let (Some(lane), Some(grant)) = (open.get_mut(next), grants.get_mut(next)) else { break };
            lane.granted += 1;
            *grant += 1;
            *busy.entry(lane.lane.workspace.clone()).or_default() += 1;
        }
        if grants.iter().all(|grant| *grant == 0) {
            return Ok(taken);
        }
        for (lane, grant) in open.iter_mut().zip(grants).filter(|(_, grant)| *grant > 0) {
            let jobs = take(&lane.lane, grant)?;
            let missing = grant.saturating_sub(u32::try_from(jobs.len()).unwrap_or(u32::MAX));
            lane.empty = missing > 0;
            if let Some(busy) = busy.get_mut(&lane.lane.workspace) {
                *busy -= missing;
            }
            taken.extend(jobs);
        }
    }
}

fn next_lane(
    open: &[LaneState],
    busy: &HashMap<WorkspaceId, u32>,
    (per_owner, per_workspace): (u32, u32),
    turns: &mut PriorityTurns,
) -> Option<usize> {
    let of = |lane: &LaneState| busy.get(&lane.lane.workspace).copied().unwrap_or_default();
    let own = |lane: &LaneState| lane.lane.running.saturating_add(lane.granted);
    let has_room = |lane: &LaneState| !lane.empty && own(lane) < per_owner && of(lane) < per_workspace;
    let waiting = || open.iter().enumerate().filter(|(_, lane)| has_room(lane));
    let (_, first) = waiting().min_by_key(|(index, lane)| (of(lane), own(lane), *index))?;
    let workspace = &first.lane.workspace;
    let rivals = || waiting().filter(|(_, lane)| lane.lane.workspace == *workspace);
    let priority = turns.next(workspace, |one| rivals().any(|(_, lane)| lane.lane.priority == one));
    rivals()
        .filter(|(_, lane)| lane.lane.priority == priority)
        .min_by_key(|(index, lane)| (own(lane), *index))
        .map(|(index, _)| index)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    fn lane(workspace: &str, owner: &str, running: u32) -> Lane {
        let priority = Priority::Normal;
        Lane { workspace: WorkspaceId(workspace.into()), owner: owner.into(), priority, running }
    }

    /// Allocates from lanes with the given numbers of jobs; returns how many each gave.
    fn given(lanes: &[(Lane, u32)], limits: (u32, u32, u32)) -> Vec<u32> {
        let mut left: HashMap<String, u32> =
            lanes.iter().map(|(lane, jobs)| (lane.owner.clone(), *jobs)).collect();
        let mut busy = HashMap::new();
        for (lane, _) in lanes {
            *busy.entry(lane.workspace.clone()).or_default() += lane.running;
        }
        let mut closed = HashSet::new();
        let taken = allocate_fairly(
            lanes.iter().map(|(lane, _)| lane.clone()).collect(),
            &busy,
            limits,
            &mut PriorityTurns::default(),
            |lane, count| {
                assert!(count > 0 && !closed.contains(&lane.owner), "it is asked for nothing in vain");
                let left = left.get_mut(&lane.owner).unwrap();
                let give = count.min(*left);
                if give < count {
                    closed.insert(lane.owner.clone());
                }
                *left -= give;
                Ok::<_, ()>(vec![lane.owner.clone(); give as usize])
            },
        );
        let taken = taken.unwrap();
        let of = |owner: &str| u32::try_from(taken.iter().filter(|one| *one == owner).count()).unwrap();
        lanes.iter().map(|(lane, _)| of(&lane.owner)).collect()
    }

    #[test]
    fn a_workspace_with_a_million_jobs_waits_for_its_turn_behind_one_with_ten() {
        let lanes = [(lane("big", "1", 0), 1_000_000), (lane("small", "2", 0), 10)];
        assert_eq!(given(&lanes, (16, 64, 64)), [8, 8]);
        assert_eq!(given(&lanes, (64, 64, 64)), [54, 10]);
        let lanes = [(lane("big", "1", 60), 1_000_000), (lane("small", "2", 0), 10)];
        assert_eq!(given(&lanes, (4, 64, 64)), [0, 4], "who has fewer running is served first");
    }

    #[test]
    fn many_runs_do_not_give_a_workspace_more_turns() {
        let mut lanes: Vec<(Lane, u32)> = (0..9).map(|n| (lane("many", &n.to_string(), 0), 100)).collect();
        lanes.push((lane("one", "x", 0), 100));
        let given = given(&lanes, (18, 64, 64));
        assert_eq!(given.last(), Some(&9));
        assert!(given[..9].iter().all(|count| *count == 1), "{given:?}");
    }

    #[test]
    fn an_owner_and_a_workspace_have_no_more_than_their_limits() {
        let lanes = [(lane("a", "1", 2), 100), (lane("a", "2", 0), 100)];
        assert_eq!(given(&lanes, (100, 5, 100)), [3, 5]);
        assert_eq!(given(&lanes, (100, 5, 7)), [2, 3]);
        assert_eq!(given(&lanes, (100, 2, 2)), [0, 0]);
    }

    #[test]
    fn a_priority_counts_within_its_workspace_alone() {
        let of = |workspace, owner, priority| Lane { priority, ..lane(workspace, owner, 0) };
        let lanes = [
            (of("a", "low", Priority::Low), 100),
            (of("a", "high", Priority::High), 100),
            (of("b", "other", Priority::Low), 100),
        ];
        assert_eq!(given(&lanes, (34, 64, 64)), [1, 16, 17]);
        assert_eq!(given(&lanes, (34, 10, 64)), [10, 10, 10], "what the first may not hold goes to the next");
    }

    #[test]
    fn places_that_one_lane_cannot_fill_go_to_the_others() {
        let lanes = [(lane("a", "1", 0), 1), (lane("b", "2", 0), 0), (lane("c", "3", 0), 100)];
        assert_eq!(given(&lanes, (10, 64, 64)), [1, 0, 9]);
        let lanes = [(lane("a", "1", 0), 1), (lane("a", "2", 0), 100)];
        assert_eq!(given(&lanes, (10, 64, 5)), [1, 4], "nor do they count for the workspace");
    }
}
