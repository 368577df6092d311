//! The program: where it is, and how pages are shown by it.

use std::ffi::OsStr;
use std::net::{Ipv4Addr, SocketAddr};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use tokio::sync::Semaphore;
use tokio::sync::oneshot::{self, Receiver};
use tokio::time::{Instant, sleep_until};
use utilities_core::web::{BrowserError, BrowserProxy, PageBrowser};

use crate::arguments::Call;
use crate::process::run;

/// Its names where it is searched for.
const NAMES: [&str; 4] = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome"];
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
    /// Time for a page, by the clock and of a processor, and for its turn.
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
    places: Arc<Semaphore>,
}

impl Chromium {
    /// The program's place among the folders of `search`, the value of `PATH`.
    #[must_use]
    pub fn search(search: &OsStr) -> Option<PathBuf> {
        let folders: Vec<PathBuf> =
            std::env::split_paths(search).filter(|folder| folder.is_absolute()).collect();
        let named =
            |name: &&str| folders.iter().map(|folder| folder.join(name)).find(|path| is_executable(path));
        NAMES.iter().find_map(named)
    }

    /// The program, whose traffic all goes through `proxy`. It is not started before a page needs it.
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
        let places = Arc::new(Semaphore::new(settings.at_once));
        Ok(Self(Arc::new(Inner { settings, proxy, places })))
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
            let version = self.0.run(None, (until, &mut gone)).await?;
            let nowhere = SocketAddr::from((Ipv4Addr::LOCALHOST, 1));
            let shown = self.0.run(Some((SAMPLE, nowhere)), (until, &mut gone)).await?;
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
    /// Runs the program for a page through a proxy, or for its version.
    async fn run(
        &self,
        page: Option<(&str, SocketAddr)>,
        end: (Instant, &mut Receiver<()>),
    ) -> Result<Vec<u8>, BrowserError> {
        let settings = &self.settings;
        let folder = tempfile::Builder::new().prefix("formwork-page-").tempdir();
        let folder = folder.map_err(|error| BrowserError::Failed(error.into()))?;
        let arguments = match page {
            None => vec!["--version".to_owned()],
            Some((url, proxy)) => Call {
                profile: folder.path(),
                proxy,
                sandbox: settings.sandbox,
                script_ms: u64::try_from(settings.script_time.as_millis()).unwrap_or(u64::MAX),
                url,
            }
            .arguments(),
        };
        let shown = run(settings, &arguments, folder.path(), end).await;
        let cleared = tokio::task::spawn_blocking(move || folder.close()).await;
        if !matches!(cleared, Ok(Ok(()))) {
            tracing::warn!("the folder of a browser could not be taken away");
        }
        shown
    }

    async fn shown(&self, url: &str, mut gone: Receiver<()>) -> Result<Bytes, BrowserError> {
        let time = self.settings.page_time;
        let until = Instant::now() + time;
        let place = tokio::select! {
            place = self.places.acquire() => place,
            () = sleep_until(until) => return Err(BrowserError::Timeout(time.as_secs())),
            _ = &mut gone => return Err(BrowserError::Failed("nobody waits for the page".into())),
        };
        let _place = place.map_err(|error| BrowserError::Failed(error.into()))?;
        let lease = self.proxy.open(url).await?;
        self.run(Some((url, lease.address)), (until, &mut gone)).await.map(Bytes::from)
    }
}

#[async_trait]
impl PageBrowser for Chromium {
    async fn render(&self, url: &str) -> Result<Bytes, BrowserError> {
        let (inner, url) = (Arc::clone(&self.0), url.to_owned());
        let (_waits, gone) = oneshot::channel();
        // A task of its own ends all processes and takes the folder away, also when nobody waits for it any more.
        let work = tokio::spawn(async move { inner.shown(&url, gone).await });
        let outcome = work.await.map_err(|error| BrowserError::Failed(error.into())).flatten();
        if let Err(error) = &outcome {
            let cause = std::error::Error::source(error).map(ToString::to_string);
            tracing::info!(%error, cause, "a page is taken as it was sent");
        }
        outcome
    }
}

fn is_executable(program: &Path) -> bool {
    std::fs::metadata(program).is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o111 != 0)
}

/// An error with what it comes from.
fn with_sources(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(error) = source {
        text.push_str(&format!(": {error}"));
        source = error.source();
    }
    text
}
