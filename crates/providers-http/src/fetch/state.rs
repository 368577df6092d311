//! What all fetches of a fetcher share: clients, policy, limits and cache.

use std::io;
use std::sync::Arc;

use shared_core::Clock;
use utilities_core::web::FetchPolicy;

use super::cache::Cache;
use super::connect::Clients;
use super::host_limiter::HostLimiter;
use super::resolve::Resolver;
use super::robots::Rules;
use super::settings::FetchSettings;
use super::temp_body::Folder;
use crate::transport::TransportError;

/// Why a fetcher cannot be created.
#[derive(Debug, thiserror::Error)]
pub enum FetcherError {
    /// Its HTTP clients.
    #[error(transparent)]
    Transport(#[from] TransportError),
    /// Its temporary folder.
    #[error("the folder of fetched files could not be created or emptied")]
    Folder(#[from] io::Error),
}

/// What all fetches share.
#[derive(Debug)]
pub(super) struct FetcherState {
    pub(super) settings: FetchSettings,
    pub(super) policy: Arc<FetchPolicy>,
    pub(super) clients: Clients,
    pub(super) gate: HostLimiter,
    pub(super) rules: Rules,
    pub(super) folder: Folder,
    pub(super) clock: Arc<dyn Clock>,
    pub(super) cache: Cache,
}

impl FetcherState {
    pub(super) fn new(
        settings: FetchSettings,
        resolver: Arc<dyn Resolver>,
        clock: Arc<dyn Clock>,
    ) -> Result<Self, FetcherError> {
        let policy = Arc::new(settings.policy.clone());
        Ok(Self {
            clients: Clients::new(&settings, &policy, &resolver)?,
            gate: HostLimiter::new(&settings),
            rules: Rules::default(),
            folder: Folder::new(&settings.folder)?,
            cache: Cache::new(settings.keep_bytes),
            clock,
            policy,
            settings,
        })
    }
}
