//! Development only: fakes and throw-away databases for tests.
