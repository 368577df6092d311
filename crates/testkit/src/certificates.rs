//! A certificate authority for tests, and a certificate for `localhost`, made by the program `openssl`.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context as _, ensure};

/// The files in a folder of the caller's.
#[derive(Clone, Debug)]
pub struct TestCertificates {
    /// File of the authority that clients trust.
    pub authority: PathBuf,
    /// The server's certificate, for the name `localhost` and no address.
    pub certificate: PathBuf,
    /// File of its key.
    pub key: PathBuf,
}

impl TestCertificates {
    /// Makes them in `folder`; `None` when `openssl` is not installed.
    ///
    /// # Errors
    /// When it is installed and fails.
    pub fn create(folder: &Path) -> anyhow::Result<Option<Self>> {
        if Command::new("openssl").arg("version").stdout(Stdio::null()).status().is_err() {
            return Ok(None);
        }
        std::fs::write(folder.join("names"), "subjectAltName=DNS:localhost\nbasicConstraints=CA:FALSE\n")?;
        let key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"];
        let authority = [
            "req",
            "-x509",
            "-days",
            "2",
            "-subj",
            "/CN=Test authority",
            "-keyout",
            "ca.key",
            "-out",
            "ca.crt",
        ];
        openssl(folder, &[authority.as_slice(), key.as_slice()].concat())?;
        let request =
            ["req", "-new", "-subj", "/CN=localhost", "-keyout", "server.key", "-out", "server.csr"];
        openssl(folder, &[request.as_slice(), key.as_slice()].concat())?;
        let sign = "x509 -req -days 2 -in server.csr -CA ca.crt -CAkey ca.key -CAcreateserial -extfile names -out server.crt";
        openssl(folder, &sign.split(' ').collect::<Vec<_>>())?;
        Ok(Some(Self {
            authority: folder.join("ca.crt"),
            certificate: folder.join("server.crt"),
            key: folder.join("server.key"),
        }))
    }
}

fn openssl(folder: &Path, arguments: &[&str]) -> anyhow::Result<()> {
    let output = Command::new("openssl")
        .args(arguments)
        .current_dir(folder)
        .stdin(Stdio::null())
        .output()
        .context("openssl cannot be started")?;
    ensure!(output.status.success(), "openssl failed: {}", String::from_utf8_lossy(&output.stderr));
    Ok(())
}
