//! Benchmarks of batches: against a vendor of fixed latency, compared with Instructor; and the memory of a
//! long batch.

mod batch;
mod gauge;
mod instructor;
mod memory;

/// Prints the tables.
pub(crate) fn run() -> anyhow::Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    runtime.block_on(batch::compare())?;
    println!();
    memory::run()
}
