//! `cargo xtask ci`: the checks that every change must pass.

use std::time::Instant;

use crate::durations::Durations;
use crate::shell::{self, cargo};
use crate::{conformance, console, deny, fuzz, interop, layers, package, tests, tidy};

/// A check with the name that the table of durations has.
type Stage = (&'static str, fn() -> anyhow::Result<()>);

/// The cheap ones come first.
const STAGES: [Stage; 13] = [
    ("format", || shell::run(&mut cargo(&["fmt", "--all", "--check"]))),
    ("tidy", || tidy::run(&[])),
    ("dependencies", deny::run_in_ci),
    ("files of packages", package::run_in_ci),
    ("lints", || shell::run(&mut cargo(&["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"]))),
    ("documentation", || {
        shell::run(cargo(&["doc", "--workspace", "--no-deps"]).env("RUSTDOCFLAGS", "-D warnings"))
    }),
    ("layers", layers::run),
    ("tests", || tests::run(&[])),
    // The errors of documents-core for formats that a build leaves out.
    ("documents-core without formats", || {
        shell::run(&mut cargo(&[
            "test",
            "-p",
            "documents-core",
            "--no-default-features",
            "--test",
            "features",
        ]))
    }),
    ("fuzzing with a fixed number of cases", fuzz::run_in_ci),
    ("the description, checked by schemathesis", conformance::run_in_ci),
    ("the providers, against aimock", interop::run_in_ci),
    ("the console, in a browser", console::run_all),
];

/// Runs the stages, and prints how long each took.
pub(crate) fn run() -> anyhow::Result<()> {
    let mut durations = Durations::default();
    for (name, stage) in STAGES {
        let began = Instant::now();
        stage()?;
        durations.add(name, began.elapsed());
    }
    print!("{}", durations.table());
    Ok(())
}
