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

/// A running server. Dropping it stops the server and removes its files.
#[derive(Debug)]
pub struct PostgresServer {
    server: Child,
    port: u16,
    certificates: Option<TestCertificates>,
    _folder: TempDir,
}

impl PostgresServer {
    /// Starts a server, which speaks TLS if `openssl` is installed; `None` when PostgreSQL is not installed.
    ///
    /// # Errors
    /// When it is installed but cannot be started.
    pub fn start() -> anyhow::Result<Option<Self>> {
        let Some(programs) = programs() else { return Ok(None) };
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
        let certificates = TestCertificates::create(folder.path())?;
        if let (Some(certificates), true) = (&certificates, root) {
            run(Command::new("chown").arg("nobody").arg(&certificates.key))?;
        }
        let port = free_port()?;
        let port_text = port.to_string();
        let serve = [
            "-D",
            path(&cluster)?,
            "-p",
            &port_text,
            "-h",
            "127.0.0.1",
            "-k",
            path(&cluster)?,
            "-c",
            "fsync=off",
            "-c",
            "full_page_writes=off",
            "-c",
            "max_connections=300",
        ];
        let mut command = as_user(root, &programs.join("postgres"), &serve);
        if let Some(certificates) = &certificates {
            let file = |name: &str, file: &Path| Ok::<_, anyhow::Error>(format!("{name}={}", path(file)?));
            let certificate = file("ssl_cert_file", &certificates.certificate)?;
            command.args([
                "-c",
                "ssl=on",
                "-c",
                &certificate,
                "-c",
                &file("ssl_key_file", &certificates.key)?,
            ]);
        }
        let server = command
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .context("postgres cannot be started")?;
        let mut started = Self { server, port, certificates, _folder: folder };
        started.wait()?;
        Ok(Some(started))
    }

    /// A URL of a role that may create databases.
    #[must_use]
    pub fn url(&self) -> String {
        format!("postgres://postgres@127.0.0.1:{}/postgres", self.port)
    }

    /// The file of the authority that signed the server's certificate for `localhost`; `None` without TLS.
    #[must_use]
    pub fn authority(&self) -> Option<&Path> {
        self.certificates.as_ref().map(|certificates| certificates.authority.as_path())
    }

    fn wait(&mut self) -> anyhow::Result<()> {
        for _ in 0..ATTEMPTS {
            if std::net::TcpStream::connect(("127.0.0.1", self.port)).is_ok() {
                return Ok(());
            }
            if let Some(status) = self.server.try_wait()? {
                bail!("postgres ended at its start: {status}");
            }
            std::thread::sleep(Duration::from_millis(100));
        }
        bail!("postgres did not come up")
    }
}

impl Drop for PostgresServer {
    fn drop(&mut self) {
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
