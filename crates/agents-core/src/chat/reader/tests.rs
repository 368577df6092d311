//! Messages and what is understood of them.
