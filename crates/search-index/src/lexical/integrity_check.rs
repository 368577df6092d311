//! Verifies a large index in the background while it is in use.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};

/// A thread that verifies an index. Dropping it stops the thread and waits for its end. The next owner of the
/// folder may change its files, and a file that shrinks while it is mapped into memory ends the process that
/// reads it.
#[derive(Debug)]
pub(super) struct IntegrityCheck {
    stopped: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl IntegrityCheck {
    /// Starts the thread. `work` polls whether it has to stop.
    pub(super) fn start(work: impl FnOnce(&AtomicBool) + Send + 'static) -> io::Result<Self> {
        let stopped = Arc::new(AtomicBool::new(false));
        let told = Arc::clone(&stopped);
        let thread = thread::Builder::new().name("words-check".to_owned()).spawn(move || work(&told))?;
        Ok(Self { stopped, thread: Some(thread) })
    }
}

impl Drop for IntegrityCheck {
    fn drop(&mut self) {
        self.stopped.store(true, Ordering::Relaxed);
        // The thread itself may be the last owner of the index, and it cannot join itself.
        if let Some(thread) = self.thread.take().filter(|one| one.thread().id() != thread::current().id()) {
            let _ = thread.join();
        }
    }
}
