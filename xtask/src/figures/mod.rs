//! `cargo xtask figures`: size and cost of the release binary, stored in `docs/benchmarks/release.md`. It
//! fails when a figure grows by more than a tenth, or a time by more than a half. The figures of a given
//! binary are compared but not stored, because its dependencies are unknown.

mod instructions;
mod table;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Context as _, bail};
use reqwest::Client;
use tokio::runtime::Runtime;

use crate::server::{Server, binary};
use crate::shell;
use crate::tidy;
use table::Figure;

const DOCUMENT: &str = "docs/benchmarks/release.md";

/// Number of starts. The shortest is reported, because other programs run on the machine.
const STARTS: usize = 25;

/// Idle time of the server before its memory is read.
const IDLE: Duration = Duration::from_secs(10);

/// The requests whose instructions are counted.
const PATHS: [&str; 2] = ["/health", "/v1/me"];

/// Command-line options.
#[derive(Debug, Default, PartialEq)]
struct FigureOptions {
    /// The binary to measure instead of the one in the target folder.
    binary: Option<PathBuf>,
    /// Whether to store figures that have grown.
    accept: bool,
}

/// Measures, compares and stores.
pub(crate) fn run(arguments: &[&str]) -> anyhow::Result<()> {
    let FigureOptions { binary: given, accept } = options(arguments)?;
    let is_own = given.is_none();
    let path = given.map_or_else(built, Ok)?;
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let stored = table::parse(&std::fs::read_to_string(root.join(DOCUMENT)).unwrap_or_default());
    let figures = measured(&path)?;
    print!("{}", table::render(&figures));
    let regressions = table::regressions(&stored, &figures);
    if !regressions.is_empty() && !accept {
        bail!("{}\nthe stored figures are unchanged; --accept stores the new ones", regressions.join("\n"));
    }
    if is_own { store(&root, &table::merged(&stored, figures)) } else { Ok(()) }
}

/// Builds the release binary if its sources have changed, because its figures are stored with the present
/// lock file.
fn built() -> anyhow::Result<PathBuf> {
    shell::run(&mut shell::cargo(&["build", "--workspace", "--bins", "--release"]))?;
    binary()
}

fn store(root: &Path, figures: &[Figure]) -> anyhow::Result<()> {
    let marker = tidy::figures_marker(&std::fs::read_to_string(root.join("Cargo.lock"))?)?;
    std::fs::write(root.join(DOCUMENT), text(&marker, figures)).context(DOCUMENT)?;
    println!("stored in {DOCUMENT}");
    Ok(())
}

fn options(arguments: &[&str]) -> anyhow::Result<FigureOptions> {
    match arguments {
        [] => Ok(FigureOptions::default()),
        ["--accept"] => Ok(FigureOptions { accept: true, binary: None }),
        ["--binary", path] => Ok(FigureOptions { accept: false, binary: Some(PathBuf::from(path)) }),
        _ => bail!("cargo xtask figures [--accept | --binary PATH]"),
    }
}

fn text(marker: &str, figures: &[Figure]) -> String {
    let table = table::render(figures);
    format!(
        "# Benchmarks: the release binary\n\n{marker}\n\n`cargo xtask figures` measures the release build and writes \
         this page. It fails when a figure grows by more than 10 %, \
         a time by more than 50 %: times depend on what else the machine does.\n\n{table}"
    )
}

fn measured(binary: &Path) -> anyhow::Result<Vec<Figure>> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let mut values = vec![
        ("size, MB".to_owned(), rounded(megabytes(binary)?, 2)),
        ("size stripped, MB".to_owned(), rounded(stripped_megabytes(binary)?, 2)),
        (format!("start to the first `GET /ready`, shortest of {STARTS}, ms"), ready_ms(binary, &runtime)?),
        (format!("resident memory after {} s idle, MB", IDLE.as_secs()), rounded(idle_mb(binary)?, 1)),
    ];
    match instructions::count(binary, &PATHS, &runtime)? {
        Some(counts) => {
            values.push((
                "instructions until the first `GET /ready`, millions".to_owned(),
                rounded(counts.start / 1e6, 1),
            ));
            let name = |path: &&str| format!("instructions per `GET {path}`");
            values.extend(PATHS.iter().map(name).zip(counts.requests.into_iter().map(f64::round)));
        }
        None => println!("valgrind is not installed: instructions are not counted"),
    }
    let today = chrono::Utc::now().format("%Y-%m-%d").to_string();
    Ok(values.into_iter().map(|(name, value)| Figure { name, value, measured: today.clone() }).collect())
}

fn rounded(value: f64, digits: i32) -> f64 {
    let factor = 10_f64.powi(digits);
    (value * factor).round() / factor
}

fn megabytes(path: &Path) -> anyhow::Result<f64> {
    Ok(std::fs::metadata(path)?.len() as f64 / 1e6)
}

fn stripped_megabytes(binary: &Path) -> anyhow::Result<f64> {
    let folder = tempfile::tempdir()?;
    let stripped = folder.path().join("stripped");
    shell::run(Command::new("strip").arg("-o").arg(&stripped).arg(binary))?;
    megabytes(&stripped)
}

/// Milliseconds from the start of the process to ready, including the migrations of a new database.
fn ready_ms(binary: &Path, runtime: &Runtime) -> anyhow::Result<f64> {
    let mut shortest = f64::INFINITY;
    for _ in 0..STARTS {
        let server = Server::start_command(Command::new(binary))?;
        let client = server.client()?;
        let began = Instant::now();
        runtime.block_on(wait_until_ready(&client, &server.url))?;
        shortest = shortest.min((server.announced + began.elapsed()).as_secs_f64() * 1000.0);
    }
    Ok(rounded(shortest, 1))
}

async fn wait_until_ready(client: &Client, address: &str) -> anyhow::Result<()> {
    while !client.get(format!("{address}/ready")).send().await?.status().is_success() {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    Ok(())
}

fn idle_mb(binary: &Path) -> anyhow::Result<f64> {
    let server = Server::start_command(Command::new(binary))?;
    std::thread::sleep(IDLE);
    server.resident_mb()
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::table::{self, Figure};
    use super::{FigureOptions, options, text};

    #[test]
    fn figures_of_a_given_binary_cannot_be_stored() {
        let given = FigureOptions { binary: Some(PathBuf::from("a/b")), accept: false };
        assert_eq!(options(&["--binary", "a/b"]).unwrap(), given);
        assert!(options(&["--accept"]).unwrap().accept);
        assert!(options(&["--accept", "--binary", "a/b"]).is_err());
    }

    #[test]
    fn the_page_has_the_comment_on_a_line_of_its_own_and_its_figures_can_be_read() {
        let figures = [Figure { name: "size, MB".to_owned(), value: 1.5, measured: "2026-11-23".to_owned() }];
        let page = text("<!-- marker -->", &figures);
        assert!(page.lines().any(|line| line == "<!-- marker -->"));
        assert_eq!(table::parse(&page), figures);
    }
}
