//! A server for one command, on a thread of its own.

use std::thread::JoinHandle;

use actix_web::dev::ServerHandle;
use anyhow::Context as _;
use tokio::sync::oneshot;

use crate::serve::{self, Server};
use crate::settings::Settings;

/// A server that listens on a free port of this machine.
#[derive(Debug)]
pub(super) struct OwnServer {
    /// Where it listens, such as `http://127.0.0.1:40123`.
    pub(super) url: String,
    handle: ServerHandle,
    thread: JoinHandle<anyhow::Result<()>>,
}

impl OwnServer {
    /// Starts it with the database of the settings.
    ///
    /// # Errors
    /// When it cannot serve, for instance because another server uses the database.
    pub(super) async fn start(mut settings: Settings) -> anyhow::Result<Self> {
        settings.listen = ([127, 0, 0, 1], 0).into();
        settings.public_url = String::new();
        settings.metrics.listen = String::new();
        let (sender, receiver) = oneshot::channel();
        let thread = std::thread::Builder::new()
            .name("server".to_owned())
            .spawn(move || run(settings, sender))
            .context("the thread of the server cannot be started")?;
        match receiver.await {
            Ok((url, handle)) => Ok(Self { url, handle, thread }),
            // It ended before it served, and says why.
            Err(_) => match thread.join() {
                Ok(Err(error)) => Err(error.context("to use a running server, give its --url")),
                _ => anyhow::bail!("the server ended without a reason"),
            },
        }
    }

    /// Ends it after the requests and jobs in flight.
    pub(super) async fn stop(self) {
        self.handle.stop(true).await;
        if let Ok(Err(error)) = self.thread.join() {
            tracing::warn!(error = format!("{error:#}"), "the server ended with an error");
        }
    }
}

fn run(settings: Settings, started: oneshot::Sender<(String, ServerHandle)>) -> anyhow::Result<()> {
    let runtime = serve::runtime()?;
    runtime.block_on(async {
        let server = Server::build(settings).await?;
        let url = server.public_url.clone();
        // A command that was given up waits for nothing.
        server.run(None, |handle| drop(started.send((url, handle)))).await
    })
}
