//! `cargo xtask bench NAME`: prints figures as tables for `docs/benchmarks.md` and its pages.

mod chat;
mod cluster;
mod creates;
mod delta;
mod documents;
mod gateway;
mod http;
mod intake;
mod load;
mod mixed;
mod peer;
mod product;
mod reports;
mod retrieval;
mod reviews;
mod stack;
mod tables;
mod web;

use std::process::Command;

use anyhow::{Context as _, bail};

use crate::server::{Profile, program_path};
use crate::shell::{cargo, run as run_command};
use crate::tests::start_pgvector;

/// Runs one benchmark.
pub(crate) fn run(arguments: &[&str]) -> anyhow::Result<()> {
    match arguments {
        ["http"] => http::run(1_000_000),
        ["http", count] => http::run(count.parse().context("the number of notes")?),
        ["chat", rest @ ..] => chat::run(rest),
        ["cluster"] => cluster::run(),
        ["creates"] => creates::run(),
        ["gateway"] => gateway::run(),
        ["gateway", programs @ ..] => gateway::compare(programs),
        ["delta"] => delta::run(),
        ["retrieval", rest @ ..] => retrieval::run(rest),
        ["vectors", rest @ ..] => vectors(rest),
        ["refusals", "weights"] => measure("rules-engine", "fits_the_weights"),
        ["refusals", "support"] => measure("gen-core", "measures_support"),
        ["refusals", rest @ ..] => {
            example("kb-core", "grounded_corpus", "retrieval", rest)?;
            measure("rules-engine", "fits_the_weights")?;
            measure("gen-core", "measures_support")
        }
        ["citations"] => citations(),
        ["pdf", rest @ ..] => pdf(rest),
        ["documents", "tables"] => tables::run(),
        ["documents", "thumbnails", rest @ ..] => {
            example("documents-core", "thumbnails", "documents/pdf", rest)
        }
        ["documents", "ocr", rest @ ..] => example("ocr-tesseract", "ocr_corpus", "", rest),
        ["documents", "mixed"] => mixed::run(),
        ["documents", rest @ ..] => documents::run(rest),
        ["web", rest @ ..] => web::run(rest),
        ["extraction-product"] => {
            reports::run()?;
            product::run()
        }
        ["extraction-product", "reports"] => reports::run(),
        ["extraction", rest @ ..] => example("forms-core", "extraction_corpus", "", rest),
        ["reviews"] => reviews::run(),
        ["intake", rest @ ..] => intake::run(rest),
        ["confidence", rest @ ..] => example("forms-core", "confidence", "", rest),
        _ => bail!("no such benchmark; `cargo xtask` lists them"),
    }
}

/// Vectors in memory and in PostgreSQL.
fn vectors(counts: &[&str]) -> anyhow::Result<()> {
    let folder = tempfile::tempdir()?;
    let server = start_pgvector(folder.path()).context("PostgreSQL with pgvector is not available")?;
    // As the other commands build, so that nothing is built twice.
    run_command(&mut cargo(&["build", "--workspace", "--example", "nearest", "--release"]))?;
    let program = program_path("examples/nearest", Profile::Release)?;
    run_command(Command::new(program).args(counts).env("FORMWORK_TEST_PGVECTOR", server.url()))
}

/// First valid documents, then hostile and damaged ones.
fn pdf(rest: &[&str]) -> anyhow::Result<()> {
    for folder in ["documents/pdf", "hostile/pdf"] {
        println!("\n{folder}\n");
        example("documents-core", "pdf_corpus", folder, rest)?;
    }
    Ok(())
}

/// The page accuracy of citations: a test prints the figures.
fn citations() -> anyhow::Result<()> {
    const TEST: &str = "a_citation_has_the_page_of_its_fact";
    run_command(&mut cargo(&[
        "test",
        "--quiet",
        "-p",
        "formwork",
        "--test",
        "api",
        TEST,
        "--",
        "--nocapture",
    ]))
}

/// Runs a test of a crate that measures private code on the corpus.
fn measure(package: &str, test: &str) -> anyhow::Result<()> {
    std::env::var("FORMWORK_CORPUS").context("FORMWORK_CORPUS must name the folder of the open corpus")?;
    let arguments =
        ["test", "--release", "--quiet", "-p", package, "--lib", test, "--", "--ignored", "--nocapture"];
    run_command(&mut cargo(&arguments))
}

/// Runs an example of a crate on a part of the corpus.
fn example(package: &str, name: &str, part: &str, rest: &[&str]) -> anyhow::Result<()> {
    let corpus = std::env::var("FORMWORK_CORPUS")
        .context("FORMWORK_CORPUS must name the folder of the open corpus")?;
    let folder = format!("{corpus}/{part}").trim_end_matches('/').to_owned();
    let mut command =
        cargo(&["run", "--release", "--quiet", "-p", package, "--example", name, "--", &folder]);
    run_command(command.args(rest))
}
