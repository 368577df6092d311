//! The operating system's random generator as an adapter of the port.

use std::cell::RefCell;

use shared_core::Rng;

/// Bytes taken from the system at once. Every request needs some, and a system call costs more than they do.
const BUFFER_BYTES: usize = 512;

/// Unpredictable bytes from the operating system.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemRng;

/// Buffered random bytes. Bytes that were handed out are overwritten.
struct RandomBuffer {
    bytes: [u8; BUFFER_BYTES],
    given: usize,
}

thread_local! {
    static RESERVE: RefCell<RandomBuffer> = const { RefCell::new(RandomBuffer { bytes: [0; BUFFER_BYTES], given: BUFFER_BYTES }) };
}

impl RandomBuffer {
    /// Fills `buffer`; `false` when it is larger than the reserve.
    fn fill(&mut self, buffer: &mut [u8]) -> bool {
        if buffer.len() > BUFFER_BYTES {
            return false;
        }
        if self.given + buffer.len() > BUFFER_BYTES {
            from_system(&mut self.bytes);
            self.given = 0;
        }
        let end = self.given + buffer.len();
        let Some(part) = self.bytes.get_mut(self.given..end) else { return false };
        buffer.copy_from_slice(part);
        part.fill(0);
        self.given = end;
        true
    }
}

impl Rng for SystemRng {
    fn fill(&self, buffer: &mut [u8]) {
        let filled = RESERVE.try_with(|reserve| reserve.borrow_mut().fill(buffer));
        if !matches!(filled, Ok(true)) {
            from_system(buffer);
        }
    }
}

#[expect(clippy::panic, reason = "without randomness every identifier and key would be guessable")]
fn from_system(buffer: &mut [u8]) {
    if let Err(error) = getrandom::fill(buffer) {
        panic!("the operating system gives no randomness: {error}");
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn no_bytes_are_given_twice_in_any_size() {
        let mut seen = HashSet::new();
        for size in (16..=700).cycle().take(5_000) {
            let mut buffer = vec![0; size];
            SystemRng.fill(&mut buffer);
            assert!(buffer.chunks_exact(16).all(|part| seen.insert(part.to_vec())), "size {size}");
        }
    }
}
