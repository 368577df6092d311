//! One connection type for both databases, and how connections are opened.

use diesel::connection::SimpleConnection as _;
use diesel::{Connection as _, ConnectionError, PgConnection, SqliteConnection};

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
            Self::Postgres(url) => Ok(AnyConnection::Postgres(PgConnection::establish(&bounded(url))?)),
        }
    }
}

/// Adds a connect timeout in seconds if the URL has none: libpq would wait for minutes.
fn bounded(url: &str) -> String {
    let options = url.split_once('?').map(|(_, options)| options);
    if options.is_some_and(|all| all.split('&').any(|option| option.starts_with("connect_timeout="))) {
        return url.to_owned();
    }
    let join = if options.is_some() { '&' } else { '?' };
    format!("{url}{join}connect_timeout=5")
}

/// Opens connections for the pool.
#[derive(Debug)]
pub(crate) struct Manager {
    pub(crate) backend: Backend,
    pub(crate) access: Access,
}

impl r2d2::ManageConnection for Manager {
    type Connection = AnyConnection;
    type Error = ConnectionError;

    fn connect(&self) -> Result<AnyConnection, ConnectionError> {
        self.backend.connect(self.access)
    }

    fn is_valid(&self, connection: &mut AnyConnection) -> Result<(), ConnectionError> {
        connection.batch_execute("SELECT 1").map_err(ConnectionError::CouldntSetupConfiguration)
    }

    fn has_broken(&self, connection: &mut AnyConnection) -> bool {
        use diesel::connection::{AnsiTransactionManager, TransactionManager as _};
        match connection {
            AnyConnection::Postgres(inner) => AnsiTransactionManager::is_broken_transaction_manager(inner),
            AnyConnection::Sqlite(_) => false,
        }
    }
}
