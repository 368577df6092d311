//! The processors of this machine.

/// The number of threads that is set, or one per processor, at most four.
#[must_use]
pub fn threads(set: usize) -> usize {
    if set > 0 {
        return set;
    }
    processors().min(4)
}

/// The number of processors; 1 when it is unknown.
pub(super) fn processors() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}
