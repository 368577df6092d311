//! haproxy in front of the servers and of the bucket.

use std::io::{Read as _, Write as _};
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context as _, ensure};
use tempfile::TempDir;

use crate::process::{Running, free_port};

/// A running haproxy.
#[derive(Debug)]
pub(crate) struct Balancer {
    running: Running,
    socket: PathBuf,
    bucket_port: u16,
}

impl Balancer {
    /// Starts it in front of servers on these ports, and of a bucket at `host:port`.
    pub(super) fn start(ports: &[u16], bucket: &str) -> anyhow::Result<Self> {
        let folder = TempDir::new()?;
        let (port, bucket_port) = (free_port()?, free_port()?);
        let socket = folder.path().join("admin");
        let server = |(number, port)| format!("  server server-{number} 127.0.0.1:{port} check\n");
        let servers: String = ports.iter().enumerate().map(server).collect();
        let settings = format!(
            "global\n  stats socket {} level admin\n\
             defaults\n  mode http\n  timeout connect 1s\n  timeout client 120s\n  timeout server 120s\n  \
             retries 2\n  option redispatch\n  retry-on conn-failure\n\
             frontend api\n  bind 127.0.0.1:{port}\n  default_backend formwork\n\
             backend formwork\n  balance roundrobin\n  option httpchk GET /ready\n  \
             default-server inter 500ms fall 1 rise 1\n{servers}\
             frontend s3\n  bind 127.0.0.1:{bucket_port}\n  default_backend bucket\n\
             backend bucket\n  server moto {bucket}\n",
            socket.display()
        );
        let file = folder.path().join("haproxy.cfg");
        std::fs::write(&file, settings)?;
        let mut command = Command::new("haproxy");
        command.arg("-f").arg(&file);
        let running = Running::start(command, port, folder).context("haproxy (apt-get install haproxy)")?;
        Ok(Self { running, socket, bucket_port })
    }

    /// The URL of the servers.
    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.running.address)
    }

    /// The URL of the bucket.
    pub(super) fn bucket_url(&self) -> String {
        format!("http://127.0.0.1:{}", self.bucket_port)
    }

    /// Answers requests to the bucket with 503, or forwards them again.
    pub(super) fn serve_bucket(&self, is_served: bool) -> anyhow::Result<()> {
        let verb = if is_served { "enable" } else { "disable" };
        let mut socket = UnixStream::connect(&self.socket)?;
        writeln!(socket, "{verb} server bucket/moto")?;
        let mut answer = String::new();
        socket.read_to_string(&mut answer)?;
        ensure!(answer.trim().is_empty(), "haproxy: {answer}");
        Ok(())
    }
}
