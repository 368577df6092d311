//! Databases on the PostgreSQL server that `FORMWORK_TEST_POSTGRES` names, and on the one with pgvector that
//! `FORMWORK_TEST_PGVECTOR` names.

use std::sync::atomic::{AtomicU32, Ordering};

use diesel::{Connection as _, PgConnection, connection::SimpleConnection as _};

/// A database that goes when it is dropped.
pub(crate) struct Postgres {
    server: String,
    name: String,
    pub(crate) url: String,
}

impl Postgres {
    pub(crate) fn fresh() -> Option<Self> {
        Self::on("FORMWORK_TEST_POSTGRES")
    }

    /// On the server with pgvector.
    pub(crate) fn with_pgvector() -> Option<Self> {
        Self::on("FORMWORK_TEST_PGVECTOR")
    }

    #[expect(clippy::disallowed_methods, reason = "the server is named by the environment")]
    fn on(variable: &str) -> Option<Self> {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let Ok(server) = std::env::var(variable) else {
            eprintln!("{variable} is not set: what needs that server is SKIPPED");
            return None;
        };
        let name = format!("api_{}_{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
        let mut admin = PgConnection::establish(&server).unwrap();
        admin.batch_execute(&format!("CREATE DATABASE {name}")).unwrap();
        let url = format!("{}/{name}", server.rsplit_once('/').unwrap().0);
        Some(Self { server, name, url })
    }
}

impl Drop for Postgres {
    fn drop(&mut self) {
        let Ok(mut admin) = PgConnection::establish(&self.server) else { return };
        admin.batch_execute(&format!("DROP DATABASE IF EXISTS {} WITH (FORCE)", self.name)).ok();
    }
}
