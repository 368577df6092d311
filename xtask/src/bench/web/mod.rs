//! `cargo xtask bench web PART`: benchmarks of web access.

mod fetch;
mod pages;

use anyhow::bail;

use crate::server::Profile;

/// Runs a part.
pub(super) fn run(rest: &[&str]) -> anyhow::Result<()> {
    match rest {
        ["pages", rest @ ..] => pages::run(rest),
        ["fetch"] => fetch::run(Profile::Release),
        ["fetch", "--dev"] => fetch::run(Profile::Dev),
        _ => bail!("no such part of the bench; `cargo xtask` lists them"),
    }
}
