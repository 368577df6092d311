//! The only builder of HTTP clients: TLS by ring, the system's certificates, no proxy from the environment,
//! and no automatic redirects.

use reqwest::redirect::Policy;
use reqwest::{Client, ClientBuilder};

pub use tls_client::TlsError;

/// A client builder that trusts the system's certificate authorities, or Mozilla's if the system has none.
///
/// # Errors
/// [`TlsError`].
pub fn client_builder() -> Result<ClientBuilder, TlsError> {
    let config = tls_client::config()?;
    Ok(Client::builder().tls_backend_preconfigured(config).no_proxy().redirect(Policy::none()))
}
