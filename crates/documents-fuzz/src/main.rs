//! The fuzzer's command line, and the confined process that runs its cases.
#![allow(clippy::print_stdout, reason = "a program for developers")]

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context as _, bail};
use clap::Parser;
use documents_fuzz::{Bounds, FuzzSettings, SeededFault, Summary, TARGETS, Target, serve};

/// Maximum bytes of a corpus file: large files make the loop slow.
const LARGEST: u64 = 400 << 10;

/// Fuzzes the document parsers with mutated files.
#[derive(Debug, Parser)]
struct Arguments {
    /// Formats to fuzz (default: all)
    formats: Vec<String>,
    /// Seconds for each format
    #[arg(long, default_value_t = 60, conflicts_with = "cases")]
    seconds: u64,
    /// Number of cases of each format, instead of a time; such a run is reproducible
    #[arg(long)]
    cases: Option<u64>,
    /// Seed of the random numbers
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Folder for the findings
    #[arg(long, default_value = "target/fuzz")]
    findings: PathBuf,
    /// Folder of seed documents, in addition to the generated ones
    #[arg(long)]
    corpus: Vec<PathBuf>,
    /// CPU time in milliseconds above which a parse is slow
    #[arg(long, default_value_t = 5_000)]
    slow: u64,
    /// Inject a fault into the parser, to check that it is found
    #[arg(long, hide = true, default_value = "")]
    seeded_fault: String,
    /// Read one file and tell what is wrong with it
    #[arg(long, value_name = "FILE")]
    look: Option<PathBuf>,
    /// Run as the confined process for files of this name
    #[arg(long, hide = true)]
    serve: Option<String>,
}

fn main() -> anyhow::Result<ExitCode> {
    let arguments = Arguments::parse();
    if let Some(name) = arguments.serve {
        serve(name, SeededFault::named(&arguments.seeded_fault), arguments.slow)?;
        return Ok(ExitCode::SUCCESS);
    }
    if let Some(file) = &arguments.look {
        return look(file);
    }
    let hunt = FuzzSettings {
        program: std::env::current_exe().context("the program's own path")?,
        seed: arguments.seed,
        bounds: arguments.cases.map_or(Bounds::Time(Duration::from_secs(arguments.seconds)), Bounds::Cases),
        folder: arguments.findings,
        corpus: corpus(&arguments.corpus)?,
        slow: arguments.slow,
        until: None,
        seeded_fault: SeededFault::named(&arguments.seeded_fault),
    };
    let mut found = false;
    for target in targets(&arguments.formats)? {
        let summary = hunt.run(target)?;
        found |= !summary.findings.is_empty();
        print_summary(&summary);
    }
    Ok(if found { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

fn targets(names: &[String]) -> anyhow::Result<Vec<&'static Target>> {
    if names.is_empty() {
        return Ok(TARGETS.iter().collect());
    }
    names.iter().map(|name| Target::named(name).with_context(|| format!("no such format: {name}"))).collect()
}

/// The files of the folders and their subfolders with a target's extension.
fn corpus(folders: &[PathBuf]) -> anyhow::Result<Vec<(String, Vec<u8>)>> {
    let mut files = Vec::new();
    let mut open = folders.to_vec();
    while let Some(folder) = open.pop() {
        let entries =
            std::fs::read_dir(&folder).with_context(|| format!("{} cannot be read", folder.display()))?;
        let mut paths =
            entries.map(|entry| entry.map(|entry| entry.path())).collect::<Result<Vec<_>, _>>()?;
        paths.sort();
        for path in paths {
            if path.is_dir() {
                open.push(path);
            } else if let Some(target) =
                path.extension().and_then(|ending| ending.to_str()).and_then(Target::for_ending)
                && path.metadata()?.len() < LARGEST
            {
                files.push((target.name.to_owned(), std::fs::read(&path)?));
            }
        }
    }
    if files.is_empty() && !folders.is_empty() {
        bail!("the corpus contains no document of a known format");
    }
    Ok(files)
}

/// Checks one file in this process, without confinement.
fn look(file: &Path) -> anyhow::Result<ExitCode> {
    let bytes = std::fs::read(file).with_context(|| format!("{} cannot be read", file.display()))?;
    let name = file.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let told = documents_fuzz::check_file(&bytes, &name);
    println!("{}", told.as_deref().unwrap_or("nothing is wrong with it"));
    Ok(if told.is_some() { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

fn print_summary(summary: &Summary) {
    println!(
        "{:5} {:8} cases of {} files, {} kinds of outcome, slowest {} ms, {} findings",
        summary.target,
        summary.cases,
        summary.seeds,
        summary.shapes,
        summary.slowest,
        summary.findings.len()
    );
    for finding in &summary.findings {
        println!(
            "      FOUND {} ({} times): {} {}",
            finding.rule,
            finding.times,
            finding.file.display(),
            finding.detail
        );
    }
    for (place, times) in &summary.caught {
        println!("      a library's panic was caught {times} times: {place}");
    }
}
