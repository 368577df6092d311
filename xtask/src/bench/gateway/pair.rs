//! Compares two builds of the server in interleaved rounds, so that other load on the machine affects both alike.

use std::process::Command;

use super::load::{self, quantile};
use super::{CONNECTIONS, Side, generate, measure_paced, repeat_request, request, upstream};
use crate::server::Server;

/// Number of rounds. The median of each figure is reported.
const ROUNDS: usize = 5;
/// Duration of each part of a round in seconds.
const SECONDS: f64 = 2.0;
/// Requests per second of the paced load, and the connections that share them.
const RATE: usize = 5_000;
const PACED: usize = 64;

/// A kind of calls to one build.
struct Row {
    name: String,
    side: Side,
    rounds: Vec<[f64; 5]>,
}

/// Prints the table of these programs.
pub(super) async fn compare(programs: &[&str]) -> anyhow::Result<()> {
    let vendor = upstream::serve()?;
    let mut rows = Vec::new();
    let mut servers = Vec::new();
    for program in programs {
        let mut command = Command::new(program);
        command.env("OPENAI_API_KEY", "none").env("FORMWORK_OPENAI_BASE_URL", format!("{}/v1", vendor.url()));
        let server = Server::start_command(command)?;
        let limits = ["--requests-per-day", "1000000000", "--tokens-per-day", "1000000000000"];
        let limited = server.issue_key_by(program.as_ref(), &limits)?;
        for (key, kind) in [(&server.key, "without limits"), (&limited, "with limits")] {
            for (stream, form) in [(false, "whole"), (true, "streamed")] {
                let body = request("POST", "/v2/generate", key, Some(&generate(stream)));
                let side = Side {
                    name: "",
                    address: server.url.clone(),
                    process: Some(server.pid()),
                    whole: repeat_request(body),
                    streamed: Vec::new(),
                };
                rows.push(Row { name: format!("{program}: {kind}, {form}"), side, rounds: Vec::new() });
            }
        }
        servers.push(server);
    }
    for _ in 0..ROUNDS {
        for row in &mut rows {
            row.rounds.push(round(&row.side).await?);
        }
    }
    println!(
        "| | CPU µs a call | calls/s ({CONNECTIONS} connections) | at {RATE}/s: CPU µs | p50 ms | p99 ms | memory MB |"
    );
    println!("|---|---|---|---|---|---|---|");
    for row in &rows {
        let median = |column: usize| {
            let mut values: Vec<f64> = row.rounds.iter().map(|round| round[column]).collect();
            values.sort_by(f64::total_cmp);
            values[values.len() / 2]
        };
        println!(
            "| {} | {:.0} | {:.0} | {:.0} | {:.2} | {:.2} | {:.0} |",
            row.name,
            median(0),
            median(1),
            median(2),
            median(3),
            median(4),
            row.side.memory()?
        );
    }
    Ok(())
}

/// Microseconds of processor time a call and calls per second, then at the fixed rate the former, p50 and p99.
async fn round(side: &Side) -> anyhow::Result<[f64; 5]> {
    load::run(&side.address, CONNECTIONS, 0.5, &side.whole).await?;
    let before = side.cpu()?;
    let whole = load::run(&side.address, CONNECTIONS, SECONDS, &side.whole).await?.len() as f64;
    let cpu = (side.cpu()? - before) * 1e6 / whole;
    if whole / SECONDS < RATE as f64 {
        // A side that cannot serve this rate has no latency at it.
        return Ok([cpu, whole / SECONDS, f64::NAN, f64::NAN, f64::NAN]);
    }
    let before = side.cpu()?;
    let paced = measure_paced(side, RATE, PACED, SECONDS).await?;
    let paced_cpu = (side.cpu()? - before) * 1e6 / paced.len() as f64;
    Ok([cpu, whole / SECONDS, paced_cpu, quantile(&paced, 0.5), quantile(&paced, 0.99)])
}
