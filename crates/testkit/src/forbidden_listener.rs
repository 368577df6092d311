//! A listener that nobody may connect to.

use std::io;
use std::net::{IpAddr, SocketAddr, TcpListener};

use anyhow::Context as _;

/// Listens, and remembers who connected.
#[derive(Debug)]
pub struct ForbiddenListener {
    listener: TcpListener,
    address: SocketAddr,
}

impl ForbiddenListener {
    /// Listens on an address, at a free port where it is 0.
    ///
    /// # Errors
    /// The address is taken or not of this machine.
    pub fn bind(address: IpAddr, port: u16) -> anyhow::Result<Self> {
        let listener = TcpListener::bind((address, port)).context("a trap's address")?;
        listener.set_nonblocking(true).context("a listener that does not block")?;
        let address = listener.local_addr().context("the port")?;
        Ok(Self { listener, address })
    }

    /// Where it listens.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// `http://<address>:<port>`.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Whether nobody connected so far. The system accepts connections by itself, so that none is missed.
    #[must_use]
    pub fn is_unused(&self) -> bool {
        matches!(self.listener.accept(), Err(error) if error.kind() == io::ErrorKind::WouldBlock)
    }
}
