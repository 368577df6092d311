//! A server of each test.

use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};

use formwork_client::Client;
use futures_util::TryStreamExt as _;
use serde_json::{Map, Value};

/// An invoice as a text.
pub(crate) const INVOICE: &str = "Vendor: Harbour Works\nTotal: 12.50\nCurrency: EUR\nDue date: 2026-03-14\n";

/// A running server. On drop it ends and its data is removed.
pub(crate) struct Server {
    process: Child,
    pub(crate) url: String,
    pub(crate) key: String,
    pub(crate) folder: tempfile::TempDir,
}

impl Server {
    /// A server on a free port, without the settings of whoever runs the tests.
    pub(crate) fn start() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_formwork"));
        command.current_dir(folder.path()).env_clear().env("PATH", "/usr/sbin:/usr/bin:/sbin:/bin");
        command.env("FORMWORK_OCR__PROGRAM", "off").env("FORMWORK_BROWSER__PROGRAM", "off");
        // Many servers share the disk of the machine that runs the tests, so a commit may wait for seconds.
        command.env("FORMWORK_LIMITS__DATABASE_SECONDS", "60");
        command.args(["--listen", "127.0.0.1:0", "--data-dir", "data"]);
        let mut process = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let mut lines = BufReader::new(process.stdout.take().unwrap()).lines();
        let mut word = || lines.next().unwrap().unwrap().split_whitespace().last().unwrap().to_owned();
        let (url, key) = (word(), word());
        Self { process, url, key, folder }
    }

    pub(crate) fn client(&self) -> Client {
        Client::new(&self.url, self.key.clone()).unwrap()
    }

    /// The path of a new file with this content.
    pub(crate) fn file(&self, name: &str, content: &str) -> std::path::PathBuf {
        let path = self.folder.path().join(name);
        std::fs::write(&path, content).unwrap();
        path
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _gone = self.process.kill();
        let _gone = self.process.wait();
    }
}

/// The members of a JSON object.
pub(crate) fn object(value: Value) -> Map<String, Value> {
    value.as_object().unwrap().clone()
}

/// All items of a list.
pub(crate) async fn all<R>(items: formwork_client::Items<R>) -> Vec<R> {
    items.try_collect().await.unwrap()
}
