//! Who starts, stops and kills servers, and sets clocks.

use std::sync::Arc;
use std::time::Duration;

use crate::faults::FaultRates;
use crate::ports::Signal;
use crate::world::{OUTSIDE, ProcessId, World};

/// How long a server that is told to stop may take before it is killed.
const PATIENCE: Duration = Duration::from_secs(20);
/// Faults end after at least so many milliseconds, and at most so many more.
const CHAOS_MILLIS: (u64, u64) = (30_000, 120_000);

/// A server that runs.
#[derive(Debug)]
pub struct Server {
    /// Where its tasks run.
    pub process: ProcessId,
    /// Tells it to stop.
    pub stop: Arc<Signal>,
}

/// Starts the servers of a scenario.
pub trait Servers: Send + Sync + 'static {
    /// Starts a server; `is_alone`: no other runs.
    fn start(&self, is_alone: bool) -> Server;
}

/// Starts servers and causes faults for some minutes. Then all servers run and faults end.
pub fn operate(world: &World, rates: FaultRates, servers: Arc<dyn Servers>) {
    let own = world.clone();
    world.spawn(OUTSIDE, Box::pin(async move { run(&own, rates, &*servers).await }));
}

async fn run(world: &World, rates: FaultRates, servers: &dyn Servers) {
    let random = world.random();
    let count = 1 + random.index(3);
    let end = random.millis(CHAOS_MILLIS.0, CHAOS_MILLIS.0 + CHAOS_MILLIS.1);
    let mut running: Vec<Server> = (0..count).map(|_| servers.start(count == 1)).collect();
    while world.now() < end {
        world.sleep(random.millis(100, 8_000)).await;
        if random.happens(rates.deaths) {
            let place = random.index(count);
            replace(world, &mut running, place, || servers.start(count == 1)).await;
        }
        if random.happens(rates.stalls)
            && let Some(server) = running.get(random.index(count))
        {
            world.stall(server.process, random.millis(100, 60_000));
        }
        if random.happens(rates.jumps) {
            // Mostly forward, as after a failover; back by little, as by a correction.
            let forward = i64::try_from(random.below(60_000)).unwrap_or_default();
            let back = -i64::try_from(random.below(2_000)).unwrap_or_default();
            world.jump_database(if random.happens(700) { forward } else { back });
        }
    }
    world.calm();
}

/// Kills a server, or stops it in order, and starts another in its place.
async fn replace(world: &World, running: &mut [Server], place: usize, start: impl Fn() -> Server) {
    let random = world.random();
    let Some(server) = running.get_mut(place) else { return };
    if random.happens(400) {
        world.log(|| format!("process {} is told to stop", server.process.0));
        server.stop.give();
        world.sleep(PATIENCE).await;
    }
    world.kill(server.process);
    if random.happens(500) {
        world.sleep(random.millis(10, 40_000)).await;
    }
    *server = start();
}
