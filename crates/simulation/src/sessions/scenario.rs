//! Clients send messages to any server; an answered message must be in its session.

use std::collections::BTreeMap;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use agents_core::chat::{
    AgentChatRequest, ChatLimits, ChatPorts, ChatService, MemorySessions, SessionRepository as _, Speaker,
};
use agents_core::{AgentsService, MemoryAgents, NewAgent};
use async_trait::async_trait;
use document::{DocumentReader, MemoryParsedDocuments};
use documents_core::DirectParser;
use files_core::{FileOrigin, FileUrls, FilesConfig, FilesService, MemoryBlobs, MemoryFiles};
use forms_core::{ExtractionEngine, FormsService, MemoryForms};
use futures_channel::oneshot;
use futures_util::FutureExt as _;
use futures_util::future::{Either, select};
use gen_core::{
    CallerContext, DocumentSource, GenService, GenerateLimits, GeneratePorts, GenerateService,
    KnowledgeQuery, KnowledgeSource, Media, MediaStore, ModelId, PageLayout, Passages, Provider,
    SourceDocument, SourceError,
};
use parking_lot::Mutex;
use rules_engine::Extractive;
use rules_engine::nlu::RuleNlu;
use serde_json::json;
use shared_core::{Author, Clock, Scope, SeededRng, StoreError, UserId, WorkspaceId};

use super::store::SessionStore;
use crate::bug::PlantedBug;
use crate::faults::{Connection, FaultRates};
use crate::operator::{Server, Servers, operate};
use crate::ports::{ProcessClock, Signal, WorldTimer};
use crate::scenario::Scenario;
use crate::world::{OUTSIDE, ProcessId, World};

/// The agent of all sessions.
const AGENT: &str = "agent";
/// Sessions, clients of each, and messages of each client.
const SESSIONS: usize = 1;
const CLIENTS: usize = 3;
const MESSAGES: usize = 3;

struct Cluster {
    world: World,
    rates: FaultRates,
    bug: Option<PlantedBug>,
    agents: Arc<MemoryAgents>,
    forms: Arc<MemoryForms>,
    sessions: Arc<MemorySessions>,
    servers: Mutex<Vec<(ProcessId, ChatService)>>,
    /// Messages that were answered, by session.
    answered: Mutex<BTreeMap<String, Vec<String>>>,
    /// Clients that are not done.
    talking: Mutex<usize>,
}

fn payer() -> CallerContext {
    CallerContext::keyless(Scope { workspace: WorkspaceId("w".into()), user: UserId("u".into()) })
}

fn author() -> Author {
    Author { id: UserId("u".into()), name: "Ada".into(), email: String::new() }
}

/// A source without documents and knowledge bases.
#[derive(Debug)]
struct NoSource;

#[async_trait]
impl DocumentSource for NoSource {
    async fn read(&self, _: &Scope, _: &str) -> Result<SourceDocument, SourceError> {
        Err(SourceError::Unusable { code: "file_not_found", message: "there are no files".to_owned() })
    }
}

#[async_trait]
impl KnowledgeSource for NoSource {
    async fn passages(&self, _: &Scope, _: KnowledgeQuery<'_>) -> Result<Passages, SourceError> {
        Ok(Passages::default())
    }

    async fn layout(&self, _: &Scope, _: &str) -> Option<Arc<dyn PageLayout>> {
        None
    }
}

#[async_trait]
impl MediaStore for NoSource {
    async fn store(&self, _: &Scope, _: &str, _: Media) -> Result<String, StoreError> {
        Err(StoreError::Full)
    }
}

/// Begins the scenario.
pub(crate) fn begin(world: &World, bug: Option<PlantedBug>) -> Box<dyn Scenario> {
    let agents = Arc::new(MemoryAgents::default());
    let cluster = Arc::new(Cluster {
        world: world.clone(),
        rates: FaultRates::draw(world),
        bug,
        sessions: Arc::new(MemorySessions::new(Arc::clone(&agents))),
        agents,
        forms: Arc::default(),
        servers: Mutex::default(),
        answered: Mutex::default(),
        talking: Mutex::new(SESSIONS * CLIENTS),
    });
    let own = Arc::clone(&cluster);
    let play = async move {
        if let Err(error) = Arc::clone(&own).play().await {
            own.world.violate(format!("the conversations could not begin: {error}"));
        }
    };
    world.spawn(OUTSIDE, Box::pin(play));
    Box::new(SessionScenario(cluster))
}

impl Cluster {
    async fn play(self: Arc<Self>) -> anyhow::Result<()> {
        let clock = ProcessClock::start(&self.world, OUTSIDE, false);
        let none = FaultRates { before: 0, after: 0, slow: 0, ..self.rates };
        let forms = FormsService::new(self.forms.clone(), clock.clone(), Arc::new(SeededRng::new(1)));
        let ports = self.ports(OUTSIDE, clock, none);
        let schema = json!({"first_name": {"type": "string"}, "city": {"type": "string"}});
        let form = forms.create(&payer().scope, &author(), "F".into(), schema, None).await?;
        let new = NewAgent { namespace: AGENT.into(), form_id: Some(form.id), ..NewAgent::default() };
        ports.agents.create(&payer().scope, &author(), new).await?;
        let service = ChatService::new(ports, ChatLimits::default());
        operate(&self.world, self.rates, Arc::new(SessionServers(Arc::clone(&self))));
        for _ in 0..SESSIONS {
            let session =
                service.chat(&payer(), &author(), AGENT, message("hello".into(), None)).await?.session;
            for client in 0..CLIENTS {
                let (own, session) = (Arc::clone(&self), session.clone());
                let talk = async move {
                    own.talk(&session, client).await;
                    *own.talking.lock() -= 1;
                };
                self.world.spawn(OUTSIDE, Box::pin(talk));
            }
        }
        Ok(())
    }

    fn ports(&self, process: ProcessId, clock: Arc<dyn Clock>, rates: FaultRates) -> ChatPorts {
        let ids = Arc::new(SeededRng::new(self.world.random().bits()));
        let models = GenService::builder()
            .with_chat(Provider::Formwork, Arc::new(Extractive))
            .timer(Arc::new(WorldTimer(self.world.clone())))
            .rng(ids.clone())
            .build();
        let forms = FormsService::new(self.forms.clone(), clock.clone(), ids.clone());
        let config = FilesConfig {
            max_bytes: 1_000,
            sniff: documents_core::sniff,
            urls: FileUrls::new("https://forms.example"),
        };
        let (records, blobs) = (Arc::new(MemoryFiles::default()), Arc::new(MemoryBlobs::default()));
        let files = FilesService::new(records, blobs, clock.clone(), ids.clone(), config);
        let source = Arc::new(NoSource);
        let sources = GeneratePorts { documents: source.clone(), knowledge: source.clone(), media: source };
        ChatPorts {
            agents: AgentsService::new(
                self.agents.clone(),
                forms,
                models.clone(),
                ModelId::extractive(),
                clock.clone(),
                ids.clone(),
            ),
            sessions: Arc::new(SessionStore {
                sessions: Arc::clone(&self.sessions),
                connection: Connection::new(&self.world, process, rates),
                bug: self.bug,
            }),
            documents: DocumentReader::new(
                Arc::new(FileOrigin(files)),
                Arc::new(DirectParser::default()),
                Arc::new(MemoryParsedDocuments::default()),
                clock.clone(),
            ),
            engine: ExtractionEngine::new(models.clone()),
            generate: GenerateService::new(models.clone(), sources, GenerateLimits::default()),
            nlu: Arc::new(RuleNlu),
            models,
            clock,
            timer: Arc::new(WorldTimer(self.world.clone())),
            ids,
        }
    }

    /// A client sends messages, each until one is answered. A message that is sent again has another text.
    async fn talk(&self, session: &str, client: usize) {
        for number in 0..MESSAGES {
            for attempt in 0.. {
                self.world.sleep(self.world.random().millis(0, 8_000)).await;
                let text = format!("message {client} {number} {attempt}");
                if self.send(session, &text).await {
                    self.world.log(|| format!("'{text}' is answered"));
                    self.answered.lock().entry(session.to_owned()).or_default().push(text);
                    break;
                }
            }
        }
    }

    /// Sends a message to some server; `false` when it fails, or the server dies or takes too long.
    async fn send(&self, session: &str, text: &str) -> bool {
        let servers: Vec<(ProcessId, ChatService)> = {
            let mut servers = self.servers.lock();
            servers.retain(|(process, _)| self.world.is_alive(*process));
            servers.clone()
        };
        let Some((process, service)) = servers.get(self.world.random().index(servers.len())).cloned() else {
            return false;
        };
        let request = message(text.to_owned(), Some(session.to_owned()));
        let (sender, receiver) = oneshot::channel();
        let serve = async move {
            let answer = service.chat(&payer(), &author(), AGENT, request).await;
            let _ = sender.send(answer.is_ok());
        };
        self.world.spawn(process, Box::pin(serve));
        match select(receiver, pin!(self.world.sleep(Duration::from_secs(30)))).await {
            Either::Left((answered, _)) => answered == Ok(true),
            Either::Right(_) => false,
        }
    }
}

fn message(message: String, session_id: Option<String>) -> AgentChatRequest {
    AgentChatRequest { message, session_id, ..AgentChatRequest::default() }
}

struct SessionServers(Arc<Cluster>);

impl Servers for SessionServers {
    fn start(&self, _: bool) -> Server {
        let cluster = &self.0;
        let process = cluster.world.start_process();
        let clock = ProcessClock::start(&cluster.world, process, false);
        let service = ChatService::new(cluster.ports(process, clock, cluster.rates), ChatLimits::default());
        cluster.servers.lock().push((process, service));
        Server { process, stop: Arc::<Signal>::default() }
    }
}

struct SessionScenario(Arc<Cluster>);

impl Scenario for SessionScenario {
    fn is_done(&self) -> bool {
        *self.0.talking.lock() == 0 && self.0.world.is_calm()
    }

    fn check(&self) {}

    fn check_end(&self) {
        for (session, answered) in self.0.answered.lock().iter() {
            let turns = self.0.sessions.turns(&payer().scope, session, 1_000).now_or_never();
            let turns = turns.and_then(Result::ok).unwrap_or_default();
            for text in answered {
                let is_there =
                    |turn: &&agents_core::chat::Turn| turn.speaker == Speaker::User && turn.text == *text;
                if turns.iter().filter(is_there).count() != 1 {
                    self.0.world.violate(format!("'{text}' was answered and is not stored once"));
                }
            }
        }
    }

    fn describe(&self) -> String {
        format!("{} clients still talk", self.0.talking.lock())
    }
}
