//! Pages as a browser shows them, after their scripts have run.

use std::any::Any;
use std::fmt;
use std::net::SocketAddr;

use async_trait::async_trait;
use bytes::Bytes;
use shared_core::BoxError;

/// Opens pages in a browser.
#[async_trait]
pub trait PageBrowser: fmt::Debug + Send + Sync + 'static {
    /// The HTML of the page after its scripts have run, as UTF-8. `url` is one that was fetched before, after all its
    /// redirects. Dropping the future ends the browser.
    ///
    /// # Errors
    /// [`BrowserError`].
    async fn render(&self, url: &str) -> Result<Bytes, BrowserError>;

    /// A picture (PNG) of the top of the page, as a usual screen shows it, after its scripts have run. As
    /// [`PageBrowser::render`] otherwise.
    ///
    /// # Errors
    /// [`BrowserError`].
    async fn picture(&self, url: &str) -> Result<Bytes, BrowserError>;
}

/// Lets a browser reach what the rules of fetching allow, and nothing else.
#[async_trait]
pub trait BrowserProxy: fmt::Debug + Send + Sync + 'static {
    /// Opens a proxy for one page.
    ///
    /// # Errors
    /// [`BrowserError::FailedFields`] when it cannot be opened, or the page itself may not be reached.
    async fn open(&self, url: &str) -> Result<ProxyLease, BrowserError>;
}

/// A proxy that is open for as long as this is held.
pub struct ProxyLease {
    /// Where it listens, on this machine.
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

/// Why there is no page from the browser. Users are not told why: they get the page as it was sent, where that says
/// anything.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BrowserError {
    /// It took too long, or had to wait for too long.
    #[error("the browser did not show the page in {0} seconds")]
    Timeout(u64),
    /// It used more memory than it may.
    #[error("the browser used more than {0} bytes of memory")]
    Memory(u64),
    /// The page is longer than is taken.
    #[error("the page is longer than {0} bytes")]
    TooLarge(u64),
    /// The browser, or the way to the page, failed.
    #[error("the browser did not show the page")]
    Failed(#[source] BoxError),
}
