//! Clock, timer and tasks of one process, as the services expect them.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use event_listener::Event;
use futures_util::future::BoxFuture;
use parking_lot::Mutex;
use shared_core::{Clock, Spawn, Timer, Timestamp};

use crate::world::{ProcessId, World};

/// How often a server reads the time of the database, as `store-diesel` does it.
const READING_INTERVAL: Duration = Duration::from_secs(10);
/// The largest error of a reading in milliseconds: half of the longest round trip whose answer is used.
const READING_ERROR: i64 = 100;
/// The largest difference in milliseconds of a system clock that nobody sets: some minutes.
const SYSTEM_SKEW: i64 = 180_000;

/// The clock of a process: the time of the database as of the last reading, and the monotonic time since.
#[derive(Debug)]
pub struct ProcessClock {
    world: World,
    process: ProcessId,
    /// Microseconds since 1970 at the last reading, and the time of the reading.
    reading: Mutex<(i64, Duration)>,
    /// Microseconds by which the system clock is ahead, where that is used.
    skew: i64,
}

impl ProcessClock {
    /// The clock of a new process. With `is_system`, that of its machine, which may be minutes off; otherwise that of
    /// the database, read every ten seconds.
    #[must_use]
    pub fn start(world: &World, process: ProcessId, is_system: bool) -> Arc<Self> {
        let clock = Arc::new(Self {
            world: world.clone(),
            process,
            reading: Mutex::new((read(world), world.now())),
            skew: if is_system { between(world, SYSTEM_SKEW) } else { 0 },
        });
        let own = Arc::clone(&clock);
        let follow = async move {
            loop {
                own.world.sleep(READING_INTERVAL).await;
                own.adjust();
            }
        };
        world.spawn(process, Box::pin(follow));
        clock
    }

    /// Follows a database that is ahead; never goes back.
    fn adjust(&self) {
        let (read, now) = (read(&self.world), self.world.now());
        let mut reading = self.reading.lock();
        let behind = read - time_at(*reading, now);
        if behind > 0 {
            *reading = (read, now);
        }
        // What was asked before has an older time than what is asked now.
        if behind > 2 * READING_ERROR * 1_000 {
            self.world.count_fault(self.process);
        }
    }
}

fn between(world: &World, millis: i64) -> i64 {
    let spread = i64::try_from(world.random().below(millis.unsigned_abs() * 2 + 1)).unwrap_or_default();
    (spread - millis) * 1_000
}

fn read(world: &World) -> i64 {
    world.database_time().micros() + between(world, READING_ERROR)
}

fn time_at((micros, at): (i64, Duration), now: Duration) -> i64 {
    micros + i64::try_from(now.saturating_sub(at).as_micros()).unwrap_or_default()
}

impl Clock for ProcessClock {
    fn now(&self) -> Timestamp {
        let micros = time_at(*self.reading.lock(), self.world.now()) + self.skew;
        Timestamp::from_micros(micros).unwrap_or_else(|| unreachable!("a simulation lasts some hours"))
    }
}

/// The timer of all processes: the time of the world.
#[derive(Clone, Debug)]
pub struct WorldTimer(pub World);

#[async_trait]
impl Timer for WorldTimer {
    fn elapsed(&self) -> Duration {
        self.0.now()
    }

    async fn sleep(&self, duration: Duration) {
        self.0.sleep(duration).await;
    }
}

/// Starts tasks in a process.
#[derive(Clone, Debug)]
pub struct ProcessSpawn(pub World, pub ProcessId);

impl Spawn for ProcessSpawn {
    fn spawn(&self, work: BoxFuture<'static, ()>) {
        self.0.spawn(self.1, work);
    }
}

/// A signal to a process, given once.
#[derive(Debug, Default)]
pub struct Signal(AtomicBool, Event);

impl Signal {
    /// Wakes all who wait, now and later.
    pub fn give(&self) {
        self.0.store(true, Ordering::SeqCst);
        self.1.notify(usize::MAX);
    }

    /// Waits until it is given.
    pub async fn wait(&self) {
        loop {
            // Listen before looking, so that no signal in between is missed.
            let given = self.1.listen();
            if self.0.load(Ordering::SeqCst) {
                return;
            }
            given.await;
        }
    }
}
