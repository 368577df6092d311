//! The state that all calls share: backends and ports.

use std::sync::Arc;

use shared_core::Rng;

use super::backend::{Route, Routes, Target};
use super::list_cache::Models;
use super::optional_timer::OptionalTimer;
use super::{Incident, Observer, RetryPolicy};
use crate::catalogue::Catalogue;
use crate::{Meter, ProviderError, Spend, Usage};

/// The backends, and the ports around them.
#[derive(Debug)]
pub(crate) struct Gateway {
    pub(crate) routes: Routes,
    pub(crate) retry: RetryPolicy,
    pub(crate) pace: OptionalTimer,
    pub(crate) meter: Arc<dyn Meter>,
    pub(crate) rng: Arc<dyn Rng>,
    pub(crate) observer: Arc<dyn Observer>,
    pub(crate) catalogue: Catalogue,
}

impl Gateway {
    /// Random bits.
    pub(super) fn random(&self) -> u64 {
        let mut bytes = [0; 8];
        self.rng.fill(&mut bytes);
        u64::from_le_bytes(bytes)
    }

    /// The cost of a call: by image where images have a price of their own, else by token.
    pub(crate) fn spend(&self, target: &Target, usage: Usage, pictures: u64) -> Spend {
        let price = self.catalogue.price(&target.id);
        let cost = price.and_then(|price| price.cost_of_pictures(pictures).or_else(|| price.cost(&usage)));
        Spend { usage, cost }
    }

    /// The models that a backend lists; `None` when there is no list.
    pub(crate) async fn listed_models(&self, route: &Route) -> Option<Models> {
        let list = route.backend.list.as_ref()?;
        let report = |error: &ProviderError| {
            self.note(&Incident::ListFailed { upstream: &route.upstream, error });
        };
        route.list.get(&self.pace, list, route.backend.timeouts.list, report).await
    }

    pub(super) fn note(&self, incident: &Incident<'_>) {
        self.observer.note(incident);
    }
}
