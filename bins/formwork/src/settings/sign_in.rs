//! Settings of signing in.

use std::net::IpAddr;
use std::time::Duration;

use accounts_core::Role;
use accounts_core::oidc::{NewMembersPolicy, OidcPolicy};
use providers_http::OidcProviderSettings;
use reqwest::Url;
use serde::{Deserialize, Serialize};
use shared_core::WorkspaceId;

use super::fetch::Switch;
use super::models::{Secret, check_url};

/// How members sign in beside their passwords.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SignInSettings {
    /// By an OpenID provider.
    pub oidc: OidcSettings,
}

/// An OpenID provider, and whom it signs in.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct OidcSettings {
    /// Issuer identifier; no sign-in by OpenID Connect when empty.
    pub issuer: String,
    /// Id of this server's registration.
    pub client_id: String,
    /// Its secret; none for a public client.
    pub client_secret: Secret,
    /// Where the provider sends browsers back to; the callback of this server when empty.
    pub redirect_url: String,
    /// Scopes, separated by spaces.
    pub scopes: String,
    /// The claim with the e-mail address.
    pub email_claim: String,
    /// Whether the provider must confirm the address.
    pub email_verified: Switch,
    /// Domains of addresses, comma-separated; all when empty.
    pub allowed_domains: String,
    /// Id of the workspace whose members unknown addresses become; none when empty.
    pub new_members_workspace: String,
    /// Their role.
    pub new_members_role: String,
    /// Whether the provider may be plain HTTP.
    pub allow_http: Switch,
    /// Time limit in seconds of each use of the provider.
    pub call_seconds: u64,
}

impl Default for OidcSettings {
    fn default() -> Self {
        Self {
            issuer: String::new(),
            client_id: String::new(),
            client_secret: Secret::default(),
            redirect_url: String::new(),
            scopes: "openid email profile".to_owned(),
            email_claim: "email".to_owned(),
            email_verified: Switch::On,
            allowed_domains: String::new(),
            new_members_workspace: String::new(),
            new_members_role: Role::Viewer.name().to_owned(),
            allow_http: Switch::Off,
            call_seconds: 10,
        }
    }
}

impl OidcSettings {
    /// Whether members can sign in by it.
    #[must_use]
    pub fn is_configured(&self) -> bool {
        !self.issuer.is_empty()
    }

    /// The registration at the provider. `callback` is this server's own.
    #[must_use]
    pub fn provider(&self, callback: String) -> OidcProviderSettings {
        let own = Some(&self.redirect_url).filter(|url| !url.is_empty());
        OidcProviderSettings {
            issuer: self.issuer.clone(),
            client_id: self.client_id.clone(),
            client_secret: (!self.client_secret.is_empty()).then(|| self.client_secret.0.clone()),
            redirect_url: own.cloned().unwrap_or(callback),
            scopes: self.scopes.clone(),
            email_claim: self.email_claim.clone(),
            allow_http: self.allow_http == Switch::On,
            deadline: Duration::from_secs(self.call_seconds),
        }
    }

    /// Whom the provider signs in.
    #[must_use]
    pub fn policy(&self) -> OidcPolicy {
        let workspace = Some(&self.new_members_workspace).filter(|id| !id.is_empty());
        OidcPolicy {
            issuer: self.issuer.clone(),
            client_id: self.client_id.clone(),
            needs_verified_address: self.email_verified == Switch::On,
            allowed_domains: self.domains().map(str::to_lowercase).collect(),
            new_members: workspace.map(|workspace| NewMembersPolicy {
                workspace: WorkspaceId(workspace.clone()),
                role: Role::from_name(&self.new_members_role).unwrap_or(Role::Viewer),
            }),
        }
    }

    fn domains(&self) -> impl Iterator<Item = &str> {
        self.allowed_domains.split(',').map(str::trim).filter(|domain| !domain.is_empty())
    }

    /// Checks the settings.
    ///
    /// # Errors
    /// One sentence for the operator.
    pub(super) fn check(&self) -> Result<(), String> {
        let Self { issuer, client_id, redirect_url, .. } = self;
        if !self.is_configured() {
            let rule = "'sign_in.oidc.issuer' is needed where 'sign_in.oidc.client_id' is set";
            return if client_id.is_empty() { Ok(()) } else { Err(rule.to_owned()) };
        }
        check_url("sign_in.oidc.issuer", issuer)?;
        if self.allow_http == Switch::Off && is_plain_http_elsewhere(issuer) {
            return Err(
                "'sign_in.oidc.issuer' must begin with https://, unless 'sign_in.oidc.allow_http' is on"
                    .into(),
            );
        }
        if client_id.is_empty() {
            return Err("'sign_in.oidc.client_id' is needed".to_owned());
        }
        if !redirect_url.is_empty() {
            check_url("sign_in.oidc.redirect_url", redirect_url)?;
        }
        if !self.scopes.split(' ').any(|scope| scope == "openid") {
            return Err("'sign_in.oidc.scopes' must have openid among them".to_owned());
        }
        let is_domain = |domain: &str| {
            domain.bytes().all(|b| b.is_ascii_alphanumeric() || b"-._".contains(&b)) && domain.contains('.')
        };
        if !self.domains().all(is_domain) {
            return Err(
                "'sign_in.oidc.allowed_domains' must be domains such as example.com, separated by commas"
                    .into(),
            );
        }
        self.check_new_members()
    }

    fn check_new_members(&self) -> Result<(), String> {
        if !["member", "viewer"].contains(&self.new_members_role.as_str()) {
            return Err("'sign_in.oidc.new_members_role' must be member or viewer".to_owned());
        }
        // Many providers give an account to whoever asks.
        if !self.new_members_workspace.is_empty() && self.domains().next().is_none() {
            return Err(
                "'sign_in.oidc.allowed_domains' is needed where unknown addresses become members".to_owned()
            );
        }
        Ok(())
    }
}

/// Whether this is an http address of another machine.
fn is_plain_http_elsewhere(url: &str) -> bool {
    let Ok(url) = Url::parse(url) else { return false };
    let host = url.host_str().unwrap_or_default().trim_matches(['[', ']']);
    let is_here = host == "localhost" || host.parse().is_ok_and(|address: IpAddr| address.is_loopback());
    url.scheme() == "http" && !is_here
}

#[cfg(test)]
mod tests {
    use super::*;

    fn provider() -> OidcSettings {
        OidcSettings {
            issuer: "https://id.example.com".to_owned(),
            client_id: "formwork".to_owned(),
            ..OidcSettings::default()
        }
    }

    #[test]
    fn wrong_settings_are_refused_with_their_name() {
        assert_eq!(OidcSettings::default().check(), Ok(()));
        assert_eq!(provider().check(), Ok(()));
        let text = str::to_owned;
        for (settings, name) in [
            (OidcSettings { client_id: text("x"), ..OidcSettings::default() }, "issuer"),
            (OidcSettings { issuer: text("id.example.com"), ..provider() }, "issuer"),
            (OidcSettings { issuer: text("http://id.example.com"), ..provider() }, "issuer"),
            (OidcSettings { issuer: text("https://id.example.com/?a=b"), ..provider() }, "issuer"),
            (OidcSettings { client_id: String::new(), ..provider() }, "client_id"),
            (OidcSettings { redirect_url: text("/callback"), ..provider() }, "redirect_url"),
            (OidcSettings { scopes: text("email"), ..provider() }, "scopes"),
            (OidcSettings { allowed_domains: text("example.com, *"), ..provider() }, "allowed_domains"),
            (OidcSettings { new_members_role: text("owner"), ..provider() }, "new_members_role"),
            (OidcSettings { new_members_workspace: text("ws_1"), ..provider() }, "allowed_domains"),
        ] {
            let told = settings.check().unwrap_err();
            assert!(told.contains(&format!("'sign_in.oidc.{name}'")), "{told}");
        }
        for issuer in ["http://localhost:8080/realms/x", "http://127.0.0.1:9000", "http://[::1]:9000"] {
            assert_eq!(OidcSettings { issuer: text(issuer), ..provider() }.check(), Ok(()), "{issuer}");
        }
        let plain =
            OidcSettings { issuer: text("http://id.example.com"), allow_http: Switch::On, ..provider() };
        assert_eq!(plain.check(), Ok(()));
    }

    #[test]
    fn the_policy_has_what_the_settings_say() {
        let policy = provider().policy();
        assert!(
            policy.needs_verified_address
                && policy.allowed_domains.is_empty()
                && policy.new_members.is_none()
        );
        let settings = OidcSettings {
            allowed_domains: "Example.com, example.org".to_owned(),
            new_members_workspace: "ws_1".to_owned(),
            new_members_role: "member".to_owned(),
            email_verified: Switch::Off,
            ..provider()
        };
        let policy = settings.policy();
        assert_eq!(policy.allowed_domains, ["example.com", "example.org"]);
        assert_eq!(policy.new_members.unwrap().role, Role::Member);
        assert!(!policy.needs_verified_address);
        let callback = || "https://forms.example.com/callback".to_owned();
        assert_eq!(settings.provider(callback()).redirect_url, callback());
        assert!(settings.provider(callback()).client_secret.is_none());
    }
}
