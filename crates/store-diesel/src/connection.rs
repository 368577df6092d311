//! One connection type for both databases, and how connections are opened.

use diesel::connection::SimpleConnection as _;
use diesel::{Connection as _, ConnectionError, PgConnection, SqliteConnection};

use crate::tls;

/// A connection to either database. Queries written once run on both.
#[derive(diesel::MultiConnection)]
pub enum AnyConnection {
    /// PostgreSQL.
    Postgres(PgConnection),
    /// An SQLite database file.
    Sqlite(SqliteConnection),
}

/// Runs the same Diesel expression on either connection.
///
/// A query on [`AnyConnection`] itself is rendered to SQL at each call, which costs more than a lookup by
/// key. On the inner connection, the query's type identifies it and its statement is prepared once. Used for
/// the queries of every request.
macro_rules! prepared {
    ($connection:expr, $inner:ident => $query:expr) => {
        match $connection {
            $crate::connection::AnyConnection::Postgres($inner) => $query,
            $crate::connection::AnyConnection::Sqlite($inner) => $query,
        }
    };
}
pub(crate) use prepared;

impl std::fmt::Debug for AnyConnection {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Postgres(_) => "AnyConnection::Postgres",
            Self::Sqlite(_) => "AnyConnection::Sqlite",
        })
    }
}

/// The database that the scheme of a URL selects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Backend {
    /// Path of the file.
    Sqlite(String),
    /// The whole URL.
    Postgres(String),
}

/// Access mode of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Access {
    Read,
    Write,
}

// No memory map: each growth of the file would unmap it in all threads, and its pages would count as memory
// of this process. The system's cache holds what the readers read repeatedly, so each of up to twenty
// connections keeps a small cache of its own. WAL with synchronous=FULL: a commit is durable when it is
// acknowledged. A WAL of 16 MB before a checkpoint keeps the checkpoint's own fsyncs rare.
const SQLITE_COMMON: &str = "PRAGMA busy_timeout = 10000; PRAGMA foreign_keys = ON; \
    PRAGMA temp_store = MEMORY;";
const SQLITE_WRITE: &str = "PRAGMA cache_size = -4096; PRAGMA journal_mode = WAL; \
    PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 4000; PRAGMA journal_size_limit = 67108864;";
const SQLITE_READ: &str = "PRAGMA cache_size = -1024; PRAGMA query_only = ON;";

impl Backend {
    /// `None` for an unsupported scheme.
    pub(crate) fn of(url: &str) -> Option<Self> {
        if let Some(path) = url.strip_prefix("sqlite://") {
            return Some(Self::Sqlite(path.to_owned()));
        }
        let postgres = url.starts_with("postgres://") || url.starts_with("postgresql://");
        postgres.then(|| Self::Postgres(url.to_owned()))
    }

    pub(crate) fn connect(&self, access: Access) -> Result<AnyConnection, ConnectionError> {
        match self {
            Self::Sqlite(path) => {
                let mut connection = SqliteConnection::establish(path)?;
                let special = if access == Access::Write { SQLITE_WRITE } else { SQLITE_READ };
                connection
                    .batch_execute(&format!("{SQLITE_COMMON} {special}"))
                    .map_err(ConnectionError::CouldntSetupConfiguration)?;
                Ok(AnyConnection::Sqlite(connection))
            }
            Self::Postgres(url) => Ok(AnyConnection::Postgres(tls::connect(&bounded(url))?)),
        }
    }
}

/// Options of libpq unless the URL sets them: it would wait for minutes for a server that is away. Two seconds are its
/// shortest `connect_timeout`; a connection whose other side is silent ends after five (`tcp_user_timeout`, or three
/// unanswered keepalives).
const POSTGRES_OPTIONS: &[(&str, &str)] = &[
    ("connect_timeout", "2"),
    ("tcp_user_timeout", "5000"),
    ("keepalives_idle", "2"),
    ("keepalives_interval", "1"),
    ("keepalives_count", "3"),
];

/// The URL with those of [`POSTGRES_OPTIONS`] that it lacks.
fn bounded(url: &str) -> String {
    let given = url.split_once('?').map_or("", |(_, options)| options);
    let is_given = |name: &str| {
        given.split('&').any(|option| option.split_once('=').is_some_and(|(given, _)| given == name))
    };
    let lacking = POSTGRES_OPTIONS.iter().filter(|(name, _)| !is_given(name));
    lacking.fold(url.to_owned(), |url, (name, value)| {
        let join = if url.contains('?') { '&' } else { '?' };
        format!("{url}{join}{name}={value}")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_of_the_url_are_kept_and_the_others_added() {
        let url = bounded("postgres://db/forms");
        assert!(url.starts_with("postgres://db/forms?connect_timeout=2&tcp_user_timeout=5000&"), "{url}");
        let url = bounded("postgres://db/forms?connect_timeout=9&sslmode=require");
        assert!(url.starts_with("postgres://db/forms?connect_timeout=9&sslmode=require&tcp_user_"), "{url}");
        assert_eq!(url.matches("connect_timeout").count(), 1);
    }
}
