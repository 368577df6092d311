//! A new server in a temporary folder, for the demo and the benchmarks.

use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::Context as _;
use reqwest::header::{HeaderMap, HeaderValue};
use serde_json::Value;
use tempfile::TempDir;

use crate::shell::{cargo, run};

/// A running server. On drop it ends and its data is removed.
#[derive(Debug)]
pub(crate) struct Server {
    process: Child,
    /// Address, such as `http://127.0.0.1:40123`.
    pub(crate) url: String,
    /// The first key.
    pub(crate) key: String,
    /// Time from the start of the process to its first line.
    pub(crate) announced: Duration,
    folder: TempDir,
}

/// The build profile of the binary.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Profile {
    /// As for the tests, with overflow checks.
    Dev,
    /// As released.
    Release,
}

impl Server {
    /// Builds the release binary and starts it on a free port.
    pub(crate) fn start() -> anyhow::Result<Self> {
        Self::launch(Profile::Release, |command| command)
    }

    /// As [`Server::start_with`], built as the tests are.
    pub(crate) fn start_checked(prepare: impl FnOnce(&mut Command) -> &mut Command) -> anyhow::Result<Self> {
        Self::launch(Profile::Dev, prepare)
    }

    /// As [`Server::start`], with more environment variables.
    pub(crate) fn start_with(prepare: impl FnOnce(&mut Command) -> &mut Command) -> anyhow::Result<Self> {
        Self::launch(Profile::Release, prepare)
    }

    /// As [`Server::start`], with the embedding model in a folder.
    pub(crate) fn start_with_embeddings(model: &str) -> anyhow::Result<Self> {
        Self::start_with(|command| command.env("FORMWORK_MODELS__LOCAL_EMBEDDINGS", model))
    }

    /// Builds the binary with this profile and starts it with the additions of `prepare`.
    pub(crate) fn launch(
        profile: Profile,
        prepare: impl FnOnce(&mut Command) -> &mut Command,
    ) -> anyhow::Result<Self> {
        let release: &[&str] = match profile {
            Profile::Dev => &[],
            Profile::Release => &["--release"],
        };
        Self::start_built_with(release, profile, prepare)
    }

    fn start_built_with(
        options: &[&str],
        profile: Profile,
        prepare: impl FnOnce(&mut Command) -> &mut Command,
    ) -> anyhow::Result<Self> {
        run(cargo(&["build", "--workspace", "--bins"]).args(options))?;
        let mut command = Command::new(program_path("formwork", profile)?);
        prepare(&mut command);
        Self::start_command(command)
    }

    /// Starts a server with a command that ends with its binary.
    pub(crate) fn start_command(mut command: Command) -> anyhow::Result<Self> {
        let folder = tempfile::tempdir()?;
        let began = Instant::now();
        command
            .args(["--listen", "127.0.0.1:0", "--data-dir"])
            .arg(folder.path().join("data"))
            .current_dir(folder.path())
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        let mut process = command.spawn().context("the server cannot be started")?;
        let mut lines = BufReader::new(process.stdout.take().context("standard output")?).lines();
        let mut next = || lines.next().context("the server ended at its start")?.context("standard output");
        let address = next()?;
        let announced = began.elapsed();
        let key = next()?;
        let last = |line: &str| line.rsplit(' ').next().unwrap_or_default().to_owned();
        Ok(Self { process, url: last(&address), key: last(&key), announced, folder })
    }

    /// Process id.
    pub(crate) fn pid(&self) -> u32 {
        self.process.id()
    }

    /// A client that sends the key.
    pub(crate) fn client(&self) -> anyhow::Result<reqwest::Client> {
        let mut headers = HeaderMap::new();
        headers.insert("x-service-key", HeaderValue::from_str(&self.key)?);
        // Below the time after which the server closes idle connections, so that no request meets that.
        let client = providers_http::client_builder()?.pool_idle_timeout(Duration::from_secs(1));
        Ok(client.default_headers(headers).build()?)
    }

    /// Processor seconds of the server without its workers.
    pub(crate) fn cpu_seconds(&self) -> anyhow::Result<f64> {
        cpu_seconds_of(&self.pid().to_string())
    }

    /// Size in bytes of the files in a folder of its data folder.
    pub(crate) fn folder_bytes(&self, name: &str) -> anyhow::Result<u64> {
        bytes_of(&self.folder.path().join("data").join(name))
    }

    /// Anonymous memory in megabytes.
    pub(crate) fn anonymous_mb(&self) -> anyhow::Result<f64> {
        memory_mb_of(self.pid(), "RssAnon")
    }

    /// Resident memory in megabytes.
    pub(crate) fn resident_mb(&self) -> anyhow::Result<f64> {
        resident_mb_of(self.pid())
    }

    /// A further write key, with options of `formwork keys create` such as limits.
    pub(crate) fn issue_key(&self, options: &[&str]) -> anyhow::Result<String> {
        self.issue_key_by(&binary()?, options)
    }

    /// As [`Server::issue_key`], with this build of the program.
    pub(crate) fn issue_key_by(&self, program: &Path, options: &[&str]) -> anyhow::Result<String> {
        let data = self.folder.path().join("data");
        let mut command = Command::new(program);
        command.args(["keys", "create", "--name", "bench", "--data-dir"]).arg(data).args(options);
        let output = command.current_dir(self.folder.path()).output().context("formwork keys create")?;
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let key = text.split_whitespace().find(|word| word.starts_with("fw_"));
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        key.map(str::to_owned).with_context(|| format!("formwork keys create: {told}"))
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.process.kill().ok();
        self.process.wait().ok();
    }
}

/// Resident memory of a process in megabytes.
pub(crate) fn resident_mb_of(process: u32) -> anyhow::Result<f64> {
    memory_mb_of(process, "VmRSS")
}

/// A line of a process's `status`, in megabytes.
fn memory_mb_of(process: u32, name: &'static str) -> anyhow::Result<f64> {
    let text = std::fs::read_to_string(format!("/proc/{process}/status"))?;
    let line = text.lines().find(|line| line.starts_with(name)).context(name)?;
    let kilobytes = line.split_whitespace().nth(1).and_then(|number| number.parse::<f64>().ok());
    Ok(kilobytes.context(name)? / 1024.0)
}

/// Size in bytes of the files in a folder and its subfolders.
fn bytes_of(folder: &Path) -> anyhow::Result<u64> {
    let mut bytes = 0;
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        let known = entry.metadata()?;
        bytes += if known.is_dir() { bytes_of(&entry.path())? } else { known.len() };
    }
    Ok(bytes)
}

/// Processor seconds of a process.
pub(crate) fn cpu_seconds_of(process: &str) -> anyhow::Result<f64> {
    ticks_of(process, [11, 12])
}

/// Processor seconds of a process's ended children.
fn ended_children_seconds_of(process: u32) -> anyhow::Result<f64> {
    ticks_of(&process.to_string(), [13, 14])
}

/// The children of a process.
pub(crate) fn children_of(process: u32) -> anyhow::Result<Vec<u32>> {
    let mut found = Vec::new();
    for thread in std::fs::read_dir(format!("/proc/{process}/task"))? {
        let children = std::fs::read_to_string(thread?.path().join("children")).unwrap_or_default();
        found.extend(children.split_whitespace().filter_map(|child| child.parse::<u32>().ok()));
    }
    Ok(found)
}

/// Processor seconds of the running and the ended children.
pub(crate) fn children_seconds_of(process: u32) -> anyhow::Result<f64> {
    let ended = ended_children_seconds_of(process)?;
    // A process may have ended meanwhile.
    let running =
        children_of(process)?.into_iter().filter_map(|child| cpu_seconds_of(&child.to_string()).ok());
    Ok(ended + running.sum::<f64>())
}

/// Seconds from two fields of a process's `stat`, numbered after its name.
fn ticks_of(process: &str, places: [usize; 2]) -> anyhow::Result<f64> {
    let text = std::fs::read_to_string(format!("/proc/{process}/stat"))?;
    let fields: Vec<&str> = text.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
    let tick = |index: usize| fields.get(index).and_then(|field| field.parse::<f64>().ok()).unwrap_or(0.0);
    Ok(places.map(tick).iter().sum::<f64>() / 100.0)
}

/// The release binary.
pub(crate) fn binary() -> anyhow::Result<PathBuf> {
    program_path("formwork", Profile::Release)
}

/// Where the build puts a program of the workspace, or an example (`examples/NAME`).
pub(crate) fn program_path(program: &str, profile: Profile) -> anyhow::Result<PathBuf> {
    let output =
        cargo(&["metadata", "--no-deps", "--format-version", "1"]).output().context("cargo metadata")?;
    let metadata: Value = serde_json::from_slice(&output.stdout)?;
    let target = metadata["target_directory"].as_str().context("target_directory")?;
    let folder = match profile {
        Profile::Dev => "debug",
        Profile::Release => "release",
    };
    Ok(PathBuf::from(target).join(folder).join(program))
}
