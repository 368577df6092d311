//! The program: where it is, and how pages are shown by it.

use std::ffi::OsStr;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use programs::{is_executable, with_sources};
use tokio::sync::Semaphore;
use tokio::sync::oneshot::{self, Receiver};
use tokio::time::{Instant, sleep_until};
use utilities_core::web::{BrowserError, BrowserProxy, PageBrowser};

use crate::arguments::{BrowserCommand, RenderOutput};
use crate::picture;
use crate::process::{ProcessFailure, StopConditions, failed, run};

/// Part of its time after which a page gives its place to others that wait: three that never end leave room for a fourth
/// within the time of one.
const SHARE: u32 = 3;
/// Times of a page that are waited for a turn.
const TURNS: u32 = 2;
/// Its names where it is searched for.
const NAMES: [&str; 4] = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome"];
/// How the names of its folders begin.
const FOLDERS: &str = "formwork-page-";
/// A page whose script must have run for it to be right.
const SAMPLE: &str = "data:text/html,<p id=a></p><script>a.textContent='shown '+'by script'</script>";
const SHOWN: &str = "shown by script</p>";

/// How the program is run.
#[derive(Clone, Debug)]
pub struct ChromiumSettings {
    /// The program.
    pub program: PathBuf,
    /// Whether it keeps its own sandbox. It does not start with it as root.
    pub sandbox: bool,
    /// Time for a page, by the clock and of a processor, once it has its turn, for which it waits as long at the most for
    /// each of [`TURNS`].
    pub page_time: Duration,
    /// Time of the page's own clock for its scripts.
    pub script_time: Duration,
    /// Bytes of memory of a browser.
    pub memory_bytes: u64,
    /// Bytes of a page's HTML.
    pub page_bytes: u64,
    /// Browsers at the same time.
    pub at_once: usize,
}

impl ChromiumSettings {
    /// The settings for a program, everything else as usual.
    #[must_use]
    pub fn new(program: PathBuf) -> Self {
        Self {
            program,
            sandbox: true,
            page_time: Duration::from_secs(30),
            script_time: Duration::from_secs(5),
            memory_bytes: 1 << 30,
            page_bytes: 10 << 20,
            at_once: 1,
        }
    }

    /// Time for a page while others wait for their turn.
    pub(crate) fn share(&self) -> Duration {
        self.page_time / SHARE
    }
}

/// Why the program cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("{} cannot be used as a browser: {reason}", program.display())]
pub struct FindError {
    /// The program.
    pub program: PathBuf,
    /// Why.
    pub reason: String,
}

/// The program. Clones share it.
#[derive(Clone, Debug)]
pub struct Chromium(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    settings: ChromiumSettings,
    proxy: Arc<dyn BrowserProxy>,
    permits: Arc<Semaphore>,
    /// How many wait for a place.
    waiting: AtomicUsize,
}

/// One that waits, for as long as this is there.
struct WaiterGuard<'a>(&'a AtomicUsize);

impl<'a> WaiterGuard<'a> {
    fn new(waiting: &'a AtomicUsize) -> Self {
        waiting.fetch_add(1, Ordering::Relaxed);
        Self(waiting)
    }
}

impl Drop for WaiterGuard<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Chromium {
    /// The program's place among the folders of `search`, the value of `PATH`.
    #[must_use]
    pub fn search(search: &OsStr) -> Option<PathBuf> {
        programs::find_program(search, &NAMES)
    }

    /// The program, whose traffic all goes through `proxy`. It is not started before a page needs it. Browsers that a server
    /// left which was killed are ended.
    ///
    /// # Errors
    /// When it cannot be started, or not with its sandbox.
    pub fn new(settings: ChromiumSettings, proxy: Arc<dyn BrowserProxy>) -> Result<Self, FindError> {
        let unusable =
            |reason: &str| Err(FindError { program: settings.program.clone(), reason: reason.to_owned() });
        if !is_executable(&settings.program) {
            return unusable("it is no program");
        }
        if settings.sandbox && rustix::process::geteuid().is_root() {
            return unusable("it does not start as root with its sandbox; run the server as another user");
        }
        programs::sweep(FOLDERS);
        let places = Arc::new(Semaphore::new(settings.at_once));
        Ok(Self(Arc::new(Inner { settings, proxy, permits: places, waiting: AtomicUsize::new(0) })))
    }

    /// Where it is.
    #[must_use]
    pub fn program(&self) -> &Path {
        &self.0.settings.program
    }

    /// Its name and version, such as `Chromium 140.0.1`, after it has shown a sample.
    ///
    /// # Errors
    /// When it does not.
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
    /// Runs the program for what is wanted of a page through a proxy, or for its version.
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
                tracing::warn!(%error, "the folder of a browser could not be taken away");
            }
            left
        };
        let left = tokio::task::spawn_blocking(leave).await;
        let left = left.map_err(|error| BrowserError::Failed(error.into())).flatten();
        let said = said?;
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
        let waits = WaiterGuard::new(&self.waiting);
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
        // A task of its own ends all processes and takes the folder away, also when nobody waits for it any more.
        let work = tokio::spawn(async move { inner.render_page(&url, wanted, gone).await });
        let outcome = work.await.map_err(|error| BrowserError::Failed(error.into())).flatten();
        if let Err(error) = &outcome {
            tracing::info!(error = with_sources(error), ?wanted, "a page was not shown by the browser");
        }
        outcome
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
