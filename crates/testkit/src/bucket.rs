//! A server compatible with S3: moto, which keeps its objects in memory and checks no signatures.

use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use anyhow::{Context as _, bail, ensure};

/// Polls until the server accepts connections, a tenth of a second apart. Its modules load slowly.
const ATTEMPTS: u32 = 600;

/// A running server. Dropping it ends the server.
#[derive(Debug)]
pub struct BucketServer {
    server: Child,
    port: u16,
}

impl BucketServer {
    /// Starts moto's server by its program.
    ///
    /// # Errors
    /// When it cannot be started.
    pub fn start(mut program: Command) -> anyhow::Result<Self> {
        let port = TcpListener::bind(("127.0.0.1", 0))?.local_addr()?.port();
        program.args(["-H", "127.0.0.1", "-p", &port.to_string()]);
        let server = program
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .context("moto cannot be started")?;
        let mut started = Self { server, port };
        for _ in 0..ATTEMPTS {
            if TcpStream::connect(("127.0.0.1", port)).is_ok() {
                return Ok(started);
            }
            if let Some(status) = started.server.try_wait()? {
                bail!("moto ended at its start: {status}");
            }
            std::thread::sleep(Duration::from_millis(100));
        }
        bail!("moto did not come up")
    }

    /// `http://127.0.0.1:<port>`.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }
}

impl Drop for BucketServer {
    fn drop(&mut self) {
        self.server.kill().ok();
        self.server.wait().ok();
    }
}

/// Creates a bucket at `endpoint`, an `http://` URL without a path.
///
/// # Errors
/// When the server refuses.
pub fn create_bucket(endpoint: &str, name: &str) -> anyhow::Result<()> {
    let answer = request_bucket(endpoint, "PUT", &format!("/{name}"))?;
    ensure!(answer.contains(" 200 "), "{answer}");
    Ok(())
}

/// The whole answer to a request without a body and without a signature.
///
/// # Errors
/// When the server cannot be reached.
pub fn request_bucket(endpoint: &str, method: &str, target: &str) -> anyhow::Result<String> {
    let address = endpoint.strip_prefix("http://").context("the endpoint must begin with http://")?;
    let mut connection = TcpStream::connect(address)?;
    // moto recognises S3 by this header, among others.
    write!(
        connection,
        "{method} {target} HTTP/1.1\r\nHost: {address}\r\nAuthorization: AWS4-HMAC-SHA256 \
         Credential=test/20260101/us-east-1/s3/aws4_request, SignedHeaders=host, Signature=0\r\n\
         Content-Length: 0\r\nConnection: close\r\n\r\n"
    )?;
    let mut answer = String::new();
    connection.read_to_string(&mut answer)?;
    Ok(answer)
}
