//! What happened in a simulation: a hash over all of it, and the last events as text.

use std::collections::VecDeque;
use std::time::Duration;

/// Events that are kept as text.
const KEPT: usize = 80;

/// The trace of a simulation.
#[derive(Debug)]
pub(crate) struct Trace {
    /// FNV-1a over every step and event (Fowler, Noll, Vo).
    hash: u64,
    events: VecDeque<String>,
}

impl Default for Trace {
    fn default() -> Self {
        // The offset basis of 64-bit FNV.
        Self { hash: 0xcbf2_9ce4_8422_2325, events: VecDeque::new() }
    }
}

impl Trace {
    fn add(&mut self, bytes: &[u8]) {
        for byte in bytes {
            // The prime of 64-bit FNV.
            self.hash = (self.hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }

    /// A step of a task.
    pub(crate) fn step(&mut self, now: u64, task: u64) {
        self.add(&now.to_le_bytes());
        self.add(&task.to_le_bytes());
    }

    /// An event with its text.
    pub(crate) fn event(&mut self, now: u64, text: String) {
        self.add(text.as_bytes());
        if self.events.len() == KEPT {
            self.events.pop_front();
        }
        self.events.push_back(format!("{:>12.3?} {text}", Duration::from_micros(now)));
    }

    pub(crate) fn hash(&self) -> u64 {
        self.hash
    }

    pub(crate) fn events(&self) -> Vec<String> {
        self.events.iter().cloned().collect()
    }
}
