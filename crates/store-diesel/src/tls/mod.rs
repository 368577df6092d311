//! TLS to PostgreSQL. libpq is built without OpenSSL, so that a build needs no more than Rust and gcc. It connects to a
//! Unix socket instead, behind which a tunnel speaks TLS with the server (docs/decisions/0044).

mod certificates;
mod options;
mod tunnel;

use diesel::{Connection as _, ConnectionError, ConnectionResult, PgConnection};

use options::{Options, SslMode};
use tunnel::{Tunnel, TunnelError};

/// Connects as the `sslmode` of the URL demands, which must have the options of time limits.
///
/// # Errors
/// Those of libpq, and of TLS as a sentence without secrets.
pub(crate) fn connect(url: &str) -> ConnectionResult<PgConnection> {
    let options = Options::of(url).map_err(ConnectionError::BadConnection)?;
    match options.mode {
        SslMode::Disable => connect_plain(url),
        SslMode::Allow => {
            connect_plain(url).or_else(|plain| connect_through(Tunnel::open(&options), url).or(Err(plain)))
        }
        SslMode::Prefer => match Tunnel::open(&options) {
            Err(TunnelError::NotOffered(_) | TunnelError::Handshake { .. }) => connect_plain(url),
            // The server may accept this user without TLS alone.
            Ok(tunnel) => connect_through(Ok(tunnel), url).or_else(|tls| connect_plain(url).or(Err(tls))),
            // Another attempt would wait as long again.
            failed => connect_through(failed, url),
        },
        SslMode::Require | SslMode::VerifyCa | SslMode::VerifyFull => {
            connect_through(Tunnel::open(&options), url)
        }
    }
}

/// libpq refuses modes that it was built without.
fn connect_plain(url: &str) -> ConnectionResult<PgConnection> {
    PgConnection::establish(&with(url, "sslmode=disable&sslnegotiation=postgres"))
}

fn connect_through(tunnel: Result<Tunnel, TunnelError>, url: &str) -> ConnectionResult<PgConnection> {
    let tunnel = tunnel.map_err(|error| ConnectionError::BadConnection(error.to_string()))?;
    // Later options override earlier ones, and those of the authority. An empty `hostaddr` is none.
    let socket = tunnel.folder().replace('%', "%25").replace('&', "%26");
    let place =
        format!("host={socket}&hostaddr=&port={}&sslmode=disable&sslnegotiation=postgres", tunnel::PORT);
    PgConnection::establish(&with(url, &place))
}

/// The URL with further options.
fn with(url: &str, options: &str) -> String {
    let join = if url.contains('?') { '&' } else { '?' };
    format!("{url}{join}{options}")
}
