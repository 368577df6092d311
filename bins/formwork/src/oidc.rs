//! Builds sign-in by OpenID Connect from the settings.

use std::sync::Arc;

use accounts_core::AccountsService;
use accounts_core::oidc::OidcService;
use anyhow::Context as _;
use providers_http::OidcProvider;
use shared_core::Clock;

use crate::http::oidc_paths::CALLBACK;
use crate::settings::OidcSettings;

/// The service; `None` where the settings name no provider. The provider is first called by the first sign-in.
///
/// # Errors
/// One sentence for the operator.
pub(crate) fn service(
    settings: &OidcSettings,
    accounts: AccountsService,
    public_url: &str,
    clock: Arc<dyn Clock>,
) -> anyhow::Result<Option<OidcService>> {
    if !settings.is_configured() {
        return Ok(None);
    }
    let callback = format!("{}{CALLBACK}", public_url.trim_end_matches('/'));
    let provider = OidcProvider::new(settings.provider(callback), clock);
    let provider = provider.context("the settings of sign_in.oidc cannot be used")?;
    Ok(Some(OidcService::new(accounts, Arc::new(provider), settings.policy())))
}
