//! Instruction counts of the start and of a request, measured with valgrind's callgrind. Unlike times, they
//! hardly depend on the machine and not on its other load.

use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context as _, bail};
use reqwest::Client;
use tempfile::TempDir;
use tokio::runtime::Runtime;

use crate::server::Server;

/// Requests per path: first a warm-up that fills caches, then the measured ones.
const WARM_UP: usize = 50;
const COUNTED: usize = 200;

/// Number of rounds. The minimum is reported, because the server's own timers add to some.
const ROUNDS: usize = 5;

/// Instruction counts of callgrind.
#[derive(Debug)]
pub(super) struct InstructionCounts {
    /// From the start of the process until it is ready.
    pub(super) start: f64,
    /// Of one `GET` of each path.
    pub(super) requests: Vec<f64>,
}

/// Counts the instructions of the start and of requests; `None` without valgrind.
pub(super) fn count(
    binary: &Path,
    paths: &[&str],
    runtime: &Runtime,
) -> anyhow::Result<Option<InstructionCounts>> {
    if !is_installed() {
        return Ok(None);
    }
    let mut run = CallgrindRun::start(binary)?;
    let client = run.server.client()?;
    runtime.block_on(super::wait_until_ready(&client, &run.server.url))?;
    let start = run.dump()?;
    let mut requests = Vec::new();
    for path in paths {
        let url = format!("{}{path}", run.server.url);
        runtime.block_on(request(&client, &url, WARM_UP))?;
        let mut least = f64::INFINITY;
        for _ in 0..ROUNDS {
            run.zero()?;
            runtime.block_on(request(&client, &url, COUNTED))?;
            least = least.min(run.dump()? / COUNTED as f64);
        }
        requests.push(least);
    }
    Ok(Some(InstructionCounts { start, requests }))
}

/// A server under callgrind, and its dumps.
struct CallgrindRun {
    server: Server,
    folder: TempDir,
    dumps: usize,
}

impl CallgrindRun {
    fn start(binary: &Path) -> anyhow::Result<Self> {
        let folder = tempfile::tempdir()?;
        let mut valgrind = Command::new("valgrind");
        let output = format!("--callgrind-out-file={}", folder.path().join("dump").display());
        valgrind.args(["--tool=callgrind", "--quiet", &output]).arg(binary);
        Ok(Self { server: Server::start_command(valgrind)?, folder, dumps: 0 })
    }

    fn zero(&self) -> anyhow::Result<()> {
        control("--zero", self.server.pid())
    }

    /// All instructions since the start, the last dump or the last [`CallgrindRun::zero`].
    fn dump(&mut self) -> anyhow::Result<f64> {
        control("--dump", self.server.pid())?;
        self.dumps += 1;
        let file = self.folder.path().join(format!("dump.{}", self.dumps));
        total(&std::fs::read_to_string(file).context("callgrind has written no dump")?)
    }
}

fn is_installed() -> bool {
    let mut command = Command::new("valgrind");
    command.arg("--version").stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

async fn request(client: &Client, url: &str, count: usize) -> anyhow::Result<()> {
    for _ in 0..count {
        client.get(url).send().await?.error_for_status()?.bytes().await?;
    }
    Ok(())
}

fn control(option: &str, process: u32) -> anyhow::Result<()> {
    let mut command = Command::new("callgrind_control");
    let output = command.arg(option).arg(process.to_string()).output().context("callgrind_control")?;
    if !output.status.success() {
        bail!("callgrind_control: {}", String::from_utf8_lossy(&output.stderr));
    }
    Ok(())
}

/// The sum of all instructions of a dump.
fn total(dump: &str) -> anyhow::Result<f64> {
    let line =
        dump.lines().find_map(|line| line.strip_prefix("summary:")).context("a dump without summary")?;
    line.trim().parse().context("the summary of a dump")
}

#[cfg(test)]
mod tests {
    use super::total;

    #[test]
    fn the_sum_of_a_dump_is_its_summary() {
        assert_eq!(total("version: 1\nsummary: 4826134\ntotals: 1\n").unwrap(), 4_826_134.0);
        assert!(total("version: 1\n").is_err());
    }
}
