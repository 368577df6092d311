//! A server of the cluster as a process that can be killed, stopped and started again.

use std::fs::OpenOptions;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context as _, bail, ensure};

/// How long a server may take to start or to end; also while parts of the cluster fail.
const PATIENCE: Duration = Duration::from_secs(90);
/// Interval between two looks at a process.
const INTERVAL: Duration = Duration::from_millis(50);

/// Where the contents of files are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Storage {
    /// A bucket of the S3 server.
    Bucket,
    /// A folder that all servers have.
    Folder,
}

/// A server. On drop it is killed.
#[derive(Debug)]
pub(crate) struct Node {
    /// Its name in the settings of haproxy.
    pub(crate) name: String,
    pub(crate) port: u16,
    pub(super) folder: PathBuf,
    pub(super) program: PathBuf,
    pub(super) arguments: Vec<String>,
    pub(super) environment: Vec<(String, String)>,
    pub(super) process: Option<Child>,
}

/// Whether a binary can have contents in buckets.
pub(super) fn knows_buckets(program: &Path) -> anyhow::Result<bool> {
    let output =
        Command::new(program).arg("--help").output().with_context(|| program.display().to_string())?;
    Ok(String::from_utf8_lossy(&output.stdout).contains("s3://"))
}

impl Node {
    /// Starts the server, and again if it ends because something that it needs is away.
    pub(crate) async fn start(&mut self) -> anyhow::Result<()> {
        let client = providers_http::client_builder()?.timeout(PATIENCE).build()?;
        let health = format!("http://127.0.0.1:{}/health", self.port);
        let began = Instant::now();
        while began.elapsed() < PATIENCE {
            match self.process.as_mut().map(Child::try_wait).transpose()? {
                // The address is bound early, but answers come when the server serves.
                Some(None) if client.get(&health).send().await.is_ok() => return Ok(()),
                Some(None) => {}
                Some(Some(_)) | None => {
                    self.process = Some(self.command()?.spawn().context("a server cannot be started")?)
                }
            }
            tokio::time::sleep(INTERVAL).await;
        }
        bail!("{} did not start within {PATIENCE:?}: {}", self.name, self.log()?)
    }

    fn command(&self) -> anyhow::Result<Command> {
        let mut command = Command::new(&self.program);
        let log = OpenOptions::new().create(true).append(true).open(self.folder.join("log"))?;
        command.args(&self.arguments).args(["--listen", &format!("127.0.0.1:{}", self.port)]);
        command.current_dir(&self.folder).env_clear().env("PATH", "/usr/sbin:/usr/bin:/sbin:/bin");
        command.env("FORMWORK_OCR__PROGRAM", "off").env("FORMWORK_BROWSER__PROGRAM", "off");
        command.envs(self.environment.iter().cloned());
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(log);
        Ok(command)
    }

    /// Kills the server without a chance to clean up.
    pub(crate) fn kill(&mut self) {
        if let Some(mut process) = self.process.take() {
            process.kill().ok();
            process.wait().ok();
        }
    }

    /// Asks the server to end (SIGTERM), and waits for that.
    pub(crate) async fn stop(&mut self) -> anyhow::Result<()> {
        let Some(mut process) = self.process.take() else { return Ok(()) };
        Command::new("kill").arg(process.id().to_string()).status()?;
        let began = Instant::now();
        while process.try_wait()?.is_none() {
            if began.elapsed() > PATIENCE {
                process.kill().ok();
                bail!("{} did not end within {PATIENCE:?}", self.name);
            }
            tokio::time::sleep(INTERVAL).await;
        }
        Ok(())
    }

    /// The key that the server made at its first start on an empty database.
    pub(crate) fn first_key(&self) -> anyhow::Result<String> {
        Ok(std::fs::read_to_string(self.folder.join("data/first-key"))?.trim().to_owned())
    }

    /// Processor seconds so far.
    pub(crate) fn cpu_seconds(&self) -> anyhow::Result<f64> {
        let process = self.process.as_ref().context("the server is not running")?;
        crate::server::cpu_seconds_of(&process.id().to_string())
    }

    fn log(&self) -> anyhow::Result<String> {
        Ok(std::fs::read_to_string(self.folder.join("log"))?)
    }

    /// Fails if the server has panicked.
    pub(super) fn check_log(&self) -> anyhow::Result<()> {
        let log = self.log()?;
        ensure!(!log.contains("panicked"), "{} panicked: {log}", self.name);
        Ok(())
    }

    /// Runs `formwork check` on the database and the contents.
    pub(super) fn check_data(&self) -> anyhow::Result<()> {
        let mut command = self.command()?;
        let output = command.arg("check").stdout(Stdio::piped()).stderr(Stdio::piped()).output()?;
        let told =
            String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
        ensure!(output.status.success(), "formwork check: {told}");
        println!("formwork check: {}", told.trim());
        Ok(())
    }
}

impl Drop for Node {
    fn drop(&mut self) {
        self.kill();
    }
}
