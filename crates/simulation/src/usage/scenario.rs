//! Servers call a vendor under a key with limits, and may die between any two steps of a call.

use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use accounts_core::usage::{CallUsage, Estimate, Tokens, UsageError, UsageReservation, UsageService};
use accounts_core::{KeyLimits, Money};
use futures_util::FutureExt as _;
use futures_util::future::{Either, select};
use parking_lot::Mutex;

use super::store::{REQUESTS, TOKENS, UsageDatabase, UsageStore, scope};
use crate::bug::PlantedBug;
use crate::faults::{Connection, FaultRates};
use crate::operator::{Server, Servers, operate};
use crate::ports::{ProcessClock, Signal};
use crate::scenario::Scenario;
use crate::world::World;

/// Tokens, and nano-dollars, that a call may use.
const ESTIMATE: u64 = 100;
/// The key with limits that most calls are made under.
const KEY: &str = "key";
/// Tasks of a server that call the vendor.
const CALLERS: usize = 3;
/// Calls of a task.
const CALLS: usize = 6;
/// After this a call is taken for lost.
const LONGEST_CALL: Duration = Duration::from_secs(300);

#[derive(Debug)]
struct Cluster {
    world: World,
    rates: FaultRates,
    bug: Option<PlantedBug>,
    database: Arc<UsageDatabase>,
    /// Tasks of living servers that still call.
    callers: Mutex<Vec<(crate::ProcessId, usize)>>,
}

/// Begins the scenario.
pub(crate) fn begin(world: &World, bug: Option<PlantedBug>) -> Box<dyn Scenario> {
    let database = Arc::new(UsageDatabase::new(world));
    let limits = KeyLimits {
        requests_per_minute: Some(REQUESTS),
        tokens_per_minute: Some(TOKENS),
        ..KeyLimits::default()
    };
    database.usage.add_key(&scope().workspace, KEY, limits);
    let cluster = Arc::new(Cluster {
        world: world.clone(),
        rates: FaultRates::draw(world),
        bug,
        database,
        callers: Mutex::default(),
    });
    operate(world, cluster.rates, Arc::new(UsageServers(Arc::clone(&cluster))));
    Box::new(UsageScenario(cluster))
}

struct UsageServers(Arc<Cluster>);

impl Servers for UsageServers {
    fn start(&self, _: bool) -> Server {
        let cluster = &self.0;
        let world = &cluster.world;
        let process = world.start_process();
        let store = UsageStore {
            database: Arc::clone(&cluster.database),
            connection: Connection::new(world, process, cluster.rates),
            bug: cluster.bug,
        };
        let clock = ProcessClock::start(world, process, false);
        let service = UsageService::new(Arc::new(store), clock).with_max_call_duration(LONGEST_CALL);
        let (own, committing) = (world.clone(), service.clone());
        let commit = async move {
            loop {
                committing.pending().await;
                if committing.commit().await.is_err() {
                    own.sleep(Duration::from_secs(1)).await;
                }
            }
        };
        world.spawn(process, Box::pin(commit));
        let (own, expiring) = (world.clone(), service.clone());
        let expire = async move {
            loop {
                own.sleep(Duration::from_secs(60)).await;
                let _ = expiring.settle_expired(false).await;
            }
        };
        world.spawn(process, Box::pin(expire));
        cluster.callers.lock().push((process, CALLERS));
        for _ in 0..CALLERS {
            let (own, service) = (Arc::clone(cluster), service.clone());
            let work = async move {
                for _ in 0..CALLS {
                    own.call(&service).await;
                }
                let mut callers = own.callers.lock();
                callers.iter_mut().filter(|(caller, _)| *caller == process).for_each(|(_, left)| *left -= 1);
            };
            world.spawn(process, Box::pin(work));
        }
        Server { process, stop: Arc::<Signal>::default() }
    }
}

impl Cluster {
    /// Reserves a call; `None` for a client that leaves before it is opened.
    async fn reserve(
        &self,
        service: &UsageService,
        key: Option<&str>,
        estimate: Estimate,
    ) -> Option<Result<UsageReservation, UsageError>> {
        let random = self.world.random();
        let own = scope();
        let reserving = service.reserve(&own, key, "model", estimate);
        if !random.happens(50) {
            return Some(reserving.await);
        }
        let leaving = self.world.sleep(random.millis(0, 500));
        match select(pin!(reserving), pin!(leaving)).await {
            Either::Left((reserved, _)) => Some(reserved),
            Either::Right(_) => None,
        }
    }

    /// Reserves a call, makes it, and settles it.
    async fn call(&self, service: &UsageService) {
        let random = self.world.random();
        let estimate = Estimate { tokens: ESTIMATE, cost: Some(Money(ESTIMATE)) };
        let key = random.happens(800).then_some(KEY);
        let Some(reserved) = self.reserve(service, key, estimate).await else { return };
        let reservation = match reserved {
            Ok(reservation) => reservation,
            Err(UsageError::LimitReached(reached)) => {
                self.world.sleep(Duration::from_secs(reached.retry_after)).await;
                return;
            }
            Err(_) => return,
        };
        self.world.sleep(random.millis(100, 20_000)).await;
        if random.happens(100) {
            // The client is gone, and the vendor may have charged the call.
            service.settle_at_estimate(reservation);
            return;
        }
        let used = random.below(ESTIMATE + 1);
        let tokens = Tokens { input: used, ..Tokens::default() };
        let _ = service.settle(reservation, CallUsage { tokens, cost: Some(Money(used)) }).await;
    }
}

struct UsageScenario(Arc<Cluster>);

impl UsageScenario {
    fn recorded(&self) -> u64 {
        self.0.database.recorded().now_or_never().map(|totals| totals.requests).unwrap_or_default()
    }
}

impl Scenario for UsageScenario {
    fn is_done(&self) -> bool {
        let world = &self.0.world;
        if !world.is_calm() {
            return false;
        }
        let busy = |(process, left): &(crate::ProcessId, usize)| *left > 0 && world.is_alive(*process);
        !self.0.callers.lock().iter().any(busy) && self.recorded() == self.0.database.made()
    }

    fn check(&self) {}

    fn check_end(&self) {
        let made = self.0.database.made();
        let cost = self.0.database.recorded().now_or_never().unwrap_or_default().cost.0;
        if cost > made * ESTIMATE {
            self.0.world.violate("more is recorded than calls can cost");
        }
    }

    fn describe(&self) -> String {
        format!("{} of {} calls are recorded", self.recorded(), self.0.database.made())
    }
}
