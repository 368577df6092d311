//! `kill -9` at random moments of a batch before a vendor that counts: nothing finished is lost or paid twice.

use std::collections::HashMap;
use std::time::Duration;

use serde_json::{Value, json};
use testkit::vendor::{Accounts, Behaviour, Vendor, delivery_note, split_mix};

use super::batch::{begin, ended, kept, prepare, run, settings};
use crate::kit::{Home, Server, settle};

const GROUPS: usize = 1_000;
/// Groups in work at the same time, and so the most that a kill can cut off.
const CONCURRENCY: usize = 16;

/// Rounds of killing: some, or as many as the environment says, and the seed of their moments.
#[expect(clippy::disallowed_methods, reason = "long runs are asked for by the environment")]
fn rounds() -> (usize, u64) {
    let number = |name| std::env::var(name).ok().and_then(|text| text.parse().ok());
    (number("FORMWORK_KILLS").unwrap_or(8) as usize, number("FORMWORK_KILLS_SEED").unwrap_or(1))
}

#[tokio::test(flavor = "multi_thread")]
async fn after_each_kill_nothing_finished_is_lost_or_asked_for_again() {
    let (rounds, seed) = rounds();
    killed(rounds, seed, |settings| Some(Home::new(settings))).await;
}

/// The same where several servers may share the database: what a dead one held is free when its lease is over.
pub(crate) async fn killed_on_postgres() {
    let (rounds, seed) = rounds();
    killed(rounds / 2, seed, Home::on_postgres_with).await;
}

/// A batch whose server is killed again and again.
async fn killed(rounds: usize, seed: u64, home: impl FnOnce(&str) -> Option<Home>) {
    let [latency, jitter] = [2, 12].map(Duration::from_millis);
    let vendor = Vendor::start(Behaviour { latency, jitter, seed, ..Behaviour::default() }).unwrap();
    let limits = format!("run_concurrency = {CONCURRENCY}\nlease_seconds = 4");
    let Some(home) = home(&settings(&vendor, &limits, "")) else { return };
    let mut server = home.start();
    let groups = prepare(&server, GROUPS).await;
    let sid = begin(&server, groups).await;
    let mut story = Story { vendor, sid, called: Accounts::default(), stored: HashMap::new(), repeated: 0 };
    for round in 0..rounds {
        story.next_moment(round, rounds, seed).await;
        let shown = kept(&server).await;
        server.kill();
        server = story.restart(&home, &shown).await;
    }
    let ended = ended(&server, sid).await;
    story.ends(&ended, &kept(&server).await);
}

/// What is known of a run between its kills.
struct Story {
    vendor: Vendor,
    sid: u64,
    /// The vendor's accounts at the last start.
    called: Accounts,
    /// What was kept at the last start, by group.
    stored: HashMap<usize, Value>,
    /// Calls in work at the kills, which are all that may be made again.
    repeated: usize,
}

impl Story {
    /// Waits for a number of calls that is drawn so that there is something left for each round. It is counted
    /// from the last start, so that it is reached however late this is asked.
    async fn next_moment(&self, round: usize, rounds: usize, seed: u64) {
        let left = GROUPS - self.stored.len();
        if left > 0 {
            let share = left / (rounds - round + 1);
            let drawn = split_mix(seed ^ split_mix(round as u64)) % share.max(1) as u64;
            self.vendor.until_called(u64::from(self.called.total().calls) + 1 + drawn).await;
        }
    }

    /// Starts the killed server again before a vendor that answers nobody, so that what is kept is what was kept at
    /// the kill; looks at it, and lets the vendor answer.
    async fn restart(&mut self, home: &Home, shown: &HashMap<usize, Value>) -> Server {
        let mut calls = 0;
        settle("the last of the killed server's calls", async || {
            let before = std::mem::replace(&mut calls, self.vendor.calls());
            calls == before && self.vendor.in_flight() == 0
        })
        .await;
        self.vendor.pause();
        let called = self.vendor.ledger().clone();
        let server = home.start();
        let now = kept(&server).await;
        assert_kept(shown, &now);
        let run = run(&server, self.sid).await;
        assert_eq!(run["successful"], now.len(), "what is counted is not what is kept: {run}");
        self.repeated += self.after(&called, &now);
        (self.called, self.stored) = (called, now);
        self.vendor.resume();
        server
    }

    /// Since the last start each group was asked for once at the most, and none that was finished then. Answers how
    /// many were asked for and are not finished now.
    fn after(&self, called: &Accounts, now: &HashMap<usize, Value>) -> usize {
        assert_kept(&self.stored, now);
        assert_eq!(called.unknown_requests, 0, "the vendor was asked for what is not in the batch");
        let mut in_work = 0;
        for group in 0..GROUPS {
            let calls = called.calls(group) - self.called.calls(group);
            let most = u32::from(!self.stored.contains_key(&group));
            assert!(calls <= most, "group {group} was asked for {calls} times, not {most}");
            let finished = now.contains_key(&group);
            assert!(called.calls(group) > 0 || !finished, "group {group} came out of nothing");
            in_work += usize::from(calls > 0 && !finished);
        }
        assert!(in_work <= CONCURRENCY, "{in_work} groups were in work");
        in_work
    }

    /// Everything is done, and right, and was asked for once, but for what the kills cut off.
    fn ends(&self, run: &Value, now: &HashMap<usize, Value>) {
        assert_eq!((&run["state"], &run["successful"]), (&json!("succeeded"), &json!(GROUPS)), "{run}");
        let called = self.vendor.ledger().clone();
        assert_eq!(self.after(&called, now), 0);
        for group in 0..GROUPS {
            let Some(response) = now.get(&group) else { panic!("group {group} is missing") };
            assert!(delivery_note::is_right(group, response), "group {group}: {response}");
        }
        let calls = called.total().calls as usize;
        assert!(calls <= GROUPS + self.repeated, "{calls} calls, {} in work at the kills", self.repeated);
        assert!(self.repeated > 0, "no kill met a call in work");
        // Each group's spend is counted once, whatever the vendor charged for calls that a kill cut off.
        let once = called
            .groups
            .values()
            .map(|account| (account.input_tokens + account.output_tokens) / u64::from(account.calls));
        let spent = |name: &str| run["usage"][name].as_u64().unwrap();
        assert_eq!(spent("inputTokens") + spent("outputTokens"), once.sum::<u64>(), "{run}");
    }
}

/// What was there before is there now, unchanged.
fn assert_kept(before: &HashMap<usize, Value>, now: &HashMap<usize, Value>) {
    for (group, response) in before {
        assert_eq!(now.get(group), Some(response), "group {group} was lost or changed");
    }
}
