//! The settings that make a key public.

use accounts_core::{ApiKey, Publication};
use shared_core::Scope;

use crate::app::AppState;
use crate::http::ApiError;
use crate::origin::{self, parse_origin};

/// What a request for a new key says of its publication.
pub(super) struct NewPublication {
    pub(super) agent: Option<String>,
    pub(super) origins: Option<Vec<String>>,
    pub(super) page: Option<String>,
}

impl NewPublication {
    /// The publication; `None` for a secret key.
    ///
    /// # Errors
    /// When there is no such agent, it has no form, or an origin is none.
    pub(super) async fn read(self, state: &AppState, scope: &Scope) -> Result<Option<Publication>, ApiError> {
        let Self { agent, origins, page } = self;
        let Some(agent) = agent else {
            let alone = [("/origins", origins.is_some()), ("/page", page.is_some())];
            return match alone.into_iter().find(|(_, is_there)| *is_there) {
                Some((path, _)) => {
                    Err(ApiError::invalid(path, "only a public key has it, which names its 'agent'"))
                }
                None => Ok(None),
            };
        };
        let found = state.agents.get(scope, &agent).await?;
        if found.form_id.is_none() {
            return Err(ApiError::invalid("/agent", "the agent of a public key must have a form"));
        }
        Ok(Some(Publication { agent, origins: parse_origins(origins.unwrap_or_default())?, page }))
    }
}

/// The publication of a public key with these changes; `None` without any.
///
/// # Errors
/// When the key is secret, or an origin is none.
pub(super) fn changed(
    key: &ApiKey,
    origins: Option<Vec<String>>,
    page: Option<Option<String>>,
) -> Result<Option<Publication>, ApiError> {
    let path = if origins.is_some() { "/origins" } else { "/page" };
    if origins.is_none() && page.is_none() {
        return Ok(None);
    }
    let Some(stored) = &key.publication else {
        return Err(ApiError::invalid(path, "a secret key cannot become public; issue a public one"));
    };
    Ok(Some(Publication {
        agent: stored.agent.clone(),
        origins: origins.map(parse_origins).transpose()?.unwrap_or_else(|| stored.origins.clone()),
        page: page.unwrap_or_else(|| stored.page.clone()),
    }))
}

fn parse_origins(texts: Vec<String>) -> Result<Vec<String>, ApiError> {
    let parse = |(index, text): (usize, String)| {
        let wrong = || ApiError::invalid(format!("/origins/{index}"), format!("an origin {}", origin::RULE));
        parse_origin(&text).ok_or_else(wrong)
    };
    texts.into_iter().enumerate().map(parse).collect()
}
