//! A listener that must receive no connection.

use std::io;
use std::net::{IpAddr, SocketAddr, TcpListener};

use anyhow::Context as _;

/// Accepts connections, to report whether there was any.
#[derive(Debug)]
pub struct ForbiddenListener {
    listener: TcpListener,
    address: SocketAddr,
}

impl ForbiddenListener {
    /// Binds the address; port 0 chooses a free port.
    ///
    /// # Errors
    /// The address is in use or does not belong to this machine.
    pub fn bind(address: IpAddr, port: u16) -> anyhow::Result<Self> {
        let listener = TcpListener::bind((address, port)).context("the listener's address")?;
        listener.set_nonblocking(true).context("a listener that does not block")?;
        let address = listener.local_addr().context("the port")?;
        Ok(Self { listener, address })
    }

    /// The address it is bound to.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// `http://<address>:<port>`.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Whether there was no connection so far. The kernel queues connections, so none is missed.
    #[must_use]
    pub fn is_unused(&self) -> bool {
        matches!(self.listener.accept(), Err(error) if error.kind() == io::ErrorKind::WouldBlock)
    }
}
