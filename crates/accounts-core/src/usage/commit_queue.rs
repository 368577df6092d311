//! What waits for the next commit. The calls that arrive during one commit share the next, so that the cost of a commit
//! is divided between them.

use std::collections::VecDeque;
use std::sync::Arc;

use event_listener::Event;
use futures_channel::oneshot;
use parking_lot::Mutex;
use shared_core::StoreError;

use super::batch::repeat_error;
use super::{
    CallOpening, CallUsage, Ledger, OpenedCall, OpeningOutcome, UsageBatch, UsageEntry, WindowSettlement,
};
use crate::Money;

/// Accounts in the ledger at most; each takes some hundred bytes.
const LEDGER_CAPACITY: usize = 20_000;
/// Calls that wait to be opened at most; further ones are refused. As many as operations wait for the database.
const OPENINGS_CAPACITY: usize = 8_192;
/// Entries, and openings, of one commit at most.
const BATCH: usize = 1_000;

type SettlementSender = oneshot::Sender<Result<(), StoreError>>;
type OpeningSender = oneshot::Sender<Result<OpeningResult, StoreError>>;

/// Calls to open and usage to record.
#[derive(Debug)]
pub(super) struct CommitQueue {
    ledger: Ledger,
    waiting: Mutex<QueueState>,
    arrived: Event,
}

#[derive(Debug, Default)]
struct QueueState {
    openings: VecDeque<(CallOpening, OpeningSender)>,
    /// Callers whose usage is in the ledger.
    settled: Vec<SettlementSender>,
    /// Whether the ledger has usage that no commit has taken.
    is_recorded: bool,
}

/// The outcome of an opening on its way to the caller. If the caller is gone, an opened call is closed again.
#[derive(Debug)]
pub(super) struct OpeningResult {
    outcome: OpeningOutcome,
    /// `None` once the caller has it.
    orphan: Option<Orphan>,
}

#[derive(Debug)]
struct Orphan {
    queue: Arc<CommitQueue>,
    opening: CallOpening,
    call: OpenedCall,
}

impl OpeningResult {
    /// Hands the outcome over.
    pub(super) fn take(mut self) -> OpeningOutcome {
        self.orphan = None;
        self.outcome
    }
}

impl Drop for OpeningResult {
    fn drop(&mut self) {
        let Some(Orphan { queue, opening: CallOpening { account, estimate, .. }, call }) = self.orphan.take()
        else {
            return;
        };
        // The call was not made, so it used nothing.
        let usage = CallUsage { cost: Some(Money(0)), ..CallUsage::default() };
        let windows = call.windows.map(|windows| WindowSettlement { windows, estimate, usage });
        queue.record(UsageEntry::unused(account, call.id, windows));
    }
}

impl CommitQueue {
    pub(super) fn new() -> Self {
        Self { ledger: Ledger::new(LEDGER_CAPACITY), waiting: Mutex::default(), arrived: Event::new() }
    }

    /// Adds a call to open.
    ///
    /// # Errors
    /// When too many wait.
    pub(super) fn open(
        &self,
        opening: CallOpening,
    ) -> Result<oneshot::Receiver<Result<OpeningResult, StoreError>>, StoreError> {
        let (sender, receiver) = oneshot::channel();
        let mut waiting = self.waiting.lock();
        if waiting.openings.len() >= OPENINGS_CAPACITY {
            return Err(StoreError::Unavailable("too many calls wait for their reservation".into()));
        }
        waiting.openings.push_back((opening, sender));
        drop(waiting);
        self.arrived.notify(usize::MAX);
        Ok(receiver)
    }

    /// Adds usage that nobody waits for.
    pub(super) fn record(&self, entry: UsageEntry) {
        self.ledger.add(entry);
        self.waiting.lock().is_recorded = true;
        self.arrived.notify(usize::MAX);
    }

    /// Adds usage. The receiver gets the result of the commit that has it.
    pub(super) fn settle(&self, entry: UsageEntry) -> oneshot::Receiver<Result<(), StoreError>> {
        let (sender, receiver) = oneshot::channel();
        // First the entry: a commit that takes the sender must have the entry, too.
        self.ledger.add(entry);
        let mut waiting = self.waiting.lock();
        waiting.is_recorded = true;
        waiting.settled.push(sender);
        drop(waiting);
        self.arrived.notify(usize::MAX);
        receiver
    }

    /// Waits until there is something to commit; only for calls to open if `openings_only`.
    pub(super) async fn arrival(&self, openings_only: bool) {
        loop {
            let listener = self.arrived.listen();
            if self.has_arrived(openings_only) {
                return;
            }
            listener.await;
        }
    }

    fn has_arrived(&self, openings_only: bool) -> bool {
        let waiting = self.waiting.lock();
        !waiting.openings.is_empty() || (!openings_only && waiting.is_recorded)
    }

    /// The number of calls that found no room in the ledger since the last call of this method.
    pub(super) fn take_dropped(&self) -> u64 {
        self.ledger.take_dropped()
    }

    /// Takes what the next commit stores; `None` when nothing waits.
    pub(super) fn take(self: &Arc<Self>) -> Option<PendingCommit> {
        let mut waiting = self.waiting.lock();
        let count = waiting.openings.len().min(BATCH);
        let awaited = waiting.openings.drain(..count).filter(|(_, caller)| !caller.is_canceled());
        let (openings, opened) = awaited.unzip();
        let settled = std::mem::take(&mut waiting.settled);
        waiting.is_recorded = false;
        drop(waiting);
        let mut entries = self.ledger.take(BATCH);
        // One order on all servers prevents deadlocks between their transactions.
        entries.sort_by(|a, b| a.account.cmp(&b.account));
        let mut taken = PendingCommit {
            queue: Arc::clone(self),
            batch: Arc::new(UsageBatch { openings, entries }),
            opened,
            settled,
        };
        if taken.batch.entries.len() == BATCH {
            // There may be more, with the usage of some of these callers.
            let mut waiting = self.waiting.lock();
            waiting.is_recorded = true;
            waiting.settled.append(&mut taken.settled);
        }
        (!taken.batch.entries.is_empty() || !taken.batch.openings.is_empty() || !taken.settled.is_empty())
            .then_some(taken)
    }
}

/// A batch, and the callers that wait for it.
#[derive(Debug)]
pub(super) struct PendingCommit {
    queue: Arc<CommitQueue>,
    pub(super) batch: Arc<UsageBatch>,
    opened: Vec<OpeningSender>,
    settled: Vec<SettlementSender>,
}

impl PendingCommit {
    /// Tells the callers that the batch is stored, and what became of the openings, in their order.
    pub(super) fn complete(self, outcomes: Vec<OpeningOutcome>) {
        // The store is done with it, so that nothing is copied.
        let UsageBatch { openings, .. } = Arc::unwrap_or_clone(self.batch);
        let results = openings.into_iter().zip(outcomes).map(|(opening, outcome)| {
            let orphan = match outcome {
                OpeningOutcome::Opened(call) => {
                    Some(Orphan { queue: Arc::clone(&self.queue), opening, call })
                }
                OpeningOutcome::Refused(_) | OpeningOutcome::UnknownKey => None,
            };
            OpeningResult { outcome, orphan }
        });
        // Where the caller is gone, the returned result is dropped, which closes the call.
        self.opened.into_iter().zip(results).for_each(|(caller, result)| drop(caller.send(Ok(result))));
        self.settled.into_iter().for_each(|caller| drop(caller.send(Ok(()))));
    }

    /// Tells the callers that the batch failed. The usage waits for the next commit.
    pub(super) fn fail(self, error: &StoreError) {
        let batch = Arc::unwrap_or_clone(self.batch);
        if !batch.entries.is_empty() {
            self.queue.ledger.restore(batch.entries);
            self.queue.waiting.lock().is_recorded = true;
        }
        self.opened.into_iter().for_each(|caller| drop(caller.send(Err(repeat_error(error)))));
        self.settled.into_iter().for_each(|caller| drop(caller.send(Err(repeat_error(error)))));
    }
}
