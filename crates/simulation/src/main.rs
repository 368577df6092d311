//! `cargo xtask simulate`: runs many seeds, or one again.
#![allow(clippy::print_stdout, reason = "a program for developers")]

use std::time::Instant;

use clap::Parser;
use simulation::{Subject, simulate};

/// Runs the services of several processes on a seeded scheduler and checks their invariants.
#[derive(Debug, Parser)]
struct Arguments {
    /// Seeds to run, from 0.
    #[arg(long, default_value_t = 1_000)]
    seeds: u64,
    /// One seed to run.
    #[arg(long)]
    seed: Option<u64>,
    /// What to simulate; all by default.
    #[arg(long)]
    subject: Option<String>,
}

fn main() -> anyhow::Result<()> {
    let arguments = Arguments::parse();
    let chosen = |subject: &Subject| arguments.subject.as_ref().is_none_or(|name| subject.name() == name);
    let subjects: Vec<Subject> = Subject::ALL.into_iter().filter(chosen).collect();
    anyhow::ensure!(!subjects.is_empty(), "the subjects are {}", Subject::ALL.map(Subject::name).join(", "));
    let seeds = arguments.seed.map_or(0..arguments.seeds, |seed| seed..seed + 1);
    for subject in subjects {
        let (began, mut steps, mut hours) = (Instant::now(), 0, 0.0);
        for seed in seeds.clone() {
            let summary = simulate(subject, seed, None)?;
            steps += summary.steps;
            hours += summary.time.as_secs_f64() / 3_600.0;
            if arguments.seed.is_some() {
                println!("trace hash {:016x}", summary.trace_hash);
            }
        }
        println!(
            "{}: {} seeds, {steps} steps, {hours:.1} simulated hours in {:.1} s, no invariant broken",
            subject.name(),
            seeds.end - seeds.start,
            began.elapsed().as_secs_f64()
        );
    }
    Ok(())
}
