//! A PostgreSQL server in a temporary folder.

use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use anyhow::{Context as _, bail};
use tempfile::TempDir;

use crate::TestCertificates;

/// Polls until the server accepts connections, a tenth of a second apart.
const ATTEMPTS: u32 = 300;
/// Without safety against a crash of the machine, which no test needs.
const SETTINGS: [&str; 3] = ["fsync=off", "full_page_writes=off", "max_connections=300"];

/// A running server. Dropping it stops the server and removes its files.
#[derive(Debug)]
pub struct PostgresServer {
    server: Child,
    installation: Installation,
    certificates: Option<TestCertificates>,
    _folder: TempDir,
}

/// How a server is started.
#[derive(Debug)]
struct Installation {
    programs: PathBuf,
    cluster: PathBuf,
    port: u16,
    is_root: bool,
}

impl PostgresServer {
    /// Starts a server, which speaks TLS if `openssl` is installed; `None` when PostgreSQL is not installed.
    ///
    /// # Errors
    /// When it is installed but cannot be started.
    pub fn start() -> anyhow::Result<Option<Self>> {
        programs().map(|programs| Self::launch(programs, true)).transpose()
    }

    /// Starts a server without TLS by the programs in this folder; not every build of PostgreSQL supports it.
    ///
    /// # Errors
    /// When it cannot be started.
    pub fn start_by(programs: PathBuf) -> anyhow::Result<Self> {
        Self::launch(programs, false)
    }

    fn launch(programs: PathBuf, with_tls: bool) -> anyhow::Result<Self> {
        let folder = tempfile::Builder::new().prefix("formwork-pg").tempdir()?;
        let cluster = folder.path().join("cluster");
        let root = is_root()?;
        if root {
            // `nobody` must be able to enter the folder and own the cluster.
            run(Command::new("chmod").arg("755").arg(folder.path()))?;
            std::fs::create_dir(&cluster)?;
            run(Command::new("chown").arg("nobody").arg(&cluster))?;
        }
        let initdb =
            ["-D", path(&cluster)?, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "-N"];
        run(as_user(root, &programs.join("initdb"), &initdb).stdout(Stdio::null()))?;
        let certificates = if with_tls { TestCertificates::create(folder.path())? } else { None };
        if let (Some(certificates), true) = (&certificates, root) {
            run(Command::new("chown").arg("nobody").arg(&certificates.key))?;
        }
        let installation = Installation { programs, cluster, port: free_port()?, is_root: root };
        let server = installation.serve(certificates.as_ref())?;
        let mut started = Self { server, installation, certificates, _folder: folder };
        started.wait()?;
        Ok(started)
    }

    /// Ends the server with all its connections, and starts it again.
    ///
    /// # Errors
    /// When it cannot be started.
    pub fn restart(&mut self) -> anyhow::Result<()> {
        self.stop();
        self.server = self.installation.serve(self.certificates.as_ref())?;
        self.wait()
    }

    /// Freezes all processes of the server until [`Self::resume`].
    ///
    /// # Errors
    /// When they cannot be listed.
    pub fn pause(&self) -> anyhow::Result<()> {
        self.signal("-STOP")
    }

    /// Lets the processes go on.
    ///
    /// # Errors
    /// When they cannot be listed.
    pub fn resume(&self) -> anyhow::Result<()> {
        self.signal("-CONT")
    }

    /// Sends a signal to the server and to the processes of its connections.
    fn signal(&self, signal: &str) -> anyhow::Result<()> {
        let pid = self.server.id().to_string();
        let children = std::fs::read_to_string(format!("/proc/{pid}/task/{pid}/children"))?;
        // One may have ended meanwhile.
        Command::new("kill").arg(signal).arg(&pid).args(children.split_whitespace()).output()?;
        Ok(())
    }

    /// A URL of a role that may create databases.
    #[must_use]
    pub fn url(&self) -> String {
        format!("postgres://postgres@127.0.0.1:{}/postgres", self.installation.port)
    }

    /// Process id.
    #[must_use]
    pub fn pid(&self) -> u32 {
        self.server.id()
    }

    /// The file of the authority that signed the server's certificate for `localhost`; `None` without TLS.
    #[must_use]
    pub fn authority(&self) -> Option<&Path> {
        self.certificates.as_ref().map(|certificates| certificates.authority.as_path())
    }

    fn wait(&mut self) -> anyhow::Result<()> {
        for _ in 0..ATTEMPTS {
            if std::net::TcpStream::connect(("127.0.0.1", self.installation.port)).is_ok() {
                return Ok(());
            }
            if let Some(status) = self.server.try_wait()? {
                bail!("postgres ended at its start: {status}");
            }
            std::thread::sleep(Duration::from_millis(100));
        }
        bail!("postgres did not come up")
    }

    fn stop(&mut self) {
        // SIGINT requests a fast shutdown; kill the server only if it ignores that.
        let pid = self.server.id().to_string();
        Command::new("kill").args(["-INT", &pid]).status().ok();
        for _ in 0..50 {
            if matches!(self.server.try_wait(), Ok(Some(_))) {
                return;
            }
            std::thread::sleep(Duration::from_millis(100));
        }
        self.server.kill().ok();
        self.server.wait().ok();
    }
}

impl Drop for PostgresServer {
    fn drop(&mut self) {
        self.resume().ok();
        self.stop();
    }
}

impl Installation {
    fn serve(&self, certificates: Option<&TestCertificates>) -> anyhow::Result<Child> {
        let (port, cluster) = (self.port.to_string(), path(&self.cluster)?);
        let mut serve = vec!["-D", cluster, "-p", &port, "-h", "127.0.0.1", "-k", cluster];
        let mut settings = SETTINGS.map(str::to_owned).to_vec();
        if let Some(TestCertificates { certificate, key, .. }) = certificates {
            settings.push("ssl=on".to_owned());
            settings.push(format!("ssl_cert_file={}", path(certificate)?));
            settings.push(format!("ssl_key_file={}", path(key)?));
        }
        serve.extend(settings.iter().flat_map(|setting| ["-c", setting.as_str()]));
        let mut command = as_user(self.is_root, &self.programs.join("postgres"), &serve);
        let quiet = command.stdout(Stdio::null()).stderr(Stdio::null());
        quiet.spawn().context("postgres cannot be started")
    }
}

/// The folder with `initdb` and `postgres`: Debian installs them in a folder per version.
fn programs() -> Option<PathBuf> {
    let mut folders: Vec<PathBuf> = std::fs::read_dir("/usr/lib/postgresql")
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path().join("bin"))
        .collect();
    folders.sort();
    folders.extend(["/usr/local/bin", "/usr/bin"].map(PathBuf::from));
    folders
        .into_iter()
        .rev()
        .find(|folder| folder.join("initdb").exists() && folder.join("postgres").exists())
}

fn is_root() -> anyhow::Result<bool> {
    let output = Command::new("id").arg("-u").output().context("the user id cannot be read")?;
    Ok(output.stdout.trim_ascii() == b"0")
}

fn as_user(root: bool, program: &Path, arguments: &[&str]) -> Command {
    if !root {
        let mut command = Command::new(program);
        command.args(arguments);
        return command;
    }
    let mut command = Command::new("setpriv");
    command.args(["--reuid=nobody", "--regid=nogroup", "--clear-groups", "--"]).arg(program).args(arguments);
    command.current_dir("/");
    command
}

fn run(command: &mut Command) -> anyhow::Result<()> {
    let output =
        command.stderr(Stdio::piped()).output().with_context(|| format!("{command:?} cannot be started"))?;
    if !output.status.success() {
        bail!("{command:?} failed: {}", String::from_utf8_lossy(&output.stderr));
    }
    Ok(())
}

fn path(path: &Path) -> anyhow::Result<&str> {
    path.to_str().context("the temporary folder has a name that is not UTF-8")
}

fn free_port() -> anyhow::Result<u16> {
    Ok(TcpListener::bind(("127.0.0.1", 0))?.local_addr()?.port())
}
