//! Instructions that a request costs, counted by callgrind of valgrind. Unlike times, they hardly depend on the machine
//! and not on what else runs there.

use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context as _, bail};
use reqwest::Client;
use tokio::runtime::Runtime;

use crate::server::Server;

/// Requests of each path: first some that fill caches, then those that are counted.
const WARM_UP: usize = 50;
const COUNTED: usize = 200;

/// How often they are counted; the least counts, as the server's own timers add to some.
const ROUNDS: usize = 5;

/// Instructions of one `GET` of each path; nothing where valgrind is not installed.
pub(super) fn per_request(
    binary: &Path,
    paths: &[&str],
    runtime: &Runtime,
) -> anyhow::Result<Option<Vec<f64>>> {
    if !is_installed() {
        return Ok(None);
    }
    let folder = tempfile::tempdir()?;
    let dump = folder.path().join("dump");
    let mut valgrind = Command::new("valgrind");
    let output = format!("--callgrind-out-file={}", dump.display());
    valgrind.args(["--tool=callgrind", "--quiet", &output]).arg(binary);
    let server = Server::start_command(valgrind)?;
    let client = server.client()?;
    let mut counts = Vec::new();
    let mut dumps = 0;
    for path in paths {
        let url = format!("{}{path}", server.url);
        runtime.block_on(request(&client, &url, WARM_UP))?;
        let mut least = f64::INFINITY;
        for _ in 0..ROUNDS {
            control(&["--zero"], server.pid())?;
            runtime.block_on(request(&client, &url, COUNTED))?;
            control(&["--dump"], server.pid())?;
            dumps += 1;
            let file = format!("{}.{dumps}", dump.display());
            let text = std::fs::read_to_string(file).context("callgrind has written no dump")?;
            least = least.min(total(&text)? / COUNTED as f64);
        }
        counts.push(least);
    }
    Ok(Some(counts))
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

fn control(options: &[&str], process: u32) -> anyhow::Result<()> {
    let mut command = Command::new("callgrind_control");
    let output = command.args(options).arg(process.to_string()).output().context("callgrind_control")?;
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
