//! The conformance suites on the ports in memory.

use std::pin::Pin;
use std::sync::Arc;

use accounts_core::audit::{AuditRepository, MemoryAudit};
use accounts_core::{AccountRepository, MemoryAccounts};

type Test = Pin<Box<dyn Future<Output = ()>>>;

fn accounts(_name: &str, test: impl FnOnce(Arc<dyn AccountRepository>) -> Test) {
    futures_executor::block_on(test(Arc::new(MemoryAccounts::default())));
}

accounts_core::account_repository_contract!(accounts);

fn audit(_name: &str, test: impl FnOnce(Arc<dyn AuditRepository>) -> Test) {
    futures_executor::block_on(test(Arc::new(MemoryAudit::default())));
}

accounts_core::audit_repository_contract!(audit);
