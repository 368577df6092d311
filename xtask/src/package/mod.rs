//! `cargo xtask package`: what a release consists of, and checks of the files that packages are made of.

mod build;
mod check;

use std::path::PathBuf;

pub(crate) use build::run as build;
pub(crate) use check::{run as check, run_in_ci};

/// The files that packages are made of.
fn sources() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../bins/formwork/packaging"))
}

/// The root of the repository.
fn root() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
}
