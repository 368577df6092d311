//! The port of a browser, which renders pages after their scripts have run.

use std::any::Any;
use std::fmt;
use std::net::SocketAddr;

use async_trait::async_trait;
use bytes::Bytes;
use shared_core::BoxError;

/// Renders pages in a browser.
#[async_trait]
pub trait PageBrowser: fmt::Debug + Send + Sync + 'static {
    /// The HTML of the page after its scripts have run, as UTF-8. `url` was fetched before; it is the final
    /// URL after all redirects. Dropping the future stops the browser.
    ///
    /// # Errors
    /// [`BrowserError`].
    async fn render(&self, url: &str) -> Result<Bytes, BrowserError>;

    /// A screenshot (PNG) of the top of the page after its scripts have run, in the size of a common screen.
    /// Otherwise as [`PageBrowser::render`].
    ///
    /// # Errors
    /// [`BrowserError`].
    async fn picture(&self, url: &str) -> Result<Bytes, BrowserError>;
}

/// Restricts a browser to what the fetch policy allows.
#[async_trait]
pub trait BrowserProxy: fmt::Debug + Send + Sync + 'static {
    /// Opens a proxy for one page.
    ///
    /// # Errors
    /// [`BrowserError::Failed`] when it cannot be opened, or when the policy denies the page itself.
    async fn open(&self, url: &str) -> Result<ProxyLease, BrowserError>;
}

/// An open proxy. Dropping it closes the proxy.
pub struct ProxyLease {
    /// Its listening address on this machine.
    pub address: SocketAddr,
    _held: Box<dyn Any + Send>,
}

impl ProxyLease {
    /// A proxy that closes when `held` is dropped.
    #[must_use]
    pub fn new(address: SocketAddr, held: impl Any + Send) -> Self {
        Self { address, _held: Box::new(held) }
    }
}

impl fmt::Debug for ProxyLease {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ProxyLease").field("address", &self.address).finish_non_exhaustive()
    }
}

/// Why the browser returned no page. Users do not see the reason: they get the page as it was fetched, if
/// that has content.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BrowserError {
    /// The time limit in seconds has passed, including the wait for a permit.
    #[error("the browser did not render the page in {0} seconds")]
    Timeout(u64),
    /// It exceeded the memory limit in bytes.
    #[error("the browser used more than {0} bytes of memory")]
    Memory(u64),
    /// The page is longer than the limit in bytes.
    #[error("the page is longer than {0} bytes")]
    TooLarge(u64),
    /// The browser or the connection to the page failed.
    #[error("the browser did not render the page")]
    Failed(#[source] BoxError),
}
