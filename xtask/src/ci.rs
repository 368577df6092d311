//! `cargo xtask ci`: what must hold before anything lands.

use crate::shell::{self, cargo};
use crate::{conformance, fuzz, interop, layers, tests, tidy};

/// Format, tidiness, lints, documentation, layers, every test, some damaged documents, the description tried by a
/// stranger, and the providers before aimock.
pub(crate) fn run() -> anyhow::Result<()> {
    shell::run(&mut cargo(&["fmt", "--all", "--check"]))?;
    tidy::run(&[])?;
    shell::run(&mut cargo(&["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"]))?;
    shell::run(cargo(&["doc", "--workspace", "--no-deps"]).env("RUSTDOCFLAGS", "-D warnings"))?;
    layers::run()?;
    tests::run(&[])?;
    fuzz::run_in_ci()?;
    conformance::run_in_ci()?;
    interop::run_in_ci()
}
