//! Batch extraction: runs, groups and responses.
