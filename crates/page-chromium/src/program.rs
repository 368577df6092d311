//! The browser as an adapter: finds, checks and runs it.

use std::ffi::OsStr;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use async_trait::async_trait;
use bytes::Bytes;
use programs::{is_executable, with_sources};
use shared_core::LiveCount;
use tokio::sync::Semaphore;
use tokio::sync::oneshot::{self, Receiver};
use tokio::time::{Instant, sleep_until};
use tracing::Instrument as _;
use tracing::field::Empty;
use utilities_core::web::{BrowserError, BrowserProxy, PageBrowser};

use crate::arguments::{BrowserCommand, RenderOutput};
use crate::error_page;
use crate::picture;
use crate::process::{ProcessFailure, StopConditions, failed, run};
use crate::settings::{ChromiumSettings, TURNS};

/// Executable names that are searched for.
const NAMES: [&str; 4] = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome"];
/// Prefix of the temporary folders.
const FOLDERS: &str = "formwork-page-";
/// A page that is right only when its script has run.
const SAMPLE: &str = "data:text/html,<p id=a></p><script>a.textContent='shown '+'by script'</script>";
const SHOWN: &str = "shown by script</p>";

/// Why the browser cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("{} cannot be used as a browser: {reason}", program.display())]
pub struct FindError {
    /// Path of the executable.
    pub program: PathBuf,
    /// The reason, one sentence.
    pub reason: String,
}

/// A browser that renders pages. Clones share its permits.
#[derive(Clone, Debug)]
pub struct Chromium(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    settings: ChromiumSettings,
    proxy: Arc<dyn BrowserProxy>,
    permits: Arc<Semaphore>,
    /// Pages that wait for a permit.
    waiting: LiveCount,
}

/// What a browser does at the moment, in pages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BrowserLoad {
    /// Pages that are rendered, each by a process of its own.
    pub running: usize,
    /// Pages that wait for a permit.
    pub waiting: usize,
}

impl Chromium {
    /// Finds the browser in the folders of `search`, the value of `PATH`.
    #[must_use]
    pub fn search(search: &OsStr) -> Option<PathBuf> {
        programs::find_program(search, &NAMES)
    }

    /// A browser whose whole traffic goes through `proxy`. No process starts before a page needs one.
    /// Browsers left by a killed server are killed.
    ///
    /// # Errors
    /// When it cannot be started, or not with its sandbox.
    pub fn new(settings: ChromiumSettings, proxy: Arc<dyn BrowserProxy>) -> Result<Self, FindError> {
        let unusable =
            |reason: &str| Err(FindError { program: settings.program.clone(), reason: reason.to_owned() });
        if !is_executable(&settings.program) {
            return unusable("it is not an executable file");
        }
        if settings.sandbox && rustix::process::geteuid().is_root() {
            return unusable("it does not start as root with its sandbox; run the server as another user");
        }
        programs::sweep(FOLDERS);
        let places = Arc::new(Semaphore::new(settings.at_once));
        Ok(Self(Arc::new(Inner { settings, proxy, permits: places, waiting: LiveCount::default() })))
    }

    /// What it does at the moment.
    #[must_use]
    pub fn load(&self) -> BrowserLoad {
        let Inner { settings, permits, waiting, .. } = &*self.0;
        let running = settings.at_once.saturating_sub(permits.available_permits());
        BrowserLoad { running, waiting: waiting.get() }
    }

    /// Path of the executable.
    #[must_use]
    pub fn program(&self) -> &Path {
        &self.0.settings.program
    }

    /// Name and version, such as `Chromium 140.0.1`, after it has rendered a sample page.
    ///
    /// # Errors
    /// When it does not render the sample.
    pub async fn check(&self) -> Result<String, FindError> {
        let told = async {
            let (_waits, mut gone) = oneshot::channel();
            let until = Instant::now() + self.0.settings.page_time;
            let version =
                self.0.run(None, StopConditions { until, cancelled: &mut gone, share: None }).await?;
            let nowhere = SocketAddr::from((Ipv4Addr::LOCALHOST, 1));
            let sample = Some((SAMPLE, nowhere, RenderOutput::Html));
            let shown =
                self.0.run(sample, StopConditions { until, cancelled: &mut gone, share: None }).await?;
            Ok((version, shown))
        };
        let unusable = |reason| FindError { program: self.0.settings.program.clone(), reason };
        let (version, shown) = told.await.map_err(|error: BrowserError| unusable(with_sources(&error)))?;
        if !String::from_utf8_lossy(&shown).contains(SHOWN) {
            return Err(unusable("it does not run scripts".to_owned()));
        }
        let version = String::from_utf8_lossy(&version);
        Ok(version.lines().next().unwrap_or_default().trim().chars().take(64).collect())
    }
}

impl Inner {
    /// Runs the browser for an output of a page through a proxy, or for its version.
    async fn run(
        &self,
        page: Option<(&str, SocketAddr, RenderOutput)>,
        end: StopConditions<'_>,
    ) -> Result<Vec<u8>, BrowserError> {
        let settings = &self.settings;
        let folder = programs::create_temp_folder(FOLDERS).map_err(failed)?;
        let arguments = match page {
            None => vec!["--version".to_owned()],
            Some((url, proxy, wanted)) => BrowserCommand {
                profile: folder.path(),
                proxy,
                sandbox: settings.sandbox,
                script_ms: u64::try_from(settings.script_time.as_millis()).unwrap_or(u64::MAX),
                output: wanted,
                url,
            }
            .arguments(),
        };
        let said = run(settings, &arguments, folder.path(), end).await;
        let wants_picture =
            page.is_some_and(|(_, _, wanted)| wanted == RenderOutput::Picture) && said.is_ok();
        let leave = move || {
            let left = if wants_picture { picture::read(folder.path()) } else { Ok(None) };
            if let Err(error) = folder.close() {
                tracing::warn!(%error, "the temporary folder of a browser could not be removed");
            }
            left
        };
        let left = tokio::task::spawn_blocking(leave).await;
        let left = left.map_err(|error| BrowserError::Failed(error.into())).flatten();
        let said = said?;
        if let Some(code) = error_page::code(&said.output) {
            return Err(ProcessFailure::ErrorPage(code).into());
        }
        let shown = if wants_picture { left?.unwrap_or_default() } else { said.output };
        if shown.trim_ascii().is_empty() {
            Err(ProcessFailure::EmptyOutput(said.stderr).into())
        } else {
            Ok(shown)
        }
    }

    async fn render_page(
        &self,
        url: &str,
        wanted: RenderOutput,
        mut gone: Receiver<()>,
    ) -> Result<Bytes, BrowserError> {
        let time = self.settings.page_time;
        let waits = self.waiting.enter();
        let place = tokio::select! {
            place = self.permits.acquire() => place,
            () = sleep_until(Instant::now() + time * TURNS) => return Err(BrowserError::Timeout(time.as_secs())),
            _ = &mut gone => return Err(ProcessFailure::Cancelled.into()),
        };
        let _place = place.map_err(|error| BrowserError::Failed(error.into()))?;
        drop(waits);
        let lease = self.proxy.open(url).await?;
        let now = Instant::now();
        let share = Some((now + self.settings.share(), &self.waiting));
        let end = StopConditions { until: now + time, cancelled: &mut gone, share };
        self.run(Some((url, lease.address, wanted)), end).await.map(Bytes::from)
    }
}

impl Chromium {
    async fn spawn_render(&self, url: &str, wanted: RenderOutput) -> Result<Bytes, BrowserError> {
        let (inner, url) = (Arc::clone(&self.0), url.to_owned());
        let (_waits, gone) = oneshot::channel();
        // A task of its own stops all processes and removes the folder, also when the caller has been
        // dropped.
        let render = async move { inner.render_page(&url, wanted, gone).await };
        let span = tracing::error_span!("render", ?wanted, failure = Empty);
        let work = tokio::spawn(render.instrument(span.clone()));
        let outcome = work.await.map_err(|error| BrowserError::Failed(error.into())).flatten();
        if let Err(error) = &outcome {
            span.record("failure", failure_code(error));
            tracing::info!(error = with_sources(error), ?wanted, "the browser did not render a page");
        }
        outcome
    }
}

/// The kind of a failure, for the span.
fn failure_code(error: &BrowserError) -> &'static str {
    match error {
        BrowserError::Timeout(_) => "timeout",
        BrowserError::Memory(_) => "memory",
        BrowserError::TooLarge(_) => "too_large",
        _ => "failed",
    }
}

#[async_trait]
impl PageBrowser for Chromium {
    async fn render(&self, url: &str) -> Result<Bytes, BrowserError> {
        self.spawn_render(url, RenderOutput::Html).await
    }

    async fn picture(&self, url: &str) -> Result<Bytes, BrowserError> {
        self.spawn_render(url, RenderOutput::Picture).await
    }
}
