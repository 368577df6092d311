//! Cost of the server's own layers: operations that do almost nothing, compared with a bare handler of the
//! HTTP library that answers the same bytes.

use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};

use anyhow::Context as _;

use super::load::{Connection, Figures, Requests, measure, request};
use crate::server::{Server, binary, cpu_seconds_of};
use crate::shell::{cargo, run};

/// With one connection nothing is shared: each request wakes a sleeping thread.
const CONNECTIONS: [usize; 2] = [1, 32];
/// Duration of each round of each row in seconds.
const SECONDS: f64 = 1.5;
/// Number of interleaved rounds, so that other load on the machine affects all rows alike. The median is
/// reported.
const ROUNDS: usize = 5;

/// Prints the table.
pub(crate) async fn compare() -> anyhow::Result<()> {
    let server = Server::start()?;
    run(&mut cargo(&["build", "--release", "--package", "formwork", "--example", "bare"]))?;
    let mut rows = Vec::new();
    for connections in CONNECTIONS {
        for (path, name) in [("/health", "open: GET /health"), ("/v1/me", "with a key: GET /v1/me")] {
            let call = request("GET", path, &server.key, None);
            let body = Connection::open(&server.url).await?.exchange(&call).await?.to_vec();
            let bare = Bare::start(path, &String::from_utf8(body)?)?;
            rows.push(Row { name, connections, call, bare, rounds: Vec::new() });
        }
    }
    for _ in 0..ROUNDS {
        for row in &mut rows {
            let call = row.call.clone();
            let requests: Requests = std::sync::Arc::new(move |_| call.clone());
            let bare = || cpu_seconds_of(&row.bare.process.id().to_string());
            let bare = measure(&row.bare.url, row.connections, SECONDS, &requests, bare).await?;
            let ours = || server.cpu_seconds();
            row.rounds.push((bare, measure(&server.url, row.connections, SECONDS, &requests, ours).await?));
        }
    }
    println!("| | connections | requests/s | p50 ms | p99 ms | CPU µs | more than bare, µs |");
    println!("|---|---|---|---|---|---|---|");
    for row in &rows {
        let bare = median(row.rounds.iter().map(|round| round.0));
        let ours = median(row.rounds.iter().map(|round| round.1));
        println!("| the same bytes from a bare handler | {} | {} | |", row.connections, bare.columns());
        println!("| {} | {} | {} | {} |", row.name, row.connections, ours.columns(), row.more());
    }
    Ok(())
}

/// An operation and its bare counterpart.
struct Row {
    name: &'static str,
    connections: usize,
    call: Vec<u8>,
    bare: Bare,
    /// Figures of the bare handler and of the server.
    rounds: Vec<(Figures, Figures)>,
}

impl Row {
    /// Overhead of the server over the bare handler per round: median, minimum and maximum.
    fn more(&self) -> String {
        let differences = self.rounds.iter().map(|(bare, ours)| ours.cpu_micros - bare.cpu_micros);
        let mut differences: Vec<f64> = differences.collect();
        differences.sort_by(f64::total_cmp);
        let at = |index: usize| differences.get(index).copied().unwrap_or(f64::NAN);
        format!("{:.1} ({:.1} to {:.1})", at(ROUNDS / 2), at(0), at(ROUNDS - 1))
    }
}

/// The round with the median CPU time.
fn median(rounds: impl Iterator<Item = Figures>) -> Figures {
    let mut rounds: Vec<Figures> = rounds.collect();
    rounds.sort_by(|a, b| a.cpu_micros.total_cmp(&b.cpu_micros));
    rounds[rounds.len() / 2]
}

/// The running bare handler. On drop it ends.
struct Bare {
    process: Child,
    url: String,
}

impl Bare {
    fn start(path: &str, body: &str) -> anyhow::Result<Self> {
        let program = binary()?.with_file_name("examples").join("bare");
        let mut process = Command::new(program)
            .args([path, body])
            .stdout(Stdio::piped())
            .spawn()
            .context("the bare handler cannot be started")?;
        let mut line = String::new();
        BufReader::new(process.stdout.take().context("standard output")?).read_line(&mut line)?;
        let url = line.rsplit(' ').next().unwrap_or_default().trim().to_owned();
        Ok(Self { process, url })
    }
}

impl Drop for Bare {
    fn drop(&mut self) {
        self.process.kill().ok();
        self.process.wait().ok();
    }
}
