//! The pool of parser processes.

use std::time::Duration;

use anyhow::Context as _;
use parser_pool::{ParserPool, PoolSettings};

use crate::settings::{Settings, threads};

/// Maximum bytes of a parser process's output. It fits the largest text and cells of a document.
const MAX_PARSED: usize = 160 << 20;

/// Worker processes run this program with its hidden sub-command.
pub(crate) fn pool(settings: &Settings) -> anyhow::Result<ParserPool> {
    let workers = &settings.workers;
    Ok(ParserPool::new(PoolSettings {
        program: match &settings.parser_program {
            Some(program) => program.clone(),
            None => std::env::current_exe().context("cannot determine the program's own path")?,
        },
        args: vec!["parse-worker".into()],
        // The allocator's reserve in KiB. Its default exceeds a worker's whole address space.
        environment: vec![("MIMALLOC_ARENA_RESERVE".into(), "16384".into())],
        workers: threads(workers.parsers),
        recycle_after: workers.parser_documents,
        memory_bytes: workers.parser_memory_bytes,
        cpu_seconds: workers.parser_cpu_seconds,
        wall: Duration::from_secs(workers.parser_wall_seconds),
        idle: Duration::from_secs(workers.parser_idle_seconds),
        max_input: settings.limits.file_bytes,
        max_output: MAX_PARSED,
    }))
}
