//! The `formwork` binary.

use std::process::ExitCode;

use parser_pool::worker::WorkerLimits;

/// Several threads serve requests and free each other's memory. The system's allocator is slow at this and
/// fragments.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    // A parser process must restrict itself before any thread or runtime exists.
    let mut arguments = std::env::args().skip(1);
    if arguments.next().as_deref() == Some("parse-worker") {
        return match WorkerLimits::from_arguments(arguments) {
            Ok(limits) => parser_pool::worker::run(limits),
            Err(_) => ExitCode::FAILURE,
        };
    }
    match formwork::cli::run() {
        Ok(code) => code,
        Err(error) => {
            report(&error);
            ExitCode::FAILURE
        }
    }
}

/// Prints the error as one sentence on standard error.
#[expect(clippy::print_stderr, reason = "the command line speaks here")]
fn report(error: &anyhow::Error) {
    eprintln!("formwork: {error:#}");
}
