//! Knowledge bases: how good what they find is, and what a million chunks cost; beside peers in the same run.

mod base;
mod figures;
mod files;
mod peers;
mod quality;
mod scale;
mod texts;

use anyhow::{Context as _, bail};

/// Runs the benches that the arguments name; all of them without arguments.
pub(crate) fn run(arguments: &[&str]) -> anyhow::Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    let count = |text: &str| text.parse::<usize>().context("the number of chunks or files");
    match arguments {
        [] => {
            runtime.block_on(quality::run())?;
            runtime.block_on(scale::run(1_000_000))?;
            runtime.block_on(files::run(30_000))
        }
        ["quality"] => runtime.block_on(quality::run()),
        ["scale"] => runtime.block_on(scale::run(1_000_000)),
        ["scale", chunks] => runtime.block_on(scale::run(count(chunks)?)),
        ["files"] => runtime.block_on(files::run(30_000)),
        ["files", files] => runtime.block_on(files::run(count(files)?)),
        _ => bail!("no such bench of retrieval: quality, scale [CHUNKS], files [FILES]"),
    }
}
