//! Resource usage of a process during work.

use std::time::{Duration, Instant};

use crate::server::{children_seconds_of, cpu_seconds_of, resident_mb_of};

/// Interval between two memory samples.
const INTERVAL: Duration = Duration::from_millis(100);

/// Resource usage of one side of the comparison.
#[derive(Clone, Debug)]
pub(super) struct ResourceUsage {
    /// Wall-clock time.
    pub(super) seconds: f64,
    /// Processor time without the process's children.
    pub(super) cpu_seconds: f64,
    /// Processor time of its children.
    pub(super) children_seconds: f64,
    /// Resident memory in MB over time: before the work, during it, and after it.
    pub(super) memory: Vec<f64>,
}

impl ResourceUsage {
    /// The memory before, at the end of each quarter, and the maximum.
    pub(super) fn memory_columns(&self) -> String {
        let last = self.memory.len().saturating_sub(1);
        let at = |part: usize| self.memory.get(last * part / 4).copied().unwrap_or_default();
        let most = self.memory.iter().copied().fold(0.0, f64::max);
        let columns: Vec<String> = (0..=4).map(|part| format!("{:.0}", at(part))).collect();
        format!("{} | {most:.0}", columns.join(" | "))
    }
}

/// Samples a process while `work` runs.
pub(super) async fn watch<T>(
    process: u32,
    work: impl Future<Output = anyhow::Result<T>>,
) -> anyhow::Result<(T, ResourceUsage)> {
    let (cpu, children) = (cpu(process)?, children_seconds_of(process)?);
    let mut memory = vec![resident_mb_of(process)?];
    let began = Instant::now();
    let mut work = std::pin::pin!(work);
    let result = loop {
        tokio::select! {
            result = &mut work => break result?,
            () = tokio::time::sleep(INTERVAL) => memory.push(resident_mb_of(process)?),
        }
    };
    let seconds = began.elapsed().as_secs_f64();
    memory.push(resident_mb_of(process)?);
    let used = ResourceUsage {
        seconds,
        cpu_seconds: self::cpu(process)? - cpu,
        children_seconds: children_seconds_of(process)? - children,
        memory,
    };
    Ok((result, used))
}

fn cpu(process: u32) -> anyhow::Result<f64> {
    cpu_seconds_of(&process.to_string())
}
