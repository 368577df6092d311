//! Priorities of owners, and how the permits of a workspace are divided between them.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};
use shared_core::WorkspaceId;

/// The priority of an owner: all of its jobs have the same. It counts within a workspace only.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Priority {
    /// Before the others.
    High,
    /// The default.
    #[default]
    Normal,
    /// After the others.
    Low,
}

impl Priority {
    /// All priorities, the first to be served first.
    pub const ALL: [Self; 3] = [Self::High, Self::Normal, Self::Low];

    /// The priority with this name.
    #[must_use]
    pub fn of_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|priority| priority.name() == name)
    }

    /// The name in requests and responses.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::High => "high",
            Self::Normal => "normal",
            Self::Low => "low",
        }
    }

    /// The number in stores: 0 is served first.
    #[must_use]
    pub fn rank(self) -> i32 {
        match self {
            Self::High => 0,
            Self::Normal => 1,
            Self::Low => 2,
        }
    }

    /// The share of permits beside other priorities that wait. Chosen by hand: part of the interface.
    fn weight(self) -> i32 {
        match self {
            Self::High => 16,
            Self::Normal => 4,
            Self::Low => 1,
        }
    }
}

/// Whose turn it is in each workspace, by smooth weighted round-robin: of 21 permits in a row, jobs of high priority
/// get 16, normal ones 4 and low ones 1, as long as all three wait. A priority without jobs leaves its permits to the
/// others, so that none starves.
/// (<https://github.com/nginx/nginx/commit/52327e0627f49dbda1e8db695e63a4b0af4448b1>)
#[derive(Clone, Debug, Default)]
pub struct PriorityTurns(HashMap<WorkspaceId, [i32; Priority::ALL.len()]>);

impl PriorityTurns {
    /// The priority that gets the next permit of the workspace, of those that wait there; the default if none waits.
    pub(crate) fn next(&mut self, workspace: &WorkspaceId, waiting: impl Fn(Priority) -> bool) -> Priority {
        let waiting = Priority::ALL.map(|priority| Some(priority).filter(|one| waiting(*one)));
        let mut rivals = waiting.into_iter().flatten();
        if let (Some(only), None) = (rivals.next(), rivals.next()) {
            return only;
        }
        let credits = self.0.entry(workspace.clone()).or_default();
        let (mut next, mut most, mut total) = (Priority::default(), i32::MIN, 0);
        for (credit, priority) in credits.iter_mut().zip(waiting) {
            let Some(priority) = priority else { continue };
            *credit += priority.weight();
            total += priority.weight();
            if *credit > most {
                (next, most) = (priority, *credit);
            }
        }
        if let Some((credit, _)) = credits.iter_mut().zip(Priority::ALL).find(|(_, one)| *one == next) {
            *credit -= total;
        }
        next
    }

    /// Forgets the workspaces that are not `kept`.
    pub fn retain(&mut self, kept: impl Fn(&WorkspaceId) -> bool) {
        self.0.retain(|workspace, _| kept(workspace));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The turns of these priorities, as many as `count`.
    fn turns(count: usize, waiting: &[Priority]) -> Vec<Priority> {
        let mut turns = PriorityTurns::default();
        let workspace = WorkspaceId("w".into());
        (0..count).map(|_| turns.next(&workspace, |priority| waiting.contains(&priority))).collect()
    }

    fn served(turns: &[Priority]) -> [usize; 3] {
        Priority::ALL.map(|priority| turns.iter().filter(|one| **one == priority).count())
    }

    #[test]
    fn a_higher_priority_comes_first_and_none_starves() {
        let all = turns(42, &Priority::ALL);
        assert_eq!((all[0], served(&all)), (Priority::High, [32, 8, 2]));
        let two = turns(10, &[Priority::Normal, Priority::Low]);
        assert_eq!((two[0], served(&two)), (Priority::Normal, [0, 8, 2]));
        assert_eq!(served(&turns(5, &[Priority::Low])), [0, 0, 5]);
    }

    #[test]
    fn a_priority_that_had_no_jobs_has_saved_no_turns() {
        let mut turns = PriorityTurns::default();
        let workspace = WorkspaceId("w".into());
        for _ in 0..1_000 {
            turns.next(&workspace, |priority| priority != Priority::High);
        }
        let then: Vec<Priority> = (0..21).map(|_| turns.next(&workspace, |_| true)).collect();
        let [high, normal, low] = served(&then);
        assert!((15..=17).contains(&high) && (3..=5).contains(&normal) && low <= 2, "{then:?}");
    }

    #[test]
    fn names_and_ranks_agree_with_the_order() {
        for (rank, priority) in (0..).zip(Priority::ALL) {
            assert_eq!((priority.rank(), Priority::of_name(priority.name())), (rank, Some(priority)));
        }
        assert_eq!(Priority::of_name("urgent"), None);
    }
}
