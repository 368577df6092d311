//! The models that the service offers.

use std::collections::BTreeMap;

use futures_util::future::join_all;

use super::GenService;
use crate::catalogue::{KindGuess, guess, guess_open_model};
use crate::routing::Route;
use crate::{CatalogueEntry, EXTRACTIVE, ListedModel, ModelId, ModelKind, Price, Provider, Upstream};

/// A model that can be called now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Model {
    /// The id in requests.
    pub id: ModelId,
    /// Display name.
    pub name: String,
    /// Its capability.
    pub kind: ModelKind,
    /// Maximum input in tokens; `None` when unknown.
    pub context_tokens: Option<u32>,
    /// Maximum output in tokens; `None` when unknown.
    pub output_tokens: Option<u32>,
    /// Prices by token; `None` when unknown.
    pub price: Option<Price>,
}

impl GenService {
    /// The models that can be called now, ordered by provider, kind and name. Lists older than their TTL are
    /// fetched concurrently, with a wait of at most three seconds. A provider whose list cannot be fetched
    /// has the models of its previous list, or those of the catalogue.
    pub async fn models(&self) -> Vec<Model> {
        join_all(self.gateway.routes.iter().map(|route| self.gateway.listed_models(route))).await;
        let mut models: Vec<Model> =
            self.gateway.routes.iter().flat_map(|route| self.known_models(route)).collect();
        let key = |model: &Model| (model.id.provider, model.kind, model.id.model.clone());
        models.sort_by_cached_key(key);
        models
    }

    /// What is known of a model, without a fetch. Its kind is [`GenService::kind`].
    #[must_use]
    pub fn describe(&self, id: &ModelId) -> Model {
        let route = |upstream: &Upstream| self.gateway.routes.get(upstream);
        let (upstream, name) = match id.server() {
            Some((server, name)) => (Upstream::Server(server), name),
            None => (Upstream::Provider(id.provider), id.model.as_str()),
        };
        let listed = route(&upstream).and_then(|route| {
            let known = route.list.cached();
            let mut all = route.backend.models.iter().chain(known.iter().flat_map(|list| list.iter()));
            all.find(|listed| listed.model == name).cloned()
        });
        let entry = self.entry(id, listed.as_ref());
        model(id.clone(), self.kind(id), entry)
    }

    /// Whether a text model takes pictures; `None` when only a call can tell.
    #[must_use]
    pub fn vision(&self, id: &ModelId) -> Option<bool> {
        self.gateway.catalogue.find(id).and_then(|entry| entry.vision)
    }

    /// The known models of a backend, by name.
    pub(super) fn known_models(&self, route: &Route) -> Vec<Model> {
        let backend = &route.backend;
        let mut found: BTreeMap<String, Option<ListedModel>> = BTreeMap::new();
        match (&route.upstream, &backend.list, route.list.cached()) {
            (_, Some(_), Some(list)) => {
                found.extend(list.iter().map(|listed| (listed.model.clone(), Some(listed.clone()))));
            }
            (Upstream::Provider(Provider::Formwork), ..) => {
                found.insert(EXTRACTIVE.to_owned(), None);
            }
            (Upstream::Provider(provider), ..) => {
                let names = self.gateway.catalogue.of(*provider).map(|(name, _)| (name.to_owned(), None));
                found.extend(names);
            }
            (Upstream::Server(_), ..) => {}
        }
        found.extend(backend.models.iter().map(|listed| (listed.model.clone(), Some(listed.clone()))));
        let model = |(name, listed): (String, Option<ListedModel>)| {
            self.callable_model(route, &name, listed.as_ref())
        };
        found.into_iter().filter_map(model).collect()
    }

    /// A listed model; `None` if it has no valid id or its backend does not support it.
    fn callable_model(&self, route: &Route, name: &str, listed: Option<&ListedModel>) -> Option<Model> {
        let id = route.upstream.id(name);
        if id.to_string().parse::<ModelId>().ok().as_ref() != Some(&id) {
            return None;
        }
        let entry = self.entry(&id, listed);
        let told =
            if matches!(route.upstream, Upstream::Server(_)) { guess_open_model(name) } else { guess(name) };
        let kind = match (entry.kind, told) {
            (Some(kind), _) | (None, KindGuess::Kind(kind)) => kind,
            (None, KindGuess::Other) => return None,
            (None, KindGuess::Unknown) => ModelKind::TextToText,
        };
        route.backend.supports(kind).then(|| model(id, kind, entry))
    }

    /// What is known of a model. For the kind, the catalogue overrides the provider's list, as the operator
    /// can correct it. For the display name and the window, the list overrides the catalogue, as it is more
    /// recent.
    fn entry(&self, id: &ModelId, listed: Option<&ListedModel>) -> CatalogueEntry {
        let known = self.gateway.catalogue.find(id).cloned().unwrap_or_default();
        let Some(listed) = listed else { return known };
        CatalogueEntry {
            name: listed.name.clone().or(known.name),
            kind: known.kind.or(listed.kind),
            context_tokens: listed.context_tokens.or(known.context_tokens),
            output_tokens: listed.output_tokens.or(known.output_tokens),
            price: known.price,
            vision: known.vision,
        }
    }
}

fn model(id: ModelId, kind: ModelKind, entry: CatalogueEntry) -> Model {
    let own_name = || id.server().map_or(id.model.as_str(), |(_, name)| name).to_owned();
    let name = entry.name.unwrap_or_else(own_name);
    let CatalogueEntry { context_tokens, output_tokens, price, .. } = entry;
    Model { name, kind, context_tokens, output_tokens, price, id }
}
