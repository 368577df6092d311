//! File records, capability URLs and the blob port.
