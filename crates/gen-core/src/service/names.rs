//! Resolves model ids to backends.

use std::sync::Arc;

use super::{GenService, ModelChoice};
use crate::catalogue::{KindGuess, guess, guess_open_model};
use crate::routing::{Route, Target};
use crate::suggestions::nearest;
use crate::{GenError, ModelId, ModelKind, Provider, Upstream};

/// Maximum number of models in an error message. Chosen by hand; no measurement is recorded.
const EXAMPLES: usize = 5;

impl GenService {
    /// Whether a model may be configured: its provider is known, and does not lack the model as far as is
    /// known without a fetch. The provider may still lack a key.
    ///
    /// # Errors
    /// [`GenError::UnknownModel`] for an unknown model under `formwork`.
    pub fn check(&self, id: &ModelId) -> Result<(), GenError> {
        let unknown = || self.unknown_model(id);
        if id.provider != Provider::Formwork || id.is_extractive() {
            return Ok(());
        }
        let Some((server, model)) = id.server() else {
            return if self.has_own(&id.model) { Ok(()) } else { Err(unknown()) };
        };
        let route = self.gateway.routes.get(&Upstream::Server(server)).ok_or_else(unknown)?;
        let backend = &route.backend;
        let listed = backend.models.iter().any(|listed| listed.model == model);
        if listed || backend.list.is_some() || backend.models.is_empty() { Ok(()) } else { Err(unknown()) }
    }

    /// The error of an unknown own model, with suggestions.
    fn unknown_model(&self, id: &ModelId) -> GenError {
        let own = self.gateway.routes.iter().filter(|route| route.upstream.provider() == id.provider);
        let known = own.flat_map(|route| self.known_models(route)).map(|model| model.id.to_string());
        let (nearest, servers) = (nearest(&id.to_string(), known), self.gateway.routes.servers());
        GenError::UnknownModel { model: id.to_string(), servers, nearest }
    }

    /// Whether the service itself has a model of this name beside [`EXTRACTIVE`](crate::EXTRACTIVE).
    fn has_own(&self, model: &str) -> bool {
        let own = self.gateway.routes.get(&Upstream::Provider(Provider::Formwork));
        own.is_some_and(|route| route.backend.models.iter().any(|listed| listed.model == model))
    }

    /// Whether a model may be configured for a capability: it passes [`Self::check`], and nothing known of it
    /// contradicts the capability. The provider may still lack a key.
    ///
    /// # Errors
    /// [`GenError::UnknownModel`], [`GenError::UnsupportedKind`].
    pub fn check_for(&self, id: &ModelId, kind: ModelKind) -> Result<(), GenError> {
        self.check(id)?;
        let able = self.target(id).map_or(true, |target| target.route.backend.supports(kind));
        if able && self.known_kind(id).is_none_or(|known| known == kind) && !self.is_other_capability(id) {
            return Ok(());
        }
        Err(GenError::UnsupportedKind { model: id.clone(), kind, able: self.models_of_kind(kind) })
    }

    /// Whether a model can be called now.
    ///
    /// # Errors
    /// [`GenError::UnknownModel`], [`GenError::NotConfigured`].
    pub fn check_ready(&self, id: &ModelId) -> Result<(), GenError> {
        self.target(id).map(|_| ())
    }

    /// The capability of a model: by the catalogue, the settings, the provider's list, or its name; else text
    /// generation.
    #[must_use]
    pub fn kind(&self, id: &ModelId) -> ModelKind {
        self.known_kind(id).unwrap_or(ModelKind::TextToText)
    }

    /// The targets of a choice, if all models can be called and have the capability.
    pub(super) fn targets(&self, choice: &ModelChoice, kind: ModelKind) -> Result<Vec<Target>, GenError> {
        let mut targets = Vec::new();
        for id in choice.iter() {
            let target = self.target(id)?;
            let able = target.route.backend.supports(kind);
            if !able || self.known_kind(id).is_some_and(|known| known != kind) || self.is_other_capability(id)
            {
                return Err(GenError::UnsupportedKind {
                    model: id.clone(),
                    kind,
                    able: self.models_of_kind(kind),
                });
            }
            targets.push(target);
        }
        Ok(targets)
    }

    pub(super) fn target(&self, id: &ModelId) -> Result<Target, GenError> {
        self.check(id)?;
        let (upstream, model) = match id.server() {
            Some((server, model)) => (Upstream::Server(server), model),
            None => (Upstream::Provider(id.provider), id.model.as_str()),
        };
        let route = self.gateway.routes.get(&upstream).ok_or(GenError::NotConfigured(id.provider))?;
        Ok(Target { id: id.clone(), model: model.to_owned(), route: Arc::clone(route) })
    }

    /// Whether the name is that of an open model with an unsupported capability, and no other source names
    /// its kind.
    fn is_other_capability(&self, id: &ModelId) -> bool {
        let is_other = id.server().is_some_and(|(_, name)| guess_open_model(name) == KindGuess::Other);
        is_other && self.known_kind(id).is_none()
    }

    fn known_kind(&self, id: &ModelId) -> Option<ModelKind> {
        let catalogued = || self.gateway.catalogue.find(id).and_then(|entry| entry.kind);
        let listed = || self.target(id).ok().and_then(|target| listed_kind(&target));
        let told =
            || if id.provider == Provider::Formwork { guess_open_model(&id.model) } else { guess(&id.model) };
        let named = || match told() {
            KindGuess::Kind(kind) => Some(kind),
            _ => None,
        };
        catalogued().or_else(listed).or_else(named)
    }

    /// Some models with a capability, from different backends first.
    pub(crate) fn models_of_kind(&self, kind: ModelKind) -> Vec<ModelId> {
        let mut lists: Vec<_> = self
            .gateway
            .routes
            .iter()
            .filter(|route| route.backend.supports(kind))
            .map(|route| self.known_models(route).into_iter().filter(move |model| model.kind == kind))
            .collect();
        let mut able = Vec::new();
        while able.len() < EXAMPLES {
            let round: Vec<ModelId> =
                lists.iter_mut().filter_map(Iterator::next).map(|model| model.id).collect();
            if round.is_empty() {
                break;
            }
            able.extend(round);
        }
        able.truncate(EXAMPLES);
        able
    }
}

fn listed_kind(target: &Target) -> Option<ModelKind> {
    let route: &Route = &target.route;
    let fixed = route.backend.models.iter().find(|listed| listed.model == target.model);
    fixed.and_then(|listed| listed.kind).or_else(|| {
        route.list.cached()?.iter().find(|listed| listed.model == target.model).and_then(|listed| listed.kind)
    })
}
