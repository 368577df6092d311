//! A model vendor that speaks OpenAI's chat completions, knows the right answer to every made-up paper, counts and
//! charges each group's calls, makes vectors of texts, and goes wrong as often or as certainly as it is told.

mod corruption;
pub mod delivery_note;
mod embedding;
mod faults;
mod ledger;
mod openai;

use parking_lot::MutexGuard;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;

use crate::upstream::{ReceivedRequest, Reply, Upstream};

pub use faults::{Fault, FaultRates, ForcedFault, split_mix};
use ledger::Ledger;
pub use ledger::{Accounts, CallAccount};

/// How the vendor behaves.
#[derive(Clone, Copy, Debug, Default)]
pub struct Behaviour {
    /// From a request to its answer, at least.
    pub latency: Duration,
    /// What is drawn for each call and added to the latency at most.
    pub jitter: Duration,
    /// What goes wrong by chance.
    pub faults: FaultRates,
    /// What goes wrong for certain; it goes before what is drawn.
    pub failure: Option<ForcedFault>,
    /// What faults and jitter are drawn from.
    pub seed: u64,
}

/// A running vendor. It stops when it is dropped.
#[derive(Debug)]
pub struct Vendor {
    upstream: Upstream,
    ledger: Arc<Ledger>,
    open: watch::Sender<bool>,
    released: watch::Sender<bool>,
}

/// The gates that an answer waits at.
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

    /// Starts one whose calls meet a failure.
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

    /// What was asked and charged so far. The vendor answers nobody while this is held.
    pub fn ledger(&self) -> MutexGuard<'_, Accounts> {
        self.ledger.accounts()
    }

    /// Requests that came.
    #[must_use]
    pub fn calls(&self) -> u64 {
        self.upstream.count()
    }

    /// Requests that came and have no whole answer yet.
    #[must_use]
    pub fn in_flight(&self) -> u64 {
        let answered = self.upstream.answered();
        self.upstream.count().saturating_sub(answered)
    }

    /// Waits until so many requests came.
    pub async fn until_called(&self, calls: u64) {
        self.upstream.wait_for_requests(calls).await;
    }

    /// Takes requests but keeps its answers back until [`Vendor::resume`].
    pub fn pause(&self) {
        self.open.send_replace(false);
    }

    /// Answers again.
    pub fn resume(&self) {
        self.open.send_replace(true);
    }

    /// Gives the answers that are [`Fault::Late`], those to come as well.
    pub fn release(&self) {
        self.released.send_replace(true);
    }
}

impl Behaviour {
    /// What goes wrong with an attempt, from 0, of a group.
    fn fault(&self, group: usize, attempt: u32) -> Option<Fault> {
        let certain = self.failure.filter(|failure| attempt < failure.calls);
        certain.map(|failure| failure.fault).or_else(|| self.faults.draw(self.seed, group, attempt))
    }
}

/// What a request is answered with.
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
    let Some((group, record)) = delivery_note::read(&sent) else {
        ledger.accounts().unknown_requests += 1;
        return waits.followed_by(openai::error_reply(
            400,
            "invalid_request_error",
            "this is no delivery note",
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
