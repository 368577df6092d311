//! A scripted model vendor. It speaks OpenAI's chat completions, knows the correct record of every synthetic
//! delivery note and report, returns embeddings, counts and charges the calls of each group, and injects faults at
//! random or on demand.

mod corruption;
pub mod delivery_note;
mod embedding;
mod faults;
mod ledger;
mod openai;
pub mod report;

use std::sync::Arc;
use std::time::Duration;

use parking_lot::MutexGuard;
use tokio::sync::watch;

use crate::upstream::{ReceivedRequest, Reply, Upstream};

pub use faults::{Fault, FaultRates, ForcedFault, split_mix};
use ledger::Ledger;
pub use ledger::{Accounts, CallAccount};

/// The behaviour of a vendor.
#[derive(Clone, Copy, Debug, Default)]
pub struct Behaviour {
    /// The minimum time from a request to its reply.
    pub latency: Duration,
    /// The maximum random addition to the latency.
    pub jitter: Duration,
    /// Faults at random.
    pub faults: FaultRates,
    /// A forced fault; it takes precedence over random ones.
    pub failure: Option<ForcedFault>,
    /// The seed of faults and jitter.
    pub seed: u64,
}

/// A running vendor. Dropping it stops it.
#[derive(Debug)]
pub struct Vendor {
    upstream: Upstream,
    ledger: Arc<Ledger>,
    open: watch::Sender<bool>,
    released: watch::Sender<bool>,
}

/// The signals that a reply waits for.
#[derive(Clone, Debug)]
struct ReplySignals {
    open: watch::Receiver<bool>,
    released: watch::Receiver<bool>,
}

impl Vendor {
    /// Starts it on a free port of the loopback address.
    ///
    /// # Errors
    /// No free port, or no thread.
    pub fn start(behaviour: Behaviour) -> anyhow::Result<Self> {
        let ledger = Arc::new(Ledger::default());
        let ((open, opened), (released, late)) = (watch::channel(true), watch::channel(false));
        let kept = Arc::clone(&ledger);
        let gates = ReplySignals { open: opened, released: late };
        let upstream = Upstream::start_counting(move |request| reply(&kept, behaviour, request, &gates))?;
        Ok(Self { upstream, ledger, open, released })
    }

    /// Starts a vendor with a forced fault.
    ///
    /// # Errors
    /// As [`Vendor::start`].
    pub fn failing(failure: ForcedFault) -> anyhow::Result<Self> {
        Self::start(Behaviour { failure: Some(failure), ..Behaviour::default() })
    }

    /// `http://127.0.0.1:<port>`.
    #[must_use]
    pub fn url(&self) -> String {
        self.upstream.url()
    }

    /// The accounts so far. The vendor sends no replies while the guard is held.
    pub fn ledger(&self) -> MutexGuard<'_, Accounts> {
        self.ledger.accounts()
    }

    /// The number of requests received.
    #[must_use]
    pub fn calls(&self) -> u64 {
        self.upstream.count()
    }

    /// Requests received that have no complete reply yet.
    #[must_use]
    pub fn in_flight(&self) -> u64 {
        let answered = self.upstream.answered();
        self.upstream.count().saturating_sub(answered)
    }

    /// Waits until `calls` requests were received.
    pub async fn until_called(&self, calls: u64) {
        self.upstream.wait_for_requests(calls).await;
    }

    /// Accepts requests but holds replies back until [`Vendor::resume`].
    pub fn pause(&self) {
        self.open.send_replace(false);
    }

    /// Sends replies again.
    pub fn resume(&self) {
        self.open.send_replace(true);
    }

    /// Sends the replies that are [`Fault::Late`], current and future ones.
    pub fn release(&self) {
        self.released.send_replace(true);
    }
}

impl Behaviour {
    /// The fault of a group's attempt (from 0).
    fn fault(&self, group: usize, attempt: u32) -> Option<Fault> {
        let certain = self.failure.filter(|failure| failure.applies(group, attempt));
        certain.map(|failure| failure.fault).or_else(|| self.faults.draw(self.seed, group, attempt))
    }
}

/// The reply to a request.
fn reply(ledger: &Ledger, behaviour: Behaviour, request: &ReceivedRequest, gates: &ReplySignals) -> Reply {
    let (body, waits) = (request.json(), Reply::raw().until(gates.open.clone()));
    let bytes = request.body.len();
    let late = |waits: Reply, fault| match fault {
        Some(Fault::Late) => waits.until(gates.released.clone()),
        _ => waits,
    };
    if request.path.ends_with("/embeddings") {
        let attempt = ledger.embed(|attempt| embedding::tokens(bytes, behaviour.fault(0, attempt)));
        let fault = behaviour.fault(0, attempt);
        return late(waits, fault).followed_by(embedding::reply(&body, bytes, fault));
    }
    let sent = openai::prompt_text(&body);
    let read = delivery_note::read(&sent).or_else(|| Some((0, report::read(&sent)?)));
    let Some((group, record)) = read else {
        ledger.accounts().unknown_requests += 1;
        return waits.followed_by(openai::error_reply(
            400,
            "invalid_request_error",
            "this is no delivery note and no report",
        ));
    };
    let attempt = ledger.begin(group);
    let drawn = split_mix(behaviour.seed ^ split_mix((group as u64) << 20 | u64::from(attempt)));
    let jitter = behaviour.jitter.mul_f64((drawn % 1_024) as f64 / 1_024.0);
    let waits = waits.wait(behaviour.latency + jitter);
    let fault = behaviour.fault(group, attempt);
    let spoken = openai::CompletionReply::new(record, &body, (&sent, bytes), fault);
    ledger.end(group, fault, spoken.tokens());
    late(waits, fault).followed_by(spoken.reply())
}
