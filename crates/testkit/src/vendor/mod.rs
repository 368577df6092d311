//! A model vendor that speaks OpenAI's chat completions, knows the right answer to every made-up paper, counts and
//! charges each group's calls, and goes wrong as often as it is told.

mod faults;
mod ledger;
pub mod paper;
mod speech;

use std::sync::{Arc, MutexGuard};
use std::time::Duration;

use tokio::sync::watch;

use crate::upstream::{Received, Reply, Upstream};

pub use faults::{Fault, Faults, mixed};
use ledger::Ledger;
pub use ledger::{Account, Accounts};

/// How the vendor behaves.
#[derive(Clone, Copy, Debug, Default)]
pub struct Behaviour {
    /// From a request to its answer, at least.
    pub latency: Duration,
    /// What is drawn for each call and added to the latency at most.
    pub jitter: Duration,
    /// What goes wrong.
    pub faults: Faults,
    /// What faults and jitter are drawn from.
    pub seed: u64,
}

/// A running vendor. It stops when it is dropped.
#[derive(Debug)]
pub struct Vendor {
    upstream: Upstream,
    ledger: Arc<Ledger>,
    open: watch::Sender<bool>,
}

impl Vendor {
    /// Starts it on a free port of the loopback address.
    ///
    /// # Errors
    /// No free port, or no thread.
    pub fn start(behaviour: Behaviour) -> anyhow::Result<Self> {
        let ledger = Arc::new(Ledger::default());
        let (open, opened) = watch::channel(true);
        let kept = Arc::clone(&ledger);
        let upstream = Upstream::counting(move |request| {
            let waits = Reply::raw().until(opened.clone());
            reply(&kept, behaviour, request, waits)
        })?;
        Ok(Self { upstream, ledger, open })
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
        self.upstream.until_received(calls).await;
    }

    /// Takes requests but keeps its answers back until [`Vendor::resume`].
    pub fn pause(&self) {
        self.open.send_replace(false);
    }

    /// Answers again.
    pub fn resume(&self) {
        self.open.send_replace(true);
    }
}

/// What a request is answered with, after `waits`.
fn reply(ledger: &Ledger, behaviour: Behaviour, request: &Received, waits: Reply) -> Reply {
    let body = request.json();
    let Some((group, record)) = paper::read(&speech::said(&body)) else {
        ledger.accounts().strangers += 1;
        return waits.followed_by(speech::refused(400, "invalid_request_error", "this is no delivery note"));
    };
    let attempt = ledger.begin(group);
    let drawn = mixed(behaviour.seed ^ mixed((group as u64) << 20 | u64::from(attempt)));
    let jitter = behaviour.jitter.mul_f64((drawn % 1_024) as f64 / 1_024.0);
    let waits = waits.wait(behaviour.latency + jitter);
    let fault = behaviour.faults.of(behaviour.seed, group, attempt);
    let spoken = speech::Spoken::new(record, &body, request.body.len(), fault);
    ledger.end(group, fault, spoken.tokens());
    waits.followed_by(spoken.reply())
}
