//! The `formwork` binary.

use std::ffi::OsStr;
use std::process::ExitCode;

use parser_pool::worker::WorkerLimits;

/// Several threads serve requests and free each other's memory. The system's allocator is slow at this and
/// fragments.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    // These processes must confine themselves before any thread or runtime exists.
    let mut arguments = std::env::args_os().skip(1);
    match arguments.next().as_deref().and_then(OsStr::to_str) {
        Some("parse-worker") => {
            let texts = arguments.map(|argument| argument.to_string_lossy().into_owned());
            return match WorkerLimits::from_arguments(texts) {
                Ok(limits) => parser_pool::worker::run(limits),
                Err(_) => ExitCode::FAILURE,
            };
        }
        Some("launch") => {
            let error = sandbox::launch(arguments);
            report(&error.into());
            return sandbox::LAUNCH_FAILED.into();
        }
        _ => {}
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
