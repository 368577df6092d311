//! The options of a PostgreSQL URL that the tunnel needs, with libpq's names and meaning.

use std::net::IpAddr;
use std::time::Duration;

/// How TLS is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SslMode {
    /// Never.
    Disable,
    /// If the server refuses a connection without it.
    Allow,
    /// If the server offers it.
    Prefer,
    /// Always. The certificate is checked only if `sslrootcert` is set.
    Require,
    /// Always, and an authority must have signed the certificate.
    VerifyCa,
    /// Always, and the certificate must also be for the host.
    VerifyFull,
}

/// What the tunnel needs of a URL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Options {
    pub(super) mode: SslMode,
    /// Host name or address, for the certificate.
    pub(super) host: String,
    /// Where to connect, if that is not the host.
    pub(super) address: Option<IpAddr>,
    pub(super) port: u16,
    /// File of trusted authorities; the system's when `None` or `system`.
    pub(super) roots: Option<String>,
    /// Files of the client's certificate and its key.
    pub(super) identity: Option<(String, String)>,
    pub(super) connect: Duration,
    pub(super) keepalive: Keepalive,
}

/// When a connection with a silent other side ends. libpq applies these to TCP alone, and it sees a Unix socket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Keepalive {
    pub(super) idle: Duration,
    pub(super) interval: Duration,
    pub(super) count: u32,
    /// Limit in milliseconds of data that is not acknowledged; 0 for the system's.
    pub(super) user_timeout: u32,
}

impl Options {
    /// # Errors
    /// A sentence for the operator.
    pub(super) fn of(url: &str) -> Result<Self, String> {
        let url = ParsedUrl::of(url);
        let given = url.option("sslmode").or_else(|| variable("PGSSLMODE"));
        let roots = url.option("sslrootcert").or_else(|| variable("PGSSLROOTCERT"));
        let host = url.option("host").unwrap_or_else(|| url.host.clone());
        let address = url.option("hostaddr").filter(|address| !address.is_empty());
        // As libpq does for the system's authorities, which anybody can get a certificate of.
        let fallback =
            if roots.as_deref() == Some("system") { SslMode::VerifyFull } else { default_mode(&host) };
        let mut mode = given.map_or(Ok(fallback), |given| mode_of(&given))?;
        let is_local = host.starts_with(['/', '@']);
        let is_unclear = host.is_empty() || host.contains(',');
        if is_local || (is_unclear && matches!(mode, SslMode::Allow | SslMode::Prefer)) {
            mode = SslMode::Disable;
        } else if is_unclear && mode != SslMode::Disable {
            return Err("TLS needs the URL of the database to name one host".to_owned());
        }
        let number = |name: &str, fallback: u32| -> Result<u32, String> {
            let given = url.option(name);
            given.map_or(Ok(fallback), |given| {
                given.parse().map_err(|error| format!("'{name}' must be a number: {error}"))
            })
        };
        let seconds = |name: &str| Ok::<_, String>(Duration::from_secs(number(name, 0)?.into()));
        let port = url.option("port").unwrap_or_else(|| url.port.clone());
        let unused = mode == SslMode::Disable;
        let invalid = |name: &str, error: &dyn std::fmt::Display| {
            format!("the {name} of the database's URL is not valid: {error}")
        };
        Ok(Self {
            mode,
            host,
            address: match address {
                Some(address) if !unused => {
                    Some(address.parse().map_err(|error| invalid("hostaddr", &error))?)
                }
                _ => None,
            },
            port: match port.as_str() {
                "" => 5432,
                _ if unused => 0,
                port => port.parse().map_err(|error| invalid("port", &error))?,
            },
            roots: roots.filter(|roots| !roots.is_empty() && roots != "system"),
            identity: url.option("sslcert").zip(url.option("sslkey")),
            connect: seconds("connect_timeout")?,
            keepalive: Keepalive {
                idle: seconds("keepalives_idle")?,
                interval: seconds("keepalives_interval")?,
                count: number("keepalives_count", 0)?,
                user_timeout: number("tcp_user_timeout", 0)?,
            },
        })
    }
}

/// On this machine nobody listens in, and TLS would cost each query.
fn default_mode(host: &str) -> SslMode {
    let is_loopback =
        host == "localhost" || host.parse::<IpAddr>().is_ok_and(|address| address.is_loopback());
    if is_loopback { SslMode::Disable } else { SslMode::Prefer }
}

fn mode_of(name: &str) -> Result<SslMode, String> {
    Ok(match name {
        "disable" => SslMode::Disable,
        "allow" => SslMode::Allow,
        "prefer" => SslMode::Prefer,
        "require" => SslMode::Require,
        "verify-ca" => SslMode::VerifyCa,
        "verify-full" => SslMode::VerifyFull,
        _ => {
            return Err(
                "sslmode must be disable, allow, prefer, require, verify-ca or verify-full".to_owned()
            );
        }
    })
}

/// A variable of libpq, which reads the others itself. To ignore these would weaken a connection unnoticed.
#[expect(clippy::disallowed_methods, reason = "libpq's variables belong to the URL, not to the settings")]
fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}

/// Host, port and options of a URL, split as libpq does: a password may have characters that other parsers refuse.
struct ParsedUrl {
    host: String,
    port: String,
    options: Vec<(String, String)>,
}

impl ParsedUrl {
    fn of(url: &str) -> Self {
        let (_, rest) = url.split_once("://").unwrap_or(("", url));
        let (place, options) = rest.split_once('?').unwrap_or((rest, ""));
        let authority = place.split('/').next().unwrap_or_default();
        let server = authority.rsplit_once('@').map_or(authority, |(_, server)| server);
        let (host, port) = match server.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
            Some((address, rest)) => (address, rest.strip_prefix(':').unwrap_or_default()),
            None => server.split_once(':').filter(|_| !server.contains(',')).unwrap_or((server, "")),
        };
        let options = options.split('&').filter_map(|option| option.split_once('='));
        Self {
            host: decode(host),
            port: port.to_owned(),
            options: options.map(|(name, value)| (name.to_owned(), decode(value))).collect(),
        }
    }

    /// The last option of this name counts.
    fn option(&self, name: &str) -> Option<String> {
        self.options.iter().rev().find(|(given, _)| given == name).map(|(_, value)| value.clone())
    }
}

fn decode(text: &str) -> String {
    percent_encoding::percent_decode_str(text).decode_utf8_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(url: &str) -> Options {
        Options::of(url).unwrap()
    }

    #[test]
    fn a_url_is_read_as_libpq_reads_it() {
        let options =
            of("postgres://ada:p%40:s@db.example.com:6432/forms?connect_timeout=2&sslmode=verify-full");
        assert_eq!((options.host.as_str(), options.port), ("db.example.com", 6432));
        assert_eq!((options.mode, options.connect), (SslMode::VerifyFull, Duration::from_secs(2)));
        let options =
            of("postgres://[2001:db8::1]/forms?hostaddr=10.0.0.1&host=db&port=1&sslcert=a%20b&sslkey=k");
        assert_eq!((options.host.as_str(), options.port), ("db", 1));
        assert_eq!(options.address, Some(IpAddr::from([10, 0, 0, 1])));
        assert_eq!(options.identity, Some(("a b".to_owned(), "k".to_owned())));
        assert_eq!(of("postgres://[2001:db8::1]:7/x").port, 7);
    }

    #[test]
    fn the_default_is_to_prefer_tls_unless_the_server_is_on_this_machine() {
        for (url, mode) in [
            ("postgres://db/x", SslMode::Prefer),
            ("postgres://localhost/x", SslMode::Disable),
            ("postgres://127.0.0.1:5433/x", SslMode::Disable),
            ("postgres://[::1]/x", SslMode::Disable),
            ("postgres:///x", SslMode::Disable),
            ("postgres:///x?host=/run/postgresql&sslmode=require", SslMode::Disable),
            ("postgres://%2Frun%2Fpostgresql/x", SslMode::Disable),
            ("postgres://a:1,b:2/x", SslMode::Disable),
            ("postgres://127.0.0.1/x?sslmode=require", SslMode::Require),
            ("postgres://db/x?sslrootcert=system", SslMode::VerifyFull),
        ] {
            assert_eq!(of(url).mode, mode, "{url}");
        }
        for url in ["postgres://a,b/x?sslmode=require", "postgres://db/x?sslmode=yes", "postgres://db:x/y"] {
            assert!(Options::of(url).is_err(), "{url}");
        }
    }
}
