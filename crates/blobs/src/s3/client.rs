//! The HTTP client: the trusted authorities of all adapters, no proxy from the environment, no redirects, and time
//! limits of its own.

use std::time::Duration;

use object_store::ClientOptions;
use object_store::client::{HttpClient, HttpConnector};
use reqwest::Client;
use reqwest::redirect::Policy;

/// Gives the store a client that is already built, whatever the options.
#[derive(Clone, Debug)]
pub(crate) struct Connector(Client);

/// A client that cannot be built.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ClientError {
    #[error(transparent)]
    Tls(#[from] tls_client::TlsError),
    #[error("the HTTP client cannot be built")]
    Client(#[from] reqwest::Error),
}

impl Connector {
    /// `silence` limits the wait for the start of an answer, which includes sending the request, and each wait within
    /// the answer. The whole answer has no limit, since its reader may be slow.
    pub(crate) fn new(connect: Duration, silence: Duration) -> Result<Self, ClientError> {
        let builder = Client::builder()
            .tls_backend_preconfigured(tls_client::config()?)
            .no_proxy()
            .redirect(Policy::none())
            // A compressed answer would not have the length that was stored.
            .no_gzip()
            .connect_timeout(connect)
            .read_timeout(silence);
        Ok(Self(builder.build()?))
    }
}

impl HttpConnector for Connector {
    fn connect(&self, _options: &ClientOptions) -> object_store::Result<HttpClient> {
        Ok(HttpClient::new(self.0.clone()))
    }
}
