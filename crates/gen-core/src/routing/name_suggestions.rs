//! Suggestions for model names that the provider does not know.

use super::backend::Target;
use super::gateway::Gateway;
use crate::suggestions::{format_suggestions, nearest};
use crate::{Fault, ProviderError};

/// Adds suggestions to the error of an unknown model. They come from the provider's list, or from the
/// catalogue where the list is not available.
pub(super) async fn add_suggestions(
    gateway: &Gateway,
    target: &Target,
    error: ProviderError,
) -> ProviderError {
    if error.fault != Fault::UnknownModel {
        return error;
    }
    let route = &target.route;
    let mut known: Vec<String> = route.backend.models.iter().map(|listed| listed.model.clone()).collect();
    match gateway.listed_models(route).await {
        Some(list) => known.extend(list.iter().map(|listed| listed.model.clone())),
        None => {
            let names = gateway.catalogue.of(route.upstream.provider()).map(|(name, _)| name.to_owned());
            known.extend(names.filter(|_| route.upstream.is_vendor()));
        }
    }
    known.retain(|name| *name != target.model);
    let names = nearest(&target.model, known);
    let names: Vec<String> = names.iter().map(|name| route.upstream.id(name).to_string()).collect();
    let message = format!("{}{}", error.message, format_suggestions(&names));
    ProviderError { message, ..error }
}
