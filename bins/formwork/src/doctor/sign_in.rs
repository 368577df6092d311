//! The check of the OpenID provider.

use std::sync::Arc;

use accounts_core::oidc::{AuthorizationRequest, IdentityProvider as _};
use anyhow::Context as _;
use providers_http::OidcProvider;
use shared_core::SystemClock;

use super::{CheckResult, CheckStatus};
use crate::settings::{OidcSettings, Settings};

/// Reads the provider's metadata, as the first sign-in does. Nobody is signed in.
pub(super) async fn sign_in(settings: &Settings) -> CheckResult {
    let (name, oidc) = ("sign-in", &settings.sign_in.oidc);
    if !oidc.is_configured() {
        return CheckResult::new(
            name,
            CheckStatus::Ok,
            "Members sign in by password; no OpenID provider is configured.",
        );
    }
    match read_metadata(oidc).await {
        Ok(()) => {
            let message = format!("The metadata of the OpenID provider {} can be used.", oidc.issuer);
            CheckResult::new(name, CheckStatus::Ok, message)
        }
        Err(error) => {
            let message = format!("Members cannot sign in at {}: {error:#}.", oidc.issuer);
            CheckResult::new(name, CheckStatus::Warning, message)
        }
    }
}

async fn read_metadata(oidc: &OidcSettings) -> anyhow::Result<()> {
    let provider = OidcProvider::new(oidc.provider(String::new()), Arc::new(SystemClock));
    let provider = provider.context("the settings of sign_in.oidc cannot be used")?;
    let request =
        AuthorizationRequest { state: String::new(), nonce: String::new(), code_challenge: String::new() };
    provider.authorization_url(&request).await?;
    Ok(())
}
