//! Events happen, webhooks are deleted, and servers deliver.

use std::sync::Arc;

use futures_util::FutureExt as _;
use jobs_core::DispatcherHandle;
use parking_lot::Mutex;
use shared_core::{PageRequest, Scope, SeededRng, UserId, WorkspaceId};
use webhooks_core::{
    Delivery, DeliveryState, Event, MemoryWebhooks, NewWebhook, QUEUE, Webhook, WebhookPorts,
    WebhookRepository as _, WebhooksService,
};

use super::receiver::{Receivers, SimulatedSender, message_id};
use super::store::WebhookStore;
use crate::bug::PlantedBug;
use crate::faults::{Connection, FaultRates};
use crate::operator::{Server, Servers, operate};
use crate::ports::ProcessClock;
use crate::queue::{JobServer, LeaseLedger, ProcessQueue};
use crate::scenario::Scenario;
use crate::world::{OUTSIDE, ProcessId, World};

/// Webhooks of the workspace.
const WEBHOOKS: usize = 3;
/// Events that happen in the workspace.
const EVENTS: u32 = 8;

struct Cluster {
    world: World,
    rates: FaultRates,
    bug: Option<PlantedBug>,
    webhooks: Arc<MemoryWebhooks>,
    ledger: Arc<LeaseLedger>,
    receivers: Arc<Receivers>,
    servers: Mutex<Vec<(ProcessId, WebhooksService)>>,
    created: Mutex<Vec<Webhook>>,
    is_complete: Mutex<bool>,
}

fn scope() -> Scope {
    Scope { workspace: WorkspaceId("w".into()), user: UserId("u".into()) }
}

/// Begins the scenario.
pub(crate) fn begin(world: &World, bug: Option<PlantedBug>) -> Box<dyn Scenario> {
    let cluster = Arc::new(Cluster {
        world: world.clone(),
        rates: FaultRates::draw(world),
        bug,
        webhooks: Arc::default(),
        ledger: Arc::new(LeaseLedger::new(world)),
        receivers: Arc::new(Receivers::new(world)),
        servers: Mutex::default(),
        created: Mutex::default(),
        is_complete: Mutex::default(),
    });
    let own = Arc::clone(&cluster);
    world.spawn(OUTSIDE, Box::pin(async move { own.play().await }));
    Box::new(WebhookScenario(cluster))
}

impl Cluster {
    async fn play(self: Arc<Self>) {
        let random = self.world.random();
        let none = FaultRates { before: 0, after: 0, slow: 0, ..self.rates };
        let (service, _) = self.service(OUTSIDE, none);
        for place in 0..WEBHOOKS {
            let url = format!("https://receiver-{place}.example/");
            match service.create(&scope(), NewWebhook { url, ..NewWebhook::default() }).await {
                Ok(webhook) => {
                    self.receivers.add(&webhook.url, webhook.secret.clone());
                    self.created.lock().push(webhook);
                }
                Err(error) => self.world.violate(format!("a webhook could not be created: {error}")),
            }
        }
        operate(&self.world, self.rates, Arc::new(WebhookServers(Arc::clone(&self))));
        for number in 0..EVENTS {
            self.world.sleep(random.millis(0, 20_000)).await;
            let event = Event::item_ready("base", &format!("item-{number}"), "a.txt", (3, 7));
            // The event is stored in the transaction of what happened, so it is there or the change is not.
            let now = self.world.database_time();
            if self.webhooks.emit(&scope().workspace, &event, None, now).await.is_err() {
                self.world.violate("an event could not be stored");
            }
            if random.happens(100) {
                self.delete_one().await;
            }
        }
        *self.is_complete.lock() = true;
    }

    /// Some server deletes a webhook; if it dies meanwhile, the webhook may stay.
    async fn delete_one(&self) {
        let (servers, random) = (self.servers.lock().clone(), self.world.random());
        let webhook = self.created.lock().first().cloned();
        let Some(((process, service), webhook)) =
            servers.get(random.index(servers.len())).cloned().zip(webhook)
        else {
            return;
        };
        let delete = async move {
            let _ = service.delete(&scope(), &webhook.id).await;
        };
        self.world.spawn(process, Box::pin(delete));
    }

    fn service(&self, process: ProcessId, rates: FaultRates) -> (WebhooksService, DispatcherHandle) {
        let store = WebhookStore {
            webhooks: Arc::clone(&self.webhooks),
            ledger: Arc::clone(&self.ledger),
            receivers: Arc::clone(&self.receivers),
            connection: Connection::new(&self.world, process, rates),
            bug: self.bug,
        };
        let receivers = Arc::clone(&self.receivers);
        let jobs = DispatcherHandle::default();
        let service = WebhooksService::new(WebhookPorts {
            webhooks: Arc::new(store),
            sender: Arc::new(SimulatedSender { world: self.world.clone(), process, receivers }),
            jobs: jobs.clone(),
            clock: ProcessClock::start(&self.world, process, false),
            rng: Arc::new(SeededRng::new(self.world.random().bits())),
        });
        (service, jobs)
    }

    fn deliveries(&self, webhook: &Webhook) -> Vec<Delivery> {
        let page = PageRequest::first(100);
        let found = self.webhooks.deliveries(&scope(), &webhook.id, &page).now_or_never();
        found.and_then(Result::ok).map(|page| page.items).unwrap_or_default()
    }
}

struct WebhookServers(Arc<Cluster>);

impl Servers for WebhookServers {
    fn start(&self, is_alone: bool) -> Server {
        let cluster = &self.0;
        let world = cluster.world.clone();
        let process = world.start_process();
        let (service, jobs) = cluster.service(process, cluster.rates);
        let connection = Connection::new(&world, process, cluster.rates);
        let ledger = Arc::clone(&cluster.ledger);
        let queue = ProcessQueue::new(cluster.webhooks.jobs(), Arc::clone(&ledger), connection, cluster.bug);
        let mut servers = cluster.servers.lock();
        servers.retain(|(process, _)| world.is_alive(*process));
        servers.push((process, service.clone()));
        drop(servers);
        let server = JobServer {
            process,
            name: QUEUE,
            queue: Arc::new(queue),
            handler: service.worker(|_| {}),
            ledger,
            jobs,
            clock: ProcessClock::start(&world, process, false),
            is_exclusive: is_alone,
            world,
        };
        Server { process, stop: server.start() }
    }
}

struct WebhookScenario(Arc<Cluster>);

impl WebhookScenario {
    fn pending(&self) -> usize {
        let created = self.0.created.lock();
        let all = created.iter().flat_map(|webhook| self.0.deliveries(webhook));
        all.filter(|delivery| delivery.state == DeliveryState::Pending).count()
    }
}

impl Scenario for WebhookScenario {
    fn is_done(&self) -> bool {
        let world = &self.0.world;
        // All deliveries are looked at, which is not cheap.
        world.is_calm()
            && world.steps().is_multiple_of(16)
            && *self.0.is_complete.lock()
            && self.pending() == 0
    }

    fn check(&self) {
        self.0.ledger.check();
    }

    fn check_end(&self) {
        for webhook in self.0.created.lock().iter() {
            for delivery in self.0.deliveries(webhook) {
                let id = message_id(&webhook.id, delivery.number);
                let is_acknowledged = self.0.receivers.has_acknowledged(&id);
                // Ten failures in a row do not happen: faults end before the sixth attempt.
                if delivery.state != DeliveryState::Delivered || !is_acknowledged {
                    self.0.world.violate(format!("{id} was not delivered: {:?}", delivery.state));
                }
            }
        }
        if self.0.ledger.leased() > 0 {
            self.0.world.violate("deliveries are under lease after the last one ended");
        }
    }

    fn describe(&self) -> String {
        format!("{} deliveries are pending", self.pending())
    }
}
