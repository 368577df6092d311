//! Every repository on Diesel, for SQLite and PostgreSQL.
