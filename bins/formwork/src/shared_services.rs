//! Services that the command line uses, too.

use std::sync::Arc;

use accounts_core::AccountsService;
use accounts_core::audit::AuditService;
use accounts_core::usage::UsageService;
use gen_core::{GenService, NoopMeter};
use runtime_tokio::{SystemRng, TokioOffload};
use shared_core::{Clock, Rng, SystemClock};
use store_diesel::{Database, DieselAccounts, DieselAudit, DieselUsage};

use crate::background::OffloadedExtractive;
use crate::generation::{self, GenerationPorts, local};
use crate::settings::{Settings, threads};

/// The accounts service over a database.
pub(crate) fn accounts(database: &Database) -> AccountsService {
    let (clock, ids) = ports(database);
    AccountsService::new(Arc::new(DieselAccounts::new(database.clone())), clock, ids)
}

/// The audit log over a database, for so many days.
pub(crate) fn audit(database: &Database, days: u32) -> AuditService {
    let (clock, ids) = ports(database);
    AuditService::new(Arc::new(DieselAudit::new(database.clone())), clock, ids, days)
}

/// The usage service over a database.
pub(crate) fn usage(database: &Database) -> UsageService {
    UsageService::new(Arc::new(DieselUsage::new(database.clone())), database.clock())
}

/// The models that the settings name, for the command line. Usage is not recorded.
///
/// # Errors
/// One sentence for the operator.
pub(crate) fn generation(settings: &Settings) -> anyhow::Result<GenService> {
    let (clock, ids): (Arc<dyn Clock>, Arc<dyn Rng>) = (Arc::new(SystemClock), Arc::new(SystemRng));
    let threads = threads(settings.workers.model_threads);
    let extractive = OffloadedExtractive::new(TokioOffload::new(threads));
    let meter = Arc::new(NoopMeter);
    let model_folders = local::folders(settings)?;
    let (metrics, trace) = (None, None);
    let ports = GenerationPorts { extractive, model_folders, threads, meter, clock, ids, metrics, trace };
    generation::service(&settings.models, ports)
}

pub(crate) fn ports(database: &Database) -> (Arc<dyn Clock>, Arc<dyn Rng>) {
    (database.clock(), Arc::new(SystemRng))
}
