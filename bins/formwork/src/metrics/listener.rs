//! The listener of the metrics: of its own, since they need no key and are not for clients.

use std::net::TcpListener;

use actix_web::dev::{Server, ServerHandle};
use actix_web::http::header::CONTENT_TYPE;
use actix_web::{App, HttpResponse, HttpServer, web};
use anyhow::Context as _;
use blobs::BlobLocation;
use store_diesel::{DieselJobs, DieselRuns};

use super::recorder::Metrics;
use super::state::StateReader;
use crate::app::AppState;
use crate::settings::Settings;

/// The content type of OpenMetrics 1.0.
const OPEN_METRICS: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";
/// Seconds that a request for the metrics may take at shutdown.
const SHUTDOWN_SECONDS: u64 = 1;

/// A bound listener.
#[derive(Debug)]
pub(crate) struct MetricsListener {
    listener: TcpListener,
    metrics: Metrics,
}

impl MetricsListener {
    /// Binds the address of the settings; `None` if there is none.
    ///
    /// # Errors
    /// One sentence for the operator.
    pub(crate) fn bind(settings: &Settings) -> anyhow::Result<Option<Self>> {
        let Some(address) = settings.metrics.address() else { return Ok(None) };
        let listener = TcpListener::bind(address)
            .with_context(|| format!("cannot listen on the address {address} (metrics.listen)"))?;
        let address = listener.local_addr().context("the address of the metrics cannot be determined")?;
        tracing::info!("metrics are on http://{address}/metrics");
        Ok(Some(Self { listener, metrics: Metrics::default() }))
    }

    /// What is recorded for it.
    pub(crate) fn metrics(&self) -> Metrics {
        self.metrics.clone()
    }

    /// Serves `GET /metrics` until the handle stops it.
    ///
    /// # Errors
    /// When the listener cannot be used.
    pub(crate) fn serve(
        self,
        state: AppState,
        settings: &Settings,
    ) -> anyhow::Result<(Server, ServerHandle)> {
        let mut folders =
            vec![("data", settings.data_dir.clone()), ("search_index", settings.index_folder())];
        if let BlobLocation::Folder(folder) = settings.blob_location()? {
            folders.push(("blobs", folder));
        }
        let started = state.clock.now();
        let reader = web::Data::new(StateReader {
            jobs: DieselJobs::new(state.database.clone()),
            runs: DieselRuns::new(state.database.clone()),
            state,
            metrics: self.metrics,
            folders,
            started,
        });
        let app = move || App::new().app_data(reader.clone()).route("/metrics", web::get().to(show));
        let server = HttpServer::new(app)
            .workers(1)
            .shutdown_timeout(SHUTDOWN_SECONDS)
            .listen(self.listener)
            .context("the metrics cannot be served")?
            .disable_signals()
            .run();
        let handle = server.handle();
        Ok((server, handle))
    }
}

async fn show(reader: web::Data<StateReader>) -> HttpResponse {
    match reader.text().await {
        Ok(text) => HttpResponse::Ok().insert_header((CONTENT_TYPE, OPEN_METRICS)).body(text),
        Err(error) => {
            tracing::error!(%error, "the metrics could not be written");
            HttpResponse::InternalServerError().finish()
        }
    }
}
