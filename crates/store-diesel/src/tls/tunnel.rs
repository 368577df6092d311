//! A tunnel for one connection: a Unix socket on this side, TLS to the server on the other. One thread copies the bytes
//! of all tunnels. A tunnel ends with either side.

use std::io;
use std::os::fd::AsFd;
use std::os::unix::net::UnixListener as StdListener;
use std::sync::{Arc, mpsc};
use std::time::Duration;

use parking_lot::Mutex;
use rustix::net::sockopt;
use rustls::CertificateError;
use rustls::pki_types::ServerName;
use tempfile::TempDir;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, copy_bidirectional_with_sizes};
use tokio::net::{TcpStream, UnixListener};
use tokio::runtime::{Builder, Handle};
use tokio::time::timeout;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;

use super::certificates;
use super::options::{Keepalive, Options};

/// The port in the name of the socket.
pub(super) const PORT: u16 = 5432;
/// Asks a server whether it speaks TLS: the length of the message, and its code (PostgreSQL's documentation, "Message
/// Formats").
const SSL_REQUEST: [u8; 8] = [0, 0, 0, 8, 4, 210, 22, 47];
/// Time limit without one in the options.
const CONNECT: Duration = Duration::from_secs(10);
/// Time limit for libpq to connect to the socket, which it does at once.
const ACCEPT: Duration = Duration::from_secs(10);
/// Bytes of the buffer of each direction: a TLS record.
const BUFFER: usize = 16 << 10;

/// Why there is no tunnel. `Display` is one sentence without secrets.
#[derive(Debug, thiserror::Error)]
pub(super) enum TunnelError {
    #[error("{0}")]
    Options(String),
    #[error("the tunnel for TLS could not be set up: {0}")]
    Setup(#[source] io::Error),
    #[error("\"{host}\" could not be reached: {cause}")]
    Unreachable { host: String, cause: io::Error },
    #[error("\"{0}\" did not answer in time")]
    Late(String),
    #[error("\"{0}\" offers no TLS, which the sslmode of the database's URL demands")]
    NotOffered(String),
    #[error("the certificate of \"{0}\" is not signed by a trusted authority (sslrootcert names others)")]
    UnknownAuthority(String),
    #[error("the certificate of \"{0}\" is for another name")]
    WrongName(String),
    #[error("TLS with \"{host}\" failed: {cause}")]
    Handshake { host: String, cause: io::Error },
}

/// A tunnel that waits for its client. Dropping it removes the socket, and not a connection through it.
#[derive(Debug)]
pub(super) struct Tunnel {
    folder: TempDir,
}

impl Tunnel {
    /// Connects to the server, and opens a socket for one client, which only this user can reach.
    ///
    /// # Errors
    /// [`TunnelError`].
    pub(super) fn open(options: &Options) -> Result<Self, TunnelError> {
        let config = certificates::config(options).map_err(TunnelError::Options)?;
        let invalid =
            |error| TunnelError::Options(format!("\"{}\" is no name of a host: {error}", options.host));
        let name = ServerName::try_from(options.host.clone()).map_err(invalid)?;
        let (folder, listener) = listen().map_err(TunnelError::Setup)?;
        let (send, receive) = mpsc::sync_channel(1);
        let (options, limit) = (options.clone(), options.connect);
        runtime().map_err(TunnelError::Setup)?.spawn(async move {
            let limit = if limit.is_zero() { CONNECT } else { limit };
            let host = options.host.clone();
            let connecting = connect(&options, TlsConnector::from(Arc::new(config)), name);
            match timeout(limit, connecting).await.unwrap_or(Err(TunnelError::Late(host))) {
                Ok(server) if send.send(Ok(())).is_ok() => carry(listener, server).await,
                Ok(_) => {}
                Err(error) => drop(send.send(Err(error))),
            }
        });
        receive.recv().map_err(|ended| TunnelError::Setup(io::Error::other(ended)))??;
        Ok(Self { folder })
    }

    /// The folder of the socket, for libpq's `host`.
    pub(super) fn folder(&self) -> String {
        self.folder.path().display().to_string()
    }
}

/// A socket in a folder of mode 0700.
fn listen() -> io::Result<(TempDir, StdListener)> {
    let folder = tempfile::Builder::new().prefix("formwork-pg").tempdir()?;
    let listener = StdListener::bind(folder.path().join(format!(".s.PGSQL.{PORT}")))?;
    listener.set_nonblocking(true)?;
    Ok((folder, listener))
}

/// The runtime of all tunnels, on a thread that lives as long as the process. The threads of the database are
/// synchronous, and the command line has no runtime at all.
fn runtime() -> io::Result<Handle> {
    static RUNTIME: Mutex<Option<Handle>> = Mutex::new(None);
    let mut started = RUNTIME.lock();
    if let Some(handle) = &*started {
        return Ok(handle.clone());
    }
    let runtime = Builder::new_current_thread().enable_all().build()?;
    let handle = runtime.handle().clone();
    let run = move || runtime.block_on(std::future::pending::<()>());
    std::thread::Builder::new().name("postgres-tls".to_owned()).spawn(run)?;
    Ok(started.insert(handle).clone())
}

async fn connect(
    options: &Options,
    connector: TlsConnector,
    name: ServerName<'static>,
) -> Result<TlsStream<TcpStream>, TunnelError> {
    let host = || options.host.clone();
    let unreachable = |cause| TunnelError::Unreachable { host: host(), cause };
    let connected = match options.address {
        Some(address) => TcpStream::connect((address, options.port)).await,
        None => TcpStream::connect((options.host.as_str(), options.port)).await,
    };
    let mut stream = connected.map_err(unreachable)?;
    stream.set_nodelay(true).map_err(unreachable)?;
    watch(&stream, options.keepalive).map_err(unreachable)?;
    stream.write_all(&SSL_REQUEST).await.map_err(unreachable)?;
    // One byte and no more: what follows it must be within TLS.
    match stream.read_u8().await.map_err(unreachable)? {
        b'S' => {}
        b'N' => return Err(TunnelError::NotOffered(host())),
        _ => return Err(unreachable(io::Error::other("it is no PostgreSQL server, or refuses connections"))),
    }
    connector.connect(name, stream).await.map_err(|cause| failed_handshake(host(), cause))
}

fn failed_handshake(host: String, cause: io::Error) -> TunnelError {
    let tls = cause.get_ref().and_then(|error| error.downcast_ref::<rustls::Error>());
    match tls {
        Some(rustls::Error::InvalidCertificate(CertificateError::UnknownIssuer)) => {
            TunnelError::UnknownAuthority(host)
        }
        Some(rustls::Error::InvalidCertificate(
            CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. },
        )) => TunnelError::WrongName(host),
        _ => TunnelError::Handshake { host, cause },
    }
}

/// Makes the system notice a server that is silent, as libpq does for its own connections.
fn watch(stream: &TcpStream, keepalive: Keepalive) -> io::Result<()> {
    let socket = stream.as_fd();
    sockopt::set_socket_keepalive(socket, true)?;
    if !keepalive.idle.is_zero() {
        sockopt::set_tcp_keepidle(socket, keepalive.idle)?;
    }
    if !keepalive.interval.is_zero() {
        sockopt::set_tcp_keepintvl(socket, keepalive.interval)?;
    }
    if keepalive.count > 0 {
        sockopt::set_tcp_keepcnt(socket, keepalive.count)?;
    }
    #[cfg(target_os = "linux")]
    if keepalive.user_timeout > 0 {
        sockopt::set_tcp_user_timeout(socket, keepalive.user_timeout)?;
    }
    Ok(())
}

/// Copies until either side ends. A failed side closes the other, which is what libpq sees of a dead server.
async fn carry(listener: StdListener, mut server: TlsStream<TcpStream>) {
    let Ok(listener) = UnixListener::from_std(listener) else { return };
    let Ok(Ok((mut client, _))) = timeout(ACCEPT, listener.accept()).await else { return };
    drop(listener);
    if let Err(error) = copy_bidirectional_with_sizes(&mut client, &mut server, BUFFER, BUFFER).await {
        tracing::debug!(%error, "a TLS connection to PostgreSQL ended");
    }
}
