//! Tasks on a tokio runtime.

use futures_util::future::BoxFuture;
use shared_core::Spawn;
use tokio::runtime::Handle;
use tracing::Instrument as _;

/// Spawns tasks on a tokio runtime. They log within the span of their caller.
#[derive(Clone, Debug)]
pub struct TokioSpawn(Handle);

impl TokioSpawn {
    /// Spawns on the runtime of `handle`.
    #[must_use]
    pub fn new(handle: Handle) -> Self {
        Self(handle)
    }

    /// Spawns on the runtime that the caller runs on.
    ///
    /// # Panics
    /// Outside of a tokio runtime.
    #[must_use]
    pub fn current() -> Self {
        Self(Handle::current())
    }
}

impl Spawn for TokioSpawn {
    fn spawn(&self, work: BoxFuture<'static, ()>) {
        self.0.spawn(work.in_current_span());
    }
}
