//! The server: bind, create the first key, serve, drain.

use std::fs::File;
use std::net::{SocketAddr, TcpListener};
use std::time::Duration;

use accounts_core::{IssuedKey, NewWorkspace};
use actix_cors::Cors;
use actix_web::dev::ServerHandle;
use actix_web::middleware::Condition;
use actix_web::{App, HttpServer, web};
use anyhow::Context as _;
use rustix::process::{Resource, getrlimit, setrlimit};
use secrecy::ExposeSecret as _;
use tokio::runtime::Runtime;
use tokio::sync::{oneshot, watch};

use crate::adapters::Adapters;
use crate::app::{self, AppState};
use crate::contents::open_blobs;
use crate::database;
use crate::database_lock::lock;
use crate::dispatchers::dispatchers;
use crate::http;
use crate::knowledge;
use crate::maintenance::{log_expired, run_maintenance};
use crate::metrics::MetricsListener;
use crate::ocr;
use crate::parsers;
use crate::settings::{Settings, threads};
use crate::shutdown::{ServerPhase, StopSignals, drain_time, stop_on};
use crate::vectors;

/// Maximum number of connections that wait to be accepted.
const BACKLOG: i32 = 1_024;

/// The runtime of a server.
///
/// # Errors
/// When its threads cannot be started.
pub(crate) fn runtime() -> anyhow::Result<Runtime> {
    tokio::runtime::Builder::new_multi_thread()
        .worker_threads(threads(0))
        .max_blocking_threads(16)
        .enable_all()
        .build()
        .context("the runtime cannot be started")
}

/// A server that is bound and ready to run.
#[derive(Debug)]
pub struct Server {
    settings: Settings,
    listener: TcpListener,
    state: AppState,
    /// The key created on the first start.
    pub first_key: Option<IssuedKey>,
    /// The address it listens on.
    pub address: SocketAddr,
    /// The URL under which clients reach it.
    pub public_url: String,
    /// Locks the database while the server runs.
    lock: Option<File>,
    metrics: Option<MetricsListener>,
}

impl Server {
    /// Call it on the multi-threaded runtime that is to run the background work.
    ///
    /// Binds the port, opens the stores, and creates the first workspace when there is none.
    ///
    /// # Errors
    /// One sentence for the operator.
    pub async fn build(settings: Settings) -> anyhow::Result<Self> {
        allow_many_connections();
        let listener = bind(settings.listen)?;
        let address = listener.local_addr().context("the listening address cannot be determined")?;
        let metrics = MetricsListener::bind(&settings)?;
        let public_url = if settings.public_url.is_empty() {
            format!("http://{address}")
        } else {
            settings.public_url.clone()
        };
        std::fs::create_dir_all(&settings.data_dir)
            .with_context(|| format!("the data folder {} cannot be created", settings.data_dir.display()))?;
        let lock = lock(&settings.database_url()).await?;
        let database = database::open(&settings)?;
        let ocr = ocr::find(&settings.ocr, parsers::launcher(&settings)?);
        let vectors = vectors::open(&settings.knowledge, &database);
        let (words, vectors, tesseract, blobs) =
            tokio::join!(knowledge::open_words(&settings), vectors, ocr, open_blobs(&settings));
        let background = tokio::runtime::Handle::current();
        let adapters = Adapters {
            database,
            words: words?,
            vectors: vectors?,
            tesseract: tesseract?,
            blobs: blobs?,
            metrics: metrics.as_ref().map(MetricsListener::metrics),
        };
        let state = app::compose(&settings, adapters, &public_url, background)?;
        let first = NewWorkspace {
            workspace: settings.first.workspace.clone(),
            user_name: settings.first.user_name.clone(),
            user_email: settings.first.user_email.clone(),
        };
        let expected = state.accounts.workspaces().await.context("the database cannot be read")?.is_empty();
        if expected {
            // The key is shown only once, so its file must be writable before the key is created.
            key_file(&settings).with_context(|| no_key_file(&settings))?;
        }
        let first_key =
            state.accounts.bootstrap(first).await.context("the first workspace could not be created")?;
        match &first_key {
            Some(key) => keep_key(&settings, key)?,
            // Another server on the same database was faster.
            None if expected => std::fs::remove_file(settings.data_dir.join("first-key")).unwrap_or_default(),
            None => {}
        }
        Ok(Self { settings, listener, state, first_key, address, public_url, lock, metrics })
    }

    /// The services, for tests below the HTTP interface.
    #[must_use]
    pub fn state(&self) -> &AppState {
        &self.state
    }

    /// Serves until a signal or the handle given to `started` stops it. Then it waits for requests and jobs in
    /// flight (`limits.drain_seconds`) and closes the database.
    ///
    /// # Errors
    /// When the server cannot be started.
    pub async fn run(
        self,
        signals: Option<StopSignals>,
        started: impl FnOnce(ServerHandle),
    ) -> anyhow::Result<()> {
        let Self { settings, listener, state, lock, metrics, .. } = self;
        let served = watch::Sender::new(false);
        if lock.is_some() {
            // Before the first call of this server, so all open reservations belong to a server that died.
            log_expired(state.usage.settle_expired(true).await);
            // Likewise all requests without an answer.
            if let Err(error) = state.idempotency.expire_attempts().await {
                tracing::warn!(%error, "the requests of a server that died could not be taken over");
            }
        }
        // The dispatchers also take over jobs that an earlier server left open.
        let working = dispatchers(&state, &settings, lock.is_some()).into_iter().map(|dispatcher| {
            let mut served = served.subscribe();
            let stop = async move {
                served.wait_for(|served| *served).await.map(drop).ok();
            };
            tokio::spawn(dispatcher.run(state.shutdown.reached(ServerPhase::Draining), stop))
        });
        let working: Vec<_> = working.collect();
        let (stop_indexing, stopped) = oneshot::channel::<()>();
        let indexing = tokio::spawn(state.knowledge_work.indexer.clone().run(async {
            stopped.await.ok();
        }));
        let data = web::Data::new(state.clone());
        let timeout = Duration::from_secs(settings.limits.request_seconds);
        let drain = drain_time(&settings.limits);
        let origins = settings.cors.origins.clone();
        let routes = http::routes();
        let app = move || {
            App::new()
                .app_data(data.clone())
                .wrap(Condition::new(!origins.is_empty(), cors(&origins)))
                .configure(|config| routes.mount(config))
        };
        let server = HttpServer::new(app)
            .workers(threads(settings.workers.http_threads))
            .worker_max_blocking_threads(8)
            .client_request_timeout(timeout)
            // A client that closed its side counts as disconnected, as for common proxies. Work that only it
            // waits for is cancelled.
            .h1_allow_half_closed(false)
            // Otherwise the second part of an answer waits until the client acknowledges the first: 40 ms.
            .tcp_nodelay(true)
            .shutdown_timeout(settings.limits.drain_seconds)
            .backlog(u32::try_from(BACKLOG).unwrap_or(1_024))
            .listen(listener)
            .context("the server cannot be started")?
            .disable_signals()
            .run();
        started(server.handle());
        let metrics = metrics.map(|metrics| metrics.serve(state.clone(), &settings)).transpose()?;
        let stop_metrics = metrics.map(|(server, handle)| {
            tokio::spawn(server);
            handle
        });
        let stopping = signals
            .map(|signals| tokio::spawn(stop_on(signals, server.handle(), state.shutdown.clone(), drain)));
        let tending = tokio::spawn(run_maintenance(state.clone(), lock.is_some()));
        let (stop_storing, stopped) = oneshot::channel();
        let storing = tokio::spawn(state.meter.clone().store(stopped));
        server.await.context("the server failed")?;
        tending.abort();
        // Also where no signal has stopped the server.
        state.shutdown.advance(ServerPhase::Draining);
        // After the last request: synchronous runs are waited for.
        served.send_replace(true);
        for working in working {
            working.await.context("job processing failed")?;
        }
        drop(stop_indexing);
        indexing.await.context("search indexing failed")?;
        drop(stop_storing);
        storing.await.context("the usage was not stored")?;
        if let Some(stopping) = stopping {
            stopping.abort();
        }
        // Last, so that the end of the work is seen.
        if let Some(handle) = stop_metrics {
            handle.stop(true).await;
        }
        let database = state.database.clone();
        tokio::task::spawn_blocking(move || database.close()).await.context("the database did not close")?;
        drop(lock);
        Ok(())
    }
}

/// Lets pages of these origins call the server with a key. The server uses no browser credentials.
fn cors(origins: &str) -> Cors {
    let cors = Cors::default()
        .allowed_methods(["GET", "POST", "PUT", "DELETE"])
        .allow_any_header()
        .expose_headers([
            "x-request-id",
            "x-total-count",
            "link",
            "retry-after",
            "location",
            "x-index-position",
            "mcp-session-id",
        ])
        .max_age(3_600);
    if origins.trim() == "*" {
        return cors.allow_any_origin();
    }
    // Which pages may use a public key, the key says.
    let cors = cors.allowed_origin_fn(|_, request| crate::http::is_public(request.uri.path()));
    origins.split(',').fold(cors, |cors, origin| cors.allowed_origin(origin.trim().trim_end_matches('/')))
}

/// Raises the limit of open files, which bounds connections, to the allowed maximum. Shells and service
/// managers start programs with about a thousand. A failure is not fatal.
fn allow_many_connections() {
    let mut limit = getrlimit(Resource::Nofile);
    limit.current = limit.maximum;
    if let Err(error) = setrlimit(Resource::Nofile, limit) {
        tracing::debug!(%error, "the limit of open files could not be raised");
    }
}

fn bind(address: SocketAddr) -> anyhow::Result<TcpListener> {
    TcpListener::bind(address).map_err(|error| match error.kind() {
        std::io::ErrorKind::AddrInUse => anyhow::anyhow!("the address {address} is already in use"),
        _ => anyhow::anyhow!("cannot listen on the address {address}: {error}"),
    })
}

/// The file of the first key, readable only by its owner.
fn key_file(settings: &Settings) -> std::io::Result<File> {
    use std::os::unix::fs::{OpenOptionsExt as _, PermissionsExt as _};
    let path = settings.data_dir.join("first-key");
    let file = File::options().write(true).create(true).truncate(true).mode(0o600).open(path)?;
    // An existing file may have other permissions.
    file.set_permissions(std::fs::Permissions::from_mode(0o600))?;
    Ok(file)
}

fn no_key_file(settings: &Settings) -> String {
    format!("the first key could not be written to {}", settings.data_dir.join("first-key").display())
}

/// Writes the first key to its file.
fn keep_key(settings: &Settings, issued: &IssuedKey) -> anyhow::Result<()> {
    use std::io::Write as _;
    let keep = || {
        let mut file = key_file(settings)?;
        writeln!(file, "{}", issued.secret.expose_secret())?;
        file.sync_all()
    };
    keep().with_context(|| no_key_file(settings) + " ('formwork keys create' creates another)")
}
