//! The binary.

use std::process::ExitCode;

fn main() -> ExitCode {
    match formwork::cli::run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            report(&error);
            ExitCode::FAILURE
        }
    }
}

/// One sentence on standard error.
#[expect(clippy::print_stderr, reason = "the command line speaks here")]
fn report(error: &anyhow::Error) {
    eprintln!("formwork: {error:#}");
}
