//! Time to the first answer, idle memory, and the size of the binary.

use std::time::{Duration, Instant};

use crate::server::{Server, binary};

/// Prints the table.
pub(crate) fn run() -> anyhow::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let mut first = Vec::new();
    let mut idle = 0.0;
    for _ in 0..5 {
        let server = Server::start()?;
        let began = Instant::now();
        let client = server.client()?;
        runtime
            .block_on(async { client.get(format!("{}/health", server.url)).send().await })?
            .error_for_status()?;
        first.push((server.announced + began.elapsed()).as_secs_f64() * 1000.0);
        std::thread::sleep(Duration::from_secs(2));
        idle = server.resident_mb()?;
    }
    first.sort_by(f64::total_cmp);
    let size = std::fs::metadata(binary()?)?.len() as f64 / 1e6;
    println!("| | |\n|---|---|");
    println!(
        "| start to first answer, median of 5 (first start, migrations included) | {:.0} ms |",
        first[2]
    );
    println!("| idle resident memory | {idle:.1} MB |");
    println!("| stripped binary | {size:.1} MB |");
    Ok(())
}
