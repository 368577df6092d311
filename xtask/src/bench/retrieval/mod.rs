//! Benchmarks of knowledge bases: retrieval quality, and the cost of a million chunks, compared with peers in
//! the same run.

mod base;
mod figures;
mod files;
mod peers;
mod quality;
mod scale;
mod texts;

use anyhow::{Context as _, bail};

use texts::Texts;

/// Runs the benchmarks that the arguments name, or all without arguments.
pub(crate) fn run(arguments: &[&str]) -> anyhow::Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    let count = |text: &str| text.parse::<usize>().context("the number of chunks or files");
    match arguments {
        [] => {
            runtime.block_on(quality::run())?;
            runtime.block_on(scale::run(1_000_000, &Texts::made_up()))?;
            runtime.block_on(scale::run(1_000_000, &natural()?))?;
            runtime.block_on(files::run(30_000))
        }
        ["quality"] => runtime.block_on(quality::run()),
        ["scale"] => runtime.block_on(scale::run(1_000_000, &Texts::made_up())),
        ["scale", chunks] => runtime.block_on(scale::run(count(chunks)?, &Texts::made_up())),
        ["scale", chunks, "natural"] => runtime.block_on(scale::run(count(chunks)?, &natural()?)),
        ["files"] => runtime.block_on(files::run(30_000)),
        ["files", files] => runtime.block_on(files::run(count(files)?)),
        _ => bail!("no such bench of retrieval: quality, scale [CHUNKS [natural]], files [FILES]"),
    }
}

fn natural() -> anyhow::Result<Texts> {
    let corpus = std::env::var("FORMWORK_CORPUS");
    Texts::natural(&corpus.context("FORMWORK_CORPUS must name the folder of the open corpus")?)
}
