#![doc = include_str!("../README.md")]

use std::sync::{Arc, LazyLock};

use rustls::crypto::ring;
use rustls::{ClientConfig, RootCertStore};

/// TLS that cannot be set up.
#[derive(Debug, thiserror::Error)]
#[error("TLS could not be set up")]
pub struct TlsError(#[from] rustls::Error);

/// Loading the roots takes milliseconds, so it is done once.
static ROOTS: LazyLock<Arc<RootCertStore>> = LazyLock::new(|| {
    let mut roots = RootCertStore::empty();
    roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    if roots.is_empty() {
        roots.extend(webpki_roots::TLS_SERVER_ROOTS.iter().cloned());
    }
    Arc::new(roots)
});

/// The system's certificate authorities, or Mozilla's if the system has none.
#[must_use]
pub fn roots() -> Arc<RootCertStore> {
    Arc::clone(&ROOTS)
}

/// A client that trusts [`roots`] and presents no certificate.
///
/// # Errors
/// [`TlsError`].
pub fn config() -> Result<ClientConfig, TlsError> {
    Ok(ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()?
        .with_root_certificates(roots())
        .with_no_client_auth())
}
