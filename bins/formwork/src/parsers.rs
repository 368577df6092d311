//! Processes of this program that confine themselves: the pool of parsers, and the launcher of OCR.

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;
use parser_pool::{ParserPool, PoolSettings};
use sandbox::Launcher;

use crate::metrics::Metrics;
use crate::settings::{Settings, threads};

/// Maximum bytes of a parser process's output. It fits the largest text and cells of a document.
const MAX_PARSED: usize = 160 << 20;

/// Worker processes run this program with its hidden sub-command. Their calls are recorded, if there are metrics.
pub(crate) fn pool(settings: &Settings, metrics: Option<&Metrics>) -> anyhow::Result<ParserPool> {
    let workers = &settings.workers;
    let of_pool = PoolSettings {
        program: own_program(settings)?,
        args: vec!["parse-worker".into()],
        environment: environment(),
        sandbox: workers.sandbox,
        workers: threads(workers.parsers),
        recycle_after: workers.parser_documents,
        memory_bytes: workers.parser_memory_bytes,
        cpu_seconds: workers.parser_cpu_seconds,
        wall: Duration::from_secs(workers.parser_wall_seconds),
        idle: Duration::from_secs(workers.parser_idle_seconds),
        max_input: settings.limits.file_bytes,
        max_output: MAX_PARSED,
    };
    Ok(match metrics {
        Some(metrics) => ParserPool::with_observer(of_pool, Arc::new(metrics.clone())),
        None => ParserPool::new(of_pool),
    })
}

/// Starts programs of others in a sandbox, by the other hidden sub-command of this program.
pub(crate) fn launcher(settings: &Settings) -> anyhow::Result<Launcher> {
    Ok(Launcher {
        program: own_program(settings)?,
        args: vec!["launch".into()],
        environment: environment(),
        mode: settings.workers.sandbox,
    })
}

fn own_program(settings: &Settings) -> anyhow::Result<PathBuf> {
    match &settings.parser_program {
        Some(program) => Ok(program.clone()),
        None => std::env::current_exe().context("cannot determine the program's own path"),
    }
}

/// The allocator's reserve in KiB. Its default exceeds the whole address space of a limited process.
fn environment() -> Vec<(OsString, OsString)> {
    vec![("MIMALLOC_ARENA_RESERVE".into(), "16384".into())]
}
