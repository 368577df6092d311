//! The only builder of HTTP clients: TLS by ring, the system's certificates, no proxy from the environment,
//! and no automatic redirects.

use std::sync::{Arc, LazyLock};

use reqwest::redirect::Policy;
use reqwest::{Client, ClientBuilder};
use rustls::RootCertStore;
use rustls::crypto::ring;

/// A client that cannot be built.
#[derive(Debug, thiserror::Error)]
#[error("TLS could not be set up")]
pub struct TlsError(#[from] rustls::Error);

/// Trusted certificate authorities. Loading them takes milliseconds, so it is done once.
static ROOTS: LazyLock<Arc<RootCertStore>> = LazyLock::new(|| {
    let mut roots = RootCertStore::empty();
    roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    if roots.is_empty() {
        roots.extend(webpki_roots::TLS_SERVER_ROOTS.iter().cloned());
    }
    Arc::new(roots)
});

/// A client builder that trusts the system's certificate authorities, or Mozilla's if the system has none.
///
/// # Errors
/// [`TlsError`].
pub fn client_builder() -> Result<ClientBuilder, TlsError> {
    let config = rustls::ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()?
        .with_root_certificates(Arc::clone(&ROOTS))
        .with_no_client_auth();
    Ok(Client::builder().tls_backend_preconfigured(config).no_proxy().redirect(Policy::none()))
}
