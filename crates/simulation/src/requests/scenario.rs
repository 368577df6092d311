//! Clients send requests with keys to any server, again and at the same time, until each is answered.

use std::collections::BTreeMap;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use accounts_core::idempotency::{IdempotencyService, RequestKey};
use futures_channel::oneshot;
use futures_util::future::{Either, select};
use parking_lot::Mutex;
use shared_core::SeededRng;

use super::server::{LEASE, Reply, RequestServer};
use super::store::{RequestDatabase, RequestStore};
use crate::bug::PlantedBug;
use crate::faults::{Connection, FaultRates};
use crate::operator::{Server, Servers, operate};
use crate::ports::{ProcessClock, Signal};
use crate::scenario::Scenario;
use crate::world::{OUTSIDE, ProcessId, World};

/// Requests at most.
const MAX_REQUESTS: u64 = 12;
/// Clients that send the same request, as a retry beside the first.
const CLIENTS: u64 = 3;

#[derive(Debug)]
struct Cluster {
    world: World,
    rates: FaultRates,
    bug: Option<PlantedBug>,
    database: Arc<RequestDatabase>,
    servers: Mutex<BTreeMap<ProcessId, RequestServer>>,
    /// The answers of each key, and the clients that wait.
    answers: Mutex<BTreeMap<String, Vec<String>>>,
    waiting: Mutex<u64>,
}

/// Begins the scenario.
pub(crate) fn begin(world: &World, bug: Option<PlantedBug>) -> Box<dyn Scenario> {
    let cluster = Arc::new(Cluster {
        world: world.clone(),
        rates: FaultRates::draw(world),
        bug,
        database: Arc::default(),
        servers: Mutex::default(),
        answers: Mutex::default(),
        waiting: Mutex::default(),
    });
    operate(world, cluster.rates, Arc::new(RequestServers(Arc::clone(&cluster))));
    for request in 0..=world.random().below(MAX_REQUESTS) {
        for _ in 0..=world.random().below(CLIENTS) {
            *cluster.waiting.lock() += 1;
            let own = Arc::clone(&cluster);
            world.spawn(OUTSIDE, Box::pin(async move { own.request(format!("key-{request}")).await }));
        }
    }
    Box::new(RequestScenario(cluster))
}

struct RequestServers(Arc<Cluster>);

impl Servers for RequestServers {
    fn start(&self, _: bool) -> Server {
        let cluster = &self.0;
        let world = &cluster.world;
        let process = world.start_process();
        let store = RequestStore {
            database: Arc::clone(&cluster.database),
            connection: Connection::new(world, process, cluster.rates),
            bug: cluster.bug,
        };
        let clock = ProcessClock::start(world, process, false);
        let ids = Arc::new(SeededRng::new(world.random().bits()));
        let service = IdempotencyService::new(Arc::new(store.clone()), clock, ids, LEASE);
        cluster.servers.lock().insert(process, RequestServer { service: service.clone(), store });
        let own = world.clone();
        let sweep = async move {
            loop {
                own.sleep(Duration::from_secs(60)).await;
                let _ = service.sweep().await;
            }
        };
        world.spawn(process, Box::pin(sweep));
        Server { process, stop: Arc::<Signal>::default() }
    }
}

impl Cluster {
    /// Sends a request until it is answered.
    async fn request(&self, key: String) {
        self.world.sleep(self.world.random().millis(0, 60_000)).await;
        loop {
            let Some(reply) = self.send(&key).await else { continue };
            match reply {
                Reply::Done(id) => return self.accept(&key, id),
                Reply::Running | Reply::Failed => self.world.sleep(Duration::from_secs(1)).await,
            }
        }
    }

    /// Sends a request to some server; `None` when the server dies or takes too long. It may go on nevertheless.
    async fn send(&self, key: &str) -> Option<Reply> {
        let servers: Vec<(ProcessId, RequestServer)> = {
            let mut servers = self.servers.lock();
            servers.retain(|process, _| self.world.is_alive(*process));
            servers.iter().map(|(process, server)| (*process, server.clone())).collect()
        };
        let Some((process, server)) = servers.get(self.world.random().index(servers.len())).cloned() else {
            self.world.sleep(Duration::from_secs(1)).await;
            return None;
        };
        let key = RequestKey::parse(key).ok()?;
        let (sender, receiver) = oneshot::channel();
        let serve = async move {
            let _ = sender.send(server.serve(key).await);
        };
        self.world.spawn(process, Box::pin(serve));
        let patience = self.world.sleep(self.world.random().millis(1_000, 40_000));
        match select(receiver, pin!(patience)).await {
            Either::Left((reply, _)) => reply.ok(),
            Either::Right(_) => None,
        }
    }

    fn accept(&self, key: &str, id: String) {
        self.world.log(|| format!("{key} is answered with note {id}"));
        if !self.database.notes.lock().has(key, &id) {
            self.world.violate(format!("{key} is answered with note {id}, which it does not have"));
        }
        let mut answers = self.answers.lock();
        let known = answers.entry(key.to_owned()).or_default();
        if known.iter().any(|known| *known != id) {
            self.world.violate(format!("{key} has two answers"));
        }
        known.push(id);
        *self.waiting.lock() -= 1;
    }
}

struct RequestScenario(Arc<Cluster>);

impl Scenario for RequestScenario {
    fn is_done(&self) -> bool {
        *self.0.waiting.lock() == 0 && self.0.world.is_calm()
    }

    fn check(&self) {
        let notes = self.0.database.notes.lock();
        if let Some((key, _)) = notes.of_key.iter().find(|(_, notes)| notes.len() > 1) {
            self.0.world.violate(format!("{key} was done twice"));
        }
    }

    fn check_end(&self) {
        let (notes, answers) = (self.0.database.notes.lock(), self.0.answers.lock());
        if !notes.of_key.keys().eq(answers.keys()) {
            self.0.world.violate("there is not one note for each request that was answered");
        }
    }

    fn describe(&self) -> String {
        format!("{} clients wait", self.0.waiting.lock())
    }
}
