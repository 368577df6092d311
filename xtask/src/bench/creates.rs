//! Benchmark: durable creates per fsync, at several numbers of connections.

use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::Context as _;
use serde_json::json;

use super::load::{Requests, measure, request};
use crate::server::Server;

/// Duration of each measurement in seconds.
const SECONDS: f64 = 5.0;
/// Duration of counting fsyncs in seconds.
const COUNTED: f64 = 2.0;

/// Prints the table.
pub(crate) fn run() -> anyhow::Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    let server = Server::start()?;
    let creates = creates(&server.key);
    println!("| connections | creates/s | p50 ms | p99 ms | CPU µs/request | creates/fsync |");
    println!("|---|---|---|---|---|---|");
    for connections in [1_usize, 32, 128] {
        let cpu = || server.cpu_seconds();
        let figures = runtime.block_on(measure(&server.url, connections, SECONDS, &creates, cpu))?;
        // Tracing system calls slows the server, so fsyncs are counted in a run of their own.
        let strace = Strace::attach(server.pid()).ok();
        let counted = runtime.block_on(measure(&server.url, connections, COUNTED, &creates, cpu))?.count;
        let fsyncs = strace.and_then(|strace| strace.finish().ok());
        let per_fsync = fsyncs
            .map_or("no strace".to_owned(), |count| format!("{:.1}", counted as f64 / count.max(1) as f64));
        println!("| {connections} | {} | {per_fsync} |", figures.columns());
    }
    println!("\nthe disk's own rate: {:.0} fsyncs/s", fsync_rate()?);
    Ok(())
}

fn creates(key: &str) -> Requests {
    let body = json!({"title": "Bench", "schema": {"name": {"type": "string", "order": 1}, "total": {"type": "number"}}});
    let create = request("POST", "/v1/form", key, Some(&body.to_string()));
    Arc::new(move |_| create.clone())
}

/// Counts the fsyncs of a process.
struct Strace(Child);

impl Strace {
    fn attach(pid: u32) -> anyhow::Result<Self> {
        let pid = pid.to_string();
        let arguments = ["-f", "-c", "-e", "trace=fsync,fdatasync", "-p", &pid];
        let child = Command::new("strace").args(arguments).stderr(Stdio::piped()).spawn()?;
        std::thread::sleep(Duration::from_millis(500));
        Ok(Self(child))
    }

    fn finish(self) -> anyhow::Result<u64> {
        Command::new("kill").args(["-INT", &self.0.id().to_string()]).status()?;
        let output = self.0.wait_with_output()?;
        let table = String::from_utf8_lossy(&output.stderr).into_owned();
        let calls = |line: &str| line.split_whitespace().nth(3).and_then(|number| number.parse::<u64>().ok());
        Ok(table.lines().filter(|line| line.ends_with("sync")).filter_map(calls).sum())
    }
}

/// Small durable writes per second to a preallocated file.
fn fsync_rate() -> anyhow::Result<f64> {
    use std::io::{Seek as _, Write as _};
    let mut file = tempfile::NamedTempFile::new().context("a temporary file")?;
    let began = Instant::now();
    let mut count = 0.0;
    while began.elapsed() < Duration::from_secs(2) {
        file.rewind()?;
        file.write_all(&[0; 4096])?;
        file.as_file().sync_data()?;
        count += 1.0;
    }
    Ok(count / began.elapsed().as_secs_f64())
}
