//! `cargo xtask ci`: the checks that every change must pass.

use crate::shell::{self, cargo};
use crate::{conformance, deny, fuzz, interop, layers, package, tests, tidy};

/// Format, tidy, dependencies, the files of packages, lints, documentation, layers, all tests, the errors of documents-core
/// for formats that a build leaves out, fuzzing with a fixed number of cases, the OpenAPI
/// document checked by schemathesis, and the providers against aimock.
pub(crate) fn run() -> anyhow::Result<()> {
    shell::run(&mut cargo(&["fmt", "--all", "--check"]))?;
    tidy::run(&[])?;
    deny::run_in_ci()?;
    package::run_in_ci()?;
    shell::run(&mut cargo(&["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"]))?;
    shell::run(cargo(&["doc", "--workspace", "--no-deps"]).env("RUSTDOCFLAGS", "-D warnings"))?;
    layers::run()?;
    tests::run(&[])?;
    shell::run(&mut cargo(&["test", "-p", "documents-core", "--no-default-features", "--test", "features"]))?;
    fuzz::run_in_ci()?;
    conformance::run_in_ci()?;
    interop::run_in_ci()
}
