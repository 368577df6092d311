//! The system's randomness behind the port.

use shared_core::IdSource;

/// Unpredictable bytes from the operating system.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemRandom;

impl IdSource for SystemRandom {
    #[expect(clippy::panic, reason = "without randomness every identifier and key would be guessable")]
    fn fill(&self, buffer: &mut [u8]) {
        if let Err(error) = getrandom::fill(buffer) {
            panic!("the operating system gives no randomness: {error}");
        }
    }
}
