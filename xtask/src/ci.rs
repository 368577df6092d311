//! `cargo xtask ci`: what must hold before anything lands.

use crate::shell::{self, cargo};
use crate::{layers, tests};

/// Format, lints, layers, and every test.
pub(crate) fn run() -> anyhow::Result<()> {
    shell::run(&mut cargo(&["fmt", "--all", "--check"]))?;
    shell::run(&mut cargo(&["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"]))?;
    layers::run()?;
    tests::run(&[])
}
