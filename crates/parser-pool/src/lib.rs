//! Document parsing in worker subprocesses.
