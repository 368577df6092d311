//! The conformance suite on the port in memory.

use std::pin::Pin;
use std::sync::Arc;

use futures_util::future::BoxFuture;
use jobs_core::contract::QueueHarness;
use jobs_core::{Job, JobQueue, MemoryJobs};
use shared_core::{Scope, Timestamp, UserId, WorkspaceId};

type Test = Pin<Box<dyn Future<Output = ()>>>;

struct Memory(MemoryJobs);

impl QueueHarness for Memory {
    fn queue(&self) -> &dyn JobQueue {
        &self.0
    }

    fn put(&self, jobs: Vec<Job>, ready: Timestamp) -> BoxFuture<'_, ()> {
        self.0.put(jobs, ready);
        Box::pin(std::future::ready(()))
    }
}

fn scope(name: &str) -> Scope {
    Scope { workspace: WorkspaceId(name.into()), user: UserId(format!("user-{name}")) }
}

fn jobs(_name: &str, test: impl FnOnce(Arc<dyn QueueHarness>, Scope, Scope) -> Test) {
    futures_executor::block_on(test(Arc::new(Memory(MemoryJobs::default())), scope("own"), scope("other")));
}

jobs_core::job_queue_contract!(jobs);
